"""`pli check`: checks a game for all that holds of every game, one line a property."""

from typing import Annotated

import typer

from pli.cli.common import (
    DEFAULT_LANGUAGE,
    Chosen,
    Language,
    ManySeed,
    Seats,
    chosen_options,
    one_line,
    progress,
    say,
    whole,
)
from pli.cli.table import console
from pli.testing import NAMES, Result, examine
from pli.testing.check import GAMES, find_game, named_properties
from pli.texts import Words, words

FAILED = 1


def run(
    game: Annotated[str, typer.Argument(metavar="GAME|FOLDER", help=say("cli.game_or_folder"))],
    seats: Seats = None,
    option: Chosen = None,
    games: Annotated[
        int, typer.Option(metavar="N", parser=whole("games", 1), help=say("cli.games_checked"))
    ] = GAMES,
    properties: Annotated[
        list[str] | None,
        typer.Option(
            "--property",
            metavar="PROPERTY",
            help=say("cli.properties", known=", ".join(NAMES)),
        ),
    ] = None,
    seed: ManySeed = 0,
    plain: Annotated[bool, typer.Option("--plain", help=say("cli.not_compiled"))] = False,
    lang: Language = DEFAULT_LANGUAGE,
) -> None:
    tell, out = words(lang), console()
    named_properties(properties)
    found = find_game(game)
    options = None
    if seats is not None or option:
        chosen = chosen_options(found, seats, option)
        options = {name: getattr(chosen, name) for name in chosen.__struct_fields__}
    with progress() as bar:
        task = bar.add_task(tell("check.playing", game=found.name))
        results = examine(
            found,
            properties=properties,
            options=options,
            games=games,
            seed=seed,
            compiled=not plain,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
    for each in results:
        out.print(line(each, tell), markup=False, soft_wrap=True)
    failures = [each.failure for each in results if each.failure is not None]
    for failure in failures:
        out.print()
        out.print(failure.text(lang), markup=False, soft_wrap=True)
    if failures:
        raise typer.Exit(FAILED)


def line(result: Result, tell: Words) -> str:
    """What became of a property."""
    name = result.name
    if result.failure is not None:
        return one_line(tell("check.failed", name=name))
    if result.skipped is not None:
        return one_line(tell("check.skipped", name=name, why=tell(f"check.{result.skipped}")))
    return one_line(tell("check.ok", name=name, about=tell(f"check.about.{name}")))
