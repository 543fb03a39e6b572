"""What runs in a worker process: it takes jobs one by one and answers them.

Everything sent between the processes is pickled: both run the same code.
"""

import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

from pli import games
from pli.bots.api import Moment
from pli.bots.factory import HARD_SECONDS, decide_once, known_bot, policy_name
from pli.game import AnyGame, Event

LEEWAY = 0.2
"""Seconds before a deadline at which a search stops; a quarter of a short one."""

# The kinds of messages from a worker.
READY, COMPILING, THINKING, ANSWER, FAILED = "ready", "compiling", "thinking", "answer", "failed"

Ranking = list[tuple[str, float]]
"""Actions, best first, and the chance to win with each."""


@dataclass(frozen=True)
class DecisionRequest:
    """Everything a worker needs for one decision: what a seat may know. Workers keep nothing
    between requests, so any of them can answer, and the same request gets the same answer."""

    game: str
    bot: str
    """The bot's name; not one that cheats, since there is no state here."""
    seat: int
    seed: str
    """The bot's own, from which the cards can't be derived."""
    number: int
    """The decision's number, which is part of its seed."""
    view: Any
    events: Sequence[Event]
    """All that the seat has seen in this game."""
    actions: Sequence[str]
    ranking: bool = False
    """Whether search is to rank all actions, instead of the bot choosing one."""


@dataclass(frozen=True)
class Job:
    """A request, or the name of a game whose search is to be compiled."""

    number: int
    task: DecisionRequest | str
    seconds: float


def work(link: Any) -> None:
    """The worker's main loop, until the pool sends None."""
    runner = JobRunner(link)
    link.send((READY, ""))
    while not runner.ending:
        given = link.recv()
        if given is None:
            break
        if isinstance(given, Job):  # else a cancellation of the job that was just finished
            runner.run(given)


class JobRunner:
    """Runs one job at a time."""

    def __init__(self, link: Any) -> None:
        self.ending = False
        self._link = link
        self._job = 0
        self._cancelled = False
        self._ends = 0.0
        self._compiled: set[tuple[str, bool]] = set()

    def run(self, job: Job) -> None:
        self._job = job.number
        self._cancelled = False
        self._ends = monotonic() + job.seconds - min(LEEWAY, job.seconds / 4)
        message: tuple[str, str | Ranking]
        try:
            if isinstance(job.task, str):
                self._compile(games.load(job.task))
                message = (READY, "")
            else:
                answer = self._rank if job.task.ranking else self._decide
                message = (ANSWER, answer(job.task))
        except Exception:
            message = (FAILED, traceback.format_exc())
        self._link.send(message)

    def stop(self) -> bool:
        """Whether a search has to end now: at the deadline, or because the pool cancelled the job
        or ends the worker. It sends nothing else to a worker that is busy."""
        try:
            while self._link.poll():
                received = self._link.recv()
                self.ending |= received is None
                self._cancelled |= received == self._job
        except (EOFError, OSError):
            self.ending = True
        return self.ending or self._cancelled or monotonic() >= self._ends

    def _decide(self, request: DecisionRequest) -> str:
        game = games.load(request.game)
        name = policy_name(known_bot(request.bot, game))
        if game.rollout is not None and name not in (None, "easy", "medium"):
            self._compile(game, flat=name == "flat")
        seed = f"{request.seed} {request.number} {request.seat}"
        moment = Moment(request.view, request.actions, events=request.events)
        return decide_once(request.bot, game, request.seat, seed, moment, self.stop)

    def _rank(self, request: DecisionRequest) -> Ranking:
        from pli.bots.hints import rank

        game = games.load(request.game)
        self._compile(game)
        seed = f"{request.seed} {request.number}"
        view, events = request.view, request.events
        found = rank(game, view, events, seconds=HARD_SECONDS, seed=seed, stop=self.stop)
        return [(each.action, each.chance) for each in found]

    def _compile(self, game: AnyGame, flat: bool = False) -> None:
        """Compiles a game's search, or reads it from the cache, and tells the pool, which is more
        patient with that."""
        if game.rollout is None or (game.name, flat) in self._compiled:
            return
        self._link.send((COMPILING, ""))
        from pli.bots.mcts import compiled_search

        functions = compiled_search(game)
        functions.count_ways.ready()
        (functions.flat if flat else functions.search).ready()
        self._compiled.add((game.name, flat))
        self._link.send((THINKING, ""))
