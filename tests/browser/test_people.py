"""People: names, faces, seats that are given up and freed, full tables, rematches."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import NewUser
from tests.browser.server import ServerProcess
from tests.browser.test_accessibility import check_accessibility
from tests.browser.test_multiplayer import invite
from tests.browser.test_seats import expect_seated, free_seat
from tests.browser.user import User


def introduce(user: User, name: str, face: int, button: str) -> None:
    """Answers the invitation with a name and a face."""
    sheet = user.page.get_by_role("dialog", name="Ann invites you to Plingo")
    expect(sheet).to_be_visible()
    sheet.get_by_role("textbox", name="Your name").fill(name)
    sheet.get_by_role("radio", name=f"Face {face}", exact=True).check(force=True)
    sheet.get_by_role("button", name=button).click()
    expect(sheet).to_have_count(0)


def faces(user: User) -> list[int | None]:
    return [seat.get("face") for seat in user.frames("welcome", "table")[-1]["table"]["seats"]]


def test_strangers_come_by_an_invitation(new_user: NewUser) -> None:
    ann = new_user()
    bob, cem = new_user("phone", touch=True, name=""), new_user(name="")
    link = invite(ann, "Plingo")
    ann.page.locator("fieldset", has_text="Players").get_by_text("2", exact=True).click()
    expect(ann.page.locator(".seats li")).to_have_count(2)

    bob.page.goto(link)
    expect(bob.page.get_by_role("dialog")).to_be_visible()
    check_accessibility(bob, "an invitation")
    introduce(bob, "Bob", 3, "Sit down")
    expect_seated(ann, "Bob")
    assert faces(ann) == [None, 2]

    # A full table says so, and who watches may do so by name.
    cem.page.goto(link)
    expect(cem.page.locator(".start")).to_contain_text("All seats are taken")
    expect(cem.page.get_by_role("dialog")).to_have_count(0)
    expect(ann.page.locator(".seats")).to_contain_text("Watching: 1")

    # Who stands up watches, and may sit down again; then the table asks the other one too.
    bob.button("Stand up").tap()
    expect(ann.page.locator(".seats")).not_to_contain_text("Bob")
    cem.page.reload()
    introduce(cem, "Cem", 3, "Just watch")
    expect(ann.page.locator(".seats")).to_contain_text("Watching: Cem")
    bob.page.locator(".start button").tap()
    expect_seated(ann, "Bob")

    # Another name is seen at once.
    bob.button(re.compile("Change your name")).tap()
    bob.page.get_by_role("textbox", name="Your name").fill("Ann")
    bob.button("Save").tap()
    expect_seated(ann, "Ann 2")
    expect(bob.page.locator("dialog[open]")).to_have_count(0)

    # The seat that the host frees goes to the other one, with the face that was taken before.
    free_seat(ann, "Ann 2")
    expect(bob.page.get_by_role("alert")).to_be_visible()
    cem.page.locator(".start button").click()
    expect_seated(ann, "Cem")
    assert faces(ann) == [None, 2]


def test_two_people_play_again_with_other_options(new_user: NewUser, server: ServerProcess) -> None:
    ann, bob = new_user(), new_user("phone", touch=True, name="Bob")
    options = {"seats": 2, "target": 1}
    made = server.request("/api/tables", {"game": "marshmallow", "name": "Ann", "options": options})
    sat = server.request(f"/api/tables/{made['table']}/seats", {"name": "Bob"})
    server.play_to_end(made, sat)
    for user, seated in ((ann, made), (bob, sat)):
        user.open_table({**seated, "game": "marshmallow", "used": 1})
        expect(user.button("Play again")).to_be_visible()

    # A result that was closed comes back, and says who wants to play again.
    bob.page.locator(".result").get_by_role("button", name="Close").tap()
    expect(bob.page.locator(".result")).to_have_count(0)
    ann.button("Play again").click()
    expect(ann.page.locator(".result")).to_contain_text("Waiting for Bob")
    expect(bob.page.locator(".bar")).to_contain_text("Ann would play again")
    ann.button("Rather not").click()
    expect(bob.page.locator(".bar")).not_to_contain_text("Ann")
    bob.button("Show the result").tap()
    expect(bob.page.locator(".result")).to_be_visible()

    bob.button("With other options").tap()
    ann.expect_text("Bob would play again, with other options")
    ann.button("Join in").click()
    for user in (ann, bob):
        user.expect_visible(".room")
    ann.page.locator("fieldset", has_text="Players").get_by_text("3", exact=True).click()
    expect(ann.page.locator(".seats li")).to_have_count(3)
    ann.button("Deal the cards").click()
    for user in (ann, bob):
        user.expect_visible(".hand button")

    # Of the own tables, the running one is told by its players.
    bob.go("/")
    row = bob.page.get_by_role("link", name="Back to Marshmallow Test")
    expect(row).to_contain_text("In play · with Ann")


def test_the_bots_of_play_now_are_chosen_and_remembered(new_user: NewUser) -> None:
    ann = new_user()
    ann.go("/")
    ann.button("Choose the bots: Plingo").click()
    sheet = ann.page.get_by_role("dialog", name="Choose the bots")
    sheet.get_by_text("2", exact=True).click()
    sheet.get_by_text("easy", exact=True).click()
    ann.page.keyboard.press("Escape")
    ann.page.reload()
    ann.button(re.compile("Play now.*Plingo")).click()
    ann.expect_visible(".hand button")
    seats = ann.frames("welcome", "table")[-1]["table"]["seats"]
    assert [(seat["kind"], seat["level"]) for seat in seats] == [
        ("person", None),
        ("bot", "easy"),
        ("bot", "easy"),
    ]


def test_a_table_offers_only_numbers_of_seats_that_can_be(new_user: NewUser) -> None:
    ann = new_user()
    invite(ann, "Twin It!")
    seats = ann.page.locator("fieldset", has_text="Players").first
    expect(seats.locator("label")).to_have_text(["2", "3", "4", "5", "6"])
    ann.page.locator("label", has_text="All cards on the table, one minute, all together").click()
    expect(seats.locator("label")).to_have_text(["1", "2", "3", "4", "5", "6"])
