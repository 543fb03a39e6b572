"""A cell on a node of a cluster: what was sent there is played, and the answer is plain data.

The process that asks may be of another version. So this is told first, and nothing of the package's
own types is in a message.
"""

from collections.abc import Callable, Mapping
from functools import cache
from time import monotonic
from typing import Any

from pli.errors import PliError
from pli.games.packing import unpack
from pli.study.installation import installation
from pli.study.job import TELL, Told, cell_files
from pli.study.plan import Cell, Plan, cells, read


def answer(
    request: Mapping[str, Any], game: Mapping[str, bytes] | None, told: Callable[[int], object]
) -> dict[str, Any]:
    """Plays the cell that is asked for: `{"files": ...}`, or `{"error": CODE, "details": ...}`.
    `game` is one from outside, as it was packed."""
    if request["installation"] != installation():
        versions = {"here": request["installation"], "there": installation()}
        return {"error": "node_differs", "details": versions}
    try:
        if game is not None:
            unpack(request["game"], game, request["installed"])
        plan = _plan(request["plan"])
        cell = _cells(request["plan"])[request["cell"]]
        return {"files": cell_files(plan, cell, 1, _now_and_then(told))}
    except PliError as error:
        details = {name: str(value) for name, value in error.details.items()}
        return {"error": error.code, "details": details}


@cache
def _plan(text: str) -> Plan:
    return read(text)


@cache
def _cells(text: str) -> list[Cell]:
    return cells(_plan(text))


def _now_and_then(told: Callable[[int], object]) -> Told:
    after = monotonic() + TELL

    def tell(played: int) -> None:
        nonlocal after
        if monotonic() >= after:
            told(played)
            after = monotonic() + TELL

    return tell
