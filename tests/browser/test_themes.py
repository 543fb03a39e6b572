"""Another theme: a player chooses it for this device, with a mouse or by keyboard; cards, grids and
words change at once; nobody else sees or hears of it."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visits
from tests.browser.test_access import holds
from tests.browser.visitor import Visitor, with_mouse

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


def look(visitor: Visitor) -> Any:
    visitor.sees(".master")
    visitor.sees(".hand .face")
    return visitor.page.evaluate(LOOK)


def stored(visitor: Visitor) -> Any:
    return visitor.page.evaluate("JSON.parse(localStorage.getItem('pli.preferences')).themes")


def choose(visitor: Visitor, name: str) -> None:
    """In the dialog that is open."""
    visitor.page.locator("dialog[open] label", has_text=name).click()
    expect(visitor.page.get_by_role("radio", name=name)).to_be_checked()
    visitor.shut()


def test_a_theme_is_for_who_chose_it_alone(visit: Visits) -> None:
    ann, bob = visit(), visit(name="Bob")
    made = {"game": "plingo", "name": "Ann", "options": {"seats": 3, "first_master": 0}}
    seat = ann.house.ask("/api/tables", made)
    other = ann.house.ask(f"/api/tables/{seat['table']}/seats", {"name": "Bob"})
    ann.sit({**seat, "game": "plingo", "used": 1})
    bob.sit({**other, "game": "plingo", "used": 1})
    bob.sees(".seats")
    ann.button("Deal the cards").click()
    before, others = look(ann), look(bob)
    assert others | {"sign": before["sign"]} == before  # whose first card may be of another suit
    sent, entries = list(ann.sent), ann.house.entries(seat["table"])
    expect(ann.page.locator(TAKEN)).to_have_text("taken: 0")

    ann.page.keyboard.press("m")
    choose(ann, "Honeycomb")
    after = look(ann)
    assert all(after[each] != before[each] for each in before), (before, after)
    assert after["master"] == "Season card: summer"
    expect(ann.page.locator(TAKEN)).to_have_text("gathered: 0")
    assert ann.sent == sent  # not a byte
    assert ann.house.entries(seat["table"]) == entries

    assert look(bob) == others
    expect(bob.page.locator(TAKEN)).to_have_text("taken: 0")
    with_mouse(ann)(ann.moment())
    with_mouse(bob)(bob.moment())
    for visitor, mine, foreign in ((ann, "gather", "take"), (bob, "take", "gather")):
        log = visitor.page.locator("dialog[open] ol")
        visitor.page.keyboard.press("l")
        expect(log).to_contain_text(re.compile(rf"\b{mine}s? the|flown off|cancelled"))
        expect(log).not_to_contain_text(re.compile(rf"\b{foreign}s? the"))
        visitor.shut()

    ann.page.reload()
    assert look(ann) == after
    assert stored(ann) == {"plingo": "honeycomb"}
    ann.page.keyboard.press("m")
    choose(ann, "Abacus")
    assert look(ann) == before


def test_it_is_chosen_by_keyboard_and_seen_before_the_dialog_is_shut(visit: Visits) -> None:
    ann = visit()
    ann.begin("plingo", 2)
    before = look(ann)
    ann.page.keyboard.press("m")
    ann.sees("dialog[open] .preview")
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


def test_games_of_one_theme_offer_no_choice(visit: Visits) -> None:
    ann = visit()
    ann.begin("marshmallow", 2)
    ann.moment()
    ann.page.keyboard.press("m")
    ann.sees("dialog[open] fieldset")
    ann.page.wait_for_load_state("networkidle")
    expect(ann.page.get_by_role("group", name="Theme")).to_have_count(0)


@pytest.mark.parametrize("value", ["tulips", 7, None, {"plingo": 1}])
def test_what_is_no_theme_is_the_first(visit: Visits, value: object) -> None:
    ann = visit()
    ann.prefers(themes={"plingo": value})
    ann.begin("plingo", 2)
    ann.moment()
    assert look(ann)["grid"] == "0 0 72 72"


def test_the_box_and_the_waiting_room_wear_it_too(visit: Visits) -> None:
    ann = visit(locale="fr-FR")
    ann.prefers(themes={"plingo": "honeycomb"})
    ann.go("/")
    expect(ann.page.locator(".plingo .about")).to_have_text(re.compile("alvéole"))
    ann.sees(".plingo .picture svg")
    cloth = ann.page.locator(".plingo .box").evaluate("e => e.style.getPropertyValue('--cloth')")
    assert "#4a5d2b" in cloth
    ann.sit(ann.house.make("plingo", 3))
    ann.sees(".options fieldset")
    expect(ann.page.locator("section.options")).to_contain_text("Première garde des ruches")
    ann.button("Préférences").click()
    choose(ann, "Boulier")
    expect(ann.page.locator("section.options")).to_contain_text("Premier maître boulier")


def test_all_of_it_is_accessible(visit: Visits) -> None:
    ann = visit("phone", reduced_motion="reduce")
    ann.prefers(themes={"plingo": "honeycomb"})
    seen: set[str] = set()
    while not {"card", "choice"} <= seen:  # there are games in which nothing is to be chosen
        ann.begin("plingo", 3, first_master=0)
        moment = ann.moment()
        while not {"card", "choice"} <= seen and moment.what != "over":
            if moment.what not in seen:
                holds(ann, moment.what)
                seen.add(moment.what)
            with_mouse(ann)(moment)
            moment = ann.moment(moment.state)
    ann.page.keyboard.press("m")
    ann.sees("dialog[open] .preview")
    holds(ann, "preferences")


def test_a_replay_wears_it(visit: Visits) -> None:
    ann = visit()
    seat = ann.house.make("plingo", 2)
    ann.house.finish(seat)
    ann.prefers(themes={"plingo": "honeycomb"})
    ann.go(f"/r/{seat['table']}/1")
    ann.sees("input[type=range]")
    for _ in range(5):
        ann.page.keyboard.press("ArrowRight")
    assert look(ann)["grid"] != "0 0 72 72"
    ann.page.keyboard.press("l")
    expect(ann.page.locator("dialog[open] ol")).to_contain_text("beekeeper")
