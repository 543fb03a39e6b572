"""`make race-page`: two browsers go for the same pairs of Twin It! with reactions drawn alike, one
of them over a line of 150 ms. Tells by how much one is before the other when both take exactly as
long, then how many races each won, and how many of them though it was slower; fails if the races
are uneven beyond the noise."""

import argparse
import math
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, sync_playwright

from tests.browser.house import CHROMIUM, FLAGS, House
from tests.browser.line import Line
from tests.browser.twinit import Eyes, Friend
from tests.browser.visitor import Visitor

ROUND_TRIP = 0.150
REACTION = (0.45, 0.18)
"""Seconds, mean and deviation: both draw from the same."""
AHEAD = 10
"""Milliseconds by which one may be before the other when both take exactly as long."""
SURE = 2.6
"""Standard errors: an even race is called uneven once in a hundred runs."""

READY = """() => {
  window.aim = (face, cards, after) => {
    const fingers = (what, where) => cards.forEach((card, i) => document.querySelector(where(card))
      ?.dispatchEvent(new PointerEvent(what, { bubbles: true, pointerId: 10 + i })));
    const press = () => {
      fingers('pointerdown', (card) => `[data-card="${card}"]`);
      setTimeout(() => fingers('pointerup', () => '.mat'), 500);
    };
    const look = new MutationObserver(() => {
      if (!document.querySelector(`[data-face="${face}"]`)) return;
      look.disconnect();
      setTimeout(press, after);
    });
    const all = { subtree: true, childList: true, attributes: true };
    look.observe(document.querySelector('.mat'), all);
  };
}"""
"""Reacts to a face so many milliseconds after it is there to be seen, and takes the fingers away
again: two who each keep one card of a pair would wait for each other for ever."""


class Races:
    """One table of three: the host turns cards over, and two browsers go for what they make."""

    def __init__(self, house: House, visitors: list[Visitor], rng: random.Random) -> None:
        self._rng = rng
        options = {"seats": 3, "mode": "rush", "minute_ms": 3_000_000}
        made = house.ask("/api/tables", {"game": "twinit", "name": "Eve", "options": options})
        table = made["table"]
        for visitor in visitors:
            seat = house.ask(f"/api/tables/{table}/seats", {"name": "Ann"})
            visitor.keep({**seat, "game": "twinit", "used": 1})
            visitor.go(f"/t/{table}")
            visitor.sees(".seats")
        self._host = Friend(house, made)
        self._host.begin()
        for visitor in visitors:
            visitor.page.wait_for_selector(".mat .tile")
            visitor.page.evaluate(READY)
        self._eyes = Eyes(house, table)
        self._visitors = visitors
        self._table = table

    def next(self) -> tuple[int, int] | None:
        """A card to be turned, and the one that lies open with what is on its back."""
        state = self._eyes.state
        open_ = [card for card in range(135) if state.spot[card] >= -7]
        shown = {state.motif[2 * card + state.side[card]]: card for card in open_}
        self._rng.shuffle(open_)
        for card in open_:
            other = shown.get(state.motif[2 * card + 1 - state.side[card]])
            if other is not None and other != card:
                return card, other
        return None

    def reactions(self) -> list[float]:
        """Milliseconds for each, drawn alike."""
        return [1000 * max(0.15, self._rng.gauss(*REACTION)) for _ in self._visitors]

    def run(self, reactions: Sequence[float]) -> int | None:
        """One race with so many milliseconds for each: who won it; None: nobody did."""
        found = self.next()
        if found is None:
            raise LookupError("nothing to race for")
        card, other = found
        side = 1 - self._eyes.state.side[card]
        before = self._points()
        for visitor, ms in zip(self._visitors, reactions, strict=True):
            visitor.page.evaluate(
                "([f, c, ms]) => aim(f, c, ms)", [f"{card}{'ab'[side]}", [card, other], ms]
            )
        self._host.turn(card)
        ends = time.monotonic() + 4
        while time.monotonic() < ends:
            time.sleep(0.1)
            gained = [now - then for now, then in zip(self._points(), before, strict=True)]
            if any(gained):
                time.sleep(0.25)
                return 0 if gained[1] else 1
        return None

    def margins(self) -> list[int]:
        """Milliseconds by which the first browser was before the second, in all races so far."""
        self._visitors[0].page.wait_for_timeout(300)  # the last one is on its way
        told = self._visitors[0].frames("raced")
        return [each["by"] * (1 if each["first"] == 1 else -1) for each in told]

    def _points(self) -> list[int]:
        return list(self._eyes.state.catch_counts[:3])


@contextmanager
def table(house: House, browsers: list[Browser], line: Line, rng: random.Random) -> Iterator[Races]:
    """A new one, with a browser on the short line and one on the long."""
    visitors = [Visitor(house, each.new_context()) for each in browsers]
    visitors[1].url = line.url
    races = Races(house, visitors, rng)
    time.sleep(2)  # lines are measured
    yield races
    for visitor in visitors:
        visitor.context.close()


def even(races: Races, count: int) -> bool:
    """Both take exactly as long: by how much is the short line before the long one?"""
    for _ in range(count):
        races.run([1000 * REACTION[0]] * 2)
    ahead = median(races.margins())
    print(f"{count} dead heats: the short line ahead by {ahead:.0f} ms in the median", flush=True)
    return abs(ahead) <= AHEAD


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--races", type=int, default=400)
    parser.add_argument("--heats", type=int, default=20)
    parser.add_argument("--seed", type=int, default=7)
    wanted = parser.parse_args()
    rng = random.Random(wanted.seed)
    won, ought, upsets = [0, 0, 0], [0, 0], [0, 0]
    with (
        tempfile.TemporaryDirectory() as folder,
        House(Path(folder)) as house,
        sync_playwright() as playwright,
    ):
        line = Line(house, ROUND_TRIP)
        browsers = [playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS) for _ in "12"]
        with table(house, browsers, line, rng) as races:
            fair = even(races, wanted.heats)
        while sum(won) < wanted.races:
            with table(house, browsers, line, rng) as races, suppress(LookupError):
                while sum(won) < wanted.races:
                    reactions = races.reactions()
                    winner = races.run(reactions)
                    quicker = reactions.index(min(reactions))
                    won[2 if winner is None else winner] += 1
                    ought[quicker] += 1
                    if winner is not None and winner != quicker:
                        upsets[winner] += 1
                    if sum(won) % 20 == 0:
                        print(won, flush=True)
        for each in browsers:
            each.close()
    short, long, nobody = won
    share = long / (short + long)
    error = math.sqrt(0.25 / (short + long))
    print(f"races won on the short line {short}, on the long one {long}; by nobody {nobody}")
    print(f"the long line won {100 * share:.1f} %, within {100 * SURE * error:.1f} of even wanted")
    print(f"quicker was the short line {ought[0]} times, the long one {ought[1]}")
    print(f"the slower one won on the short line {upsets[0]} times, on the long one {upsets[1]}")
    return 0 if fair and abs(share - 0.5) < SURE * error else 1


if __name__ == "__main__":
    sys.exit(main())
