"""Many live games between bots, on several processes. Each game follows from the run's seed and its
own number alone, so it does not matter how many there are."""

import multiprocessing
import signal
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

from pli import games as library
from pli.bots import BOTS
from pli.bots.live import Live
from pli.errors import PliError
from pli.match import Match
from pli.shuffling import seeded


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
    bots = [BOTS[bot](chosen, seat, f"{seed} {number}") for seat in range(match.seats)]
    live = Live(match, bots, f"{seed} {number}")
    live.run()
    rounds = getattr(match.view(None), "round", None)
    return Finished(number, match.winners, match.now, rounds, live.accepted, live.refused)


def stream(
    game: str, options: Any, bot: str, games: int, seed: object, processes: int = 1
) -> Iterator[Finished]:
    """So many games, as they are finished. One process is this one."""
    if processes == 1:
        for number in range(games):
            yield play_one(game, options, bot, seed, number)
        return
    # New processes rather than forks: there are threads here, a progress bar's for one.
    context = multiprocessing.get_context("spawn")
    processes = min(processes, games)
    with ProcessPoolExecutor(processes, context, initializer=_ignore_interrupts) as pool:
        numbers = iter(range(games))
        waiting = {
            pool.submit(_job, game, options, bot, seed, number)
            for _, number in zip(range(2 * processes), numbers, strict=False)
        }
        try:
            while waiting:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for _, number in zip(done, numbers, strict=False):
                    waiting.add(pool.submit(_job, game, options, bot, seed, number))
                for future in done:
                    found = future.result()
                    if isinstance(found, Finished):
                        yield found
                    else:
                        raise PliError(found[0], **found[1])
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _ignore_interrupts() -> None:
    """Ctrl-C reaches every process of a terminal; the one that asked for the games answers it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _job(
    game: str, options: Any, bot: str, seed: object, number: int
) -> Finished | tuple[str, dict[str, object]]:
    """An error of ours crosses between processes as its parts."""
    try:
        return play_one(game, options, bot, seed, number)
    except PliError as error:
        return error.code, error.details
