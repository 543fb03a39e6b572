"""The connected pages of one table."""

from collections.abc import Callable, Iterator
from typing import Protocol

import msgspec

from pli.errors import PliError
from pli.game import Seat
from pli.server.moves.lag import Lag
from pli.server.protocol import messages as m

NOTICEABLE = 10
"""ms by which an allowance changes before the page is told."""

encode = msgspec.json.Encoder().encode


class Viewer(Protocol):
    """A connected page, as a room knows it."""

    seat: Seat
    token: str | None
    language: m.Language
    name: str | None
    """Under which a spectator is shown, if it likes."""
    address: str
    """The client's address, by which limits and budgets are counted."""
    lists: bool
    """Whether it is sent the legal actions."""
    lag: Lag
    starts: bool
    """Whether it takes part in the common start of a game."""
    changes: bool
    """Whether it asked for delta updates."""
    told: m.Welcome | m.Update | None
    """What the next delta is relative to."""

    def tell(self, data: bytes) -> None: ...
    def close(self, code: m.Farewell) -> None: ...

    def move(self) -> None:
        """Another server runs the table from now on: the page is to be attached there."""


def problem_of(error: PliError, language: str, game: str | None = None) -> m.Problem:
    return m.Problem(code=error.code, text=error.text(language, game))


class Audience:
    """The viewers of one table: those that were welcomed, and those that are about to be."""

    def __init__(self, changed: Callable[[], None]) -> None:
        """`changed` is called when other seats are watched than before."""
        self.viewers: list[Viewer] = []
        self.arriving: list[Viewer] = []
        self.seats: set[Seat] = set()
        """The seats that are watched; None is a spectator."""
        self.people: set[int] = set()
        """The seats whose player is connected."""
        self.listing: set[Seat] = set()
        """The seats whose page is sent the legal actions."""
        self._announce = changed

    def __bool__(self) -> bool:
        return bool(self.viewers)

    def __iter__(self) -> Iterator[Viewer]:
        return iter(self.viewers)

    @property
    def everyone(self) -> list[Viewer]:
        return [*self.viewers, *self.arriving]

    @property
    def spectators(self) -> int:
        return sum(viewer.seat is None for viewer in self.viewers)

    @property
    def spectator_names(self) -> list[str]:
        """Of those who gave one, each once: a person may have several pages."""
        names = (viewer.name for viewer in self.viewers if viewer.seat is None)
        return [*dict.fromkeys(name for name in names if name is not None)]

    @property
    def address(self) -> str | None:
        """Of a player at the table: those who share an address take turns with other addresses."""
        return next((viewer.address for viewer in self.viewers if viewer.seat is not None), None)

    def at(self, seat: int) -> list[Viewer]:
        return [viewer for viewer in self.viewers if viewer.seat == seat]

    def add(self, viewer: Viewer) -> None:
        """A page that was arriving takes its place; another one for the same seat is closed."""
        self.arriving.remove(viewer)
        if viewer.seat is not None:
            for other in self.at(viewer.seat):
                self.viewers.remove(other)
                other.close("replaced")
        self.viewers.append(viewer)
        self._changed()

    def remove(self, viewer: Viewer) -> None:
        self.viewers.remove(viewer)
        self._changed()

    def clear(self) -> list[Viewer]:
        """Removes all pages, and gives them."""
        gone = self.everyone
        self.viewers.clear()
        self.arriving.clear()
        self._changed()
        return gone

    def assign(self, viewer: Viewer, seat: Seat) -> None:
        """The page watches from another seat, or as a spectator."""
        viewer.seat = seat
        self._changed()

    def _changed(self) -> None:
        self.seats = {viewer.seat for viewer in self.viewers}
        self.people = {seat for seat in self.seats if seat is not None}
        self.listing = {viewer.seat for viewer in self.viewers if viewer.lists}
        self._announce()

    def tell(self, data: bytes) -> None:
        for viewer in self.viewers:
            viewer.tell(data)

    def complain(self, error: PliError) -> None:
        """Tells every page in its language."""
        for viewer in self.everyone:
            explain(viewer, error)


def add_sample(viewer: Viewer, round_trip: float) -> None:
    """A measured round trip in ms. The page is told if its allowance changes noticeably."""
    lag = viewer.lag
    before = lag.allowance
    lag.add_sample(round_trip)
    if abs(lag.allowance - before) >= NOTICEABLE:
        viewer.tell(encode(m.Line(round_trip=lag.allowance)))


def explain(viewer: Viewer, error: PliError, game: str | None = None) -> None:
    """Tells a page what is wrong."""
    viewer.tell(encode(problem_of(error, viewer.language, game)))
