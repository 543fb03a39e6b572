"""Races between people on simulated lines, decided by the code that decides them at the table.

A race: something is shown to all, each person reacts to it, and the first claim that is settled
wins. Every message has its own delay, pings as well; some pings are lost. Run as a program it
prints the figures of docs/fairness.md.
"""

import random
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import TypeVar

from pli.bots import ADULT
from pli.kernel.contract import NEVER
from pli.server.moves.lag import Allowances, Lag
from pli.server.moves.queue import MoveQueue, PendingMove, RaceDetector

T = TypeVar("T")

PING = 3_000.0
"""ms between pings."""

PAUSE = 4_000.0
"""ms between races."""

RACES = 10_000


@dataclass(frozen=True, kw_only=True)
class Person:
    """A player and their connection. Legs are ms one way, on average and without spikes."""

    down: float
    up: float
    jitter: float = 0.1
    """The share of a leg that varies: exponentially, as queues make it."""
    spikes: float = 0.01
    """Chance of a message to take up to 300 ms longer."""
    lost: float = 0.05
    """Chance of a ping to be lost."""
    slower: float = 0.0
    """ms that every reaction takes longer than others'."""
    knows: bool = False
    """Acts by the clock, not by what is shown."""
    holds_pongs: float = 0.0
    """ms: a liar's answers to pings wait so long."""
    every: int = 1
    """A liar lies at every such ping only."""

    def trip(self, leg: float, rng: random.Random) -> float:
        time = leg * (1 - self.jitter)
        if leg * self.jitter:
            time += rng.expovariate(1 / (leg * self.jitter))
        if rng.random() < self.spikes:
            time += rng.uniform(50, 300)
        return time


def on_line(round_trip: float) -> Person:
    return Person(down=round_trip / 2, up=round_trip / 2)


@dataclass
class Outcome:
    wins: list[int]
    early: list[float]
    """For each seat, by how many ms its actions counted before its player's reaction: on average
    nothing if the line is allowed for as it is."""
    held: list[int] = field(default_factory=list)
    """ms that each claim waited after its arrival."""
    longest: list[int] = field(default_factory=list)
    """The largest allowance of its rivals meanwhile."""
    margins: list[int] = field(default_factory=list)
    """ms by which each race was decided, where the second did not know of the first."""

    @property
    def share(self) -> list[float]:
        return [100 * each / sum(self.wins) for each in self.wins]


def run(people: Sequence[Person], races: int = RACES, seed: str = "", fair: bool = True) -> Outcome:
    """So many races in one session; `fair` or as they arrive."""
    rng = random.Random(f"races {seed}")
    lines = [Lag() for _ in people]
    claims: MoveQueue[float] = MoveQueue(seed)
    outcome = Outcome([0] * len(people), [0.0] * len(people))
    now, next_ping, pings = 0.0, 0.0, 0
    for _ in range(races):
        now += PAUSE + rng.random() * PAUSE
        while next_ping < now:
            ping(people, lines, pings, rng)
            next_ping, pings = next_ping + PING, pings + 1
        allowances = {seat: line.allowance if fair else 0 for seat, line in enumerate(lines)}
        arrivals = []
        for seat, person in enumerate(people):
            done = now + ADULT.seen(rng) + person.slower
            way = person.trip(person.up, rng)
            if not person.knows:
                way += person.trip(person.down, rng)
            arrivals.append((done + way, seat, done))
        judge(settled(claims, arrivals, allowances), allowances, outcome)
    outcome.early = [each / races for each in outcome.early]
    return outcome


def judge(
    settled: Iterator[tuple[int, PendingMove[float] | int]], lines: Allowances, outcome: Outcome
) -> None:
    """One race: the first wins."""
    races, won = RaceDetector(), False
    for now, claim in settled:
        assert isinstance(claim, PendingMove)
        outcome.held.append(now - claim.arrived)
        outcome.longest.append(max(lines[seat] for seat in lines if seat != claim.seat))
        outcome.early[claim.seat] += claim.move - claim.acted
        if not won:
            won = True
            outcome.wins[claim.seat] += 1
            races.won(claim, "it", now)
        elif lost := races.lost(claim, "it"):
            outcome.margins.append(lost.margin)


def ping(people: Sequence[Person], lines: list[Lag], number: int, rng: random.Random) -> None:
    for person, line in zip(people, lines, strict=True):
        time = person.trip(person.down, rng) + person.trip(person.up, rng)
        if number % person.every == 0:
            time += person.holds_pongs
        if rng.random() >= person.lost:
            line.add_sample(time)


def settled(
    claims: MoveQueue[T],
    arrivals: Iterable[tuple[float, int, T]],
    lines: Allowances,
    timers: Iterable[int] = (),
) -> Iterator[tuple[int, PendingMove[T] | int]]:
    """All that arrives from seats and all timers, each with the time at which it is settled: as a
    table's room does it, who wakes when told to and when something arrives."""
    waiting = deque(sorted(arrivals, key=lambda each: each[0]))
    dues = deque([*sorted(timers), NEVER])
    while True:
        wakes = claims.next_wakeup(lines, dues[0])
        if waiting and (wakes is None or waiting[0][0] < wakes):
            arrival, seat, what = waiting.popleft()
            now = int(arrival)
            claims.add(seat, what, now, lines.get(seat, 0))
        elif wakes is None:
            return
        else:
            now = wakes
        while True:
            if claims.timer_ready(now, lines, dues[0]):
                claims.advance(dues[0])
                yield now, dues.popleft()
            elif claim := claims.pop_ready(now, lines, dues[0]):
                yield now, claim
            else:
                break


def main() -> None:
    """The table of docs/fairness.md."""
    short, long = on_line(20), on_line(200)
    steady = replace(short, spikes=0.0)
    liar = replace(short, holds_pongs=1_000)
    rows: dict[str, Sequence[Person]] = {
        "20 and 20": (short, short),
        "20 and 200": (short, long),
        "20, 20, 200 and 200": (short, short, long, long),
        "20, and 200 with three times the jitter": (short, replace(long, jitter=0.3)),
        "20 without spikes, 200 with 3 %": (steady, replace(long, spikes=0.03)),
        "20 without spikes, 200 with 10 %": (steady, replace(long, spikes=0.1)),
        "20 and 200, half of all pings lost": (replace(short, lost=0.5), replace(long, lost=0.5)),
        "20, and 200 that are all on the way down": (short, Person(down=200, up=0)),
        "20, and 200 that are all on the way up": (short, Person(down=0, up=200)),
        "20 and 350": (short, on_line(350)),
        "20 and 200, both acting by the clock": (
            replace(short, knows=True),
            replace(long, knows=True),
        ),
        "liar on 20, and 20: all pongs held back": (liar, short),
        "the same, the liar slower by 230": (replace(liar, slower=230), short),
        "liar on 20, and 20: every third pong held back": (replace(liar, every=3), short),
    }
    write = sys.stdout.write
    write(
        "| lines, ms | as they arrive | allowed for | counted early, ms | held, ms | margin, ms |\n"
    )
    write("| --- | --- | --- | --- | --- | --- |\n")
    for name, people in rows.items():
        blind, fair = run(people, fair=False), run(people)
        cells = [name]
        cells += [" : ".join(f"{each:.1f}" for each in one.share) for one in (blind, fair)]
        cells.append(" : ".join(f"{each:.0f}" for each in fair.early))
        cells.append(f"{sum(fair.held) / len(fair.held):.0f}, at most {max(fair.held)}")
        cells.append(f"{median(fair.margins):.0f}")
        write(f"| {' | '.join(cells)} |\n")


if __name__ == "__main__":
    main()
