"""`pli study`: sweeps over a game's options, kept as tables in a folder, and their reports."""

import os
import sys
import webbrowser
from pathlib import Path
from typing import Annotated, Any

import typer
from platformdirs import user_cache_path

from pli import __version__, games
from pli.cli.common import (
    DEFAULT_LANGUAGE,
    KNOWN,
    KNOWN_BOTS,
    Chosen,
    Language,
    ManySeed,
    Threads,
    chosen_language,
    game_words,
    progress,
    say,
    whole,
)
from pli.cli.table import console
from pli.errors import INTERRUPTED, PliError
from pli.extras import must_have
from pli.texts import words

PLAN_FILES = (".yaml", ".yml")

OPEN = "open"
"""Instead of a game: opens a report."""


def run(
    what: Annotated[
        str | None,
        typer.Argument(metavar="GAME|FILE|NAME|open", help=say("cli.studied", known=KNOWN)),
    ] = None,
    opened: Annotated[
        str | None, typer.Argument(metavar="[DIR|NAME]", help=say("cli.study_open"))
    ] = None,
    to: Annotated[
        Path | None, typer.Option("--to", metavar="DIR", help=say("cli.study_to"))
    ] = None,
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
    listed: Annotated[bool, typer.Option("--list", help=say("cli.study_list"))] = False,
    threads: Threads = 0,
    ray: Annotated[
        str | None, typer.Option("--ray", metavar="ADDRESS", help=say("cli.ray"))
    ] = None,
    lang: Language = DEFAULT_LANGUAGE,
) -> None:
    must_have("polars")
    from pli.study.study_file import StudyFile

    if listed:
        _list()
        return
    if what is None:
        raise PliError("study_what")
    if what == OPEN:
        if opened is None:
            raise PliError("study_open_what")
        _open(opened)
        return
    if opened is not None:
        raise PliError("study_one_thing", text=opened)
    if to is None:
        raise PliError("study_needs_folder")
    file = _file(what)
    if file is None:
        from pli.study import Texts, make_plan
        from pli.study.study_file import PartPlan

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
        file = StudyFile([PartPlan(plan)], Texts(question=question))
    _run(file, to, resume, threads, ray)


def _file(what: str) -> Any:
    """A plan in a file, or one that comes with the package; None: it is a game."""
    from pli.study import read_study
    from pli.study.shipped import shipped

    if what.endswith(PLAN_FILES):
        return read_study(Path(what))
    if what not in games.names() and what in shipped():
        return shipped()[what].study
    return None


def _run(file: Any, to: Path, resume: bool, threads: int, ray: str | None) -> None:
    from pli.study import create_collection

    study = create_collection(file, to, resume)
    plans = [part.plan for part in file.parts]
    said = game_words(plans[0].game)
    names = ", ".join(dict.fromkeys(game_words(plan.game)("name") for plan in plans))
    out = console()
    cells = sum(len(each.cells) for each in study.studies)
    try:
        with progress() as bar:
            task = bar.add_task(said("simulate.progress", game=names), total=study.size)
            study.run(threads, lambda played: bar.update(task, completed=played), ray)
    except KeyboardInterrupt:
        done = sum(len(each.finished) for each in study.studies)
        out.print(said("study.interrupted", done=done, cells=cells, folder=to), style="yellow")
        raise typer.Exit(INTERRUPTED) from None
    if len(plans) == 1:
        out.print(said("study.done", cells=cells, games=f"{plans[0].games:,}", folder=to))
    else:
        out.print(said("study.all_done", cells=cells, games=f"{study.size:,}", folder=to))
    page = study.report()[chosen_language()]
    out.print(said("study.report", file=page), soft_wrap=True)


def _list() -> None:
    from pli.study.report.quotes import in_language
    from pli.study.shipped import shipped

    out = console()
    for name, each in shipped().items():
        question = in_language(each.study.texts.question, chosen_language())
        out.print(f"{name}: {question}", highlight=False)


def _open(place: str) -> None:
    """The report of a folder or of a study that comes with the package, made anew, in the
    browser."""
    from pli.study import open_collection
    from pli.study.shipped import shipped

    language = chosen_language()
    if not Path(place).is_dir() and place in shipped():
        folder = _cache() / "studies" / __version__ / place
        page = shipped()[place].report(folder, [language])[language]
    else:
        page = open_collection(place).report()[language]
    console().print(words(language)("study.report", file=page), soft_wrap=True)
    if sys.stdout.isatty():
        webbrowser.open(page.resolve().as_uri())


def _cache() -> Path:
    named = os.environ.get("PLI_CACHE_DIR")
    return Path(named) if named else user_cache_path("pli", appauthor=False)


def _pairs(given: list[str] | None) -> dict[str, Any]:
    """NAME=VALUES, several times."""
    found = {}
    for text in given or []:
        name, equals, values = text.partition("=")
        if not equals:
            raise PliError("option_form", text=text)
        found[name.strip()] = values
    return found
