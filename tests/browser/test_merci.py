"""Merci in the browser: whole games by every input method, words and faults, two users at one
table."""

import json
from typing import Any

import pytest
from playwright.sync_api import expect

from pli.games.merci.bots.heuristic import Lay, lay_of, right_word
from tests.browser import merci
from tests.browser.conftest import NewUser
from tests.browser.proxy import Proxy
from tests.browser.server import ServerProcess
from tests.browser.test_accessibility import check_accessibility
from tests.browser.test_languages import check_language
from tests.browser.test_layout import layout_faults
from tests.browser.test_leaks import cards_in_document, cards_in_heap, check_frames
from tests.browser.test_whole_games import (
    check_game_over,
    check_result_and_replay,
)
from tests.browser.touch_input import TouchInput
from tests.browser.user import TIMEOUT, User, tab_to
from tests.server.protocol.knowledge import Truth, all_names


def play_whole_game(ann: User, do: merci.Do, **options: int | str) -> Any:
    """Plays a whole game; returns the seat."""
    seat = ann.server.create_table("merci", 3, **options)
    ann.open_table(seat)
    ann.expect_visible(".seats")
    tab_to(ann, "Deal the cards")
    ann.page.keyboard.press("Enter")
    assert merci.play_game(ann, do) > 5
    check_game_over(ann, seat["table"])
    rounds = ann.page.locator(".result figure tbody tr").count()
    assert rounds == ann.frames("update")[-1]["view"]["round"]
    return seat


def test_a_whole_game_by_mouse(new_user: NewUser) -> None:
    ann = new_user()
    seat = play_whole_game(ann, merci.by_mouse(ann), rules="full")
    check_frames(ann, seat)
    expect(ann.button("Play again")).to_be_in_viewport(ratio=1)  # at 900 px, without scrolling


def test_a_whole_game_by_keyboard_alone(new_user: NewUser) -> None:
    ann = new_user()
    play_whole_game(ann, merci.with_keyboard(ann), rules="full")


PLACES = """() => [...document.querySelectorAll('.words button, .stack, .pile')].map((each) => {
  let y = 0;
  for (let above = each; above; above = above.offsetParent) y += above.offsetTop;
  return [each.offsetLeft, y];
})"""


STORE_EARLIER_REACTIONS = """localStorage.getItem('pli.merci.reactions') ?? localStorage.setItem(
  'pli.merci.reactions',
  JSON.stringify(Array(3).fill({ game: 'before', mode: 'start', ms: 30000 })))"""


def reactions(user: User) -> list[dict[str, Any]]:
    """The reaction times in the browser's local storage."""
    kept = "JSON.parse(localStorage.getItem('pli.merci.reactions') ?? '[]')"
    found: list[dict[str, Any]] = user.page.evaluate(kept)
    return found


def check_own_reactions(ann: User) -> None:
    """The result shows the reaction times of an earlier game and those of this one, if any:
    thanks."""
    told = [event for update in ann.frames("update") for event in update["events"]]
    seat = ann.frames("update")[-1]["view"]["seat"]
    thanked = [each for each in told if each["event"] == "thanked" and each["seat"] == seat]
    kept = [each["game"] for each in reactions(ann)]
    assert kept[:3] == ["before"] * 3
    own = kept[3:]
    assert own or not thanked
    shown = ann.page.locator(".result figure", has_text="How quick you were")
    several = f"Half of your {len(own)} reactions"
    few = "In earlier games half of your 3 reactions took less than 30"
    expect(shown).to_contain_text(several if len(own) >= 3 else few)
    bars = "all => all.filter((bar) => Number(bar.getAttribute('height')) > 0).length"
    assert shown.locator("rect.before").evaluate_all(bars) == 1
    assert (shown.locator("rect.now").evaluate_all(bars) > 0) == bool(own)


def test_a_whole_game_by_touch_in_which_words_stacks_and_pile_never_move(new_user: NewUser) -> None:
    ann = new_user("small", touch=True)
    ann.context.add_init_script(STORE_EARLIER_REACTIONS)
    do = merci.with_touch(ann)
    seen: list[Any] = []

    def act(action: str) -> None:
        do(action)
        seen.append(ann.page.evaluate(PLACES))

    seat = play_whole_game(ann, act, rules="start")
    assert len(seen[0]) == 9
    assert all(places == seen[0] for places in seen)
    check_own_reactions(ann)
    check_language(ann, "en")
    check_result_and_replay(ann, seat["table"])
    ann.page.locator(".seat-choice").select_option("-1")
    ann.expect_visible(".seat .open li")
    check_accessibility(ann, "all hands", ("light",))


# Words and faults


def seat_ann_and_bob(ann: User, bob: User, **options: int | str) -> Any:
    """Ann begins, Bob is on her left; the third player never connects, and no bot plays for it."""
    values = {"seats": 3, "rules": "full", "first_player": 0, **options}
    made = {"game": "merci", "name": "Ann", "options": values, "settings": {"grace": 0}}
    seat = ann.server.request("/api/tables", made)
    seats = f"/api/tables/{seat['table']}/seats"
    other = ann.server.request(seats, {"name": "Bob", "seat": 1})
    ann.server.request(seats, {"name": "Cleo", "seat": 2})
    bob.open_table({**other, "game": "merci", "used": 1})
    ann.open_table({**seat, "game": "merci", "used": 1})
    ann.page.locator(".start button").click()
    for user in (ann, bob):
        user.expect_visible(".hand button")
        user.expect_visible(".stack")  # what is drawn last: from then on keys are heard
    return seat


def wrong_lay(now: merci.TableUpdate) -> Lay | None:
    """A legal lay with a SIOUPLAIT that would be a fault."""
    for action in now.legal:
        lay = lay_of(action)
        if lay is None or lay.word != "siouplait":
            continue
        if right_word(now.view.tops, lay.stack, lay.front) == "play":
            return lay
    return None


def table_with_wrong_lay(ann: User, bob: User, **options: int | str) -> Lay:
    """Opens tables until Ann has such a lay: she has at most of them."""
    for _ in range(10):
        seat_ann_and_bob(ann, bob, **options)
        lay = wrong_lay(merci.wait_until(ann, lambda now: now.view.awaited == [0]))
        if lay is not None:
            return lay
    raise AssertionError("no such table")


def test_a_fault_is_denounced_and_the_reason_is_told_only_then(new_user: NewUser) -> None:
    ann, bob = new_user(), new_user("small", touch=True, name="Bob")
    lay = table_with_wrong_lay(ann, bob, fault_window_ms=20_000)
    before = len(ann.hand)
    merci.with_mouse(ann)(f"siouplait {lay.name} on {lay.stack + 1}")
    expect(bob.page.locator(".seat .bubble")).to_have_text("SIOUPLAIT")
    seen = merci.wait_until(bob, lambda now: now.view.tops[lay.stack] == lay.front).n
    reason = "SIOUPLAIT without a new combination"
    assert reason not in bob.page.locator("body").inner_text()
    merci.with_touch(bob)("denounce")
    expect(bob.page.locator(".told")).to_contain_text(f"Ann said {reason}")
    (done,) = [json.loads(frame) for frame in bob.sent if '"do"' in frame]
    assert done["seen"] == seen  # who is late, says so
    (reaction,) = reactions(bob)
    assert 0 < reaction["ms"] < TIMEOUT
    expect(ann.page.locator(".told")).to_contain_text(f"You said {reason}")
    expect(ann.page.locator("[role=log]")).to_contain_text(reason)
    expect(ann.page.locator(".seat .bubble")).to_have_text("MALPOLI")
    expect(ann.page.locator(".hand button")).to_have_count(before + 1)  # taken back, and one drawn
    ann.page.reload()
    ann.expect_visible(".stack")
    ann.page.keyboard.press("l")
    expect(ann.page.locator("dialog[open] ol")).to_contain_text(f"You said {reason}")


def test_a_word_is_held_with_one_finger_while_another_carries_the_card(new_user: NewUser) -> None:
    ann, bob = new_user("small", touch=True), new_user(name="Bob")
    lay = table_with_wrong_lay(ann, bob)
    touch = TouchInput(ann)
    touch.down(merci.place(ann, ".words .siouplait"))
    expect(ann.page.locator(".words .said")).to_contain_text("SIOUPLAIT")
    touch.down(merci.place(ann, ".hand button", merci.index_of(ann, lay.name)))
    touch.move(1, *merci.place(ann, "[data-stack]", lay.stack))
    expect(ann.page.locator(".stack.over")).to_have_count(1)
    touch.up(1)
    expect(bob.page.locator(".seat .bubble")).to_have_text("SIOUPLAIT")
    merci.wait_until(bob, lambda now: now.view.tops[lay.stack] == lay.front)
    touch.up(0)
    expect(ann.page.locator(".words .said")).to_have_count(0)


def test_a_fault_that_nobody_denounces_is_forgiven(new_user: NewUser) -> None:
    ann, bob = new_user(), new_user(name="Bob")
    lay = table_with_wrong_lay(ann, bob, fault_window_ms=1, false_denounce="free")
    before = len(ann.hand)
    merci.with_keyboard(ann)(f"siouplait {lay.name} on {lay.stack + 1}")
    merci.wait_until(bob, lambda now: now.view.turn == 1)
    bob.page.wait_for_timeout(50)
    merci.with_mouse(bob)("denounce")
    bob.expect_text("There is nothing to denounce.")
    assert len(ann.hand) == before - 1
    now = merci.last_update(ann)
    assert now is not None
    assert now.view.tops[lay.stack] == lay.front


def test_a_false_denunciation_costs_a_card_and_says_so(new_user: NewUser) -> None:
    ann, bob = new_user(), new_user(name="Bob")
    seat_ann_and_bob(ann, bob, false_denounce="draw")
    merci.with_keyboard(ann)("draw")
    merci.wait_until(bob, lambda now: now.view.turn == 1)
    before = len(bob.hand)
    bob.page.keyboard.press("x")
    expect(bob.page.locator(".hand button")).to_have_count(before + 1)


def test_the_helper_reminds_once_before_the_card_is_let_go(new_user: NewUser) -> None:
    ann, bob = new_user(), new_user(name="Bob")
    reminder = "no SIOUPLAIT is needed"
    lay = table_with_wrong_lay(ann, bob, rules="start", helper="on")
    do = merci.with_mouse(ann)
    do(f"siouplait {lay.name} on {lay.stack + 1}")
    expect(ann.page.locator(".notice")).to_contain_text(reminder)
    assert not [frame for frame in ann.sent if '"do"' in frame]
    ann.page.mouse.click(*merci.place(ann, "[data-stack]", lay.stack))  # all the same
    merci.wait_until(bob, lambda now: now.view.tops[lay.stack] == lay.front)


def test_without_the_helper_nothing_is_said(new_user: NewUser) -> None:
    ann, bob = new_user(), new_user(name="Bob")
    lay = table_with_wrong_lay(ann, bob, rules="start", helper="off")
    merci.with_mouse(ann)(f"siouplait {lay.name} on {lay.stack + 1}")
    merci.wait_until(bob, lambda now: now.view.tops[lay.stack] == lay.front)


def test_a_card_shows_as_claimed_at_once_and_is_settled_after_reconnecting(
    new_user: NewUser, server: ServerProcess
) -> None:
    ann, bob = new_user(), new_user(name="Bob")
    proxy = Proxy(server)
    ann.url = proxy.url
    lay = table_with_wrong_lay(ann, bob, helper="off")
    before = len(ann.hand)
    ann.offline = True
    proxy.disconnect()
    merci.with_mouse(ann)(f"siouplait {lay.name} on {lay.stack + 1}")
    expect(ann.page.locator(".stack.claimed")).to_have_count(1)
    assert len(ann.hand) == before - 1
    proxy.restore()
    merci.wait_until(bob, lambda now: now.view.tops[lay.stack] == lay.front)
    expect(ann.page.locator(".stack.claimed")).to_have_count(0)
    ann.offline = False
    proxy.close()


# Accessibility and layout


@pytest.mark.parametrize(
    ("size", "seats"), [("small", 6), ("side", 6), ("tablet", 5), ("desktop", 4)]
)
def test_the_table_fits_and_is_open_to_all(new_user: NewUser, size: str, seats: int) -> None:
    language = {"tablet": "es-ES", "desktop": "en-GB"}.get(size, "fr-FR")
    touch = size != "desktop"
    ann = new_user(size, touch=touch, locale=language, reduced_motion="reduce")
    seat = ann.server.create_table("merci", seats, first_player=0)
    ann.open_table(seat)
    ann.expect_visible(".options fieldset")
    check_accessibility(ann, "waiting room", ("light",))
    check_language(ann, language[:2])
    ann.page.locator(".start button").click()
    ann.expect_visible(".hand button")
    ann.expect_visible(".stack")
    assert layout_faults(ann) == []
    check_accessibility(ann, "table")
    check_language(ann, language[:2])
    ann.page.locator(".words .siouplait").click()
    ann.page.locator(".hand button").first.click(position={"x": 10, "y": 30})
    assert layout_faults(ann) == []
    check_accessibility(ann, "word and card", ("dark",))
    ann.page.keyboard.press("Escape")
    for key in "?l":
        ann.page.keyboard.press(key)
        ann.expect_visible("dialog[open]")
        check_accessibility(ann, f"sheet {key}", ("dark",))
        check_language(ann, language[:2])
        ann.close_dialog()


def test_no_secret_is_in_the_page(new_user: NewUser) -> None:
    ann = new_user()
    seat = ann.server.create_table("merci", 3, first_player=0)
    ann.open_table(seat)
    ann.expect_visible(".seats")
    before = cards_in_heap(ann)
    ann.button("Deal the cards").click()
    now = merci.wait_until(ann, lambda now: now.view.awaited == [0])
    truth = Truth(seat["table"], ann.server.entries(seat["table"]))
    own = int(seat["seat"])
    hidden = all_names("merci") - truth.known(now.n, own) - truth.shown(0, now.n, own)
    assert len(hidden) > 50
    assert not cards_in_document(ann) & hidden
    assert not (cards_in_heap(ann) - before) & hidden


def test_all_keys_of_the_words_are_shown(new_user: NewUser) -> None:
    ann = new_user()
    ann.start_game("merci", 3)
    ann.expect_visible(".hand button")
    ann.page.keyboard.press("?")
    sheet = ann.page.locator("dialog[open]")
    for word in ("SIOUPLAIT", "SKUZ", "MERCI", "MERCI BEAUCOUP", "MALPOLI"):
        expect(sheet).to_contain_text(f"{word}: said")
    for key in ("P", "K", "C", "B", "X", "D", "Esc", "Enter"):
        expect(sheet.locator("kbd", has_text=key).first).to_be_visible()


def test_a_reloaded_page_is_at_the_same_table(new_user: NewUser) -> None:
    ann, bob = new_user(), new_user(name="Bob")
    seat_ann_and_bob(ann, bob)
    hand = ann.hand
    ann.page.reload()
    ann.expect_visible(".hand button")
    assert ann.hand == hand
