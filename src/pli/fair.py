"""A fair queue: round-robin over client addresses and then over their tables, so that a flood of
requests from one address delays no other."""

from collections import OrderedDict
from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


class FairQueue(Generic[T]):
    """Items are queued by address and, within it, by table. Addresses take turns, and so do the
    tables of each address; the items of one table are first in, first out."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, OrderedDict[str, OrderedDict[T, None]]] = OrderedDict()
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[T]:
        for tables in self._waiting.values():
            for items in tables.values():
                yield from items

    def of(self, address: str) -> int:
        """How many items of one address are queued."""
        return sum(len(items) for items in self._waiting.get(address, {}).values())

    def put(self, address: str, table: str, item: T) -> None:
        """Appends to its table's queue; an item that is queued already is not queued again."""
        tables = self._waiting.setdefault(address, OrderedDict())
        items = tables.setdefault(table, OrderedDict())
        if item not in items:
            items[item] = None
            self._length += 1

    def take(self) -> T:
        """Removes and returns the next item; IndexError if there is none."""
        if not self._waiting:
            raise IndexError("the queue is empty")
        address, tables = next(iter(self._waiting.items()))
        table, items = next(iter(tables.items()))
        item = next(iter(items))
        self.remove(address, table, item)
        if table in tables:
            tables.move_to_end(table)
        if address in self._waiting:
            self._waiting.move_to_end(address)
        return item

    def remove(self, address: str, table: str, item: T) -> bool:
        """Removes one item; returns whether it was there."""
        tables = self._waiting.get(address, OrderedDict())
        items = tables.get(table, OrderedDict())
        if item not in items:
            return False
        del items[item]
        self._length -= 1
        if not items:
            del tables[table]
        if not tables:
            del self._waiting[address]
        return True
