"""Which sprite sheets the pages of a table know of. Sheets are announced in advance, without saying
what they show; a face is tied to its place on a sheet when it lies open, before anybody is told of
the move that laid it open."""

from collections.abc import Callable

from pli.server.protocol import messages as m
from pli.server.tables.table import ReadOnlyTable


class Faces:
    """Of one table. What was told once stays known, also of faces that are hidden again."""

    def __init__(self, table: ReadOnlyTable, hidden: Callable[[], bool]) -> None:
        """`hidden`: whether no face may be told yet."""
        self._table = table
        self._hidden = hidden
        self._game = ""
        self._faces: dict[str, str] = {}

    def news(self) -> m.Pictures | None:
        """What no page has been told; None: nothing."""
        table = self._table
        if table.sheets is None:
            return None
        new_game = self._game != table.game_id
        if new_game:
            self._game, self._faces = table.game_id, {}
        pictured = {} if self._hidden() else table.pictured()
        faces = {k: v for k, v in pictured.items() if k not in self._faces}
        self._faces |= faces
        sheets = sorted(table.sheets.names) if new_game else []
        if not sheets and not faces:
            return None
        return m.Pictures(n=table.n, number=table.number, sheets=sheets, faces=faces)

    def all(self) -> m.Pictures | None:
        """What a page is told that connects now."""
        self.news()
        table = self._table
        if table.sheets is None:
            return None
        names = sorted(table.sheets.names)
        return m.Pictures(n=table.n, number=table.number, sheets=names, faces=self._faces)
