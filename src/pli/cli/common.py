"""What the commands share: languages, options, numbers, error messages."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from platformdirs import user_data_path
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)

from pli import games
from pli.bots import LEVELS
from pli.errors import BadOption, PliError
from pli.game import AnyGame, Options, described_options, in_language, read_options
from pli.texts import LANGUAGES, Words, system_language, words

say = words(system_language())
"""Help texts are in the system's language, since they are printed before --lang is read."""

_chosen = {"language": system_language()}


def language(name: str) -> str:
    if name not in LANGUAGES:
        raise PliError("unknown_language", name=name, known=", ".join(LANGUAGES))
    _chosen["language"] = name
    return name


MOST = (1 << 63) - 1


def whole(name: str, least: int) -> Callable[[str], int]:
    """Reads a whole number of at least so many."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if not least <= number <= MOST:
            raise BadOption(name=name, value=text, allowed=f"{least}-{MOST}")
        return number

    return read


KNOWN = ", ".join(games.built_in())
"""Help texts are made before `--games` is read."""

GameName = Annotated[str, typer.Argument(metavar="GAME", help=say("cli.game", known=KNOWN))]
Language = Annotated[
    str,
    typer.Option("--lang", metavar="LANG", parser=language, help=say("cli.language")),
]
Seats = Annotated[str | None, typer.Option(metavar="N", help=say("cli.seats"))]
Chosen = Annotated[
    list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help=say("cli.option"))
]
Seed = Annotated[str | None, typer.Option(metavar="SEED", help=say("cli.seed"))]
ManySeed = Annotated[
    int, typer.Option(metavar="SEED", parser=whole("seed", 0), help=say("cli.seed"))
]
"""Of many games, each of which has its own from this one."""
Threads = Annotated[
    int, typer.Option(metavar="N", parser=whole("threads", 0), help=say("cli.threads"))
]
Json = Annotated[bool, typer.Option("--json", help=say("cli.json"))]
GamesFile = Annotated[Path | None, typer.Option("--to", metavar="FILE", help=say("cli.games_file"))]
KNOWN_BOTS = ", ".join(["random", *LEVELS])
BotNames = Annotated[str, typer.Option(metavar="BOT", help=say("cli.bots", known=KNOWN_BOTS))]
OtherBots = Annotated[
    str | None,
    typer.Option(
        "--bots",
        metavar="BOT",
        help=say("cli.bots_simulated", known=KNOWN_BOTS),
    ),
]
Database = Annotated[str | None, typer.Option("--db", metavar="URL", help=say("cli.db"))]
DEFAULT_LANGUAGE = system_language()


def database(url: str | None) -> str:
    """The folder of the server's tables."""
    return url or f"sqlite:///{user_data_path('pli') / 'tables.db'}"


def chosen_language() -> str:
    return _chosen["language"]


def game_words(name: str) -> Words:
    return words(_chosen["language"], name)


def chosen_options(
    game: AnyGame, seats: str | None, chosen: list[str] | None, by_language: bool = False
) -> Any:
    """With `by_language`, options that were not given follow the player's language."""
    given: dict[str, object] = {}
    if by_language:
        given |= in_language(game, _chosen["language"])
    for text in chosen or []:
        name, equals, value = text.partition("=")
        if not equals:
            raise PliError("option_form", text=text)
        given[name] = value
    if seats is not None:
        given["seats"] = seats
    return read_options(game, given)


def tell_house_rules(out: Console, options: Options, words: Words) -> None:
    """By what a game departs from the printed rules, if it does."""
    marks = {each.name: each.marks for each in described_options(type(options))}
    names = []
    for name in options.departures():
        ours = " " + words("house.proposal") if marks[name].get("proposal") else ""
        names.append(f"{name}={getattr(options, name)}{ours}")
    if names:
        out.print(words("house.rules", names=", ".join(names)), markup=False)


def progress(*more: ProgressColumn) -> Progress:
    """A bar on the error stream, if that is a terminal, that is gone when all is done."""
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        *more,
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


def complain(problem: PliError | str) -> None:
    """One line, in the reader's language."""
    text = problem.text(_chosen["language"]) if isinstance(problem, PliError) else problem
    err = Console(stderr=True, soft_wrap=True, emoji=False)
    err.print(f"pli: {one_line(text)}", markup=False, highlight=False)


def one_line(text: str) -> str:
    """Without line breaks, and without what would move a terminal's cursor."""
    return "".join(each if each.isprintable() else " " for each in text).strip()


def read_text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, ValueError):
        raise PliError("unreadable_file", file=file) from None


def write_text(file: Path, text: str) -> None:
    """Writes atomically: an existing file stays until the new one is complete. A device or a pipe
    is written to and never replaced."""
    try:
        if file.exists() and not file.is_file():
            file.write_text(text, encoding="utf-8")
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        beside = file.with_name(f".{file.name}.{os.getpid()}")
        beside.write_text(text, encoding="utf-8")
        beside.replace(file)
    except (OSError, ValueError):
        raise PliError("unwritable_file", file=file) from None
