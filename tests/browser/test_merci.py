"""Merci in the browser: whole games by every means, words and manners, two at one table."""

import json
from typing import Any

import pytest
from playwright.sync_api import expect

from pli.games.merci.bots.heuristic import Lay, lay_of, right_word
from tests.browser import merci
from tests.browser.conftest import Visits
from tests.browser.fingers import Fingers
from tests.browser.house import House
from tests.browser.line import Line
from tests.browser.test_access import holds
from tests.browser.test_languages import holds_one_language
from tests.browser.test_secrets import audits_the_line, in_document, in_memory
from tests.browser.test_sizes import measured
from tests.browser.test_whole_games import (
    holds_that_it_is_over,
    holds_that_what_follows_is_open_to_all,
)
from tests.browser.visitor import PATIENCE, Visitor, tab_to
from tests.server.protocol.knowledge import Truth, all_names


def plays_a_game(ann: Visitor, do: merci.Do, **options: int | str) -> Any:
    """A whole game, to the result: its seat."""
    seat = ann.house.make("merci", 3, **options)
    ann.sit(seat)
    ann.sees(".seats")
    tab_to(ann, "Deal the cards")
    ann.page.keyboard.press("Enter")
    assert merci.plays(ann, do) > 5
    holds_that_it_is_over(ann, seat["table"])
    rounds = ann.page.locator(".result figure tbody tr").count()
    assert rounds == ann.frames("update")[-1]["view"]["round"]
    return seat


def test_a_whole_game_by_mouse(visit: Visits) -> None:
    ann = visit()
    seat = plays_a_game(ann, merci.by_mouse(ann), rules="full")
    audits_the_line(ann, seat)


def test_a_whole_game_by_keyboard_alone(visit: Visits) -> None:
    ann = visit()
    plays_a_game(ann, merci.with_keys(ann), rules="full")


PLACES = """() => [...document.querySelectorAll('.words button, .stack, .pile')].map((each) => {
  let y = 0;
  for (let above = each; above; above = above.offsetParent) y += above.offsetTop;
  return [each.offsetLeft, y];
})"""


OF_A_GAME_BEFORE = """localStorage.getItem('pli.merci.reactions') ?? localStorage.setItem(
  'pli.merci.reactions', JSON.stringify([{ game: 'before', mode: 'start', ms: 30000 }]))"""


def reactions(visitor: Visitor) -> list[dict[str, Any]]:
    """What this device remembers."""
    kept = "JSON.parse(localStorage.getItem('pli.merci.reactions') ?? '[]')"
    found: list[dict[str, Any]] = visitor.page.evaluate(kept)
    return found


def shows_own_reactions(ann: Visitor) -> None:
    """Beside that of a game before those of this one, if there were any: thanks that were said."""
    told = [event for update in ann.frames("update") for event in update["events"]]
    seat = ann.frames("update")[-1]["view"]["seat"]
    thanked = [each for each in told if each["event"] == "thanked" and each["seat"] == seat]
    kept = [each["game"] for each in reactions(ann)]
    assert kept[0] == "before"
    assert kept[1:] or not thanked
    shown = ann.page.locator(".result figure", has_text="Your reactions")
    expect(shown).to_contain_text("Median of this game" if kept[1:] else "30.0 s, of 1 reaction")
    bars = "all => all.filter((bar) => Number(bar.getAttribute('height')) > 0).length"
    assert shown.locator("rect.before").evaluate_all(bars) == 1
    assert (shown.locator("rect.now").evaluate_all(bars) > 0) == bool(kept[1:])


def test_a_whole_game_by_touch_in_which_words_stacks_and_pile_never_move(visit: Visits) -> None:
    ann = visit("small", touch=True)
    ann.context.add_init_script(OF_A_GAME_BEFORE)
    do = merci.with_finger(ann)
    seen: list[Any] = []

    def act(action: str) -> None:
        do(action)
        seen.append(ann.page.evaluate(PLACES))

    seat = plays_a_game(ann, act, rules="start")
    assert len(seen[0]) == 9
    assert all(places == seen[0] for places in seen)
    shows_own_reactions(ann)
    holds_one_language(ann, "en")
    holds_that_what_follows_is_open_to_all(ann, seat["table"])
    ann.page.locator(".scrub select").select_option("-1")
    ann.sees(".seat .open li")
    holds(ann, "all hands", ("light",))


# Words and manners


def sits_with_bob(ann: Visitor, bob: Visitor, **options: int | str) -> Any:
    """Ann begins, Bob is on her left; the third one never comes, and nobody plays for it."""
    values = {"seats": 3, "rules": "full", "first_player": 0, **options}
    made = {"game": "merci", "name": "Ann", "options": values, "settings": {"grace": 0}}
    seat = ann.house.ask("/api/tables", made)
    seats = f"/api/tables/{seat['table']}/seats"
    other = ann.house.ask(seats, {"name": "Bob", "seat": 1})
    ann.house.ask(seats, {"name": "Cleo", "seat": 2})
    bob.sit({**other, "game": "merci", "used": 1})
    ann.sit({**seat, "game": "merci", "used": 1})
    ann.page.locator(".start button").click()
    for visitor in (ann, bob):
        visitor.sees(".hand button")
        visitor.sees(".stack")  # what is drawn last: from then on keys are heard
    return seat


def wrong_lay(now: merci.Sight) -> Lay | None:
    """A card with a word that does not go with it."""
    for action in now.legal:
        lay = lay_of(action)
        if lay is None or lay.word != "siouplait":
            continue
        if right_word(now.view.tops, lay.stack, lay.front) == "play":
            return lay
    return None


def table_where(ann: Visitor, bob: Visitor, **options: int | str) -> Lay:
    """A table at which Ann can be impolite in a certain way: most are such."""
    for _ in range(10):
        sits_with_bob(ann, bob, **options)
        lay = wrong_lay(merci.until(ann, lambda now: now.view.awaited == [0]))
        if lay is not None:
            return lay
    raise AssertionError("no such table")


def test_a_fault_is_denounced_and_the_reason_is_told_only_then(visit: Visits) -> None:
    ann, bob = visit(), visit("small", touch=True, name="Bob")
    lay = table_where(ann, bob, fault_window_ms=20_000)
    before = len(ann.hand)
    merci.with_mouse(ann)(f"siouplait {lay.name} on {lay.stack + 1}")
    expect(bob.page.locator(".seat .bubble")).to_have_text("SIOUPLAIT")
    seen = merci.until(bob, lambda now: now.view.tops[lay.stack] == lay.front).n
    reason = "SIOUPLAIT without a new combination"
    assert reason not in bob.page.locator("body").inner_text()
    merci.with_finger(bob)("denounce")
    expect(bob.page.locator(".told")).to_contain_text(f"Ann said {reason}", timeout=PATIENCE)
    (done,) = [json.loads(frame) for frame in bob.sent if '"do"' in frame]
    assert done["seen"] == seen  # who is late, says so
    (reaction,) = reactions(bob)
    assert 0 < reaction["ms"] < PATIENCE
    expect(ann.page.locator(".told")).to_contain_text(f"You said {reason}")
    expect(ann.page.locator("[role=log]")).to_contain_text(reason)
    expect(ann.page.locator(".seat .bubble")).to_have_text("MALPOLI")
    expect(ann.page.locator(".hand button")).to_have_count(before + 1)  # taken back, and one drawn
    ann.page.reload()
    ann.sees(".stack")
    ann.page.keyboard.press("l")
    expect(ann.page.locator("dialog[open] ol")).to_contain_text(f"You said {reason}")


def test_a_word_is_held_with_one_finger_while_another_carries_the_card(visit: Visits) -> None:
    ann, bob = visit("small", touch=True), visit(name="Bob")
    lay = table_where(ann, bob)
    hand = Fingers(ann)
    hand.down(merci.place(ann, ".words .siouplait"))
    expect(ann.page.locator(".words .said")).to_contain_text("SIOUPLAIT")
    hand.down(merci.place(ann, ".hand button", merci.index_of(ann, lay.name)))
    hand.move(1, *merci.place(ann, "[data-stack]", lay.stack))
    expect(ann.page.locator(".stack.over")).to_have_count(1)
    hand.up(1)
    expect(bob.page.locator(".seat .bubble")).to_have_text("SIOUPLAIT")
    merci.until(bob, lambda now: now.view.tops[lay.stack] == lay.front)
    hand.up(0)
    expect(ann.page.locator(".words .said")).to_have_count(0)


def test_a_fault_that_nobody_denounces_is_forgiven(visit: Visits) -> None:
    ann, bob = visit(), visit(name="Bob")
    lay = table_where(ann, bob, fault_window_ms=1, false_denounce="free")
    before = len(ann.hand)
    merci.with_keys(ann)(f"siouplait {lay.name} on {lay.stack + 1}")
    merci.until(bob, lambda now: now.view.turn == 1)
    bob.page.wait_for_timeout(50)
    merci.with_mouse(bob)("denounce")
    bob.says("There is nothing to denounce.")
    assert len(ann.hand) == before - 1
    now = merci.sight(ann)
    assert now is not None
    assert now.view.tops[lay.stack] == lay.front


def test_a_false_denunciation_costs_a_card_and_says_so(visit: Visits) -> None:
    ann, bob = visit(), visit(name="Bob")
    sits_with_bob(ann, bob, false_denounce="draw")
    merci.with_keys(ann)("draw")
    merci.until(bob, lambda now: now.view.turn == 1)
    before = len(bob.hand)
    bob.page.keyboard.press("x")
    expect(bob.page.locator(".hand button")).to_have_count(before + 1)


def test_the_helper_reminds_once_before_the_card_is_let_go(visit: Visits) -> None:
    ann, bob = visit(), visit(name="Bob")
    reminder = "no SIOUPLAIT is needed"
    lay = table_where(ann, bob, rules="start", helper="on")
    do = merci.with_mouse(ann)
    do(f"siouplait {lay.name} on {lay.stack + 1}")
    expect(ann.page.locator(".notice")).to_contain_text(reminder)
    assert not [frame for frame in ann.sent if '"do"' in frame]
    ann.page.mouse.click(*merci.place(ann, "[data-stack]", lay.stack))  # all the same
    merci.until(bob, lambda now: now.view.tops[lay.stack] == lay.front)


def test_without_the_helper_nothing_is_said(visit: Visits) -> None:
    ann, bob = visit(), visit(name="Bob")
    lay = table_where(ann, bob, rules="start", helper="off")
    merci.with_mouse(ann)(f"siouplait {lay.name} on {lay.stack + 1}")
    merci.until(bob, lambda now: now.view.tops[lay.stack] == lay.front)


def test_a_card_shows_as_claimed_at_once_and_is_settled_when_the_line_is_back(
    visit: Visits, house: House
) -> None:
    ann, bob = visit(), visit(name="Bob")
    line = Line(house)
    ann.url = line.url
    lay = table_where(ann, bob, helper="off")
    before = len(ann.hand)
    ann.offline = True
    line.cut()
    merci.with_mouse(ann)(f"siouplait {lay.name} on {lay.stack + 1}")
    expect(ann.page.locator(".stack.claimed")).to_have_count(1)
    assert len(ann.hand) == before - 1
    line.mend()
    merci.until(bob, lambda now: now.view.tops[lay.stack] == lay.front)
    expect(ann.page.locator(".stack.claimed")).to_have_count(0, timeout=PATIENCE)
    ann.offline = False
    line.close()


# For everyone


@pytest.mark.parametrize(
    ("size", "seats"), [("small", 6), ("side", 6), ("tablet", 5), ("desktop", 4)]
)
def test_the_table_fits_and_is_open_to_all(visit: Visits, size: str, seats: int) -> None:
    language = {"tablet": "es-ES", "desktop": "en-GB"}.get(size, "fr-FR")
    touch = size != "desktop"
    ann = visit(size, touch=touch, locale=language, reduced_motion="reduce")
    seat = ann.house.make("merci", seats, first_player=0)
    ann.sit(seat)
    ann.sees(".options fieldset")
    holds(ann, "waiting room", ("light",))
    holds_one_language(ann, language[:2])
    ann.page.locator(".start button").click()
    ann.sees(".hand button")
    ann.sees(".stack")
    assert measured(ann) == []
    holds(ann, "table")
    holds_one_language(ann, language[:2])
    ann.page.locator(".words .siouplait").click()
    ann.page.locator(".hand button").first.click(position={"x": 10, "y": 30})
    assert measured(ann) == []
    holds(ann, "word and card", ("dark",))
    ann.page.keyboard.press("Escape")
    for key in "?l":
        ann.page.keyboard.press(key)
        ann.sees("dialog[open]")
        holds(ann, f"sheet {key}", ("dark",))
        holds_one_language(ann, language[:2])
        ann.shut()


def test_no_secret_is_in_the_page(visit: Visits) -> None:
    ann = visit()
    seat = ann.house.make("merci", 3, first_player=0)
    ann.sit(seat)
    ann.sees(".seats")
    before = in_memory(ann)
    ann.button("Deal the cards").click()
    now = merci.until(ann, lambda now: now.view.awaited == [0])
    truth = Truth(seat["table"], ann.house.entries(seat["table"]))
    own = int(seat["seat"])
    hidden = all_names("merci") - truth.known(now.n, own) - truth.shown(0, now.n, own)
    assert len(hidden) > 50
    assert not in_document(ann) & hidden
    assert not (in_memory(ann) - before) & hidden


def test_all_keys_of_the_words_are_shown(visit: Visits) -> None:
    ann = visit()
    ann.begin("merci", 3)
    ann.sees(".hand button")
    ann.page.keyboard.press("?")
    sheet = ann.page.locator("dialog[open]")
    for word in ("SIOUPLAIT", "SKUZ", "MERCI", "MERCI BEAUCOUP", "MALPOLI"):
        expect(sheet).to_contain_text(f"{word}: said")
    for key in ("P", "K", "C", "B", "X", "D", "Esc", "Enter"):
        expect(sheet.locator("kbd", has_text=key).first).to_be_visible()


def test_a_page_loaded_anew_is_at_the_same_table(visit: Visits) -> None:
    ann, bob = visit(), visit(name="Bob")
    sits_with_bob(ann, bob)
    hand = ann.hand
    ann.page.reload()
    ann.sees(".hand button")
    assert ann.hand == hand
