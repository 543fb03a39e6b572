"""Many live games between bots, on several processes. Each game follows from the run's seed and its
own number alone, so it does not matter how many there are."""

import multiprocessing
import signal
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing.synchronize import Event
from typing import Any, TypeVar

from pli import games as library
from pli.bots import make_bot
from pli.bots.live import Live
from pli.errors import PliError
from pli.kernel.crew import as_done, dismissing
from pli.kernel.signals import deaf
from pli.match import Match
from pli.shuffling import seeded

T = TypeVar("T")


@dataclass(frozen=True)
class Finished:
    """A game that was played to its end."""

    number: int
    winners: list[int]
    time: int
    """ms of play."""
    rounds: int | None
    """How many rounds it took, in games that have rounds."""
    accepted: Mapping[str, int]
    """How many actions of each kind, by their first word."""
    refused: Mapping[str, int]
    """How many were refused, by the reason."""


def play_one(game: str, options: Any, bot: str, seed: object, number: int) -> Finished:
    """Game number so-and-so of a run."""
    chosen = library.load(game)
    match = Match(chosen, options, seeded(f"{seed} {number}"))
    bots = [make_bot(bot, chosen, seat, f"{seed} {number}") for seat in range(match.seats)]
    live = Live(match, bots, f"{seed} {number}")
    while not match.over:
        go_on()
        live.step()
    rounds = getattr(match.view(None), "round", None)
    return Finished(number, match.winners, match.now, rounds, live.accepted, live.refused)


def stream(
    game: str, options: Any, bot: str, games: int, seed: object, processes: int = 1
) -> Generator[Finished, None, None]:
    """So many games, as they are finished. One process is this one."""
    return spread(partial(play_one, game, options, bot, seed), games, processes)


def spread(job: Callable[[int], T], count: int, processes: int = 1) -> Generator[T, None, None]:
    """What a job gives for each number below a count, as it is done: in order in one process, which
    is this one, in any order in several. A job must be fit to be sent to another process."""
    if processes == 1:
        yield from map(job, range(count))
        return
    # New processes rather than forks: there are threads here, a progress bar's for one.
    context = multiprocessing.get_context("spawn")
    processes = min(processes, count)
    stop = context.Event()
    pool = ProcessPoolExecutor(processes, context, initializer=_begin, initargs=(stop,))

    def submit(number: int) -> "Future[T | _Failed]":
        with deaf():  # the process that asked for the games answers Ctrl-C
            return pool.submit(_guarded, job, number)

    # Who is only just starting still has to find what it is given, so all are waited for.
    with dismissing(pool, stop.set):
        for found in as_done(submit, range(count), 2 * processes):
            if isinstance(found, _Failed):
                raise PliError(found.code, **found.details)
            yield found


class Stopped(Exception):
    """What is being played is not wanted any more."""


def go_on() -> None:
    """To be called now and then in a long job: raises if nobody waits for it any more."""
    if _stop is not None and _stop.is_set():
        raise Stopped


_stop: Event | None = None
"""In a process of `spread`: set when it is over."""


def _begin(stop: Event) -> None:
    global _stop
    _stop = stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@dataclass(frozen=True)
class _Failed:
    """An error of ours crosses between processes as its parts."""

    code: str
    details: dict[str, object]


def _guarded(job: Callable[[int], T], number: int) -> T | _Failed:
    try:
        go_on()
        return job(number)
    except PliError as error:
        return _Failed(error.code, error.details)
