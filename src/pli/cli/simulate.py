"""`pli simulate`: many games between bots, and who won them."""

import os
import time
from dataclasses import dataclass, field
from typing import Annotated, Any

import msgspec
import numpy as np
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from pli import games as library
from pli.bots import known_bot
from pli.cli.common import (
    DEFAULT_LANGUAGE,
    BotNames,
    Chosen,
    GameName,
    Language,
    Seats,
    chosen_options,
    game_words,
    say,
    whole,
)
from pli.cli.table import console
from pli.kernel.playout import Played, Playouts
from pli.texts import Words

PLAIN_CHUNK = 16
"""Uncompiled games are slow: they report more often."""


@dataclass
class Tally:
    """What a simulation has found so far."""

    seats: int
    games: int = 0
    actions: int = 0
    seconds: float = 0.0
    shortest: int = 0
    longest: int = 0
    wins: list[int] = field(default_factory=list)

    def add(self, played: Played) -> None:
        shortest, longest = int(played.lengths.min()), int(played.lengths.max())
        self.shortest = min(self.shortest, shortest) if self.games else shortest
        self.longest = max(self.longest, longest)
        self.games += len(played.lengths)
        self.actions += int(played.lengths.sum())
        won = [int(np.count_nonzero(played.winners & (1 << seat))) for seat in range(self.seats)]
        self.wins = [a + b for a, b in zip(self.wins or [0] * self.seats, won, strict=True)]


def run(
    game: GameName,
    seats: Seats = None,
    games: Annotated[
        int, typer.Option(metavar="N", parser=whole("games", 1), help=say("cli.games"))
    ] = 10_000,
    bots: BotNames = "random",
    seed: Annotated[
        int, typer.Option(metavar="SEED", parser=whole("seed", 0), help=say("cli.seed"))
    ] = 0,
    option: Chosen = None,
    threads: Annotated[
        int, typer.Option(metavar="N", parser=whole("threads", 0), help=say("cli.threads"))
    ] = 0,
    json: Annotated[bool, typer.Option("--json", help=say("cli.json"))] = False,
    plain: Annotated[bool, typer.Option("--plain", help=say("cli.plain"))] = False,
    lang: Language = DEFAULT_LANGUAGE,
) -> None:
    chosen = library.load(game)
    options = chosen_options(chosen, seats, option)
    known_bot(bots)
    threads = threads or os.cpu_count() or 1
    words = game_words(chosen.name)
    tally = Tally(options.seats)
    playouts = Playouts(chosen.rules, plain)
    interrupted = False
    try:
        with _progress(words) as bar:
            task = bar.add_task(words("simulate.progress", game=words("name")), total=games)
            playouts.ready()
            started = time.perf_counter()
            chunks = playouts.stream(
                chosen.setup(options),
                games,
                seed,
                threads,
                **({"chunk": PLAIN_CHUNK} if plain else {}),
            )
            for played in chunks:
                tally.add(played)
                tally.seconds = time.perf_counter() - started
                bar.update(task, completed=tally.games)
    except KeyboardInterrupt:
        interrupted = True
    if json:
        figures = {
            "game": chosen.name,
            "version": chosen.version,
            "options": msgspec.structs.asdict(options),
            "bots": bots,
            "seed": seed,
            "threads": threads,
            "compiled": not plain,
            "interrupted": interrupted,
            **_figures(tally),
        }
        print(msgspec.json.format(msgspec.json.encode(figures)).decode())
    else:
        _print(tally, words, bots, interrupted)
    if interrupted:
        raise typer.Exit(130)


def _progress(words: Words) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )


def _figures(tally: Tally) -> dict[str, Any]:
    return {
        "games": tally.games,
        "actions": tally.actions,
        "seconds": round(tally.seconds, 6),
        "wins": tally.wins,
        "length": {
            "mean": tally.actions / tally.games if tally.games else 0,
            "least": tally.shortest,
            "most": tally.longest,
        },
        "games_per_second": _rate(tally.games, tally.seconds),
        "actions_per_second": _rate(tally.actions, tally.seconds),
    }


def _rate(count: int, seconds: float) -> float:
    return round(count / seconds, 1) if seconds else 0.0


def _print(tally: Tally, words: Words, bots: str, interrupted: bool) -> None:
    out = console()
    if interrupted:
        out.print(words("simulate.interrupted"), style="yellow")
    title = words(
        "simulate.title", game=words("name"), n=f"{tally.games:,}", bots=bots, seats=tally.seats
    )
    out.print(title, style="bold")
    table = Table()
    table.add_column(words("simulate.seat"), justify="right")
    table.add_column(words("simulate.wins"), justify="right")
    table.add_column(words("simulate.share"), justify="right")
    for seat, wins in enumerate(tally.wins):
        table.add_row(str(seat), f"{wins:,}", f"{wins / tally.games:.2%}")
    out.print(table)
    if sum(tally.wins) > tally.games:
        out.print(words("simulate.shared"), style="dim")
    if tally.games:
        mean = f"{tally.actions / tally.games:.1f}"
        lengths = {"mean": mean, "least": tally.shortest, "most": tally.longest}
        for key, value in (
            ("length", words("simulate.length_range", **lengths)),
            ("games_rate", f"{_rate(tally.games, tally.seconds):,.0f}"),
            ("actions_rate", f"{_rate(tally.actions, tally.seconds):,.0f}"),
        ):
            out.print(f"{words(f'simulate.{key}')}: {value}")
