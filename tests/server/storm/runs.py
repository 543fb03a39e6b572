"""What a storm is made of: which tables play, and what happens to their servers."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from pli.kernel.machine import Engine
from tests.server.crash.clients import Plan
from tests.server.crash.runs import QUICK, SLOW, THINKING
from tests.server.crash.trial import Tell
from tests.server.storm.cluster import LEASE
from tests.server.storm.storm import KILLS, Storm, StormReport

CUTS = ("stall database", "drop servers", "drop database", "stall servers")


def tables(count: int) -> list[Plan]:
    """All four games, with people and bots."""
    every = (*QUICK, *SLOW)
    return [THINKING if n % 100 == 50 else every[n % len(every)] for n in range(count)]


def events(
    seed: object, kills: int, freezes: int, databases: int, cuts: int, stops: int
) -> list[str]:
    """As many of each as asked for, in any order."""

    def kinds() -> Iterator[str]:
        # Some kinds of a kill are two.
        left, n = kills, 0
        while left > 0:
            moment = KILLS[n % len(KILLS)]
            n += 1
            if moment in TWICE and left == 1:
                continue
            left -= 2 if moment in TWICE else 1
            yield f"kill {moment}"
        yield from ["freeze"] * freezes
        yield from ["database"] * databases
        yield from (f"cut {CUTS[n % len(CUTS)]}" for n in range(cuts))
        yield from ["stop"] * stops

    found = [*kinds()]
    random.Random(f"events {seed}").shuffle(found)
    return found


TWICE = ("together", "starting", "loading")


async def storm(
    folder: Path,
    plans: Sequence[Plan],
    happens: Sequence[str],
    seed: object,
    pause: float = 3.0,
    patience: float = 120.0,
    engine: Engine = "plain",
    tell: Tell = lambda what, done, of: None,
    servers: int = 3,
    lease: float = LEASE,
) -> StormReport:
    """Lets all that happen, with at most so many seconds of play before each, and then lets all
    games end, for which there is some patience."""
    return await Storm(folder, plans, seed, pause, tell, servers, lease).run(
        happens, patience, engine
    )
