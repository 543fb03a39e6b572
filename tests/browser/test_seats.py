"""Seats and names as players see them: freed seats, equal names, tables without spectators,
unwanted names."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import NewUser
from tests.browser.server import ServerProcess
from tests.browser.test_accessibility import check_accessibility
from tests.browser.test_multiplayer import invite
from tests.browser.user import User, tab_to

FREED = "The host has freed your seat."
ALONE = "This table is for its players alone"


def join(guest: User, link: str, host: User, name: str) -> None:
    """Opens the link and takes a seat, until both know it."""
    guest.page.goto(link)
    guest.page.locator(".start button").click()
    expect(host.page.locator(".seats")).to_contain_text(name)
    expect(guest.page.locator(".seats li", has_text=name)).to_contain_text("You")


def forbid_spectators(host: User) -> None:
    switch = host.page.get_by_role("switch", name="Others may watch")
    expect(switch).to_be_checked()
    switch.click()
    expect(switch).not_to_be_checked()


def free_seat(host: User, name: str) -> None:
    host.button(f"Free this seat: {name}").click()
    sheet = host.page.get_by_role("dialog", name=f"Free the seat of {name}?")
    sheet.get_by_role("button", name="Free this seat").click()


def expect_seated(user: User, name: str) -> None:
    """A player of exactly this name has a seat."""
    exact = re.compile(f"^{name}$")
    expect(user.page.locator(".seats li b", has_text=exact)).to_be_visible()


# Freed seats


def test_the_host_frees_a_seat_and_its_person_sees_it_and_sits_down_again(
    new_user: NewUser,
) -> None:
    ann, bob = new_user(), new_user("phone", touch=True, name="Bob")
    link = invite(ann, "Plingo")
    join(bob, link, ann, "Bob")
    free_seat(ann, "Bob")
    expect(ann.page.locator(".seats")).not_to_contain_text("Bob")
    banner = bob.page.get_by_role("alert")
    expect(banner).to_have_text(re.compile(re.escape(FREED)))
    assert bob.page.evaluate("localStorage.getItem('pli.seats')") == "[]"
    expect(bob.page.locator(".word")).to_be_empty()  # nothing else is said
    bob.page.locator(".start button").tap()
    expect_seated(ann, "Bob")
    expect(banner).to_have_count(0)
    free_seat(ann, "Bob")
    expect(banner).to_be_visible()
    banner.get_by_role("link", name="To the shelf").tap()
    bob.expect_visible(".shelf")
    assert bob.page.get_by_role("link", name="Back to Plingo").count() == 0


def test_freeing_a_seat_needs_no_mouse_and_can_be_thought_over(new_user: NewUser) -> None:
    ann, bob = new_user(), new_user(name="Bob")
    link = invite(ann, "Merci")
    join(bob, link, ann, "Bob")
    tab_to(ann, "Free this seat: Bob")
    ann.page.keyboard.press("Enter")
    sheet = ann.page.get_by_role("dialog", name="Free the seat of Bob?")
    expect(sheet).to_be_visible()
    check_accessibility(ann, "a seat to be freed")
    tab_to(ann, "Cancel")
    ann.page.keyboard.press("Enter")
    expect(sheet).to_be_hidden()
    expect_seated(ann, "Bob")
    assert bob.page.get_by_role("alert").count() == 0
    tab_to(ann, "Free this seat: Bob")
    ann.page.keyboard.press("Enter")
    tab_to(ann, "Free this seat")
    ann.page.keyboard.press("Enter")
    expect(bob.page.get_by_role("alert")).to_contain_text(FREED)
    check_accessibility(bob, "a seat that was freed")
    bob.button("Close").click()
    expect(bob.page.get_by_role("alert")).to_have_count(0)


def test_who_was_away_is_told_when_it_comes_back(new_user: NewUser) -> None:
    ann, bob = new_user(), new_user(name="Bob")
    link = invite(ann, "Plingo")
    join(bob, link, ann, "Bob")
    bob.go("/")
    expect(ann.page.locator(".seats li", has_text="Bob")).to_contain_text("away")
    free_seat(ann, "Bob")
    expect(ann.page.locator(".seats")).not_to_contain_text("Bob")
    bob.page.get_by_role("link", name="Back to Plingo").click()
    expect(bob.page.get_by_role("alert")).to_contain_text("not yours any more")
    bob.page.locator(".start button").click()
    expect_seated(ann, "Bob")


def test_in_a_game_no_seat_is_freed(new_user: NewUser) -> None:
    ann, bob = new_user(), new_user(name="Bob")
    join(bob, invite(ann, "Plingo"), ann, "Bob")
    ann.button("Deal the cards").click()
    ann.expect_visible(".hand button")
    ann.page.keyboard.press("w")
    ann.expect_visible("dialog[open] li")
    assert ann.button("Free this seat: Bob").count() == 0


def test_after_a_game_the_host_can_free_a_seat(new_user: NewUser, server: ServerProcess) -> None:
    ann, bob = new_user(), new_user("phone", name="Bob")
    options = {"seats": 2, "target": 1}
    made = server.request("/api/tables", {"game": "marshmallow", "name": "Ann", "options": options})
    sat = server.request(f"/api/tables/{made['table']}/seats", {"name": "Bob"})
    server.play_to_end(made, sat)
    for user, seated in ((ann, made), (bob, sat)):
        user.open_table({**seated, "game": "marshmallow", "used": 1})
        expect(user.button("Play again")).to_be_visible()
    ann.page.locator(".result").get_by_role("button", name="Close").click()
    ann.page.keyboard.press("w")
    free_seat(ann, "Bob")
    expect(bob.page.get_by_role("alert")).to_contain_text(FREED)
    expect(bob.button("Play again")).to_have_count(0)
    expect(ann.page.locator("dialog[open]")).not_to_contain_text("Bob")


# Equal names


def test_two_of_one_name_are_told_apart(new_user: NewUser) -> None:
    ann, other = new_user(), new_user("phone", touch=True, name="ann")
    link = invite(ann, "Plingo")
    join(other, link, ann, "ann 2")
    for user in (ann, other):
        expect_seated(user, "Ann")
        expect_seated(user, "ann 2")
    expect(other.page.locator(".seats li", has_text="ann 2")).to_contain_text("You")


# No spectators


def test_a_table_without_spectators_is_entered_by_taking_a_seat(new_user: NewUser) -> None:
    ann, bob, cem = new_user(), new_user("phone", touch=True, name="Bob"), new_user(name="Cem")
    link = invite(ann, "Plingo")
    cem.page.goto(link)
    expect(ann.page.locator(".seats")).to_contain_text("Watching: 1")
    forbid_spectators(ann)
    expect(ann.page.locator(".seats")).not_to_contain_text("Watching")
    cem.expect_visible(".start button")  # it sees who sits there, and may sit down
    bob.page.goto(link)
    bob.page.locator(".start button").tap()
    expect_seated(ann, "Bob")
    cem.page.locator(".start button").click()
    expect_seated(ann, "Cem")
    ann.button("Deal the cards").click()
    for user in (ann, bob, cem):
        user.expect_visible(".hand button")


def test_a_game_without_spectators_shows_nothing_to_who_comes_by_the_link(
    new_user: NewUser,
) -> None:
    ann, bob, cem = new_user(), new_user(name="Bob"), new_user("phone", touch=True, name="Cem")
    link = invite(ann, "Plingo")
    forbid_spectators(ann)
    join(bob, link, ann, "Bob")
    ann.button("Deal the cards").click()
    bob.expect_visible(".hand button")
    cem.page.goto(link)
    expect(cem.page.get_by_role("heading", level=1)).to_contain_text(ALONE)
    check_accessibility(cem, "a table without spectators")
    assert not cem.frames("welcome", "update", "log", "pictures")
    assert cem.page.locator(".table, .seat, .hand").count() == 0
    bob.page.keyboard.press("m")
    bob.button("Leave the table").click()
    bob.page.locator("dialog[open]").get_by_role("button", name="Leave the table").click()
    bob.expect_visible(".shelf")
    cem.page.reload()
    cem.button(re.compile("Play on for")).tap()
    cem.expect_visible(".hand button")


def test_who_is_freed_of_its_seat_there_is_told_and_may_sit_down_again(new_user: NewUser) -> None:
    ann, bob = new_user(), new_user(name="Bob")
    link = invite(ann, "Plingo")
    forbid_spectators(ann)
    join(bob, link, ann, "Bob")
    free_seat(ann, "Bob")
    expect(bob.page.get_by_role("alert")).to_contain_text(FREED)
    bob.page.locator(".start button").click()
    expect_seated(ann, "Bob")
    expect(bob.page.get_by_role("alert")).to_have_count(0)


# Unwanted names


@pytest.fixture
def strict_server(browser: Browser, tmp_path: Path) -> Iterator[ServerProcess]:
    """A server with an unwanted name. To be requested before `new_user`, whose pages it
    outlives."""
    (tmp_path / "names.txt").write_text("kumquat\n")
    with ServerProcess(tmp_path, "--unwanted-names", str(tmp_path / "names.txt")) as server:
        yield server


def enter_other_name(user: User, name: str) -> None:
    """The field says that the name is unwanted; the user enters another one."""
    field = user.page.get_by_role("textbox", name="Your name")
    expect(field).to_have_value("Kumqu4t")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description("Please choose another name.")
    expect(field).to_be_focused()
    check_accessibility(user, "a name that is not wanted")
    field.fill(name)
    expect(user.page.get_by_role("alert")).to_have_count(0)
    user.page.keyboard.press("Enter")
    assert user.errors
    assert all("400" in each for each in user.errors)
    user.errors.clear()


def test_an_unwanted_name_is_asked_for_anew_and_then_goes_on(
    strict_server: ServerProcess, new_user: NewUser
) -> None:
    ann, bob = (
        new_user(name="Kumqu4t", server=strict_server),
        new_user(name="Kumqu4t", server=strict_server),
    )
    ann.go("/")
    ann.button(re.compile("Invite friends.*Plingo")).click()
    enter_other_name(ann, "Ann")
    expect_seated(ann, "Ann")
    link = ann.page.get_by_role("textbox", name="Link to this table").input_value()
    bob.page.goto(link)
    bob.page.locator(".start button").click()
    enter_other_name(bob, "Bob")
    expect_seated(ann, "Bob")


def test_an_unwanted_name_is_asked_for_anew_at_an_open_table(
    strict_server: ServerProcess, new_user: NewUser
) -> None:
    made = {"game": "merci", "name": "Ann", "public": True, "options": {"seats": 3}}
    ann = new_user(name="Ann", server=strict_server)
    ann.open_table({**strict_server.request("/api/tables", made), "game": "merci", "used": 1})
    ann.expect_visible(".room")
    bob = new_user("phone", touch=True, name="Kumqu4t", server=strict_server)
    bob.go("/")
    bob.button(re.compile("with Ann")).tap()
    enter_other_name(bob, "Bob")
    expect_seated(bob, "Bob")
