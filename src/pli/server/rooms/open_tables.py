"""The public list of open tables: those where a player waits now, with a fair share for every
address. Made from the rooms in memory, since only they have connected players."""

import time

from pli.server.limits import Limits
from pli.server.protocol.bodies import OpenTable, OpenTables
from pli.server.rooms.room import Room
from pli.server.tables.listing import open_table

FRESH = 1.0
"""Seconds for which a list is cached."""


class OpenTableList:
    def __init__(self, rooms: dict[str, Room], limits: Limits) -> None:
        self._rooms = rooms
        self._limits = limits
        self._tables: dict[str, OpenTable] = {}
        """As they were listed last, newest first."""
        self._told = float("-inf")
        self._turn = 0

    def tables(self) -> OpenTables:
        now = time.monotonic()
        if now - self._told >= FRESH:
            self._told = now
            self._tables = {
                room.table.name: shown
                for room in self._chosen()
                if (shown := self._shown(room)) is not None
            }
        return OpenTables(tables=[*self._tables.values()])

    def dated(self) -> list[tuple[int, OpenTable]]:
        """With the time at which each was made."""
        tables = self.tables().tables
        rooms = ((self._rooms.get(each.id), each) for each in tables)
        return [(room.table.made_at, each) for room, each in rooms if room is not None]

    def _shown(self, room: Room) -> OpenTable | None:
        """While a commit is under way the table's state is not public yet: the last is listed."""
        name = room.table.name
        return self._tables.get(name) if room.busy else open_table(room.table)

    def _chosen(self) -> list[Room]:
        """Newest first. If there are too many, each address is listed once before any is listed
        twice; if there are too many addresses, they take turns from one list to the next."""
        waiting = [
            (room, address)
            for room in reversed(self._rooms.values())
            if (address := waits_at(room)) is not None
        ]
        waiting.sort(key=lambda each: -each[0].table.made_at)
        shares: dict[str, list[Room]] = {}
        for room, address in waiting:
            shares.setdefault(address, []).append(room)
        addresses = [*shares]
        if len(addresses) > self._limits.listed:
            addresses.sort()
            begin = self._turn % len(addresses)
            self._turn = begin + self._limits.listed
            addresses = addresses[begin:] + addresses[:begin]
        rounds = range(self._limits.listed_each)
        chosen = [shares[each][n] for n in rounds for each in addresses if n < len(shares[each])]
        listed = {room.table.name for room in chosen[: self._limits.listed]}
        return [room for room, _ in waiting if room.table.name in listed]


def waits_at(room: Room) -> str | None:
    """The address of the host's page, or of another player's, if this is a public table with free
    seats and a player who is connected."""
    table = room.table
    if not table.public or table.state != "waiting":
        return None
    if not any(chair.free for chair in table.chairs):
        return None
    there = [viewer for viewer in room.audience if viewer.seat is not None]
    first = next((viewer for viewer in there if viewer.seat == table.host), None)
    return (first or there[0]).address if there else None
