"""Themes: chosen by mouse or keyboard, stored in the browser; cards, grids and words change at
once, and no other player's page does."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewUser
from tests.browser.test_accessibility import check_accessibility
from tests.browser.user import User, with_mouse

LOOK = """() => {
  const table = document.querySelector('main.table');
  const face = document.querySelector('.hand .face use').getAttribute('href');
  const sign = document.querySelector(face).innerHTML;
  const grid = document.querySelector('.grid').getAttribute('viewBox');
  const master = document.querySelector('.master').getAttribute('aria-label');
  return { cloth: table.style.getPropertyValue('--cloth'), sign, grid, master };
}"""
"""What a player sees: the cloth, a card's symbol, a grid, what the master card is called."""

TAKEN = ".own .taken .words"


def look(user: User) -> Any:
    user.expect_visible(".master")
    user.expect_visible(".hand .face")
    return user.page.evaluate(LOOK)


def stored(user: User) -> Any:
    return user.page.evaluate("JSON.parse(localStorage.getItem('pli.preferences')).themes")


def choose(user: User, name: str) -> None:
    """Chooses a theme in the open dialog, and closes it."""
    user.page.locator("dialog[open] label", has_text=name).click()
    expect(user.page.get_by_role("radio", name=name)).to_be_checked()
    user.close_dialog()


def test_a_theme_is_for_who_chose_it_alone(new_user: NewUser) -> None:
    ann, bob = new_user(), new_user(name="Bob")
    made = {"game": "plingo", "name": "Ann", "options": {"seats": 3, "first_master": 0}}
    seat = ann.server.request("/api/tables", made)
    other = ann.server.request(f"/api/tables/{seat['table']}/seats", {"name": "Bob"})
    ann.open_table({**seat, "game": "plingo", "used": 1})
    bob.open_table({**other, "game": "plingo", "used": 1})
    bob.expect_visible(".seats")
    ann.button("Deal the cards").click()
    before, others = look(ann), look(bob)
    assert others | {"sign": before["sign"]} == before  # whose first card may be of another suit
    sent, entries = list(ann.sent), ann.server.entries(seat["table"])
    expect(ann.page.locator(TAKEN)).to_have_text("taken: 0")

    ann.page.keyboard.press("m")
    choose(ann, "Honeycomb")
    after = look(ann)
    assert all(after[each] != before[each] for each in before), (before, after)
    assert after["master"] == "Season card: summer"
    expect(ann.page.locator(TAKEN)).to_have_text("gathered: 0")
    assert ann.sent == sent  # not a byte
    assert ann.server.entries(seat["table"]) == entries

    assert look(bob) == others
    expect(bob.page.locator(TAKEN)).to_have_text("taken: 0")
    with_mouse(ann)(ann.wait_for_prompt())
    with_mouse(bob)(bob.wait_for_prompt())
    for user, mine, foreign in ((ann, "gather", "take"), (bob, "take", "gather")):
        log = user.page.locator("dialog[open] ol")
        user.page.keyboard.press("l")
        expect(log).to_contain_text(re.compile(rf"\b{mine}s? the|flown off|cancelled"))
        expect(log).not_to_contain_text(re.compile(rf"\b{foreign}s? the"))
        user.close_dialog()

    ann.page.reload()
    assert look(ann) == after
    assert stored(ann) == {"plingo": "honeycomb"}
    ann.page.keyboard.press("m")
    choose(ann, "Abacus")
    assert look(ann) == before


def test_it_is_chosen_by_keyboard_and_seen_before_the_dialog_is_shut(new_user: NewUser) -> None:
    ann = new_user()
    ann.start_game("plingo", 2)
    before = look(ann)
    ann.page.keyboard.press("m")
    ann.expect_visible("dialog[open] .preview")
    group = ann.page.get_by_role("group", name="Theme")
    expect(group.get_by_role("radio")).to_have_count(2)
    expect(group.get_by_role("radio", name="Abacus")).to_be_checked()
    for _ in range(30):
        if ann.page.evaluate("document.activeElement.value === 'abacus'"):
            break
        ann.page.keyboard.press("Tab")
    ann.page.keyboard.press("ArrowDown")
    expect(group.get_by_role("radio", name="Honeycomb")).to_be_checked()
    assert look(ann)["cloth"] != before["cloth"]


def test_games_of_one_theme_offer_no_choice(new_user: NewUser) -> None:
    ann = new_user()
    ann.start_game("marshmallow", 2)
    ann.wait_for_prompt()
    ann.page.keyboard.press("m")
    ann.expect_visible("dialog[open] fieldset")
    ann.page.wait_for_load_state("networkidle")
    expect(ann.page.get_by_role("group", name="Theme")).to_have_count(0)


@pytest.mark.parametrize("value", ["tulips", 7, None, {"plingo": 1}])
def test_what_is_no_theme_is_the_first(new_user: NewUser, value: object) -> None:
    ann = new_user()
    ann.set_preferences(themes={"plingo": value})
    ann.start_game("plingo", 2)
    ann.wait_for_prompt()
    assert look(ann)["grid"] == "0 0 72 72"


def test_the_box_and_the_waiting_room_wear_it_too(new_user: NewUser) -> None:
    ann = new_user(locale="fr-FR")
    ann.set_preferences(themes={"plingo": "honeycomb"})
    ann.go("/")
    expect(ann.page.locator(".plingo .about")).to_have_text(re.compile("alvéole"))
    ann.expect_visible(".plingo .picture svg")
    cloth = ann.page.locator(".plingo .box").evaluate("e => e.style.getPropertyValue('--cloth')")
    assert "#4a5d2b" in cloth
    ann.open_table(ann.server.create_table("plingo", 3))
    ann.expect_visible(".options fieldset")
    expect(ann.page.locator("section.options")).to_contain_text("Première garde des ruches")
    ann.button("Préférences").click()
    choose(ann, "Boulier")
    expect(ann.page.locator("section.options")).to_contain_text("Premier maître boulier")


def test_all_of_it_is_accessible(new_user: NewUser) -> None:
    ann = new_user("phone", reduced_motion="reduce")
    ann.set_preferences(themes={"plingo": "honeycomb"})
    seen: set[str] = set()
    while not {"card", "choice"} <= seen:  # there are games in which nothing is to be chosen
        ann.start_game("plingo", 3, first_master=0)
        prompt = ann.wait_for_prompt()
        while not {"card", "choice"} <= seen and prompt.kind != "over":
            if prompt.kind not in seen:
                check_accessibility(ann, prompt.kind)
                seen.add(prompt.kind)
            with_mouse(ann)(prompt)
            prompt = ann.wait_for_prompt(prompt.state)
    ann.page.keyboard.press("m")
    ann.expect_visible("dialog[open] .preview")
    check_accessibility(ann, "preferences")


def test_a_replay_wears_it(new_user: NewUser) -> None:
    ann = new_user()
    seat = ann.server.create_table("plingo", 2)
    ann.server.play_to_end(seat)
    ann.set_preferences(themes={"plingo": "honeycomb"})
    ann.go(f"/r/{seat['table']}/1")
    ann.expect_visible("input[type=range]")
    for _ in range(5):
        ann.page.keyboard.press("ArrowRight")
    assert look(ann)["grid"] != "0 0 72 72"
    ann.page.keyboard.press("l")
    expect(ann.page.locator("dialog[open] ol")).to_contain_text("beekeeper")
