"""How a game begins: collecting the pages' randomness, dealing, and rematches."""

from functools import partial

from pli.game import Seat
from pli.record.proof import new_secret
from pli.server.rooms.transaction import Listener, RoomAccess, Tx
from pli.server.tables import entries as e
from pli.server.tables.table import STAND_IN

WAITING = 1.5
"""Seconds that a deal waits for the randomness of pages that have not sent theirs."""

DRAWING = 6.0
"""The same where pages send it when they have loaded the pictures: so nobody begins to search while
others still see blank cards."""

AWAY = 5.0
"""Seconds in which a page that is reloaded is back: so long a rematch waits for it."""


OPTIONS = "options"
"""The kind of rematch before which options and seats can be changed: every table has it."""


class Dealer(Listener):
    """Of one table."""

    def __init__(self, access: RoomAccess) -> None:
        super().__init__(access)
        self.wants: dict[int, str] = {}
        """The kind of rematch that each seat wants."""
        self._beginning = False
        """The host asked for the cards, and pages are sending their randomness."""

    # The deal

    def prepare(self, tx: Tx) -> None:
        """Deals as soon as all connected players have sent their randomness, or after a moment."""
        self._beginning = True
        self.contributed(tx)
        if self._beginning:
            patience = WAITING if self._table.sheets is None else DRAWING
            late = partial(self._deal_late, self._table.game_id)
            self._scheduler.later(patience, partial(self._bus.post, late))

    def contributed(self, tx: Tx) -> None:
        """A player's randomness may have been the last that was missing."""
        if self._beginning and self._audience.people <= set(self._table.contributions):
            self._deal(tx)

    def _deal_late(self, game: str, tx: Tx) -> None:
        if self._table.game_id == game and self._beginning:
            self._deal(tx)

    def _deal(self, tx: Tx) -> None:
        if self._table.state == "waiting":
            self._beginning = False
            if any(chair.free for chair in self._table.chairs):
                return  # a player left at the last moment
            self.wants.clear()
            tx.record(e.Begun(version=self._table.game.version))

    # Rematches

    def play_again(self, tx: Tx) -> bool:
        """A rematch of the kind that most want, if all connected players want one. Players who are
        away keep their seats, with a bot that stands in; bots fill free seats. If one of the
        players wants other options, the table waits for its host instead, who may agree on
        anything with the others."""
        table, wants, present = self._table, self.wants, self._audience.people
        if table.state != "over" or not present or not present <= set(wants):
            return False
        kinds = table.rematches()
        wanted = [*wants.values()]
        changing = OPTIONS in wanted
        kind = next(iter(kinds)) if changing else max(dict.fromkeys(wanted), key=wanted.count)
        tx.record(e.Rematch(options=kinds[kind]))
        tx.record(e.Committed(number=table.number + 1, secret=new_secret()))
        wants.clear()
        if changing:
            return True  # the host begins
        for absent in sorted(set(table.people) - present):
            tx.record(e.Absent(seat=absent))
        for free in [each for each, chair in enumerate(table.chairs) if chair.free]:
            tx.record(e.Filled(seat=free, level=STAND_IN))
        self.prepare(tx)
        return True

    def went(self, seat: Seat) -> None:
        """A page is gone; if it does not come back the others play again without it."""
        if seat is not None:
            self.wants.pop(seat, None)
            if self.wants:
                self._scheduler.later(AWAY, partial(self._bus.post, self._again_without))

    def left(self, tx: Tx, seat: int) -> None:
        """A player gave the seat up: the others may have waited for it."""
        self.wants.pop(seat, None)
        self.play_again(tx)

    def _again_without(self, tx: Tx) -> None:
        if self.wants:
            self.play_again(tx)

    def reset(self) -> None:
        self._beginning = False
        self.wants.clear()
