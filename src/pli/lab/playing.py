"""Plays the cells of a plan side by side, so that their numbers can be compared from the first
moment on."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import monotonic
from typing import Any

from pli import games as library
from pli.bots.arena.simulation import simulate_game
from pli.game import AnyGame
from pli.kernel.bits import from_list
from pli.kernel.playout import CHUNK, Playouts
from pli.kernel.recording import G_FIRST, G_ROUNDS
from pli.lab.totals import Totals
from pli.study.plan import RANDOM, Cell, Plan, cells

PIECE = 0.1
"""Seconds of play after which others may be told, or the next cell goes on: about so many."""

FIRST = 16
"""Random games of the first piece: the plot moves at once."""


@dataclass
class PlayedCell:
    """A cell, and what its games have shown."""

    cell: Cell
    totals: Totals


def play(plan: Plan, ready: Callable[[], None]) -> Iterator[list[PlayedCell]]:
    """All cells after every piece of play. `ready` is called when all is compiled."""
    game = library.load(plan.game)
    piece = _bulk(game, plan) if plan.bots == [RANDOM] else _matches(game, plan)
    ready()
    played = [PlayedCell(cell, Totals(int(cell.options.seats))) for cell in cells(plan)]
    while any(each.totals.games < plan.games for each in played):
        for each in played:
            if each.totals.games < plan.games:
                piece(each)
                yield played


def _bulk(game: AnyGame, plan: Plan) -> Callable[[PlayedCell], None]:
    """Random games, compiled: more at a time for as long as that is quick."""
    playouts = Playouts(game.rules, recording=True)
    playouts.ready()
    size = FIRST

    def piece(played: PlayedCell) -> None:
        nonlocal size
        totals, began = played.totals, monotonic()
        count = min(size, plan.games - totals.games)
        found = playouts.play(game.setup(played.cell.options), count, plan.seed, totals.games)
        assert found.log is not None
        log = found.log.games
        totals.add(found.winners, log[:, G_FIRST], found.lengths, log[:, G_ROUNDS], None)
        if monotonic() - began < PIECE:
            size = min(2 * size, CHUNK)

    return piece


def _matches(game: AnyGame, plan: Plan) -> Callable[[PlayedCell], None]:
    """Games between bots, one at a time."""
    (bot,) = plan.bots

    def piece(played: PlayedCell) -> None:
        totals, options = played.totals, played.cell.options
        found = simulate_game(plan.game, options, bot, plan.seed, totals.games, recording=True)
        assert found.log is not None
        (row,) = found.log.games
        times: list[Any] | None = [found.time] if game.live else None
        actions = sum(found.accepted.values())
        totals.add([from_list(found.winners)], [row[G_FIRST]], [actions], [row[G_ROUNDS]], times)

    return piece
