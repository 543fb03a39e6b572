"""A queue in which everybody has the same share: whoever has waited for a turn is next, whatever
the number of things that others have put in."""

from collections import OrderedDict
from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


class FairQueue(Generic[T]):
    """Things wait under the address that asked, and there under the table they are for. Addresses
    take turns, and so do the tables of each address; the things of one table go in order."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, OrderedDict[str, OrderedDict[T, None]]] = OrderedDict()
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[T]:
        for tables in self._waiting.values():
            for things in tables.values():
                yield from things

    def of(self, address: str) -> int:
        """How many wait for one address."""
        return sum(len(things) for things in self._waiting.get(address, {}).values())

    def put(self, address: str, table: str, thing: T) -> None:
        """At the end of its table's line; a second time does nothing."""
        tables = self._waiting.setdefault(address, OrderedDict())
        things = tables.setdefault(table, OrderedDict())
        if thing not in things:
            things[thing] = None
            self._length += 1

    def take(self) -> T:
        """The next one; IndexError: there is none."""
        if not self._waiting:
            raise IndexError("nothing waits")
        address, tables = next(iter(self._waiting.items()))
        table, things = next(iter(tables.items()))
        thing = next(iter(things))
        self.remove(address, table, thing)
        if table in tables:
            tables.move_to_end(table)
        if address in self._waiting:
            self._waiting.move_to_end(address)
        return thing

    def remove(self, address: str, table: str, thing: T) -> bool:
        """Nobody waits for it any more. Says whether it was there."""
        tables = self._waiting.get(address, OrderedDict())
        things = tables.get(table, OrderedDict())
        if thing not in things:
            return False
        del things[thing]
        self._length -= 1
        if not things:
            del tables[table]
        if not tables:
            del self._waiting[address]
        return True
