"""Several browsers at one table: invitation by link, play in turns, phrases, leaving."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import NewUser
from tests.browser.user import User, with_mouse, with_touch


def invite(host: User, game: str) -> str:
    """Creates a table from the home page; returns the link to it."""
    host.go("/")
    host.button(re.compile(f"Invite friends.*{game}")).click()
    link = host.page.get_by_role("textbox", name="Link to this table")
    expect(link).to_be_visible()
    host.expect_visible("svg[role=img][aria-label*=QR]")
    return link.input_value()


def test_a_friend_comes_by_the_link_and_both_play(new_user: NewUser) -> None:
    ann, bob = new_user(), new_user("phone", touch=True, locale="fr-FR", name="Bob")
    link = invite(ann, "Marshmallow Test")
    ann.page.locator("fieldset", has_text="Players").get_by_text("2", exact=True).click()
    expect(ann.page.locator(".seats li")).to_have_count(2)

    bob.page.goto(link)
    bob.page.locator(".start button").tap()
    expect(ann.page.locator(".seats")).to_contain_text("Bob")
    bob.expect_visible(".options fieldset:disabled")  # how we play is the host's to say

    ann.button("Deal the cards").click()
    acts = (with_mouse(ann), with_touch(bob))
    played = [0, 0]
    for _ in range(12):
        who = whose_turn(ann, bob)
        user = (ann, bob)[who]
        prompt = user.wait_for_prompt()
        before = user.page.evaluate(SHOWN)
        acts[who](prompt)
        played[who] += 1
        user.page.wait_for_function(f"before => {SHOWN} !== before", arg=before)
    assert min(played) >= 3
    assert ann.button("Hint").count() == 0  # not where two people sit


SHOWN = "`${document.querySelectorAll('.hand button').length} ${!!document.querySelector('.slip')}`"
"""How many cards are left, and whether there is a choice to make."""


def whose_turn(*users: User) -> int:
    for _ in range(300):
        for who, user in enumerate(users):
            if user.page.locator(".hand .playable, .slip button").count():
                return who
        users[0].page.wait_for_timeout(100)
    raise AssertionError("nobody's turn")


def test_a_phrase_is_heard_by_the_other(new_user: NewUser) -> None:
    ann, bob = new_user(), new_user(name="Bob")
    link = invite(ann, "Plingo")
    bob.page.goto(link)
    bob.page.locator(".start button").click()
    expect(ann.page.locator(".seats")).to_contain_text("Bob")
    ann.button("Deal the cards").click()  # bots take the other seats
    for user in (ann, bob):
        user.expect_visible(".hand button")
    bob.page.keyboard.press("s")
    bob.button("Hello!").click()
    expect(ann.page.locator(".bubble")).to_have_text("Hello!")
    expect(ann.page.locator("[role=log]")).to_contain_text("Hello!")


def test_who_leaves_is_played_for_and_another_may_take_the_seat(new_user: NewUser) -> None:
    ann, bob, cem = new_user(), new_user(name="Bob"), new_user(name="Cem")
    link = invite(ann, "Plingo")
    bob.page.goto(link)
    bob.page.locator(".start button").click()
    expect(ann.page.locator(".seats")).to_contain_text("Bob")
    ann.button("Deal the cards").click()
    bob.expect_visible(".hand button")
    bob.page.keyboard.press("m")
    bob.button("Leave the table").click()
    bob.page.locator("dialog[open]").get_by_role("button", name="Leave the table").click()
    bob.expect_visible(".shelf")
    assert bob.page.get_by_role("link", name="Back to Plingo").count() == 0
    expect(ann.page.locator(".seat", has_text="Bob")).to_have_count(0)
    cem.page.goto(link)
    cem.button(re.compile("Play on for")).click()
    cem.expect_visible(".hand button")
    expect(ann.page.locator(".seat", has_text="Cem")).to_be_visible()
