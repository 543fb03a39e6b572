"""Two browsers at one table: a link is sent, a friend comes, both play."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Visits
from tests.browser.visitor import PATIENCE, Visitor, with_finger, with_mouse


def invites(host: Visitor, game: str) -> str:
    """From home to a table that waits; the link to it."""
    host.go("/")
    host.button(re.compile(f"Invite friends.*{game}")).click()
    link = host.page.get_by_role("textbox", name="Link to this table")
    expect(link).to_be_visible()
    host.sees("svg[role=img][aria-label*=QR]")
    return link.input_value()


def test_a_friend_comes_by_the_link_and_both_play(visit: Visits) -> None:
    ann, bob = visit(), visit("phone", touch=True, locale="fr-FR", name="Bob")
    link = invites(ann, "Marshmallow Test")
    ann.page.locator("fieldset", has_text="Players").get_by_text("2", exact=True).click()
    expect(ann.page.locator(".seats li")).to_have_count(2)

    bob.page.goto(link)
    bob.page.locator(".start button").tap()
    expect(ann.page.locator(".seats")).to_contain_text("Bob", timeout=PATIENCE)
    bob.sees(".options fieldset:disabled")  # how we play is the host's to say

    ann.button("Deal the cards").click()
    acts = (with_mouse(ann), with_finger(bob))
    played = [0, 0]
    for _ in range(12):
        who = whose_turn(ann, bob)
        visitor = (ann, bob)[who]
        moment = visitor.moment()
        before = visitor.page.evaluate(SHOWN)
        acts[who](moment)
        played[who] += 1
        visitor.page.wait_for_function(f"before => {SHOWN} !== before", arg=before)
    assert min(played) >= 3
    assert ann.button("Hint").count() == 0  # not where two people sit


SHOWN = "`${document.querySelectorAll('.hand button').length} ${!!document.querySelector('.slip')}`"
"""How many cards are left, and whether something is asked."""


def whose_turn(*visitors: Visitor) -> int:
    for _ in range(300):
        for who, visitor in enumerate(visitors):
            if visitor.page.locator(".hand .playable, .slip button").count():
                return who
        visitors[0].page.wait_for_timeout(100)
    raise AssertionError("nobody's turn")


def test_a_phrase_is_heard_by_the_other(visit: Visits) -> None:
    ann, bob = visit(), visit(name="Bob")
    link = invites(ann, "Plingo")
    bob.page.goto(link)
    bob.page.locator(".start button").click()
    expect(ann.page.locator(".seats")).to_contain_text("Bob", timeout=PATIENCE)
    ann.button("Deal the cards").click()  # bots take the other seats
    for visitor in (ann, bob):
        visitor.sees(".hand button")
    bob.page.keyboard.press("s")
    bob.button("Hello!").click()
    expect(ann.page.locator(".bubble")).to_have_text("Hello!")
    expect(ann.page.locator("[role=log]")).to_contain_text("Hello!")


def test_who_leaves_is_played_for_and_another_may_take_the_seat(visit: Visits) -> None:
    ann, bob, cem = visit(), visit(name="Bob"), visit(name="Cem")
    link = invites(ann, "Plingo")
    bob.page.goto(link)
    bob.page.locator(".start button").click()
    expect(ann.page.locator(".seats")).to_contain_text("Bob", timeout=PATIENCE)
    ann.button("Deal the cards").click()
    bob.sees(".hand button")
    bob.page.keyboard.press("m")
    bob.button("Leave the table").click()
    bob.page.locator("dialog[open]").get_by_role("button", name="Leave the table").click()
    bob.sees(".shelf")
    assert bob.page.get_by_role("link", name="Back to Plingo").count() == 0
    expect(ann.page.locator(".seat", has_text="Bob")).to_have_count(0, timeout=PATIENCE)
    cem.page.goto(link)
    cem.button(re.compile("Play on for")).click()
    cem.sees(".hand button")
    expect(ann.page.locator(".seat", has_text="Cem")).to_be_visible(timeout=PATIENCE)
