"""`pli ladder`: what luck and skill do in a game: bots one above the other, in Elo points."""

import os
from dataclasses import asdict
from typing import Annotated, Any

import msgspec
import typer
from rich.table import Table

from pli import games as library
from pli.bots import known_bot
from pli.bots.arena.ladder import Rung, climb, duels
from pli.cli.arena import points
from pli.cli.common import (
    DEFAULT_LANGUAGE,
    KNOWN_BOTS,
    Chosen,
    GameName,
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
from pli.errors import INTERRUPTED, PliError
from pli.texts import Words

GAMES = 200


def run(
    game: GameName,
    bots: Annotated[
        str | None,
        typer.Option("--bots", metavar="BOT,...", help=say("cli.bots_ladder", known=KNOWN_BOTS)),
    ] = None,
    seats: Seats = None,
    games: Annotated[
        int, typer.Option(metavar="N", parser=whole("games", 1), help=say("cli.games_ladder"))
    ] = GAMES,
    seed: ManySeed = 0,
    option: Chosen = None,
    threads: Threads = 0,
    json: Json = False,
    lang: Language = DEFAULT_LANGUAGE,
) -> None:
    chosen = library.load(game)
    options = chosen_options(chosen, seats, option)
    if options.seats < 2:
        raise PliError("too_many_bots", n=2, seats=options.seats)
    names = None if bots is None else [known_bot(each.strip(), chosen) for each in bots.split(",")]
    if names is not None and len(set(names)) < max(2, len(names)):
        raise PliError("one_kind", bot=names[0])
    words = game_words(chosen.name)
    threads = threads or os.cpu_count() or 1
    found: list[Rung] = []
    interrupted = False
    try:
        with progress() as bar:
            title = words("simulate.progress", game=words("name"))
            task = bar.add_task(title, total=duels(chosen, names) * games)
            rungs = climb(
                chosen, options, games, seed, threads, names, lambda: bar.update(task, advance=1)
            )
            found += rungs
    except KeyboardInterrupt:
        interrupted = True
    if json:
        figures: dict[str, Any] = {
            "game": chosen.name,
            "version": chosen.version,
            "options": msgspec.structs.asdict(options),
            "seed": seed,
            "interrupted": interrupted,
            "rungs": [asdict(rung) for rung in found],
        }
        print(msgspec.json.format(msgspec.json.encode(figures)).decode())
    else:
        out = console()
        out.print(words("ladder.title", game=words("name"), seats=options.seats), style="bold")
        tell_house_rules(out, options, words)
        if found:
            out.print(_table(found, words))
        out.print(words("ladder.about"), style="dim")
    if interrupted:
        raise typer.Exit(INTERRUPTED)


def _table(rungs: list[Rung], words: Words) -> Table:
    table = Table()
    table.add_column(words("arena.bot"), no_wrap=True)
    table.add_column(words("ladder.above"), no_wrap=True)
    for key in ("arena.share", "ladder.gain", "arena.interval", "arena.elo"):
        table.add_column(words(key), justify="right", no_wrap=True)
    table.add_column(words("arena.interval"), justify="right", no_wrap=True)
    table.add_row(rungs[0].above, "", "", "", "", "0", "")
    for rung in rungs:
        if rung.elo is None:
            table.add_section()
        table.add_row(
            rung.bot,
            rung.above,
            f"{rung.share.value:.1%}",
            points(rung.gain.value),
            f"{points(rung.gain.low)} … {points(rung.gain.high)}",
            "" if rung.elo is None else points(rung.elo.value),
            "" if rung.elo is None else f"{points(rung.elo.low)} … {points(rung.elo.high)}",
        )
    return table
