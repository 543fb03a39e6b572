"""What the pages of a table are told of what was entered, each seat as it may see it: all of it, or
what is not as it was before to those that asked for changes."""

from typing import TYPE_CHECKING

import msgspec

from pli.game import Seat
from pli.match import Match
from pli.server.protocol import messages as m
from pli.server.rooms.viewer import Viewer
from pli.server.tables import entries as e

if TYPE_CHECKING:
    from pli.server.rooms.room import Room

QUIET: frozenset[type[e.AnyEntry]] = frozenset((e.Acted, e.Ticked))
"""Entries that change nothing around the table."""

MOVES = QUIET | {e.Begun}
"""Entries with which something happens in the game."""

_encode = msgspec.json.Encoder().encode


class Broadcast:
    """Of one table."""

    def __init__(self, room: "Room") -> None:
        self._room = room
        self._did: tuple[Seat, int] = (None, 0)

    def did(self, seat: int, number: int) -> None:
        """A page's action is among what is being entered."""
        self._did = (seat, number)

    def welcome(self, viewer: Viewer) -> None:
        """All that a page may know; where nobody may watch, who has no seat is sent away. To be
        called from submitted work."""
        room, seat = self._room, viewer.seat
        if seat is None and not room.table.settings.spectators:
            viewer.close("no_spectators")
            return
        match = room.table.match
        pictures = room.showing.all()
        if pictures is not None:
            room.tell(viewer, pictures)
        told = m.Welcome(
            seat=seat,
            table=room.info(),
            n=room.table.n,
            time=room.clock.now(),
            acted=room.table.chairs[seat].acted if seat is not None else 0,
            view=match.view(seat) if match is not None else None,
            legal=match.legal(seat) if match and seat is not None and viewer.lists else [],
            clock=room.presence.deadline,
        )
        viewer.told = told if viewer.changes else None
        room.tell(viewer, told)

    def around(self, kinds: set[type[e.AnyEntry]]) -> list[tuple[Viewer, bytes]]:
        """To everyone alike: pictures, who sits where, what is played."""
        room = self._room
        news: list[m.ToPage] = []
        pictures = room.showing.news()
        if pictures is not None:
            news.append(pictures)
        if not kinds <= QUIET:
            news.append(m.Table(table=room.info()))
        written = [_encode(each) for each in news]
        return [(viewer, data) for data in written for viewer in room.viewers]

    def moves(self, match: Match) -> list[tuple[Viewer, bytes]]:
        """To everyone what happened in the game, as its seat may see it."""
        room, table = self._room, self._room.table
        told, table.seen = table.seen, {}
        room.bots.saw(told)
        deadline, now = room.presence.deadline, room.clock.now()
        (seat, number), self._did = self._did, (None, 0)
        listed = {each.seat for each in room.viewers if each.lists}.intersection(match.actors)
        seats = list({viewer.seat for viewer in room.viewers})
        updates = {
            at: m.Update(
                n=table.n,
                time=now,
                events=told.get(at, []),
                view=view,
                legal=match.legal(at) if at is not None and at in listed else [],
                did=number if at == seat else 0,
                clock=deadline,
            )
            for at, view in zip(seats, match.views(seats), strict=True)
        }
        return _written(room.viewers, updates)


def _written(viewers: list[Viewer], updates: dict[Seat, m.Update]) -> list[tuple[Viewer, bytes]]:
    """Each message once, however many it goes to."""
    written: dict[tuple[Seat, int], bytes] = {}
    out: list[tuple[Viewer, bytes]] = []
    for viewer in viewers:
        update, before = updates[viewer.seat], viewer.told
        key = (viewer.seat, id(before))
        if key not in written:
            written[key] = _encode(update if before is None else change(before, update))
        if viewer.changes:
            viewer.told = update
        out.append((viewer, written[key]))
    return out


def change(before: m.Welcome | m.Update, now: m.Update) -> m.Update | m.Change:
    """What is not as it was."""
    if before.view is None:
        return now
    had, has = set(before.legal), set(now.legal)
    return m.Change(
        n=now.n,
        time=now.time,
        events=now.events,
        view={
            name: value
            for name, value in msgspec.structs.asdict(now.view).items()
            if value != getattr(before.view, name)
        },
        gone=[each for each in before.legal if each not in has],
        more=[each for each in now.legal if each not in had],
        did=now.did,
        clock=now.clock,
    )
