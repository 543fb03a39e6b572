"""`make race-page`: two browsers race for the same pairs of Twin It!, with reaction times from one
distribution, one of them over a connection of 150 ms. Prints the margin when both react equally
fast, then how many races each won, and how many of them though it was slower; fails if the races
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

from tests.browser.chromium import CHROMIUM, FLAGS
from tests.browser.proxy import Proxy
from tests.browser.server import QUICK, ServerProcess
from tests.browser.twinit import HeadlessPlayer, TableState
from tests.browser.user import User

ROUND_TRIP = 0.150
REACTION = (0.45, 0.18)
"""Seconds, mean and deviation, of both browsers."""
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
"""Reacts to a face so many milliseconds after it is shown, and lifts the fingers again: two players
who each hold one card of a pair would wait for each other for ever."""


class Races:
    """One table of three: the host turns cards over, and two browsers race for the pairs."""

    def __init__(self, server: ServerProcess, users: list[User], rng: random.Random) -> None:
        self._rng = rng
        options = {"seats": 3, "mode": "rush", "minute_ms": 3_000_000}
        wanted = {"game": "twinit", "name": "Eve", "options": options, "settings": QUICK}
        made = server.request("/api/tables", wanted)
        table = made["table"]
        for user in users:
            seat = server.request(f"/api/tables/{table}/seats", {"name": "Ann"})
            user.store_seat({**seat, "game": "twinit", "used": 1})
            user.go(f"/t/{table}")
            user.expect_visible(".seats")
        self._host = HeadlessPlayer(server, made)
        self._host.begin()
        for user in users:
            user.page.wait_for_selector(".mat .tile")
            user.page.evaluate(READY)
        self._state = TableState(server, table)
        self._users = users
        self._table = table

    def next(self) -> tuple[int, int] | None:
        """A card to turn over, and an open one that shows the motif of its back."""
        state = self._state.current
        open_ = [card for card in range(135) if state.spot[card] >= -7]
        shown = {state.motif[2 * card + state.side[card]]: card for card in open_}
        self._rng.shuffle(open_)
        for card in open_:
            other = shown.get(state.motif[2 * card + 1 - state.side[card]])
            if other is not None and other != card:
                return card, other
        return None

    def reactions(self) -> list[float]:
        """Milliseconds for each browser, from the same distribution."""
        return [1000 * max(0.15, self._rng.gauss(*REACTION)) for _ in self._users]

    def run(self, reactions: Sequence[float]) -> int | None:
        """One race with these reaction times in milliseconds: who won it; None: nobody did."""
        found = self.next()
        if found is None:
            raise LookupError("nothing to race for")
        card, other = found
        side = 1 - self._state.current.side[card]
        before = self._points()
        for user, ms in zip(self._users, reactions, strict=True):
            user.page.evaluate(
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
        self._users[0].page.wait_for_timeout(300)  # until the last one has arrived
        told = self._users[0].frames("raced")
        return [each["by"] * (1 if each["first"] == 1 else -1) for each in told]

    def _points(self) -> list[int]:
        return list(self._state.current.catch_counts[:3])


@contextmanager
def racing_table(
    server: ServerProcess, browsers: list[Browser], proxy: Proxy, rng: random.Random
) -> Iterator[Races]:
    """A new table, with one browser connected directly and one over the proxy."""
    users = [User(server, each.new_context()) for each in browsers]
    users[1].url = proxy.url
    races = Races(server, users, rng)
    time.sleep(2)  # the server measures latencies
    yield races
    for user in users:
        user.context.close()


def run_dead_heats(races: Races, count: int) -> bool:
    """Races with equal reaction times: whether the median margin is small enough."""
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
        ServerProcess(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        proxy = Proxy(server, ROUND_TRIP)
        browsers = [playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS) for _ in "12"]
        with racing_table(server, browsers, proxy, rng) as races:
            fair = run_dead_heats(races, wanted.heats)
        while sum(won) < wanted.races:
            with racing_table(server, browsers, proxy, rng) as races, suppress(LookupError):
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
