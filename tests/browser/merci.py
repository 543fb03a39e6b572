"""Somebody who plays Merci in a browser: looks at the table as the page was told of it, makes up
its mind as a bot would, and does it with a mouse, a finger or keys."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import cycle
from typing import Any

import msgspec

from pli.games.merci.bots.heuristic import choose, lay_of, right_word
from pli.games.merci.view import MerciView
from tests.browser.visitor import LEFT, PATIENCE, Visitor

WORDS = {"siouplait": ".siouplait", "skuz": ".skuz", "denounce": ".denounce"}
WORDS |= {"merci": ".merci", "merci-beaucoup": ".merci-beaucoup"}
KEYS = {"siouplait": "p", "skuz": "k", "denounce": "x", "merci": "c", "merci-beaucoup": "b"}

STEPS = 50
"""How often in a second somebody looks whether there is something to do."""

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
"""Where something can be touched, though it lies in part under something else."""

SHOWN = """n => {
  const hand = document.querySelector('.hand');
  return hand?.querySelectorAll('button').length === n
    && hand.getAnimations({ subtree: true }).length === 0;
}"""
"""The page shows what it was told: as many cards in the hand, lying still."""


HELD = """() => {
  const said = document.querySelector('.words [aria-pressed=true]');
  const cards = [...document.querySelectorAll('.hand button')];
  return [said?.classList[0] ?? 'play', cards.findIndex((each) => each.ariaPressed === 'true')];
}"""
"""The word that is said for the next card, and where the picked one is: a second tap takes back."""


@dataclass(frozen=True)
class Sight:
    """The table as a page was last told of it."""

    n: int
    view: MerciView
    legal: list[str]


Do = Callable[[str], None]


class Gone(Exception):
    """What was to be touched is not there any more: somebody was quicker."""


def sight(visitor: Visitor) -> Sight | None:
    told = visitor.frames("welcome", "update")
    if not told or told[-1]["view"] is None:
        return None
    return Sight(told[-1]["n"], msgspec.convert(told[-1]["view"], MerciView), told[-1]["legal"])


def place(visitor: Visitor, where: str, nth: int = 0) -> tuple[float, float]:
    found: Any = visitor.page.evaluate(TOUCHABLE, [where, nth])
    if found is None:
        raise Gone(where)
    return float(found[0]), float(found[1])


def index_of(visitor: Visitor, card: str) -> int:
    """Where a card is in the hand as it lies there; the first of two equal ones."""
    held: list[str] = visitor.page.evaluate(
        "[...document.querySelectorAll('.hand button')].map((each) => each.dataset.card)"
    )
    for i, each in enumerate(held):
        if card in (each, each.partition("/")[0]):
            return i
    raise Gone(card)


def still_to_say(visitor: Visitor, word: str) -> str | None:
    """What is to be tapped before a card goes with a word: an earlier try may have said one."""
    said = str(visitor.page.evaluate(HELD)[0])
    if said == word:
        return None
    return said if word == "play" else word


def picked(visitor: Visitor, at: int) -> bool:
    return bool(visitor.page.evaluate(HELD)[1] == at)


def pointing(visitor: Visitor, point: Callable[[float, float], None]) -> Do:
    """With something that points: the word, then the card, then the stack."""

    def tap(where: str, nth: int = 0) -> None:
        point(*place(visitor, where, nth))

    def pick(card: str) -> None:
        at = index_of(visitor, card)
        if not picked(visitor, at):
            tap(".hand button", at)

    def act(action: str) -> None:
        word, *rest = action.split()
        lay = lay_of(action)
        if lay is not None:
            if say := still_to_say(visitor, lay.word):
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


def with_mouse(visitor: Visitor) -> Do:
    return pointing(visitor, visitor.page.mouse.click)


def with_finger(visitor: Visitor) -> Do:
    return pointing(visitor, visitor.page.touchscreen.tap)


def by_dragging(visitor: Visitor) -> Do:
    """Cards are carried to their stacks; all else is clicked."""
    click = with_mouse(visitor)
    mouse = visitor.page.mouse

    def act(action: str) -> None:
        lay = lay_of(action)
        if lay is None:
            click(action)
            return
        if say := still_to_say(visitor, lay.word):
            mouse.click(*place(visitor, f".words {WORDS[say]}"))
        mouse.move(*place(visitor, ".hand button", index_of(visitor, lay.name)))
        mouse.down()
        mouse.move(*place(visitor, "[data-stack]", lay.stack), steps=3)
        mouse.up()

    return act


def by_mouse(visitor: Visitor) -> Do:
    """One by clicks, the next by dragging."""
    ways = cycle((with_mouse(visitor), by_dragging(visitor)))
    return lambda action: next(ways)(action)


def with_keys(visitor: Visitor) -> Do:
    keyboard = visitor.page.keyboard

    def pick(card: str) -> None:
        at = index_of(visitor, card)
        if picked(visitor, at):
            return
        for _ in range(40):
            keyboard.press("ArrowRight")
            if visitor.page.evaluate(
                "n => document.querySelectorAll('.hand button')[n] === document.activeElement", at
            ):
                break
        keyboard.press("Enter")

    def act(action: str) -> None:
        word, *rest = action.split()
        lay = lay_of(action)
        if lay is not None:
            if say := still_to_say(visitor, lay.word):
                keyboard.press(KEYS[say])
            pick(lay.name)
            keyboard.press(str(lay.stack + 1))
        elif word in ("draw", "take"):
            keyboard.press("d")
        elif word in ("choose", "give"):
            if word == "give":
                pick(rest[0])
            now = sight(visitor)
            assert now is not None
            own = now.view.seat or 0
            keyboard.press(str((int(rest[-1]) - own) % now.view.seats))
        else:
            keyboard.press(KEYS[word])

    return act


def wanted(now: Sight) -> str | None:
    """What a polite player would do now: its own part, or a SKUZ at any moment."""
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


def plays(visitor: Visitor, do: Do, *, seconds: int = 60) -> int:
    """Plays to the result; how often it acted. While nothing is told, the page is left alone."""
    count, tried, idle = 0, -1, 0
    for _ in range(seconds * STEPS):
        now = sight(visitor)
        idle += 1
        if now is not None and (now.n != tried or idle > STEPS):
            if now.view.phase == "over":
                visitor.sees(".result")
                return count
            action = wanted(now)
            if action is None:
                tried, idle = now.n, 0
            elif visitor.page.evaluate(SHOWN, len(now.view.hand)):
                tried, idle = now.n, 0
                with suppress(Gone):
                    do(action)
                    count += 1
        visitor.page.wait_for_timeout(1000 / STEPS)
    visitor.page.screenshot(path=LEFT / "merci-stuck.png")
    raise AssertionError(f"no result after {count} actions: {sight(visitor)}")


def until(visitor: Visitor, holds: Callable[[Sight], object]) -> Sight:
    """Waits for the table to be so."""
    for _ in range(PATIENCE * STEPS // 1000):
        now = sight(visitor)
        if now is not None and holds(now):
            return now
        visitor.page.wait_for_timeout(1000 / STEPS)
    raise AssertionError(f"never so: {sight(visitor)}")
