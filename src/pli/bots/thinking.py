"""What happens in a worker process: it takes questions one by one and thinks about them.

All that crosses between the processes is pickled: both run the same code.
"""

import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

from pli import games
from pli.bots import COUNTED, LEVELS, SECONDS, Moment, Plan, known_bot, make_bot, make_decider
from pli.game import AnyGame, Event

LEEWAY = 0.2
"""Seconds before a deadline at which search makes do with what it has; a quarter of short ones."""

# What a worker tells.
READY, WARMING, THINKING, ANSWER, FAILED = "ready", "warming", "thinking", "answer", "failed"

Ranking = list[tuple[str, float]]
"""Actions, best first, and the chance to win with each."""


@dataclass(frozen=True)
class Question:
    """All that a worker is told: what a seat may know, and nothing of earlier questions."""

    game: str
    bot: str
    """As it is named to people; not one that cheats, since there is no state here."""
    seat: int
    seed: str
    """The bot's own: nobody must be able to find out the cards from it."""
    number: int
    """Of the decision, so that each has its own chance: the same one, however often it is asked."""
    view: Any
    events: Sequence[Event]
    """All that the seat has seen in this game."""
    actions: Sequence[str]
    ranking: bool = False
    """Whether it asks what search thinks of all actions, instead of what the bot would do."""


@dataclass(frozen=True)
class Job:
    """A question, or the name of a game to be made ready."""

    number: int
    task: Question | str
    seconds: float


def work(link: Any) -> None:
    """A worker's life. It ends when the other end of the link says so."""
    desk = Desk(link)
    link.send((READY, ""))
    while not desk.ending:
        given = link.recv()
        if given is None:
            break
        if isinstance(given, Job):  # else it is told to stop what it has done already
            desk.do(given)


class Desk:
    """One job at a time."""

    def __init__(self, link: Any) -> None:
        self.ending = False
        self._link = link
        self._job = 0
        self._stopped = False
        self._ends = 0.0
        self._warm: set[tuple[str, bool]] = set()

    def do(self, job: Job) -> None:
        self._job = job.number
        self._stopped = False
        self._ends = monotonic() + job.seconds - min(LEEWAY, job.seconds / 4)
        said: tuple[str, str | Ranking]
        try:
            if isinstance(job.task, str):
                self._warm_up(games.load(job.task))
                said = (READY, "")
            else:
                answer = self._rank if job.task.ranking else self._think
                said = (ANSWER, answer(job.task))
        except Exception:
            said = (FAILED, traceback.format_exc())
        self._link.send(said)

    def stop(self) -> bool:
        """Whether it has to make do with what it has. While it thinks all that it can be sent is
        that it is to stop, or to end."""
        try:
            while self._link.poll():
                told = self._link.recv()
                self.ending |= told is None
                self._stopped |= told == self._job
        except (EOFError, OSError):
            self.ending = True
        return self.ending or self._stopped or monotonic() >= self._ends

    def _think(self, question: Question) -> str:
        game = games.load(question.game)
        name, _, rest = known_bot(question.bot, game).partition(":")
        seed = f"{question.seed} {question.number}"
        if name not in LEVELS and name not in COUNTED:
            return self._played(question, game, seed)
        # In games in which time matters, how long it takes is for others to say.
        if game.rollout is not None and name not in ("easy", "medium"):
            self._warm_up(game, flat=name == "flat")
        decider: Any = make_decider(name, rest, game, f"{seed} {question.seat}")
        if getattr(decider, "cheats", False):
            raise ValueError("there is no state to look at")
        if hasattr(decider, "stop"):
            decider.stop = self.stop
        decider.see(question.events, question.view)
        return str(decider.decide(question.view, question.actions))

    def _rank(self, question: Question) -> Ranking:
        from pli.bots.hints import rank

        game = games.load(question.game)
        self._warm_up(game)
        seed = f"{question.seed} {question.number}"
        view, events = question.view, question.events
        found = rank(game, view, events, seconds=SECONDS, seed=seed, stop=self.stop)
        return [(each.action, each.chance) for each in found]

    def _played(self, question: Question, game: AnyGame, seed: str) -> str:
        bot = make_bot(question.bot, game, question.seat, seed)
        answer = bot.choose(Moment(question.view, question.actions, events=question.events))
        return answer.action if isinstance(answer, Plan) else answer or question.actions[0]

    def _warm_up(self, game: AnyGame, flat: bool = False) -> None:
        """Compiles a game's search, or reads it from the cache."""
        if game.rollout is None or (game.name, flat) in self._warm:
            return
        self._link.send((WARMING, ""))
        from pli.bots.searching import engine

        made = engine(game)
        made.count_ways.ready()
        (made.flat if flat else made.search).ready()
        self._warm.add((game.name, flat))
        self._link.send((THINKING, ""))
