"""Questions to workers, and what the tests of workers wait for."""

import os
import time
from collections.abc import Callable
from contextlib import suppress

import pli
from pli.bots import Moment
from pli.bots.thinking import Question
from pli.bots.thought import Thought
from pli.bots.workers import Thinkers
from pli.match import Match

LONG = 300.0
"""Seconds: for those who may have to compile, on a busy machine."""

SEARCH, ENDLESS = "search:200", "search:1000000000"
FLAT = "flat:20"
"""Of all that compile the one that does so soonest."""
STUBBORN = f"{__name__}:Stubborn"
SLACK = 20.0
"""Seconds that a busy machine may be late; who waits in vain waits far longer."""


class Stubborn:
    """A bot that does not listen."""

    watches = False

    def choose(self, moment: Moment) -> str:
        time.sleep(3600)
        return moment.actions[0]


def question(bot: str = SEARCH, number: int = 0, match: Match | None = None) -> Question:
    """Of the seat on turn: by default of a new game's first card."""
    match = match or pli.new("marshmallow", seed=5)
    seat = match.actors[0]
    return Question(
        match.game.name, bot, seat, "tests", number, match.view(seat), list(match.events(seat)),
        match.legal(seat),
    )  # fmt: skip


def until(true: Callable[[], bool]) -> None:
    ends = time.monotonic() + LONG
    while not true():
        assert time.monotonic() < ends
        time.sleep(0.01)


def busy(thinkers: Thinkers, bot: str = ENDLESS, deadline: float = LONG) -> Thought:
    """A question that a worker thinks about now."""
    thought = thinkers.ask(question(bot), deadline)
    until(lambda: "thinking" in thinkers.pids.values())
    return thought


def gone(pid: int) -> bool:
    """Ended, and forgotten by the system as well."""
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        return False
    return True
