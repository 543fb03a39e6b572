"""`pli arena`: bots against each other on the same deals with seats rotated, and their ratings."""

import os
import time
from dataclasses import asdict
from math import isnan
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.progress import TextColumn
from rich.table import Table

from pli import games as library
from pli.bots.arena import MARGIN, Contest, Estimate, KindResult, Results, line_up
from pli.cli.common import (
    DEFAULT_LANGUAGE,
    KNOWN_BOTS,
    Chosen,
    GameName,
    GamesFile,
    Json,
    Language,
    ManySeed,
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
from pli.game import Options
from pli.texts import Words

GAMES = 200


def run(
    game: GameName,
    bots: Annotated[
        str, typer.Option(metavar="BOT,...", help=say("cli.bots_arena", known=KNOWN_BOTS))
    ],
    seats: Seats = None,
    games: Annotated[
        int, typer.Option(metavar="N", parser=whole("games", 1), help=say("cli.games_arena"))
    ] = GAMES,
    seed: ManySeed = 0,
    option: Chosen = None,
    threads: Threads = 0,
    until_decided: Annotated[
        bool, typer.Option("--until-decided", help=say("cli.until_decided"))
    ] = False,
    json: Json = False,
    to: GamesFile = None,
    lang: Language = DEFAULT_LANGUAGE,
) -> None:
    chosen = library.load(game)
    options = chosen_options(chosen, seats, option)
    line = line_up(chosen, options, bots.split(","), seed)
    threads = threads or os.cpu_count() or 1
    if to is not None:
        must_have("polars")
    contest = Contest(line, games, threads, until_decided, recording=to is not None)
    words = game_words(chosen.name)
    interrupted = False
    started = time.perf_counter()
    try:
        _play(contest, words)
    except KeyboardInterrupt:
        interrupted = True
    found = contest.results()
    if to is not None:
        _save(contest, to)
    if json:
        figures = {
            "game": chosen.name,
            "version": chosen.version,
            "options": msgspec.structs.asdict(options),
            "house": options.departures(),
            "bots": line.bots,
            "seed": seed,
            "threads": threads,
            "until_decided": until_decided,
            "margin": MARGIN if until_decided else None,
            "interrupted": interrupted,
            "seconds": round(time.perf_counter() - started, 3),
            "rotations": contest.size,
            **asdict(found),
        }
        print(msgspec.json.format(msgspec.json.encode(figures)).decode())
    else:
        _print(found, words, options, until_decided, interrupted)
    if interrupted:
        raise typer.Exit(INTERRUPTED)


def _save(contest: Contest, file: Path) -> None:
    """With the deal of each game, and who sat where."""
    from pli.study.export import contest_frame, save

    save([contest_frame(contest)] if contest.games else [], file)


def _play(contest: Contest, words: Words) -> None:
    """With a bar that tells the first bot's share so far."""
    with progress(TextColumn("{task.fields[share]}")) as bar:
        title = words("simulate.progress", game=words("name"))
        task = bar.add_task(title, total=contest.most * contest.size, share="")

        def heard() -> None:
            leading = contest.leading
            share = "" if leading is None else f"{contest.line.kinds[0]} {leading:.1%}"
            bar.update(task, advance=1, share=share)

        contest.run(heard)


def _print(
    found: Results, words: Words, options: Options, until_decided: bool, interrupted: bool
) -> None:
    out = console()
    if interrupted:
        out.print(words("simulate.interrupted"), style="yellow")
    title = {"game": words("name"), "games": f"{found.games:,}", "deals": f"{found.blocks:,}"}
    out.print(words("arena.title", **title, seats=options.seats), style="bold")
    tell_house_rules(out, options, words)
    if not found.games:
        return
    out.print(_table(found.kinds, words))
    if len(found.kinds) > 1:
        note = {"bot": found.kinds[1].bot, "even": f"{found.kinds[0].even:.2%}"}
        out.print(words("arena.even", **note), style="dim", markup=False)
    out.print(_by_seat(found.kinds, words))
    out.print(f"{words('simulate.length')}: {_with_interval(found.length)}")
    if found.rounds is not None:
        out.print(f"{words('simulate.rounds')}: {_with_interval(found.rounds)}")
    if found.minutes >= 0.1:  # bots that let no time pass play in no time
        out.print(f"{words('simulate.minutes')}: {_with_interval(found.time)}")
    if found.unfinished:
        out.print(words("arena.unfinished", n=found.unfinished), style="dim")
    if until_decided:
        out.print(_decision(found, words), style="bold", markup=False)


def _table(kinds: tuple[KindResult, ...], words: Words) -> Table:
    table = Table()
    table.add_column(words("arena.bot"), overflow="fold")
    for key in ("seats", "share", "interval", "elo", "interval", "ms"):
        table.add_column(words(f"arena.{key}"), justify="right", no_wrap=True)
    alone = len(kinds) == 1
    for kind in kinds:
        elo = kind.elo
        table.add_row(
            kind.bot,
            str(kind.seats),
            f"{kind.share.value:.2%}",
            "" if alone else " … ".join(percents(kind.share)),
            "" if alone else "0" if elo is None else points(elo.value),
            "" if elo is None else f"{points(elo.low)} … {points(elo.high)}",
            "" if kind.ms is None else f"{kind.ms:,.2f}",
        )
    return table


def _by_seat(kinds: tuple[KindResult, ...], words: Words) -> Table:
    """What each bot wins at each seat."""
    table = Table()
    table.add_column(words("simulate.seat"), justify="right")
    for kind in kinds:
        table.add_column(kind.bot, justify="right", no_wrap=True)
        table.add_column(words("arena.interval"), justify="right", no_wrap=True)
    for seat in range(len(kinds[0].by_seat)):
        cells: list[str] = []
        for kind in kinds:
            share = kind.by_seat[seat]
            cells += [f"{share.value:.1%}", " … ".join(percents(share))]
        table.add_row(str(seat), *cells)
    return table


def _with_interval(found: Estimate) -> str:
    told = f"{found.value:.1f}"
    return told if isnan(found.low) else f"{told} ({found.low:.1f} … {found.high:.1f})"


def _decision(found: Results, words: Words) -> str:
    assert found.anytime is not None
    low, high = percents(found.anytime)
    values: dict[str, Any] = {"bot": found.kinds[0].bot, "deals": f"{found.blocks:,}"}
    values |= {"low": low, "high": high, "margin": f"{MARGIN:.0%}"}
    key = "even_within" if found.decided == "even" else found.decided or "undecided"
    return words(f"arena.{key}", **values)


def percents(estimate: Estimate) -> tuple[str, str]:
    return f"{estimate.low:.1%}", f"{estimate.high:.1%}"


def points(elo: float) -> str:
    """A bot that won nothing, or everything, has no bound on that side."""
    return f"{elo:+.0f}".replace("inf", "∞")
