"""Requests to bot workers, and what their tests wait for."""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pli
from pli.bots import Moment
from pli.bots.workers import BotPool, DecisionRequest, PendingDecision
from pli.match import AnyMatch

LONG = 300.0
"""Seconds: for workers that may have to compile, on a busy machine."""

SEARCH, ENDLESS = "search:200", "search:1000000000"
FLAT = "flat:20"
"""The bot whose search compiles fastest."""
STUBBORN = f"{__name__}:Stubborn"
SLACK = 20.0
"""Seconds that a busy machine may be late; a failing test waits far longer."""


class Stubborn:
    """A bot that does not stop when it is told to."""

    watches = False

    def choose(self, moment: Moment[Any]) -> str:
        time.sleep(3600)
        return moment.actions[0]


def request(bot: str = SEARCH, number: int = 0, match: AnyMatch | None = None) -> DecisionRequest:
    """For the seat on turn: by default for a new game's first card."""
    match = match or pli.new("marshmallow", seed=5)
    seat = match.actors[0]
    return DecisionRequest(
        match.game.name, bot, seat, "tests", number, match.view(seat), list(match.events(seat)),
        match.legal(seat),
    )  # fmt: skip


def until(true: Callable[[], bool]) -> None:
    ends = time.monotonic() + LONG
    while not true():
        assert time.monotonic() < ends
        time.sleep(0.01)


def busy(pool: BotPool, bot: str = ENDLESS, deadline: float = LONG) -> PendingDecision:
    """A request that a worker is answering now."""
    decision = pool.ask(request(bot), deadline)
    until(lambda: "thinking" in pool.pids.values())
    return decision


def gone(pid: int) -> bool:
    """Ended, and forgotten by the system as well."""
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        return False
    return True
