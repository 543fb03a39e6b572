"""Bots by name: a level (easy, medium, hard), an algorithm with its budget (random, flat:300,
search:5000, oracle:300, which cheats), medium with its times multiplied (reflexes:0.9), or the
import path of a class (package.module:Class). `~` and some words behind a name make a bot that
never does these: medium~trump."""

import importlib
import inspect
from collections.abc import Callable
from typing import Any

from pli.bots.api import Bot, Moment, Policy, PolicyBot, ask
from pli.bots.heuristic import HeuristicPolicy, RandomBot
from pli.bots.human.player import HumanlikeBot
from pli.bots.human.reflexes import ADULT, CHILD, FAST, Reflexes
from pli.bots.restricted import MARK, RestrictedAttention, RestrictedBot, split, verbs
from pli.errors import PliError
from pli.game import AnyGame
from pli.shuffling import fresh_seed

EASY_EPSILON = 0.5
"""The probability with which an easy bot acts at random."""

HARD_SECONDS = 1.0
"""The time budget of a hard bot, and of a hint, for one decision."""

LEVELS: dict[str, Reflexes] = {"easy": CHILD, "medium": ADULT, "hard": FAST}
"""The levels, and their reactions in games in which time matters."""

DEFAULT_BOT = "medium"

BUDGETED = ("search", "flat", "oracle")
"""Algorithms that are named with a number of iterations or deals."""


REFLEXES = "reflexes"
FACTORS = (0.1, 10.0)
"""The bounds of what its times may be multiplied by."""


def bots_for(game: AnyGame) -> list[str]:
    """The bots that can play this game, as users name them."""
    budgeted = [f"{name}:N" for name in BUDGETED] if game.rollout is not None else []
    timed = [f"{REFLEXES}:N"] if game.attention is not None else []
    return ["random", *LEVELS, *budgeted, *timed]


def known_bot(spec: str, game: AnyGame) -> str:
    """The spec, if it names a bot that can play this game; raises PliError otherwise."""
    if MARK in spec:
        unrestricted, words = split(spec)
        known_bot(unrestricted, game)
        if words <= verbs(game):
            return spec
        known = ", ".join(sorted(verbs(game)))
        raise PliError("unknown_verb", name="+".join(sorted(words - verbs(game))), known=known)
    name, _, rest = spec.partition(":")
    if not rest and (name == "random" or name in LEVELS):
        return spec
    if name == REFLEXES and game.attention is not None and _factor(rest) is not None:
        return spec
    if name in BUDGETED and game.rollout is not None and rest.isdecimal() and int(rest) > 0:
        return spec
    if rest and _imported(spec) is not None:
        return spec
    raise PliError("unknown_bot", name=spec, known=", ".join(bots_for(game)))


def make_bot(spec: str, game: AnyGame, seat: int, seed: object = None) -> Bot:
    """A bot for one seat of one game. Without a seed its choices are random."""
    known_bot(spec, game)
    seed = f"{fresh_seed() if seed is None else seed} {seat}"
    unrestricted, words = split(spec)
    bot = _make_unrestricted(unrestricted, game, seat, seed, words)
    return RestrictedBot(bot, words) if words else bot


def _make_unrestricted(
    spec: str, game: AnyGame, seat: int, seed: object, words: frozenset[str]
) -> Bot:
    """A bot that may try what it is restricted from, but does not come to it by chance."""
    factor = _factor(spec.partition(":")[2]) if spec.startswith(f"{REFLEXES}:") else None
    name = DEFAULT_BOT if factor else policy_name(spec)
    if name is None:
        return _make_policyless(spec, game, seat, seed)
    policy = make_policy(name if factor else spec, game, seed)
    if game.attention is None:
        return PolicyBot(policy)
    attention = game.attention()
    if words:
        attention = RestrictedAttention(attention, words)
    reflexes = ADULT.slower(factor) if factor else LEVELS.get(name, ADULT)
    return HumanlikeBot(attention, policy, reflexes, seed)


def _factor(text: str) -> float | None:
    """By what times are multiplied; None if that can't be."""
    try:
        found = float(text)
    except ValueError:
        return None
    return found if FACTORS[0] <= found <= FACTORS[1] else None


def policy_name(spec: str) -> str | None:
    """The level or algorithm of a bot that `make_policy` can make; None for others."""
    if MARK in spec:
        return None
    name = spec.partition(":")[0]
    return name if name in LEVELS or name in BUDGETED else None


def make_policy(spec: str, game: AnyGame, seed: object) -> Policy:
    """The policy of a level or of an algorithm with its budget."""
    name, _, budget = spec.partition(":")
    if name in ("easy", "medium") or game.rollout is None:
        epsilon = EASY_EPSILON if name == "easy" else 0.0
        memory = None if game.memory is None else game.memory()
        return HeuristicPolicy(game.heuristic, f"{seed} decisions", epsilon, game.plausible, memory)
    # Imported when it is needed: Numba is slow to import.
    from pli.bots.mcts import FlatMonteCarlo, IsMcts, OracleMonteCarlo

    if name == "hard":
        return IsMcts(game, seed, seconds=HARD_SECONDS)
    if name == "search":
        return IsMcts(game, seed, iterations=int(budget))
    return (FlatMonteCarlo if name == "flat" else OracleMonteCarlo)(game, seed, int(budget))


def decide_once(
    spec: str,
    game: AnyGame,
    seat: int,
    seed: object,
    moment: Moment[Any],
    stop: Callable[[], bool] | None = None,
) -> str:
    """One action by a new bot, which has seen the moment's events and nothing else. A time of
    reaction is not part of it. `stop` ends a search early."""
    if policy_name(spec) is None:
        plan = ask(_make_policyless(spec, game, seat, seed), moment)
        return moment.actions[0] if plan is None else plan.action
    policy: Any = make_policy(spec, game, seed)
    if getattr(policy, "cheats", False):
        raise ValueError("there is no state to look at")
    if hasattr(policy, "stop"):
        policy.stop = stop
    policy.see(moment.events, moment.view)
    return str(policy.decide(moment.view, moment.actions))


def _make_policyless(spec: str, game: AnyGame, seat: int, seed: object) -> Bot:
    if spec == "random":
        return RandomBot(seed)
    if MARK in spec or spec.startswith(f"{REFLEXES}:"):
        return make_bot(spec, game, seat, seed)
    maker = _imported(spec)
    assert maker is not None
    return _call(maker, game, seat, seed)


def _imported(spec: str) -> Callable[..., Bot] | None:
    module, _, name = spec.partition(":")
    if policy_name(module) is not None or module == REFLEXES:
        return None
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError):
        return None
    return found if callable(found) else None


def _call(maker: Callable[..., Bot], game: AnyGame, seat: int, seed: object) -> Bot:
    """Passes game, seat and seed to a class that takes them, and nothing to one that doesn't."""
    try:
        inspect.signature(maker).bind(game, seat, seed)
    except TypeError:
        return maker()
    return maker(game, seat, seed)
