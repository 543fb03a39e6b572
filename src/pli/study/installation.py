"""What decides, besides the plan, which bytes a cell has: this package and the writer of tables."""

import hashlib
from functools import cache
from pathlib import Path

import polars

from pli import __version__

PACKAGE = Path(__file__).parent.parent

ASIDE = {"server", "cli", "texts", "__pycache__"}
"""Folders that play no part in it."""


@cache
def installation() -> str:
    """In a line, for people as well: two that are equal give the same bytes."""
    digest = hashlib.sha256()
    for file in sorted(PACKAGE.rglob("*")):
        name = file.relative_to(PACKAGE)
        if file.is_file() and not ASIDE.intersection(name.parts):
            digest.update(name.as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return f"pli {__version__} ({digest.hexdigest()[:8]}), polars {polars.__version__}"
