"""Pli's own contestants: every game compiled on one core and on all, and plain."""

from __future__ import annotations

import time
from functools import partial

from measure import ALL_CORES, ONE_CORE, PLAIN, Contestant, Figure

from pli import games
from pli.errors import BadOption
from pli.game import AnyGame, read_options, seat_counts
from pli.kernel.playout import CHUNK, Playouts
from pli.texts import words

PLAIN_CHUNK = 20
TRIAL = 0.05
"""Seconds of play by which a contestant's pace is guessed before it counts."""
PARTS = 8
"""Chunks that each thread plays in a round at least: or else one plays on while the others wait."""


def contestants(cores: int) -> list[Contestant]:
    found = []
    for name in games.names():
        game = games.load(name)
        for seats in filter(partial(can_be, game), seat_counts(game)):
            found.append(contestant(ONE_CORE, game, seats, 1))
            if seats == read_options(game, {}).seats:
                found.append(contestant(ALL_CORES, game, seats, cores))
        found.append(contestant(PLAIN, game, read_options(game, {}).seats, 1))
    return found


def can_be(game: AnyGame, seats: int) -> bool:
    """Whether so many play without any other option; some need one."""
    try:
        game.setup(read_options(game, {"seats": seats}))
    except BadOption:
        return False
    return True


def contestant(name: str, game: AnyGame, seats: int, threads: int) -> Contestant:
    plain = name == PLAIN
    playouts = Playouts(game.rules, plain)
    title = words("en", game.name)("name")
    state = game.setup(read_options(game, {"seats": seats}))
    most = PLAIN_CHUNK if plain else CHUNK
    runs = iter(range(1_000_000))

    def pace() -> float:
        """Games a second, more or less."""
        games, took = 1, 0.0
        while took < TRIAL:
            games *= 2
            begin = time.perf_counter()
            playouts.play(state, games, seed=0)
            took = time.perf_counter() - begin
        return games / took

    def run(seconds: float) -> Figure:
        playouts.ready()
        # A number of games known beforehand, so that all that is begun is counted.
        games = max(PARTS * threads, int(pace() * seconds * threads))
        chunk = max(1, min(most, games // (PARTS * threads)))
        begin = time.perf_counter()
        parts = playouts.stream(state, games, next(runs), threads, chunk)
        actions = sum(int(part.lengths.sum()) for part in parts)
        return Figure(name, title, seats, actions, games, time.perf_counter() - begin)

    return Contestant(f"{name}, {title}, {seats}", run)
