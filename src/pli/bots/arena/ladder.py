"""A ladder: how many Elo points each kind of bot stands above the one before it, and what it would
gain by seeing all cards. Where skill can do much, the ladder is high; where luck decides, it is
low."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf, isfinite, sqrt

from pli.bots.arena.contest import Contest, line_up
from pli.bots.arena.stats import Estimate
from pli.game import AnyGame

SEARCHES = (100, 1000, 5000)
"""Iterations of the searching rungs."""

SEERS = 300
"""Deals of the two bots that tell what hidden cards are worth: one deals them by its belief, the
other one knows them."""


@dataclass(frozen=True)
class Rung:
    """One kind of bot, and how much it is above another one."""

    bot: str
    above: str
    games: int
    share: Estimate
    """Its part of the wins at the table with the other one, for each of its seats."""
    even: float
    gain: Estimate
    """In Elo points, over the other one."""
    elo: Estimate | None
    """Over the lowest rung: the gains added up. None beside the ladder."""


def rungs_of(game: AnyGame) -> list[str]:
    """From the weakest on."""
    searching = [f"search:{n}" for n in SEARCHES] if game.rollout is not None else ["hard"]
    return ["random", "easy", "medium", *searching]


def hidden_of(game: AnyGame) -> tuple[str, str] | None:
    """The bot that sees all cards, and the same one that does not."""
    return (f"oracle:{SEERS}", f"flat:{SEERS}") if game.rollout is not None else None


def climb(
    game: AnyGame,
    options: object,
    games: int,
    seed: object = 0,
    processes: int = 1,
    bots: Sequence[str] | None = None,
    on_game: Callable[[], None] | None = None,
) -> Iterator[Rung]:
    """The rungs from the second on, each against the one before, and at last what hidden cards are
    worth. Half of a table of two, one seat of a larger one, is the stronger bot's."""
    names = [*bots] if bots else rungs_of(game)
    below = Estimate(0.0, 0.0, 0.0)
    for weaker, stronger in pairwise(names):
        rung = _duel(game, options, stronger, weaker, games, seed, processes, on_game, below)
        assert rung.elo is not None
        below = rung.elo
        yield rung
    hidden = None if bots else hidden_of(game)
    if hidden is not None:
        yield _duel(game, options, *hidden, games, seed, processes, on_game, None)


def duels(game: AnyGame, bots: Sequence[str] | None = None) -> int:
    """How many contests a ladder has."""
    if bots:
        return len(bots) - 1
    return len(rungs_of(game)) - 1 + (hidden_of(game) is not None)


def _duel(
    game: AnyGame,
    options: object,
    stronger: str,
    weaker: str,
    games: int,
    seed: object,
    processes: int,
    on_game: Callable[[], None] | None,
    below: Estimate | None,
) -> Rung:
    line = line_up(game, options, [stronger, weaker], seed)
    results = Contest(line, games, processes).run(on_game)
    kind = results.kinds[0]
    assert kind.elo is not None
    gain = kind.elo
    elo = None if below is None else added(below, gain)
    return Rung(stronger, weaker, results.games, kind.share, kind.even, gain, elo)


def added(one: Estimate, other: Estimate) -> Estimate:
    """The sum of two independent estimates, whose errors add as squares."""
    value = one.value + other.value
    if not isfinite(value):  # one of them won everything, or nothing
        return Estimate(value, -inf, inf)
    low = sqrt((one.value - one.low) ** 2 + (other.value - other.low) ** 2)
    high = sqrt((one.high - one.value) ** 2 + (other.high - other.value) ** 2)
    return Estimate(value, value - low, value + high)
