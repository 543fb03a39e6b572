"""`make bench-envs`: steps a second of our batches, with observation, mask, rewards and reset.

All contestants play in turn in each round, and times are those of the processor: on a machine that
others use as well, the ratios say more than the figures.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from measure import cpu_model
from run import Row, cores, markdown_table, readable

import pli
from pli import games
from pli.batch import Batch, observe
from pli.kernel.playout import Playouts
from pli.texts import words

HEADS = ("game", "actions", "games", "threads", "steps/s", "seats' steps/s")
SIZES = (1, 64, 1024, 16_384, 100_000)
NUMBERS = np.random.default_rng(1)


@dataclass(frozen=True)
class Contestant:
    """A way to step, the number of games that a step steps, and how many seats act in one."""

    row: tuple[str, str, str, str]
    step: Callable[[], int]
    seats: int


def by_numpy(batch: Batch) -> None:
    """Draws actions as a policy does, from random preferences where the mask lets it."""
    preferences = NUMBERS.random(batch.mask.shape, np.float32)
    batch.step(np.argmax(preferences * batch.mask, axis=-1))


def batched(name: str, n: int, threads: int = 1, numpy: bool = False) -> Contestant:
    batch = Batch(name, n, threads=threads)
    sampling = "NumPy" if numpy else "drawn inside"
    row = (words("en", name)("name"), sampling, f"{n:,}", str(threads))

    def step() -> int:
        if numpy:
            by_numpy(batch)
        else:
            batch.step()
        return n

    return Contestant(row, step, batch.seats if batch.game.live else 1)


def playouts(name: str) -> Contestant:
    """The same random games without observations, for comparison."""
    game = games.load(name)
    played, start = Playouts(game.rules), game.setup(game.options(seats=4))
    runs = iter(range(1_000_000_000))
    row = (words("en", name)("name"), "playouts, no observations", "", "1")
    return Contestant(row, lambda: int(played.play(start, 50, seed=next(runs)).lengths.sum()), 1)


def single(name: str) -> Contestant:
    """A match in plain Python: one observation and one mask for each action."""
    seeds = iter(range(1_000_000_000))
    row = (words("en", name)("name"), "a match, plain", "1", "1")

    def step() -> int:
        """A short game from its deal on: an observation costs with the length of the game."""
        match = pli.new(name, seed=next(seeds), seats=4)
        for _ in range(20):
            seat = match.actors[0]
            observe(match, seat)
            number = int(NUMBERS.choice(np.flatnonzero(match.mask(seat))))
            text = match.action(seat, number)
            if text is None:
                match.wait(match.now + 250)
            elif match.refusal(seat, text) is None:
                match.act(seat, text)
        return 20

    return Contestant(row, step, 1)


def pace(contestant: Contestant, seconds: float, clock: Callable[[], float]) -> float:
    """Steps a second."""
    steps, begin = 0, clock()
    while clock() - begin < seconds:
        steps += contestant.step()
    return steps / (clock() - begin)


def main(
    rounds: Annotated[int, typer.Option(min=1)] = 5,
    seconds: Annotated[float, typer.Option(help="Of each contestant in a round.")] = 0.5,
    size: Annotated[int, typer.Option(help="Games of a batch.")] = 1024,
    growth: Annotated[bool, typer.Option(help="How it grows with the batch.")] = True,
    wall: Annotated[bool, typer.Option(help="Times of the wall clock.")] = False,
    out: Annotated[Path | None, typer.Option(help="Write Markdown here.")] = None,
) -> None:
    contestants: list[Contestant] = []
    for name in games.names():
        contestants += [playouts(name), batched(name, size), batched(name, size, numpy=True)]
        contestants += [batched(name, size, threads=2), single(name)]
    if growth:
        contestants += [batched("marshmallow", n) for n in SIZES]
    # With threads only the wall clock tells, since the processor's time is that of all together.
    clocks = [
        time.perf_counter if wall or each.row[3] != "1" else time.process_time
        for each in contestants
    ]
    load = os.getloadavg()[0]
    best = [0.0] * len(contestants)
    for _ in range(rounds):
        for place, (each, clock) in enumerate(zip(contestants, clocks, strict=True)):
            best[place] = max(best[place], pace(each, seconds, clock))
    rows: list[Row] = [
        (*each.row, readable(rate), readable(rate * each.seats))
        for each, rate in zip(contestants, best, strict=True)
    ]
    text = markdown_table(HEADS, rows)
    used = f"load {load:.1f} before and {os.getloadavg()[0]:.1f} after, on {cores()} cores"
    text = f"{cpu_model()}, {rounds} rounds of {seconds} s, the best of each; {used}.\n\n{text}\n"
    print(text)
    if out is not None:
        out.write_text(text)


if __name__ == "__main__":
    typer.run(main)
