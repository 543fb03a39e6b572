"""Many games between bots of one kind, on several processes. Each game follows from the run's seed
and its own number alone, so results do not depend on the number of processes."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from pli import games as library
from pli.bots.api import Bot
from pli.bots.arena.recording import rows
from pli.bots.factory import make_bot
from pli.bots.live import Live
from pli.kernel.recording import Log
from pli.match import AnyMatch, Match
from pli.processes import check_cancelled, map_unordered
from pli.shuffling import seeded


@dataclass(frozen=True)
class SimulatedGame:
    """The outcome of one game."""

    number: int
    winners: list[int]
    time: int
    """ms of play."""
    rounds: int | None
    """How many rounds it took, in games that have rounds."""
    accepted: Mapping[str, int]
    """Counts of actions, by their first word."""
    refused: Mapping[str, int]
    """Counts of refusals, by the reason."""
    log: Log | None = None
    """Its rows, if they were wanted."""


def new_match(game: str, options: Any, seed: object) -> AnyMatch:
    """A match whose shuffles follow from the seed."""
    return Match(library.load(game), options, seeded(seed))


def new_bots(match: AnyMatch, specs: Sequence[str], seed: object) -> list[Bot]:
    """A bot for each seat."""
    return [make_bot(spec, match.game, seat, seed) for seat, spec in enumerate(specs)]


def simulate_game(
    game: str, options: Any, bot: str, seed: object, number: int, recording: bool = False
) -> SimulatedGame:
    """One game of a run."""
    game_seed = f"{seed} {number}"
    match = new_match(game, options, game_seed)
    live = Live(match, new_bots(match, [bot] * match.seats, game_seed), game_seed)
    while not match.over:
        check_cancelled()
        live.step()
    rounds = getattr(match.view(None), "round", None)
    log = rows(match, number) if recording else None
    return SimulatedGame(number, match.winners, match.now, rounds, live.accepted, live.refused, log)


def simulate(
    game: str,
    options: Any,
    bot: str,
    games: int,
    seed: object,
    processes: int = 1,
    recording: bool = False,
) -> Generator[SimulatedGame, None, None]:
    """A number of games, in the order of completion. One process is this one."""
    job = partial(simulate_game, game, options, bot, seed, recording=recording)
    return map_unordered(job, games, processes)
