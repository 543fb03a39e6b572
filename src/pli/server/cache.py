"""An LRU cache of byte strings, bounded by their total size."""

from collections import OrderedDict
from collections.abc import Callable, Hashable

OVERHEAD = 500
"""Bytes of memory that an item takes beside its data."""


class Cache:
    """Holds at most so many bytes; the least recently used items are evicted."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._items: OrderedDict[Hashable, bytes] = OrderedDict()
        self.size = 0

    def __len__(self) -> int:
        return len(self._items)

    def get(self, key: Hashable) -> bytes | None:
        data = self._items.get(key)
        if data is not None:
            self._items.move_to_end(key)
        return data

    def put(self, key: Hashable, data: bytes) -> None:
        if key in self._items:
            self.size -= OVERHEAD + len(self._items.pop(key))
        self._items[key] = data
        self.size += OVERHEAD + len(data)
        while self.size > self._max_bytes:
            _, evicted = self._items.popitem(last=False)
            self.size -= OVERHEAD + len(evicted)

    def drop(self, unwanted: Callable[[Hashable], bool]) -> None:
        """Removes the items with such keys."""
        for key in [key for key in self._items if unwanted(key)]:
            self.size -= OVERHEAD + len(self._items.pop(key))
