"""Bots against each other: fair contests, simulations, and what their results show."""

from pli.bots.arena.contest import Contest, KindResult, LineUp, Results, compare, line_up
from pli.bots.arena.simulation import SimulatedGame, simulate
from pli.bots.arena.stats import MARGIN, Estimate

__all__ = [
    "MARGIN",
    "Contest",
    "Estimate",
    "KindResult",
    "LineUp",
    "Results",
    "SimulatedGame",
    "compare",
    "line_up",
    "simulate",
]
