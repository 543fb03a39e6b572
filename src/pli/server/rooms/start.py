"""How a game begins: when the cards are dealt, and how the same people play again."""

from typing import TYPE_CHECKING

from pli.record.proof import new_secret
from pli.server.tables import entries as e
from pli.server.tables.table import STAND_IN

if TYPE_CHECKING:
    from pli.server.rooms.room import Room

WAITING = 1.5
"""Seconds that a deal waits for the randomness of pages that have not given theirs."""

DRAWING = 6.0
"""The same where pages give it when they have the pictures: nobody searches for what only others
see, and of a minute that runs nothing is lost to blank cards."""


def prepare(room: "Room") -> None:
    """Deals as soon as all pages that are there have added their randomness, or after a moment."""
    room.beginning = True
    if not deal_if_ready(room):
        game = room.table.game_id

        def late() -> None:
            if room.table.game_id == game:
                deal_anyway(room)

        patience = WAITING if room.table.sheets is None else DRAWING
        room.loop.call_later(patience, lambda: room.submit(late))


def deal_if_ready(room: "Room") -> bool:
    if there(room) <= set(room.table.contributions):
        deal_anyway(room)
    return not room.beginning


def deal_anyway(room: "Room") -> None:
    if room.beginning and room.table.state == "waiting":
        room.beginning = False
        if any(chair.free for chair in room.table.chairs):
            return  # somebody left at the last moment
        room.presence.wants.clear()
        room.enter(e.Begun(version=room.table.game.version))


def play_again(room: "Room") -> bool:
    """A rematch, of the kind that most want, if all who are there want one. Who is not there is
    kept its seat, and bots fill the others."""
    table, wants = room.table, room.presence.wants
    present = there(room)
    if table.state != "over" or not present or not present <= set(wants):
        return False
    kinds = table.rematches()
    wanted = [*wants.values()]
    kind = max(dict.fromkeys(wanted), key=wanted.count)
    room.enter(e.Rematch(options=kinds[kind]))
    room.enter(e.Committed(number=table.number + 1, secret=new_secret()))
    wants.clear()
    for absent in sorted(set(table.people) - present):
        room.enter(e.Absent(seat=absent))
    for free in [each for each, chair in enumerate(table.chairs) if chair.free]:
        room.enter(e.Filled(seat=free, level=STAND_IN))
    prepare(room)
    return True


def there(room: "Room") -> set[int]:
    """The seats whose people are at the table."""
    return {viewer.seat for viewer in room.viewers if viewer.seat is not None}
