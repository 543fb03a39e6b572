"""Which pictures the pages of a table know of: told in advance without saying what they belong to,
and tied to faces when those lie open, before anybody hears of what laid them open."""

from typing import TYPE_CHECKING

from pli.server.protocol import messages as m

if TYPE_CHECKING:
    from pli.server.rooms.room import Room


class Showing:
    """Of one table. What was told once stays known, also of faces that are hidden again."""

    def __init__(self, room: "Room") -> None:
        self._room = room
        self._game = ""
        self._faces: dict[str, str] = {}

    def news(self) -> m.Pictures | None:
        """What no page has been told; None: nothing."""
        table = self._room.table
        if table.sheets is None:
            return None
        anew = self._game != table.game_id
        if anew:
            self._game, self._faces = table.game_id, {}
        faces = {k: v for k, v in table.pictured().items() if k not in self._faces}
        self._faces |= faces
        sheets = sorted(table.sheets.names) if anew else []
        if not sheets and not faces:
            return None
        return m.Pictures(n=table.n, number=table.number, sheets=sheets, faces=faces)

    def all(self) -> m.Pictures | None:
        """What a page is told that comes now."""
        self.news()
        table = self._room.table
        if table.sheets is None:
            return None
        names = sorted(table.sheets.names)
        return m.Pictures(n=table.n, number=table.number, sheets=names, faces=self._faces)
