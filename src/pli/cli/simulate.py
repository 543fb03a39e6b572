"""`pli simulate`: many games between bots, and their winners.

Random bots play compiled, without a clock. In games in which time matters other bots play live: as
events one after the other, at the times that people would take.
"""

import os
import time
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from math import isnan
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
import typer
from rich.table import Table

from pli import games as library
from pli.bots import DEFAULT_BOT, known_bot
from pli.bots.arena import SimulatedGame, simulate
from pli.bots.arena.stats import Estimate, mean, mean_of_sums, proportion
from pli.cli.common import (
    DEFAULT_LANGUAGE,
    Chosen,
    GameName,
    GamesFile,
    Json,
    Language,
    ManySeed,
    OtherBots,
    Seats,
    Threads,
    chosen_options,
    game_words,
    progress,
    say,
    tell_house_rules,
    whole,
)
from pli.cli.table import console
from pli.errors import INTERRUPTED
from pli.extras import must_have
from pli.game import AnyGame, Options
from pli.kernel.playout import PlayoutResults, Playouts
from pli.texts import Words

PLAIN_CHUNK = 16
"""Uncompiled games are slow: they report more often."""

GAMES = 10_000
LIVE_GAMES = 200

MINUTE = 60_000
"""ms."""


@dataclass
class Tally:
    """What a simulation has found so far."""

    seats: int
    games: int = 0
    actions: int = 0
    seconds: float = 0.0
    shortest: int = 0
    longest: int = 0
    squares: int = 0
    """Of the lengths."""
    wins: list[int] = field(default_factory=list)
    rounds: Counter[int] = field(default_factory=Counter)
    """How many games had so many."""
    patience: int = 0
    unfinished: int = 0
    """Random games that were given up after so many actions."""
    # Of live games:
    minutes: list[float] = field(default_factory=list)
    accepted: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)

    def add(self, played: PlayoutResults | SimulatedGame) -> None:
        if isinstance(played, SimulatedGame):
            won = [int(seat in played.winners) for seat in range(self.seats)]
            self._count([sum(played.accepted.values())], won)
            self.minutes.append(played.time / MINUTE)
            if played.rounds is not None:
                self.rounds[played.rounds] += 1
            self.accepted.update(played.accepted)
            self.refused.update(played.refused)
            return
        won = [int(np.count_nonzero(played.winners & (1 << seat))) for seat in range(self.seats)]
        self._count(played.lengths.tolist(), won)
        if played.rounds.any():
            numbers, counts = np.unique(played.rounds, return_counts=True)
            self.rounds.update(dict(zip(numbers.tolist(), counts.tolist(), strict=True)))
        if self.patience:
            self.unfinished += int(np.count_nonzero(played.lengths >= self.patience))

    def _count(self, lengths: list[int], won: list[int]) -> None:
        self.shortest = min(self.shortest, *lengths) if self.games else min(lengths)
        self.longest = max(self.longest, *lengths)
        self.games += len(lengths)
        self.actions += sum(lengths)
        self.squares += sum(length * length for length in lengths)
        self.wins = [a + b for a, b in zip(self.wins or [0] * self.seats, won, strict=True)]

    @property
    def shares(self) -> list[Estimate]:
        """By seat the part of all games that it has won."""
        return [proportion(wins, self.games) for wins in self.wins]

    @property
    def length(self) -> Estimate:
        return mean_of_sums(self.games, self.actions, self.squares)


def run(
    game: GameName,
    seats: Seats = None,
    games: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=whole("games", 1),
            help=say("cli.games", games=f"{GAMES:,}", live=LIVE_GAMES),
        ),
    ] = None,
    bots: OtherBots = None,
    seed: ManySeed = 0,
    option: Chosen = None,
    threads: Threads = 0,
    json: Json = False,
    plain: Annotated[bool, typer.Option("--plain", help=say("cli.plain"))] = False,
    to: GamesFile = None,
    lang: Language = DEFAULT_LANGUAGE,
) -> None:
    chosen = library.load(game)
    options = chosen_options(chosen, seats, option)
    bots = known_bot(bots or ("random" if chosen.attention is None else DEFAULT_BOT), chosen)
    live = bots != "random"
    games = games or (LIVE_GAMES if live else GAMES)
    threads = threads or os.cpu_count() or 1
    if to is not None:
        must_have("polars")
    words = game_words(chosen.name)
    tally = Tally(options.seats, patience=chosen.rules.patience)
    interrupted = False
    kept: Kept | None = None
    try:
        with progress() as bar:
            task = bar.add_task(words("simulate.progress", game=words("name")), total=games)
            chunks: Generator[PlayoutResults | SimulatedGame, None, None]
            if live:
                chunks = simulate(
                    chosen.name, options, bots, games, seed, threads, recording=to is not None
                )
            else:
                chunks = _playouts(chosen, options, games, seed, threads, plain, to is not None)
            kept = Kept(chosen, options) if to is not None else None
            started = time.perf_counter()
            with closing(chunks):
                for played in chunks:
                    tally.add(played)
                    if kept is not None:
                        kept.add(played)
                    tally.seconds = time.perf_counter() - started
                    bar.update(task, completed=tally.games)
    except KeyboardInterrupt:
        interrupted = True
    if to is not None and kept is not None:
        kept.save(to)
    if json:
        figures = {
            "game": chosen.name,
            "version": chosen.version,
            "options": msgspec.structs.asdict(options),
            "house": options.departures(),
            "bots": bots,
            "seed": seed,
            "threads": threads,
            "compiled": not (plain or live),
            "interrupted": interrupted,
            **_figures(tally),
        }
        print(msgspec.json.format(msgspec.json.encode(figures)).decode())
    else:
        _print(tally, words, options, bots, interrupted)
    if interrupted:
        raise typer.Exit(INTERRUPTED)


class Kept:
    """The games of a simulation, to be written into a file."""

    def __init__(self, game: AnyGame, options: Options) -> None:
        self._game = game
        self._options = options
        self._frames: list[Any] = []
        self._matches: list[Any] = []

    def add(self, played: PlayoutResults | SimulatedGame) -> None:
        from pli.study.export import bulk_frame

        if isinstance(played, SimulatedGame):
            actions = sum(played.accepted.values())
            self._matches.append((played.number, actions, played.winners, played.log))
        else:
            self._frames.append(bulk_frame(self._game, self._options, played))

    def save(self, file: Path) -> None:
        from pli.study.export import match_frame, save

        if self._matches:
            game, timed = self._game, self._game.live
            self._frames.append(match_frame(game, self._options, self._matches, timed))
        save(self._frames, file)


def _playouts(
    game: AnyGame,
    options: Any,
    games: int,
    seed: int,
    threads: int,
    plain: bool,
    recording: bool,
) -> Generator[PlayoutResults, None, None]:
    playouts = Playouts(game.rules, plain, recording)
    playouts.ready()
    chunk = {"chunk": PLAIN_CHUNK} if plain else {}
    return playouts.stream(game.setup(options), games, seed, threads, **chunk)


def _figures(tally: Tally) -> dict[str, Any]:
    figures = {
        "games": tally.games,
        "actions": tally.actions,
        "seconds": round(tally.seconds, 6),
        "wins": tally.wins,
        "shares": [asdict(share) for share in tally.shares],
        "unfinished": tally.unfinished,
        "length": {
            "mean": tally.actions / tally.games if tally.games else 0,
            "least": tally.shortest,
            "most": tally.longest,
            **interval(tally.length),
        },
        "games_per_second": _rate(tally.games, tally.seconds),
        "actions_per_second": _rate(tally.actions, tally.seconds),
    }
    if tally.minutes:
        figures["minutes"] = _spread(tally.minutes)
        figures["accepted"] = dict(sorted(tally.accepted.items()))
        figures["refused"] = dict(sorted(tally.refused.items()))
    if tally.rounds:
        figures["rounds"] = _spread_of_counts(tally.rounds)
    return figures


def _spread(values: Sequence[float]) -> dict[str, float | None]:
    """Sorted first, so that the order in which games end does not matter."""
    ordered = np.sort(np.asarray(values, float))
    low, median, high = np.percentile(ordered, [10, 50, 90])
    found = {
        "median": median,
        "mean": ordered.mean(),
        "least": ordered[0],
        "most": ordered[-1],
        "p10": low,
        "p90": high,
    }
    figures: dict[str, float | None] = {n: round(float(value), 3) for n, value in found.items()}
    return figures | interval(mean(ordered))


def _spread_of_counts(counts: Counter[int]) -> dict[str, float | None]:
    """The same of whole numbers, from how often each occurs."""
    numbers, often = (np.array(each) for each in zip(*sorted(counts.items()), strict=True))
    at = np.array([0.1, 0.5, 0.9])
    low, median, high = np.quantile(numbers, at, weights=often, method="inverted_cdf")
    sums = (int(often.sum()), int(numbers @ often), int((numbers * numbers) @ often))
    found = {
        "median": median,
        "mean": sums[1] / sums[0],
        "least": numbers[0],
        "most": numbers[-1],
        "p10": low,
        "p90": high,
    }
    figures: dict[str, float | None] = {n: round(float(value), 3) for n, value in found.items()}
    return figures | interval(mean_of_sums(*sums))


def interval(found: Estimate) -> dict[str, float | None]:
    """That of a mean, if there is one."""
    ends = {"low": found.low, "high": found.high}
    return {name: None if isnan(value) else round(value, 3) for name, value in ends.items()}


def _rate(count: int, seconds: float) -> float:
    return round(count / seconds, 1) if seconds else 0.0


def _print(tally: Tally, words: Words, options: Options, bots: str, interrupted: bool) -> None:
    out = console()
    if interrupted:
        out.print(words("simulate.interrupted"), style="yellow")
    title = words(
        "simulate.title", game=words("name"), n=f"{tally.games:,}", bots=bots, seats=tally.seats
    )
    out.print(title, style="bold")
    tell_house_rules(out, options, words)
    table = Table()
    table.add_column(words("simulate.seat"), justify="right")
    table.add_column(words("simulate.wins"), justify="right")
    table.add_column(words("simulate.share"), justify="right")
    table.add_column(words("arena.interval"), justify="right")
    for seat, (wins, share) in enumerate(zip(tally.wins, tally.shares, strict=True)):
        ends = f"{share.low:.2%} … {share.high:.2%}"
        table.add_row(str(seat), f"{wins:,}", f"{share.value:.2%}", ends)
    out.print(table)
    if sum(tally.wins) > tally.games:
        out.print(words("simulate.shared"), style="dim")
    if tally.unfinished:
        told = {"n": f"{tally.unfinished:,}", "actions": f"{tally.patience:,}"}
        out.print(words("simulate.unfinished", **told), style="dim")
    if not tally.games:
        return
    length = tally.length
    average = f"{length.value:.1f}"
    if not isnan(length.low):
        average += f" ({length.low:.1f} … {length.high:.1f})"
    lengths = {"mean": average, "least": tally.shortest, "most": tally.longest}
    for key, value in (
        ("length", words("simulate.length_range", **lengths)),
        ("games_rate", f"{_rate(tally.games, tally.seconds):,.0f}"),
        ("actions_rate", f"{_rate(tally.actions, tally.seconds):,.0f}"),
    ):
        out.print(f"{words(f'simulate.{key}')}: {value}")
    if tally.minutes or tally.rounds:
        out.print(_spreads(tally, words))
    if tally.minutes:
        out.print(_deeds(tally, words))


def _spreads(tally: Tally, words: Words) -> Table:
    """How long games take, in minutes of play and in rounds."""
    titles = {name: words(f"simulate.{name}") for name in ("median", "mean", "least", "most")}
    titles |= {"p10": "10 %", "p90": "90 %"}
    table = Table("")
    for name, title in titles.items():
        table.add_column(title, justify="right")
        if name == "mean":
            table.add_column(words("arena.interval"), justify="right")
    spreads = {}
    if tally.minutes:
        spreads["minutes"] = _spread(tally.minutes)
    if tally.rounds:
        spreads["rounds"] = _spread_of_counts(tally.rounds)
    for key, spread in spreads.items():
        told = [f"{spread[name]:.3g}" for name in titles]
        ends = "" if spread["low"] is None else f"{spread['low']:.3g} … {spread['high']:.3g}"
        table.add_row(words(f"simulate.{key}"), *told[:2], ends, *told[2:])
    return table


def _deeds(tally: Tally, words: Words) -> Table:
    """What was done, and what was tried and refused."""
    table = Table()
    table.add_column(words("simulate.action"))
    table.add_column(words("simulate.per_game"), justify="right")
    for kind, n in tally.accepted.most_common():
        table.add_row(kind, f"{n / tally.games:.2f}")
    table.add_section()
    for code, n in tally.refused.most_common():
        reason = words("simulate.refused", why=words(f"errors.{code}"))
        table.add_row(reason, f"{n / tally.games:.2f}")
    return table
