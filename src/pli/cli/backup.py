"""`pli backup`: a copy of all tables, from a server that runs or one that does not."""

from pathlib import Path
from typing import Annotated

import typer

from pli.cli.common import DEFAULT_LANGUAGE, Database, Language, database, progress, say
from pli.cli.table import console
from pli.errors import PliError
from pli.texts import words

MEGA = 1_000_000


def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=say("cli.backup_file"))],
    db: Database = None,
    force: Annotated[bool, typer.Option("--force", help=say("cli.force"))] = False,
    lang: Language = DEFAULT_LANGUAGE,
) -> None:
    # The server's libraries are slow to import: not for every other command.
    from pli.server.journal.open import journal_file
    from pli.server.journal.sqlite.backup import back_up

    if file.exists() and not force:
        raise PliError("file_exists", file=file)
    told = words(lang)
    bar = progress()
    task = bar.add_task(told("backup.copying"))

    def show(done: int, of: int) -> None:
        bar.start()  # only now: what can't be copied is told in one line
        bar.update(task, completed=done, total=of)

    try:
        tables = back_up(journal_file(database(db)), file, show)
    finally:
        if bar.live.is_started:
            bar.stop()
    size = f"{file.stat().st_size / MEGA:.1f}"
    line = told("backup.done", n=tables, size=size, file=file)
    console().print(line, markup=False, highlight=False, soft_wrap=True)
