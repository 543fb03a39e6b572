"""Pli: card games from printed rulebooks, to play, to study and to learn from.

import pli
match = pli.new(pli.games.names()[0], seed=7, seats=4)
match.legal(match.actors[0])
"""

from typing import Any

from pli import games
from pli.errors import PliError, Refused, WrongSyntax
from pli.game import read_options
from pli.kernel.machine import Engine
from pli.match import AnyMatch, Match
from pli.record import read_record, replay, write_record
from pli.shuffling import fresh_seed, seeded

__version__ = "0.1.0"

__all__ = [
    "Match",
    "PliError",
    "Refused",
    "WrongSyntax",
    "games",
    "new",
    "observe",
    "read_record",
    "replay",
    "write_record",
]


def new(game: str, *, seed: object = None, engine: Engine = "plain", **options: object) -> AnyMatch:
    """A new match, ready for its first action. Without a seed the shuffles are random."""
    chosen = games.load(game)
    shuffler = seeded(fresh_seed() if seed is None else seed)
    return Match(chosen, read_options(chosen, options), shuffler, engine)


def __getattr__(name: str) -> Any:
    """What is for learning agents is imported when it is first used."""
    if name == "observe":
        from pli.batch import observe

        return observe
    raise AttributeError(f"module 'pli' has no attribute {name!r}")
