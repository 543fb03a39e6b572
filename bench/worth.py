"""Fits what points, boxes and hearts are worth between two rounds: the tables by which search
judges a round's end.

    python bench/worth.py [--game plingo] [--seed 1]

Games are played on from many standings, and a worth is found for each number of points so that the
chances to win come out in proportion to it (a softmax fit of the wins, by Newton's method). Below
each table stands the one in the source, and how far the chances by the two are apart: those tables
were fitted in the same way to other deals, and Plingo's were rounded by hand.
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import Progress

from pli import games
from pli.game import read_options, seat_counts
from pli.games.marshmallow import bots as marshmallow
from pli.games.merci.bots import rollout as merci
from pli.games.merci.bots.rollout import meanwhile, policy
from pli.games.merci.rules.actions import act, awaited
from pli.games.merci.rules.flow import give, needs
from pli.games.merci.state import CARDS, DEALING, HEARTS_TO_WIN, OVER
from pli.games.plingo import bots as plingo
from pli.games.plingo.rules import BACK, BOXES, FRONT, LAST
from pli.kernel.bits import from_list
from pli.kernel.compiler import CompiledFunction
from pli.kernel.playout import Playouts, shuffle
from pli.kernel.stream import advance, start

Numbers = NDArray[np.float64]
Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Standings:
    """Points between two rounds, and who won: a row a standing, a column a seat."""

    points: Counts
    won: Numbers
    """The share of the games that each seat won."""
    later: Counts | None = None
    """How many places after the one who begins, where that matters."""


@dataclass(frozen=True)
class Fitted:
    name: str
    worths: Numbers
    source: Sequence[float]
    apart: float
    """How much a seat's chance by the one differs from that by the other, root mean square."""
    place: float | None = None
    """What a place later multiplies a worth by."""


# Fitting


def chances(standings: Standings, logs: Numbers, place: float) -> Numbers:
    heights = logs[standings.points]
    if standings.later is not None:
        heights = heights + place * standings.later
    raised = np.exp(heights - heights.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def fit(
    name: str, all_standings: Sequence[Standings], source: Sequence[float], source_place: float = 1
) -> Fitted:
    """One table for all the standings given, each kind of which counts the same."""
    levels = len(source)
    placed = all_standings[0].later is not None
    found = np.zeros(levels + 1)
    for _ in range(50):
        slope, bend = np.zeros(levels + 1), 1e-9 * np.eye(levels + 1)
        for each in all_standings:
            q = chances(each, found[:-1], found[-1])
            # What each parameter adds at each seat: one for its points, and the place.
            shape = (*each.points.shape, levels + 1)
            adds = np.zeros(shape, np.float32)
            np.put_along_axis(adds, each.points[:, :, None], 1.0, axis=2)
            if each.later is not None:
                adds[:, :, -1] = each.later
            mean = np.einsum("ns,nsp->np", q, adds)
            slope += np.einsum("ns,nsp->p", each.won - q, adds) / len(q)
            bend += np.einsum("ns,nsp,nsr->pr", q, adds, adds, optimize=True) / len(q)
            bend -= mean.T @ mean / len(q)
        # No points are worth 1; a place that does not matter stays 0.
        free = np.arange(1, levels + placed)
        step = np.linalg.solve(bend[np.ix_(free, free)], slope[free])
        found[free] += np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-9:
            break
    logs, log_place = np.log(np.array(source)), float(np.log(source_place))
    apart = [
        ((chances(each, found[:-1], found[-1]) - chances(each, logs, log_place)) ** 2).mean()
        for each in all_standings
    ]
    place = float(np.exp(found[-1])) if placed else None
    return Fitted(name, np.exp(found[:-1]), source, float(np.mean(apart) ** 0.5), place)


# Standings


STANDINGS = 1200
"""Of a trick game with so many seats: any, not those to which games lead, so that rare ones count
as much."""

GAMES = 300
"""From each of them, at random."""

ROUNDS = 30
"""Of a game of Merci that are looked at, at most."""

Tell = Callable[[], None]
"""To be called now and then, for who waits."""


def wins(winners: Counts, seats: int) -> Numbers:
    """Each seat's part of each game, from sets of winners."""
    parts = ((winners[:, None] >> np.arange(seats)) & 1).astype(float)
    return np.asarray(parts / parts.sum(axis=1, keepdims=True))


def played_on(state: Any, playouts: Playouts, seed: int) -> Numbers:
    state.round_number = 1  # the first round has no trump
    return np.asarray(wins(playouts.play(state, GAMES, seed).winners, state.seats).mean(axis=0))


def fit_marshmallow(seed: int, tell: Tell) -> list[Fitted]:
    game, rng = games.load("marshmallow"), np.random.default_rng(seed)
    playouts, fitted = Playouts(game.rules), []
    for seats in seat_counts(game):
        points = rng.integers(0, marshmallow.FULL_TARGET, (STANDINGS, seats))
        won = np.zeros(points.shape)
        for row, each in enumerate(points):
            options = {"seats": seats, "first_dealer": row % seats}
            state = game.setup(read_options(game, options))
            state.scores[:seats] = each.tolist()
            won[row] = played_on(state, playouts, seed * STANDINGS + row)
            tell()
        source = [float(each) for each in marshmallow.WORTH[seats].split()]
        fitted.append(fit(f"{seats} seats", [Standings(points, won)], source))
    return fitted


def fit_plingo(seed: int, tell: Tell) -> list[Fitted]:
    """One table for all numbers of seats."""
    game, rng = games.load("plingo"), np.random.default_rng(seed)
    playouts, fitted = Playouts(game.rules), []
    for name, sides, source in (
        ("front and back", (FRONT, BACK), plingo.WORTH),
        ("last", (LAST,), plingo.WORTH_LAST),
    ):
        found = []
        for seats in seat_counts(game):
            points = rng.integers(0, BOXES, (STANDINGS, seats))
            won = np.zeros(points.shape)
            for row, each in enumerate(points):
                options = {"seats": seats, "first_master": row % seats}
                state = game.setup(read_options(game, options))
                state.side = sides[row % len(sides)]
                boxes = [rng.permutation(BOXES)[:n] for n in each]
                state.grids[:seats] = [from_list(map(int, grid)) for grid in boxes]
                won[row] = played_on(state, playouts, seed * STANDINGS + row)
                tell()
            found.append(Standings(points, won))
        fitted.append(fit(name, found, source))
    return fitted


def record(states: Any, seed: int, deck: Any, hearts: Any, first: Any) -> None:
    """Plays games of Merci by rules of thumb; tells the hearts after each round, and who begins the
    next."""
    for game in range(len(states)):
        s = states[game]
        x = start(seed, game)
        rounds = 0
        while s.phase != OVER:
            size = needs(s)
            if size > 0:
                if s.phase == DEALING and s.round_number > 0 and rounds < ROUNDS:
                    for seat in range(s.seats):
                        hearts[game, rounds, seat] = s.hearts[seat]
                    first[game, rounds] = s.first
                    rounds += 1
                x = shuffle(deck, size, size, x)
                give(s, deck)
            else:
                seat = awaited(s)
                x = advance(x)
                act(s, seat, policy(s, seat, x), 0)
            x = meanwhile(s, x)


MERCI_GAMES = 30_000
"""By each of the two rules. Rules of thumb hardly care for hearts: standings come up by
themselves."""

PART = 1000


def fit_merci(seed: int, tell: Tell) -> list[Fitted]:
    game = games.load("merci")
    play = CompiledFunction(
        game.rules, record, "record[::1]", "int64", "int16[::1]", "int64[:,:,::1]", "int64[:,::1]"
    )
    fitted = []
    for seats in seat_counts(game):
        found = []
        for number, rules in enumerate(("start", "full")):
            state = game.setup(read_options(game, {"seats": seats, "rules": rules}))
            for part in range(MERCI_GAMES // PART):
                states = game.rules.layout.array(state, PART)
                hearts = np.zeros((PART, ROUNDS, seats), np.int64)
                first = np.full((PART, ROUNDS), -1, np.int64)
                run = (seed * 2 + number) * MERCI_GAMES + part
                play(states, run, np.zeros(CARDS, np.int16), hearts, first)
                won = wins(states["winning_seats"].astype(np.int64), seats)
                in_game, after = np.nonzero(first >= 0)
                later = (np.arange(seats) - first[in_game, after, None]) % seats
                found.append((hearts[in_game, after], won[in_game], later))
                tell()
        points, won, later = (np.concatenate(each) for each in zip(*found, strict=True))
        source = merci.WORTHS[seats - merci.LEAST_SEATS][: HEARTS_TO_WIN[seats]]
        standings = Standings(points, won, later)
        fitted.append(fit(f"{seats} seats", [standings], source, merci.A_PLACE_LATER))
    return fitted


FITS = {
    "marshmallow": (fit_marshmallow, 4 * STANDINGS),
    "plingo": (fit_plingo, 2 * 5 * STANDINGS),
    "merci": (fit_merci, 4 * 2 * MERCI_GAMES // PART),
}
"""How, and how often it tells."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Fits what a standing is worth.")
    parser.add_argument("--game", choices=FITS, action="append")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    for name in chosen.game or FITS:
        fitting, parts = FITS[name]
        with Progress(console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(name, total=parts)
            found = fitting(chosen.seed, partial(bar.advance, task))
        print(f"{name}, seed {chosen.seed}")
        for each in found:
            show(each)


def show(fitted: Fitted) -> None:
    place = f", times {fitted.place:.3f} a place later" if fitted.place else ""
    print(f"  {fitted.name}{place}; chances {fitted.apart:.3f} apart")
    for name, worths in (("fitted", fitted.worths.tolist()), ("in source", fitted.source)):
        print(f"    {name:<10}", *(f"{worth:.3g}" for worth in worths))


if __name__ == "__main__":
    main()
