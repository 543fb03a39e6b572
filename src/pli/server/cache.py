"""What was worked out and may be asked for again, as far as there is room for it."""

from collections import OrderedDict
from collections.abc import Hashable

OVERHEAD = 500
"""Bytes that keeping something takes beside what is kept."""


class Cache:
    """Holds so many bytes; of more, those are forgotten that nobody asked for longest."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self.size = 0

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Hashable) -> bytes | None:
        data = self._kept.get(key)
        if data is not None:
            self._kept.move_to_end(key)
        return data

    def put(self, key: Hashable, data: bytes) -> None:
        if key in self._kept:
            self.size -= OVERHEAD + len(self._kept.pop(key))
        self._kept[key] = data
        self.size += OVERHEAD + len(data)
        while self.size > self._most:
            _, forgotten = self._kept.popitem(last=False)
            self.size -= OVERHEAD + len(forgotten)
