"""Who may sit and who may watch, and under what name: as those concerned see it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Visits
from tests.browser.house import House
from tests.browser.test_access import holds
from tests.browser.test_company import invites
from tests.browser.visitor import PATIENCE, Visitor, tab_to

FREED = "The host has freed your seat."
ALONE = "This table is for its players alone"


def comes(guest: Visitor, link: str, host: Visitor, name: str) -> None:
    """Sits down by the link."""
    guest.page.goto(link)
    guest.page.locator(".start button").click()
    expect(host.page.locator(".seats")).to_contain_text(name, timeout=PATIENCE)


def switch_off_watching(host: Visitor) -> None:
    switch = host.page.get_by_role("switch", name="Others may watch")
    expect(switch).to_be_checked()
    switch.click()
    expect(switch).not_to_be_checked()


def frees(host: Visitor, name: str) -> None:
    host.button(f"Free this seat: {name}").click()
    sheet = host.page.get_by_role("dialog", name=f"Free the seat of {name}?")
    sheet.get_by_role("button", name="Free this seat").click()


def seat(visitor: Visitor, name: str) -> None:
    """Somebody of exactly this name sits there."""
    exact = re.compile(f"^{name}$")
    expect(visitor.page.locator(".seats li b", has_text=exact)).to_be_visible(timeout=PATIENCE)


# A seat is freed


def test_the_host_frees_a_seat_and_its_person_sees_it_and_sits_down_again(visit: Visits) -> None:
    ann, bob = visit(), visit("phone", touch=True, name="Bob")
    link = invites(ann, "Plingo")
    comes(bob, link, ann, "Bob")
    frees(ann, "Bob")
    expect(ann.page.locator(".seats")).not_to_contain_text("Bob", timeout=PATIENCE)
    banner = bob.page.get_by_role("alert")
    expect(banner).to_have_text(re.compile(re.escape(FREED)), timeout=PATIENCE)
    assert bob.page.evaluate("localStorage.getItem('pli.seats')") == "[]"
    expect(bob.page.locator(".word")).to_be_empty()  # nothing else is said
    bob.page.locator(".start button").tap()
    seat(ann, "Bob")
    expect(banner).to_have_count(0)
    frees(ann, "Bob")
    expect(banner).to_be_visible(timeout=PATIENCE)
    banner.get_by_role("link", name="To the shelf").tap()
    bob.sees(".shelf")
    assert bob.page.get_by_role("link", name="Back to Plingo").count() == 0


def test_freeing_a_seat_needs_no_mouse_and_can_be_thought_over(visit: Visits) -> None:
    ann, bob = visit(), visit(name="Bob")
    link = invites(ann, "Merci")
    comes(bob, link, ann, "Bob")
    tab_to(ann, "Free this seat: Bob")
    ann.page.keyboard.press("Enter")
    sheet = ann.page.get_by_role("dialog", name="Free the seat of Bob?")
    expect(sheet).to_be_visible()
    holds(ann, "a seat to be freed")
    tab_to(ann, "Cancel")
    ann.page.keyboard.press("Enter")
    expect(sheet).to_be_hidden()
    seat(ann, "Bob")
    assert bob.page.get_by_role("alert").count() == 0
    tab_to(ann, "Free this seat: Bob")
    ann.page.keyboard.press("Enter")
    tab_to(ann, "Free this seat")
    ann.page.keyboard.press("Enter")
    expect(bob.page.get_by_role("alert")).to_contain_text(FREED, timeout=PATIENCE)
    holds(bob, "a seat that was freed")
    bob.button("Close").click()
    expect(bob.page.get_by_role("alert")).to_have_count(0)


def test_who_was_away_is_told_when_it_comes_back(visit: Visits) -> None:
    ann, bob = visit(), visit(name="Bob")
    link = invites(ann, "Plingo")
    comes(bob, link, ann, "Bob")
    bob.go("/")
    expect(ann.page.locator(".seats li", has_text="Bob")).to_contain_text("away", timeout=PATIENCE)
    frees(ann, "Bob")
    expect(ann.page.locator(".seats")).not_to_contain_text("Bob", timeout=PATIENCE)
    bob.page.get_by_role("link", name="Back to Plingo").click()
    expect(bob.page.get_by_role("alert")).to_contain_text("not yours any more", timeout=PATIENCE)
    bob.page.locator(".start button").click()
    seat(ann, "Bob")


def test_in_a_game_no_seat_is_freed(visit: Visits) -> None:
    ann, bob = visit(), visit(name="Bob")
    comes(bob, invites(ann, "Plingo"), ann, "Bob")
    ann.button("Deal the cards").click()
    ann.sees(".hand button")
    ann.page.keyboard.press("w")
    ann.sees("dialog[open] li")
    assert ann.button("Free this seat: Bob").count() == 0


def test_after_a_game_the_host_can_free_a_seat(visit: Visits, house: House) -> None:
    ann, bob = visit(), visit("phone", name="Bob")
    options = {"seats": 2, "target": 1}
    made = house.ask("/api/tables", {"game": "marshmallow", "name": "Ann", "options": options})
    sat = house.ask(f"/api/tables/{made['table']}/seats", {"name": "Bob"})
    house.finish(made, sat)
    for visitor, seated in ((ann, made), (bob, sat)):
        visitor.sit({**seated, "game": "marshmallow", "used": 1})
        expect(visitor.button("Play again")).to_be_visible(timeout=PATIENCE)
    ann.page.locator(".result").get_by_role("button", name="Close").click()
    ann.page.keyboard.press("w")
    frees(ann, "Bob")
    expect(bob.page.get_by_role("alert")).to_contain_text(FREED, timeout=PATIENCE)
    expect(bob.button("Play again")).to_have_count(0)
    expect(ann.page.locator("dialog[open]")).not_to_contain_text("Bob", timeout=PATIENCE)


# Two of one name


def test_two_of_one_name_are_told_apart(visit: Visits) -> None:
    ann, other = visit(), visit("phone", touch=True, name="ann")
    link = invites(ann, "Plingo")
    comes(other, link, ann, "ann 2")
    for visitor in (ann, other):
        seat(visitor, "Ann")
        seat(visitor, "ann 2")
    expect(other.page.locator(".seats li", has_text="ann 2")).to_contain_text("You")


# Nobody watches


def test_a_table_without_spectators_is_entered_by_taking_a_seat(visit: Visits) -> None:
    ann, bob, cem = visit(), visit("phone", touch=True, name="Bob"), visit(name="Cem")
    link = invites(ann, "Plingo")
    cem.page.goto(link)
    expect(ann.page.locator(".seats")).to_contain_text("Watching: 1", timeout=PATIENCE)
    switch_off_watching(ann)
    expect(ann.page.locator(".seats")).not_to_contain_text("Watching", timeout=PATIENCE)
    cem.sees(".start button")  # it sees who sits there, and may sit down
    bob.page.goto(link)
    bob.page.locator(".start button").tap()
    seat(ann, "Bob")
    cem.page.locator(".start button").click()
    seat(ann, "Cem")
    ann.button("Deal the cards").click()
    for visitor in (ann, bob, cem):
        visitor.sees(".hand button")


def test_a_game_without_spectators_shows_nothing_to_who_comes_by_the_link(visit: Visits) -> None:
    ann, bob, cem = visit(), visit(name="Bob"), visit("phone", touch=True, name="Cem")
    link = invites(ann, "Plingo")
    switch_off_watching(ann)
    comes(bob, link, ann, "Bob")
    ann.button("Deal the cards").click()
    bob.sees(".hand button")
    cem.page.goto(link)
    expect(cem.page.get_by_role("heading", level=1)).to_contain_text(ALONE, timeout=PATIENCE)
    holds(cem, "a table without spectators")
    assert not cem.frames("welcome", "update", "log", "pictures")
    assert cem.page.locator(".table, .seat, .hand").count() == 0
    bob.page.keyboard.press("m")
    bob.button("Leave the table").click()
    bob.page.locator("dialog[open]").get_by_role("button", name="Leave the table").click()
    bob.sees(".shelf")
    cem.page.reload()
    cem.button(re.compile("Play on for")).tap()
    cem.sees(".hand button")


def test_who_is_freed_of_its_seat_there_is_told_and_may_sit_down_again(visit: Visits) -> None:
    ann, bob = visit(), visit(name="Bob")
    link = invites(ann, "Plingo")
    switch_off_watching(ann)
    comes(bob, link, ann, "Bob")
    frees(ann, "Bob")
    expect(bob.page.get_by_role("alert")).to_contain_text(FREED, timeout=PATIENCE)
    bob.page.locator(".start button").click()
    seat(ann, "Bob")
    expect(bob.page.get_by_role("alert")).to_have_count(0)


# Names that are not wanted


@pytest.fixture
def strict(browser: Browser, tmp_path: Path) -> Iterator[House]:
    """A server that does not want a name. To be named before `visit`, whose pages it outlives."""
    (tmp_path / "names.txt").write_text("kumquat\n")
    with House(tmp_path, "--unwanted-names", str(tmp_path / "names.txt")) as house:
        yield house


def renamed(visitor: Visitor, name: str) -> None:
    """Somebody whose name is not wanted is told at the field, and gives another one."""
    field = visitor.page.get_by_role("textbox", name="Your name")
    expect(field).to_have_value("Kumqu4t", timeout=PATIENCE)
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description("Please choose another name.")
    expect(field).to_be_focused()
    holds(visitor, "a name that is not wanted")
    field.fill(name)
    expect(visitor.page.get_by_role("alert")).to_have_count(0)
    visitor.page.keyboard.press("Enter")
    assert visitor.troubles
    assert all("400" in each for each in visitor.troubles)
    visitor.troubles.clear()


def test_an_unwanted_name_is_asked_for_anew_and_then_goes_on(strict: House, visit: Visits) -> None:
    ann, bob = visit(name="Kumqu4t", house=strict), visit(name="Kumqu4t", house=strict)
    ann.go("/")
    ann.button(re.compile("Invite friends.*Plingo")).click()
    renamed(ann, "Ann")
    seat(ann, "Ann")
    link = ann.page.get_by_role("textbox", name="Link to this table").input_value()
    bob.page.goto(link)
    bob.page.locator(".start button").click()
    renamed(bob, "Bob")
    seat(ann, "Bob")


def test_an_unwanted_name_is_asked_for_anew_at_an_open_table(strict: House, visit: Visits) -> None:
    made = {"game": "merci", "name": "Ann", "public": True, "options": {"seats": 3}}
    ann = visit(name="Ann", house=strict)
    ann.sit({**strict.ask("/api/tables", made), "game": "merci", "used": 1})
    ann.sees(".room")
    bob = visit("phone", touch=True, name="Kumqu4t", house=strict)
    bob.go("/")
    bob.button(re.compile("with Ann")).tap()
    renamed(bob, "Bob")
    seat(bob, "Bob")
