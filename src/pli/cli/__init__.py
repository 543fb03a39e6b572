"""The command `pli`."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer
from typer.exceptions import TyperException

from pli import __version__, games
from pli.cli import (
    admin,
    arena,
    backup,
    check,
    hint,
    ladder,
    motifs,
    play,
    replay,
    rules,
    scenario,
    serve,
    simulate,
    study,
    verify,
)
from pli.cli.common import complain, say
from pli.errors import PliError
from pli.extras import missing

app = typer.Typer(
    help=say("cli.about"),
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode="rich",
)


def tell_version(asked: bool) -> None:
    if asked:
        typer.echo(f"pli {__version__}")
        raise typer.Exit


@app.callback()
def before_any_command(
    folder: Annotated[
        list[Path] | None, typer.Option("--games", metavar="FOLDER", help=say("cli.games_from"))
    ] = None,
    version: Annotated[
        bool,
        typer.Option("--version", callback=tell_version, is_eager=True, help=say("cli.version")),
    ] = False,
) -> None:
    """What can be said before the name of a command."""
    for each in folder or ():
        games.add(each)


for command in (
    serve,
    play,
    scenario,
    check,
    simulate,
    study,
    arena,
    ladder,
    replay,
    verify,
    hint,
    rules,
    motifs,
    backup,
):
    name = command.__name__.rpartition(".")[2]
    app.command(name, help=say(f"cli.{name}"))(command.run)

app.add_typer(admin.app, name="admin")

BAD_INPUT = 2


def main() -> None:
    """Bad input is told in one line; only a bug shows a traceback."""
    sys.path.append(os.getcwd())  # where one's own bots are
    try:
        code = app(standalone_mode=False)
    except PliError as error:
        complain(error)
        code = BAD_INPUT
    except ModuleNotFoundError as error:
        extra = missing(error)
        if extra is None:
            raise
        complain(extra)
        code = BAD_INPUT
    except TyperException as error:
        if told := error.format_message():  # nothing beside the help that was printed
            complain(told)
        code = BAD_INPUT
    except typer.Abort:
        code = BAD_INPUT
    except OSError as error:  # a full disk, a closed pipe
        complain(error.strerror or type(error).__name__)
        code = BAD_INPUT
    sys.exit(code if isinstance(code, int) else 0)
