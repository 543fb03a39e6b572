"""`pli study`: sweeps over a game's options, kept as tables in a folder."""

from pathlib import Path
from typing import Annotated, Any

import typer

from pli.cli.common import (
    DEFAULT_LANGUAGE,
    KNOWN,
    KNOWN_BOTS,
    Chosen,
    Language,
    ManySeed,
    Threads,
    game_words,
    progress,
    say,
    whole,
)
from pli.cli.table import console
from pli.errors import INTERRUPTED, PliError
from pli.extras import must_have

PLAN_FILES = (".yaml", ".yml")


def run(
    what: Annotated[str, typer.Argument(metavar="GAME|FILE", help=say("cli.studied", known=KNOWN))],
    to: Annotated[Path, typer.Option("--to", metavar="DIR", help=say("cli.study_to"))],
    over: Annotated[
        list[str] | None, typer.Option("--over", metavar="NAME=VALUES", help=say("cli.over"))
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option("--bots", metavar="BOT,...", help=say("cli.bots_study", known=KNOWN_BOTS)),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(metavar="N", parser=whole("games", 1), help=say("cli.games_study")),
    ] = None,
    option: Chosen = None,
    seed: ManySeed = 0,
    detailed: Annotated[
        int | None,
        typer.Option(metavar="N", parser=whole("detailed", 0), help=say("cli.detailed")),
    ] = None,
    search: Annotated[
        int, typer.Option(metavar="N", parser=whole("search", 0), help=say("cli.judging"))
    ] = 0,
    question: Annotated[
        str, typer.Option("--question", metavar="TEXT", help=say("cli.question"))
    ] = "",
    resume: Annotated[bool, typer.Option("--resume", help=say("cli.study_resume"))] = False,
    threads: Threads = 0,
    lang: Language = DEFAULT_LANGUAGE,
) -> None:
    must_have("polars")
    from pli.study import create, make_plan
    from pli.study.plan import read_file

    if what.endswith(PLAN_FILES):
        plan = read_file(Path(what))
    else:
        numbers = {"games": games, "detailed": detailed}
        plan = make_plan(
            what,
            _pairs(over),
            bots or "random",
            _pairs(option),
            seed=seed,
            search=search,
            question=question,
            **{name: each for name, each in numbers.items() if each is not None},
        )
    study = create(plan, to, resume)
    words = game_words(plan.game)
    out = console()
    try:
        with progress() as bar:
            title = words("simulate.progress", game=words("name"))
            task = bar.add_task(title, total=plan.games * len(study.cells))
            study.run(threads, lambda played: bar.update(task, completed=played))
    except KeyboardInterrupt:
        left = {"done": len(study.finished), "cells": len(study.cells), "folder": to}
        out.print(words("study.interrupted", **left), style="yellow")
        raise typer.Exit(INTERRUPTED) from None
    done = {"cells": len(study.cells), "games": f"{plan.games:,}", "folder": to}
    out.print(words("study.done", **done))


def _pairs(given: list[str] | None) -> dict[str, Any]:
    """NAME=VALUES, several times."""
    found = {}
    for text in given or []:
        name, equals, values = text.partition("=")
        if not equals:
            raise PliError("option_form", text=text)
        found[name.strip()] = values
    return found
