"""Who plays when nobody does. A bot gets its seat's view, its actions and what it saw happen.

A bot is named by its level (easy, medium, hard), by what it does (random, flat:300, search:5000,
oracle:300, which cheats), or by the import path of a class (package.module:Class).
"""

import importlib
import inspect
from collections.abc import Callable

from pli.bots.bot import Bot, Moment, Plan, RandomBot
from pli.bots.deciding import Decider, Steady, Thumb
from pli.bots.reflexes import ADULT, CHILD, FAST, Reflexes
from pli.bots.reflexive import Reflexive
from pli.errors import PliError
from pli.game import AnyGame

__all__ = ["Bot", "Moment", "Plan", "RandomBot", "known_bot", "make_bot"]

DISTRACTED = 0.5
"""The share of its decisions in which an easy bot does not think."""

SECONDS = 1.0
"""How long a hard bot thinks about a decision."""

LEVELS: dict[str, Reflexes] = {"easy": CHILD, "medium": ADULT, "hard": FAST}
"""The levels, and whose reactions they have where time matters."""

DEFAULT_BOT = "medium"

COUNTED = ("search", "flat", "oracle")
"""Bots that are named with a number."""


def bots_for(game: AnyGame) -> list[str]:
    """The bots that can play this game, as they are named to people."""
    counted = [f"{name}:N" for name in COUNTED] if game.rollout is not None else []
    return ["random", *LEVELS, *counted]


def known_bot(spec: str, game: AnyGame) -> str:
    """The spec, if it names a bot that can play this game."""
    name, _, rest = spec.partition(":")
    if not rest and (name == "random" or name in LEVELS):
        return spec
    if name in COUNTED and game.rollout is not None and rest.isdecimal() and int(rest) > 0:
        return spec
    if rest and _imported(spec) is not None:
        return spec
    raise PliError("unknown_bot", name=spec, known=", ".join(bots_for(game)))


def make_bot(spec: str, game: AnyGame, seat: int, seed: object) -> Bot:
    """A bot for one seat of one game."""
    known_bot(spec, game)
    name, _, rest = spec.partition(":")
    seed = f"{seed} {seat}"
    if name == "random":
        return RandomBot(seed)
    if name not in LEVELS and name not in COUNTED:
        made = _imported(spec)
        assert made is not None
        return _made(made, game, seat, seed)
    decider = make_decider(name, rest, game, seed)
    if game.attention is None:
        return Steady(decider)
    return Reflexive(game.attention(), decider, LEVELS.get(name, ADULT), seed)


def make_decider(name: str, rest: str, game: AnyGame, seed: object) -> Decider:
    if name in ("easy", "medium") or game.rollout is None:
        distracted = DISTRACTED if name == "easy" else 0.0
        memory = None if game.memory is None else game.memory()
        return Thumb(game.heuristic, f"{seed} decisions", distracted, game.plausible, memory)
    # Compiled code is slow to import: not before somebody needs it.
    from pli.bots.searching import Flat, Oracle, Searcher

    if name == "hard":
        return Searcher(game, seed, seconds=SECONDS)
    if name == "search":
        return Searcher(game, seed, iterations=int(rest))
    return (Flat if name == "flat" else Oracle)(game, seed, int(rest))


def _imported(spec: str) -> Callable[..., Bot] | None:
    module, _, name = spec.partition(":")
    if module in COUNTED or module in LEVELS:
        return None
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError):
        return None
    return found if callable(found) else None


def _made(maker: Callable[..., Bot], game: AnyGame, seat: int, seed: object) -> Bot:
    """A class that wants to know what it plays is told; one that does not is simply made."""
    try:
        inspect.signature(maker).bind(game, seat, seed)
    except TypeError:
        return maker()
    return maker(game, seat, seed)
