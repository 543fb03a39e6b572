"""`pli motifs`: a contact sheet of all motifs."""

from pathlib import Path
from typing import Annotated

import typer

from pli.cli.common import DEFAULT_LANGUAGE, Language, say, write_text
from pli.motifs.sheet import sheet


def run(
    out: Annotated[Path | None, typer.Option(metavar="FILE", help=say("cli.out"))] = None,
    lang: Language = DEFAULT_LANGUAGE,
) -> None:
    if out is None:
        print(sheet())
    else:
        write_text(out, sheet())
