"""Pli: card games from printed rulebooks, to play, to study and to learn from.

    import pli

    match = pli.new("plingo", seed=7, seats=4)
    seat = match.actors[0]
    match.act(seat, match.legal(seat)[0])

What is here is the public library. What takes long to import has its own modules: `pli.batch` and
`pli.env` (learning agents), `pli.bots.mcts` and `pli.bots.hints` (search), `pli.bots.arena`
(contests), `pli.server` (the online table).
"""

from typing import Any

import numpy as np

from pli import games
from pli.bots import Bot, Live, Moment, Plan, make_bot
from pli.errors import (
    BadOption,
    BadPosition,
    BadRecord,
    BadScenario,
    PliError,
    Refused,
    UnknownGame,
    WrongSyntax,
)
from pli.game import Act, AnyGame, Event, Game, Options, Shuffle, Tick, View, read_options
from pli.kernel.machine import Engine
from pli.kernel.playout import PlayoutResults, Playouts
from pli.match import AnyMatch, Match, Step
from pli.record import Record, read_record, replay, write_record
from pli.scenario import Difference, Scenario, read_scenario
from pli.shuffling import fresh_seed, seeded

__version__ = "0.1.0"

__all__ = [
    "Act",
    "AnyGame",
    "AnyMatch",
    "BadOption",
    "BadPosition",
    "BadRecord",
    "BadScenario",
    "Bot",
    "Difference",
    "Engine",
    "Event",
    "Game",
    "Live",
    "Match",
    "Moment",
    "Options",
    "Plan",
    "PlayoutResults",
    "Playouts",
    "PliError",
    "Record",
    "Refused",
    "Scenario",
    "Shuffle",
    "Step",
    "Tick",
    "UnknownGame",
    "View",
    "WrongSyntax",
    "games",
    "make_bot",
    "new",
    "observe",
    "read_options",
    "read_record",
    "read_scenario",
    "replay",
    "write_record",
]


def new(
    game: str | AnyGame, *, seed: object = None, engine: Engine = "plain", **options: object
) -> AnyMatch:
    """A new match, ready for its first action: of a game by its name, or of a `Game` that is none
    of ours.

    Without a seed the shuffles are random. Options are the game's own, `seats` is one of each:
    BadOption tells which there are. Rules run as plain Python, or with `engine="compiled"` as
    machine code, to the same bytes.
    """
    chosen = games.load(game) if isinstance(game, str) else game
    shuffler = seeded(fresh_seed() if seed is None else seed)
    return Match(chosen, read_options(chosen, options), shuffler, engine)


def observe(match: AnyMatch, seat: int, history: bool = False) -> "np.ndarray[Any, Any]":
    """The observation of a seat as numbers, for learning agents (docs/agents.md), as batches have
    it. With `history` all that it has had since the match began, one after each input."""
    from pli.batch import observe as observed

    return observed(match, seat, history)
