"""Somebody's page, as the room of a table knows it, and how it is told what is wrong."""

from typing import Protocol

from pli.errors import PliError
from pli.game import Seat
from pli.server.moves.lag import Lag
from pli.server.protocol import messages as m


class Viewer(Protocol):
    """Somebody's page."""

    seat: Seat
    token: str | None
    language: m.Language
    address: str
    """Where it comes from: what limits count by."""
    lists: bool
    """Whether it is told what may be done."""
    lag: Lag
    changes: bool
    """It asked for changes alone."""
    told: m.Welcome | m.Update | None
    """What those are changes of."""

    def tell(self, data: bytes) -> None: ...
    def close(self, code: m.Farewell) -> None: ...


def problem_of(error: PliError, language: str, game: str | None = None) -> m.Problem:
    return m.Problem(code=error.code, text=error.text(language, game))
