"""`make bench-envs`: steps a second with observation, mask, rewards and reset, of our batches, our
adapters and peers, side by side in one run.

All contestants play in turn in each round, one core each but where threads are named, and the
median of the rounds counts: a machine that is busy for a while then slows all alike. Ratios are
taken round by round. Times are those of the processor, on which others have no claim; with threads
those of the wall, since the processor's are of all threads together.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")  # pgx: one core too

import numpy as np
import typer
from env_peers import PGX, SPIEL, env_peers
from measure import Absent, bar, cpu_model
from run import Row, cores, markdown_table, readable

import pli
from pli import games
from pli.batch import Batch, observe
from pli.kernel.playout import Playouts
from pli.texts import words

HEADS = ("contestant", "game", "games at once", "steps/s", "seats' steps/s")
RATIO_HEADS = ("steps/s of", "÷ steps/s of", "ratio")
SIZES = (1, 16, 256, 4096, 65_536)
NUMBERS = np.random.default_rng(1)
PACKAGES = ("numba", "numpy", "jax", "pgx", "open_spiel", "pettingzoo", "gymnasium", "rlcard")
SETTLING = 100
"""Steps of a batch before the clock starts: its games are then at different points."""

DRAWN, SAMPLED = "batch, drawn inside", "batch, a policy in NumPy"
ALONE, THREADS = "batch of many, one thread", "batch of many, two threads"
MANY = 16_384
"""Games of a batch in which a step is long beside waking a thread, in every game."""


@dataclass
class Contestant:
    """A way to step, and what it was in each round."""

    name: str
    game: str
    games: int
    make: Callable[[], Callable[[], int]]
    """Makes `step`, which plays on and returns how many steps that was."""
    seats: int = 1
    """Seats that act in a step."""
    clock: Callable[[], float] = time.process_time
    step: Callable[[], int] | None = None
    rounds: list[float] = field(default_factory=list)

    def play(self, seconds: float) -> None:
        if self.step is None:
            self.step = self.make()
        steps, begin = 0, self.clock()
        while (passed := self.clock() - begin) < seconds:
            steps += self.step()
        self.rounds.append(steps / passed)

    @property
    def rate(self) -> float:
        return statistics.median(self.rounds)

    def row(self) -> Row:
        games = f"{self.games:,}" if self.games else ""
        return (self.name, self.game, games, readable(self.rate), readable(self.rate * self.seats))


def called(name: str) -> str:
    return words("en", name)("name")


def live_seats(name: str) -> int:
    game = games.load(name)
    return 4 if game.live else 1


def by_numpy(batch: Batch) -> None:
    """Draws actions as a policy does, from random preferences where the mask lets it."""
    preferences = 1 - NUMBERS.random(batch.mask.shape, np.float32)  # never 0
    batch.step(np.argmax(preferences * batch.mask, axis=-1))


def batched(name: str, n: int, label: str = DRAWN) -> Contestant:
    def make() -> Callable[[], int]:
        batch = Batch(name, n, threads=2 if label == THREADS else 1, seats=4)
        for _ in range(SETTLING):
            batch.step()

        def step() -> int:
            if label == SAMPLED:
                by_numpy(batch)
            else:
                batch.step()
            return n

        return step

    clock = time.perf_counter if label in (ALONE, THREADS) else time.process_time
    return Contestant(label, called(name), n, make, live_seats(name), clock)


def playouts(name: str) -> Contestant:
    """The same random games without observations, for comparison."""

    def make() -> Callable[[], int]:
        game = games.load(name)
        played, start = Playouts(game.rules), game.setup(game.options(seats=4))
        runs = iter(range(1_000_000_000))
        return lambda: int(played.play(start, 50, seed=next(runs)).lengths.sum())

    return Contestant("playouts, no observations", called(name), 0, make)


def single(name: str) -> Contestant:
    """A match in plain Python: one observation and one mask for each action."""

    def make() -> Callable[[], int]:
        seeds = iter(range(1_000_000_000))

        def step() -> int:
            match = pli.new(name, seed=next(seeds), seats=4)
            for _ in range(40):
                if match.over:
                    match = pli.new(name, seed=next(seeds), seats=4)
                seat = match.actors[0]
                observe(match, seat)
                number = int(NUMBERS.choice(np.flatnonzero(match.mask(seat))))
                text = match.action(seat, number)
                if text is None:
                    match.wait(match.now + 250)
                elif match.refusal(seat, text) is None:
                    match.act(seat, text)
            return 40

        return step

    return Contestant("a match, plain Python", called(name), 1, make)


# Adapters, each driven as its peers are


def pettingzoo_turns(name: str) -> Contestant:
    from env_peers import pettingzoo_step

    from pli.env.pettingzoo import env

    make = lambda: pettingzoo_step(env(name, seats=4))  # noqa: E731
    return Contestant("our PettingZoo AEC", called(name), 1, make)


def pettingzoo_parallel(name: str) -> Contestant:
    def make() -> Callable[[], int]:
        from pli.env.pettingzoo import parallel_env

        env = parallel_env(name, seats=4)
        observed, _ = env.reset(seed=1)

        def step() -> int:
            nonlocal observed
            actions = {}
            for agent in env.agents:
                legal = np.flatnonzero(observed[agent]["action_mask"])
                actions[agent] = int(legal[int(NUMBERS.random() * len(legal))])
            observed, *_ = env.step(actions)
            if not env.agents:
                observed, _ = env.reset()
            return 1

        return step

    return Contestant("our PettingZoo parallel", called(name), 1, make, live_seats(name))


def spiel(name: str, tensors: bool) -> Contestant:
    def make() -> Callable[[], int]:
        import pyspiel
        from env_peers import spiel_step

        from pli.env.openspiel import register

        register()
        return spiel_step(pyspiel, f"pli_{name}", tensors)

    label = f"our OpenSpiel adapter, {'tensors' if tensors else 'actions alone'}"
    return Contestant(label, called(name), 1, make)


def one_seat(name: str, n: int) -> Contestant:
    """Steps of one seat; those of the others, drawn on the way, are not counted."""

    def make() -> Callable[[], int]:
        from pli.env.gymnasium import OneSeatVector

        envs = OneSeatVector(name, n, opponents="random", autoreset_mode="SameStep", seats=4)
        _, info = envs.reset(seed=1)

        def step() -> int:
            nonlocal info
            preferences = NUMBERS.random(info["action_mask"].shape, np.float32)
            info = envs.step(np.argmax(preferences * info["action_mask"], axis=-1))[4]
            return n

        return step

    return Contestant("our Gymnasium vector, one seat", called(name), n, make)


def machine() -> str:
    parts = [cpu_model(), f"{cores()} cores"]
    for package in PACKAGES:
        try:
            parts.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            parts.append(f"{package} not installed")
    return ", ".join(parts)


def ratio_rows(played: list[Contestant]) -> list[Row]:
    """The batch of each game over pgx, over OpenSpiel, and of two threads over one."""
    rows: list[Row] = []

    def over(above: Contestant, below: Contestant) -> None:
        ratio = statistics.median(a / b for a, b in zip(above.rounds, below.rounds, strict=True))
        shown = f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.2f}"
        rows.append((f"{above.name}: {above.game}", f"{below.name}: {below.game}", shown))

    # The last of a name and game is the batch of the usual size, not one of its growth.
    for name in games.names():
        mine = {each.name: each for each in played if each.game == called(name)}
        if not games.load(name).live:
            for each in played:
                if each.name in (*PGX, SPIEL):
                    over(mine[DRAWN], each)
        over(mine[THREADS], mine[ALONE])
    return rows


def entrants(size: int) -> tuple[list[Contestant], list[Absent]]:
    found: list[Contestant] = [batched("marshmallow", n) for n in SIZES]
    for name in games.names():
        found += [playouts(name), batched(name, size), batched(name, size, SAMPLED)]
        found += [batched(name, MANY, ALONE), batched(name, MANY, THREADS), single(name)]
    for name in games.names():
        if not games.load(name).live:
            found += [pettingzoo_turns(name), spiel(name, False), spiel(name, True)]
            found += [one_seat(name, size)]
        else:
            found += [pettingzoo_parallel(name)]
    absent: list[Absent] = []
    for peer in env_peers(size):
        if isinstance(peer, Absent):
            absent.append(peer)
        else:
            found.append(Contestant(*peer))
    return found, absent


def main(
    rounds: Annotated[int, typer.Option(min=1)] = 5,
    seconds: Annotated[float, typer.Option(help="Of each contestant in a round.")] = 0.4,
    size: Annotated[int, typer.Option(help="Games of a batch.")] = 1024,
    out: Annotated[Path | None, typer.Option(help="Write Markdown here.")] = None,
) -> None:
    contestants, absent = entrants(size)
    load = os.getloadavg()[0]
    with bar() as progress:
        task = progress.add_task("", total=(rounds + 1) * len(contestants))
        for number in range(rounds + 1):
            for each in contestants:
                progress.update(task, description=f"{number}/{rounds} {each.name}")
                each.play(seconds if number else 0.1)  # the first warms up, and compiles
                progress.advance(task)
    for each in contestants:
        del each.rounds[0]
    rows: list[Row] = [each.row() for each in contestants]
    rows += [(each.name, each.note, "", "", "") for each in absent]
    used = f"load {load:.1f} before and {os.getloadavg()[0]:.1f} after"
    text = f"""{machine()}; {rounds} rounds of {seconds} s, their median; {used}.

A step has the observation, the mask, the rewards, and a new game where one has ended. In Merci and
Twin It! it is a slice of time in which four seats act or wait.

{markdown_table(HEADS, rows)}

{markdown_table(RATIO_HEADS, ratio_rows(contestants))}
"""
    print(text)
    if out is not None:
        out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
