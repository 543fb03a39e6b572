"""`pli motifs`: a contact sheet of all motifs."""

from pathlib import Path
from typing import Annotated

import typer

from pli.cli.common import DEFAULT_LANGUAGE, Language, say, write_text
from pli.motifs.contact_sheet import contact_sheet


def run(
    out: Annotated[Path | None, typer.Option(metavar="FILE", help=say("cli.out"))] = None,
    lang: Language = DEFAULT_LANGUAGE,
) -> None:
    if out is None:
        print(contact_sheet())
    else:
        write_text(out, contact_sheet())
