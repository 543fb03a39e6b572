"""`pli scenario`: runs scenario files, one line each."""

from pathlib import Path
from typing import Annotated

import typer

from pli.cli.common import DEFAULT_LANGUAGE, Language, one_line, say
from pli.cli.table import console
from pli.errors import PliError
from pli.scenario import read_scenario
from pli.texts import words

DIFFERS = 1
MALFORMED = 2


def run(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help=say("cli.files"))],
    lang: Language = DEFAULT_LANGUAGE,
) -> None:
    out, tell = console(), words(lang)
    counts = {"ok": 0, "differ": 0, "malformed": 0}

    def line(key: str, /, **values: object) -> None:
        text = one_line(tell(f"scenario.{key}", **values))
        out.print(text, markup=False, soft_wrap=True)

    for file in files:
        try:
            found = read_scenario(file).run()
        except PliError as error:
            counts["malformed"] += 1
            line("malformed", file=file, why=error.text(lang))
            continue
        if found is None:
            counts["ok"] += 1
            line("ok", file=file)
        else:
            counts["differ"] += 1
            place = {"line": found.line, "step": found.step, "key": found.key}
            line("differs", file=file, wanted=found.wanted, got=found.got, **place)
    if counts["malformed"]:
        raise typer.Exit(MALFORMED)
    if counts["differ"]:
        raise typer.Exit(DIFFERS)
