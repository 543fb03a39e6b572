"""How fast search is: iterations a second on one core, in the middle of rounds.

    python bench/search_speed.py [--iterations 5000] [--positions 20]

It counts the CPU time of one thread, so that a busy machine matters little,
and all of a decision: from the view to the ranked actions.
"""

import argparse
import statistics
import time
from collections.abc import Iterator
from itertools import count
from typing import Any

from rich.console import Console
from rich.progress import Progress

from pli import games
from pli.bots import Live, make_bot
from pli.bots.mcts import IsMcts
from pli.game import read_options
from pli.match import AnyMatch, Match
from pli.shuffling import seeded

SEATS = 4
TABLES: tuple[tuple[str, dict[str, Any], int], ...] = (
    ("marshmallow", {"edition": "en"}, 18),
    ("marshmallow", {"edition": "fr"}, 18),
    ("plingo", {}, 17),
    ("merci", {"rules": "start"}, 15),
    ("merci", {"rules": "full"}, 18),
)
"""A game, its options, and after how many actions a round between `medium`s is half over."""

ROUND = 2
"""With trump, and with points that differ."""

ITERATIONS = 5000
POSITIONS = 20


def positions(name: str, options: dict[str, Any], actions: int) -> Iterator[AnyMatch]:
    """Games between `medium`s, each in the middle of a round; without end."""
    game = games.load(name)
    for seed in count():
        match = Match(game, read_options(game, {"seats": SEATS, **options}), seeded(seed))
        bots = [make_bot("medium", game, seat, seed) for seat in range(SEATS)]
        live = Live(match, bots, seed)
        done = 0
        while not match.over and done < actions:
            live.step()
            done += match.view(None).round == ROUND
        if match.view(None).awaited:
            yield match


def pace(match: AnyMatch, iterations: int) -> float | None:
    """Iterations a second; None where there is nothing to think about."""
    seat = match.view(None).awaited[0]
    view, events = match.view(seat), match.seen([seat])[0]

    def searcher(times: int) -> IsMcts:
        made = IsMcts(match.game, 1, iterations=times)
        made.see(events, view)
        return made

    # The first time something is compiled, or read that was compiled.
    if len(searcher(100).rank(view)) < 2:
        return None
    ready = searcher(iterations)
    began = time.process_time()
    ready.rank(view)
    return iterations / (time.process_time() - began)


def measure(iterations: int, wanted: int, bar: Progress) -> list[str]:
    """A table in Markdown."""
    rows = [
        f"| search, {SEATS} seats, mid-round | iterations a second: median | slowest | fastest |",
        "| --- | --- | --- | --- |",
    ]
    task = bar.add_task("search", total=len(TABLES) * wanted)
    for name, options, actions in TABLES:
        found: list[float] = []
        for match in positions(name, options, actions):
            figure = pace(match, iterations)
            if figure is not None:
                found.append(figure)
                bar.advance(task)
            if len(found) == wanted:
                break
        title = " ".join([name, *(f"{key}={value}" for key, value in options.items())])
        figures = (statistics.median(found), min(found), max(found))
        told = " | ".join(f"{round(each, -3):,.0f}" for each in figures)
        rows.append(f"| {title} | {told} |")
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--iterations", type=int, default=ITERATIONS)
    parser.add_argument("--positions", type=int, default=POSITIONS)
    chosen = parser.parse_args()
    with Progress(console=Console(stderr=True), transient=True) as bar:
        rows = measure(chosen.iterations, chosen.positions, bar)
    print("\n".join(rows))


if __name__ == "__main__":
    main()
