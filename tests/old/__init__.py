"""Games of version 1 of the rules, as the server of that version wrote them: of every game a table
whose game is finished and one whose game is not, in one journal, and the record of the finished
game. They are never written anew: what people have kept looks like this.
"""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent

VERSION = 1

GAMES = ("marshmallow", "plingo", "merci", "twinit")

SEATS: dict[str, dict[str, dict[str, Any]]] = json.loads((HERE / "seats.json").read_text())
"""By game, `finished` and `running`: the table, and the token of its host, who sits at seat 0."""


def record_file(game: str) -> Path:
    return HERE / f"{game}.record"


def put_journal(folder: Path) -> None:
    """The journal, where a server looks for it that has its tables in this folder."""
    with closing(sqlite3.connect(folder / "tables.db")) as db:
        db.executescript((HERE / "tables.sql").read_text())
