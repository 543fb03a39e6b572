"""Plays Merci in a browser: reads the view that the page received, chooses as the heuristic bot
does, and acts by mouse, touch or keyboard."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import cycle
from typing import Any

import msgspec

from pli.games.merci.bots.heuristic import choose, lay_of, right_word
from pli.games.merci.view import MerciView
from tests.browser.user import SCREENSHOTS, TIMEOUT, User

WORDS = {"siouplait": ".siouplait", "skuz": ".skuz", "denounce": ".denounce"}
WORDS |= {"merci": ".merci", "merci-beaucoup": ".merci-beaucoup"}
KEYS = {"siouplait": "p", "skuz": "k", "denounce": "x", "merci": "c", "merci-beaucoup": "b"}

STEPS = 50
"""How often in a second the last update is looked at."""

TOUCHABLE = """([where, n]) => {
  const target = document.querySelectorAll(where)[n];
  if (!target || target.closest('[inert]')) return null;
  const box = target.getBoundingClientRect();
  for (const part of [0.25, 0.5, 0.75])
    for (let x = box.left + 8; x < box.right; x += 4) {
      const y = box.top + box.height * part;
      if (target.contains(document.elementFromPoint(x, y))) return [x + 3, y];
    }
  return null;
}"""
"""A point at which an element can be hit, though others cover a part of it."""

SHOWN = """n => {
  const hand = document.querySelector('.hand');
  return hand?.querySelectorAll('button').length === n
    && hand.getAnimations({ subtree: true }).length === 0;
}"""
"""True when the hand shows so many cards and no animation runs in it."""


SELECTED = """() => {
  const said = document.querySelector('.words [aria-pressed=true]');
  const cards = [...document.querySelectorAll('.hand button')];
  return [said?.classList[0] ?? 'play', cards.findIndex((each) => each.ariaPressed === 'true')];
}"""
"""The word that is chosen for the next card, and the index of the picked card: a second tap on
either undoes it."""


@dataclass(frozen=True)
class TableUpdate:
    """The last update that a page received."""

    n: int
    view: MerciView
    legal: list[str]


Do = Callable[[str], None]


class TargetGone(Exception):
    """The element to click is not there any more: another player was quicker."""


def last_update(user: User) -> TableUpdate | None:
    told = user.frames("welcome", "update")
    if not told or told[-1]["view"] is None:
        return None
    return TableUpdate(
        told[-1]["n"], msgspec.convert(told[-1]["view"], MerciView), told[-1]["legal"]
    )


def place(user: User, where: str, nth: int = 0) -> tuple[float, float]:
    found: Any = user.page.evaluate(TOUCHABLE, [where, nth])
    if found is None:
        raise TargetGone(where)
    return float(found[0]), float(found[1])


def index_of(user: User, card: str) -> int:
    """The index of a card in the hand as it is shown; the first of two equal ones."""
    held: list[str] = user.page.evaluate(
        "[...document.querySelectorAll('.hand button')].map((each) => each.dataset.card)"
    )
    for i, each in enumerate(held):
        if card in (each, each.partition("/")[0]):
            return i
    raise TargetGone(card)


def word_to_tap(user: User, word: str) -> str | None:
    """The word to tap before a card is laid with `word`: an earlier try may have left one
    chosen."""
    said = str(user.page.evaluate(SELECTED)[0])
    if said == word:
        return None
    return said if word == "play" else word


def picked(user: User, at: int) -> bool:
    return bool(user.page.evaluate(SELECTED)[1] == at)


def with_pointer(user: User, point: Callable[[float, float], None]) -> Do:
    """By mouse or touch: the word, then the card, then the stack."""

    def tap(where: str, nth: int = 0) -> None:
        point(*place(user, where, nth))

    def pick(card: str) -> None:
        at = index_of(user, card)
        if not picked(user, at):
            tap(".hand button", at)

    def act(action: str) -> None:
        word, *rest = action.split()
        lay = lay_of(action)
        if lay is not None:
            if say := word_to_tap(user, lay.word):
                tap(f".words {WORDS[say]}")
            pick(lay.name)
            tap("[data-stack]", lay.stack)
        elif word in ("draw", "take"):
            tap(".pile")
        elif word == "choose":
            tap(f"section:has([data-anchor=seat-{rest[0]}]) .pick, .own .pick")
        elif word == "give":
            pick(rest[0])
            tap(f"section:has([data-anchor=seat-{rest[2]}]) .pick")
        else:
            tap(f".words {WORDS[word]}")

    return act


def with_mouse(user: User) -> Do:
    return with_pointer(user, user.page.mouse.click)


def with_touch(user: User) -> Do:
    return with_pointer(user, user.page.touchscreen.tap)


def by_dragging(user: User) -> Do:
    """Cards are dragged to their stacks; all else is clicked."""
    click = with_mouse(user)
    mouse = user.page.mouse

    def act(action: str) -> None:
        lay = lay_of(action)
        if lay is None:
            click(action)
            return
        if say := word_to_tap(user, lay.word):
            mouse.click(*place(user, f".words {WORDS[say]}"))
        mouse.move(*place(user, ".hand button", index_of(user, lay.name)))
        mouse.down()
        mouse.move(*place(user, "[data-stack]", lay.stack), steps=3)
        mouse.up()

    return act


def by_mouse(user: User) -> Do:
    """Actions by clicks and by dragging in turns."""
    ways = cycle((with_mouse(user), by_dragging(user)))
    return lambda action: next(ways)(action)


def with_keyboard(user: User) -> Do:
    keyboard = user.page.keyboard

    def pick(card: str) -> None:
        at = index_of(user, card)
        if picked(user, at):
            return
        for _ in range(40):
            keyboard.press("ArrowRight")
            if user.page.evaluate(
                "n => document.querySelectorAll('.hand button')[n] === document.activeElement", at
            ):
                break
        keyboard.press("Enter")

    def act(action: str) -> None:
        word, *rest = action.split()
        lay = lay_of(action)
        if lay is not None:
            if say := word_to_tap(user, lay.word):
                keyboard.press(KEYS[say])
            pick(lay.name)
            keyboard.press(str(lay.stack + 1))
        elif word in ("draw", "take"):
            keyboard.press("d")
        elif word in ("choose", "give"):
            if word == "give":
                pick(rest[0])
            now = last_update(user)
            assert now is not None
            own = now.view.seat or 0
            keyboard.press(str((int(rest[-1]) - own) % now.view.seats))
        else:
            keyboard.press(KEYS[word])

    return act


def choose_action(now: TableUpdate) -> str | None:
    """What a polite player does now: its own action, or a SKUZ at any time."""
    view = now.view
    for action in now.legal:
        lay = lay_of(action)
        if lay is not None and lay.word == "skuz" and view.tops[lay.stack] == lay.front:
            return action
    if view.seat not in view.awaited:
        return None
    chosen = choose(view, now.legal)
    lay = lay_of(chosen)
    if lay is not None and lay.word != right_word(view.tops, lay.stack, lay.front):
        return "draw"
    return chosen


def play_game(user: User, do: Do, *, seconds: int = 60) -> int:
    """Plays to the result; returns how often it acted. Between updates the page is left alone."""
    count, tried, idle = 0, -1, 0
    for _ in range(seconds * STEPS):
        now = last_update(user)
        idle += 1
        if now is not None and (now.n != tried or idle > STEPS):
            if now.view.phase == "over":
                user.expect_visible(".result")
                return count
            action = choose_action(now)
            if action is None:
                tried, idle = now.n, 0
            elif user.page.evaluate(SHOWN, len(now.view.hand)):
                tried, idle = now.n, 0
                with suppress(TargetGone):
                    do(action)
                    count += 1
        user.page.wait_for_timeout(1000 / STEPS)
    user.page.screenshot(path=SCREENSHOTS / "merci-stuck.png")
    raise AssertionError(f"no result after {count} actions: {last_update(user)}")


def wait_until(user: User, holds: Callable[[TableUpdate], object]) -> TableUpdate:
    """Waits for an update for which `holds` is true."""
    for _ in range(TIMEOUT * STEPS // 1000):
        now = last_update(user)
        if now is not None and holds(now):
            return now
        user.page.wait_for_timeout(1000 / STEPS)
    raise AssertionError(f"never so: {last_update(user)}")
