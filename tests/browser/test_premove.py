"""A card that is chosen while others are to play: it is played on the own turn, if it is legal
then, and nobody learns of it before."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewUser
from tests.browser.friend import Friend
from tests.browser.proxy import Proxy
from tests.browser.server import ServerProcess
from tests.browser.user import User

AT = """card => {
  const hand = [...document.querySelectorAll('.hand button')];
  const nth = hand.findIndex((each) => each.dataset.card === card);
  const box = hand[nth].getBoundingClientRect();
  return [nth, box.left + 14, box.top + 40];
}"""
"""The index of a card in the hand, and a point of its left edge, which no other card covers."""

Tap = Callable[[str], None]


def by_mouse(ann: User) -> Tap:
    return lambda card: ann.page.mouse.click(*ann.page.evaluate(AT, card)[1:])


def by_touch(ann: User) -> Tap:
    return lambda card: ann.page.touchscreen.tap(*ann.page.evaluate(AT, card)[1:])


def by_keyboard(ann: User) -> Tap:
    focused = "card => document.activeElement.dataset.card === card"

    def press(card: str) -> None:
        for _ in range(30):
            if ann.page.evaluate(focused, card):
                break
            ann.page.keyboard.press("ArrowRight")
        ann.page.keyboard.press("Enter")

    return press


def done(ann: User) -> list[str]:
    sent = [json.loads(frame) for frame in [*ann.sent]]
    return [str(message["action"]) for message in sent if message["type"] == "do"]


def expect_chosen(ann: User, *cards: str) -> None:
    """So many cards are chosen ahead: one at most."""
    chosen = ann.page.locator(".hand .ahead")
    expect(chosen).to_have_count(len(cards))
    for card in cards:
        expect(chosen).to_have_attribute("data-card", card)


@contextmanager
def table(ann: User) -> Iterator[Friend]:
    """Ann and a friend begin a round of Marshmallow Test without trump; the friend leads."""
    made = {"game": "marshmallow", "name": "Ann", "options": {"seats": 2, "first_dealer": 1}}
    seat = ann.server.request("/api/tables", made)
    other = ann.server.request(f"/api/tables/{seat['table']}/seats", {"name": "Bob"})
    bob = Friend(ann.server, other)
    ann.open_table({**seat, "game": "marshmallow", "used": 1})
    ann.page.locator(".start button").click()
    try:
        ann.expect_visible(".hand button")
        ann.page.wait_for_function(
            "() => !document.querySelector('.hand').getAnimations({ subtree: true }).length"
        )
        yield bob
    finally:
        bob.close()


def leads(card: str) -> Callable[[dict[str, Any], list[str]], str]:
    return lambda _view, _legal: f"play {card}"


def value(card: str) -> int:
    return int(card[1:])


def lead_and_answer(led: list[str], held: list[str]) -> tuple[str, str]:
    """A card that wins when it is led, and a lower one of its colour."""
    found = [
        (card, low)
        for card in led
        for low in held
        if low[0] == card[0] and value(low) < value(card)
    ]
    return max(found, key=lambda pair: value(pair[0]) - value(pair[1]))


def lead_and_discard(led: list[str], held: list[str]) -> tuple[str, str]:
    """A card that can be followed, and one of another colour."""
    card = next(card for card in led if any(each[0] == card[0] for each in held))
    return card, next(each for each in held if each[0] != card[0])


@pytest.mark.parametrize("way", ["mouse", "touch", "keyboard"])
def test_a_card_chosen_ahead_plays_on_the_own_turn_or_not_at_all(
    new_user: NewUser, server: ServerProcess, way: str
) -> None:
    ann = new_user("small" if way == "touch" else "desktop", touch=way == "touch")
    tap = {"mouse": by_mouse, "touch": by_touch, "keyboard": by_keyboard}[way](ann)
    proxy = Proxy(server)
    ann.url = proxy.url
    log = ann.page.locator("[role=log]")
    with table(ann) as bob:
        held = ann.frames("update")[-1]["view"]["hand"]
        led, answer = lead_and_answer(bob.view["hand"], held)
        other = next(card for card in held if card != answer)
        before = len(ann.sent)
        tap(other)
        expect_chosen(ann, other)
        expect(ann.page.locator(".whose")).to_have_text("Plays when it is your turn")
        expect(log).to_contain_text("plays when it is your turn")
        tap(other)
        expect_chosen(ann)
        tap(other)
        expect_chosen(ann, other)  # and lies where it is lifted to
        tap(answer)
        expect_chosen(ann, answer)
        if way == "keyboard":
            ann.page.keyboard.press("Escape")
            expect_chosen(ann)
            tap(answer)
        assert ann.sent[before:] == []  # nothing tells of it
        if way == "mouse":  # what happens while the connection is lost was not seen
            ann.offline = True
            proxy.disconnect()
            proxy.restore()
            expect_chosen(ann)
            ann.offline = False
            tap(answer)
        expect_chosen(ann, answer)

        bob.act(leads(led))
        expect(ann.page.locator(f".hand [data-card={answer}]")).to_have_count(0)
        assert done(ann) == [f"play {answer}"]

        # Bob took the trick. Now a card that will not be legal.
        expect(ann.page.locator(".trick li")).to_have_count(0)
        held = [card for card in held if card != answer]
        hand = [card for card in bob.view["hand"] if card != led]
        led, wrong = lead_and_discard(hand, held)
        tap(wrong)
        expect_chosen(ann, wrong)
        bob.act(leads(led))
        expect(ann.page.locator(".notice")).to_contain_text("You can't play")
        expect(log).to_contain_text("You can't play")
        expect_chosen(ann)
        expect(ann.page.locator(f".hand [data-card={wrong}].dim")).to_have_count(1)
        assert done(ann) == [f"play {answer}"]
    ann.offline = True  # its page may just be asking for the icon of another turn
    proxy.close()


def test_who_does_not_want_that_is_told_whose_turn_it_is(new_user: NewUser) -> None:
    ann = new_user()
    ann.set_preferences(premove=False)
    with table(ann) as bob:
        assert bob.view["awaited"] == [1]
        by_mouse(ann)(ann.frames("update")[-1]["view"]["hand"][0])
        expect(ann.page.locator(".notice")).to_be_visible()
        expect_chosen(ann)
