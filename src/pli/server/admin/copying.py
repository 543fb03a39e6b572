"""Copies a journal into another one, which may be in another kind of storage, and compares the
two."""

import hashlib
from collections.abc import AsyncIterator

import msgspec
from msgspec.structs import replace

from pli.errors import PliError
from pli.server.journal.maintenance import Contents, Maintenance, Progress, pages_of_names

BATCH_BYTES = 4_000_000
"""Of entries and records that are written in one transaction."""

BATCH_TABLES = 200


class Difference(msgspec.Struct, frozen=True):
    """Where two journals differ."""

    table: str
    what: str
    """`entry`, `record`, `listing` or `days`."""
    number: int | None = None


class Compared(msgspec.Struct):
    """What was compared."""

    tables: int = 0
    entries: int = 0
    records: int = 0
    days: int = 0
    differences: int = 0
    digest: str = ""
    """SHA-256 over all that the second journal holds."""


async def copy(
    source: Maintenance,
    target: Maintenance,
    resume: bool = False,
    progress: Progress = lambda n: None,
) -> None:
    """Tables are written in the order of their names, so that a copy that was interrupted goes on
    after the last one. PliError: the target is not empty, or a table is damaged."""
    last = await _last(target)
    if last and not resume:
        raise PliError("copy_not_empty")
    batch: list[Contents] = []
    size = 0
    async for contents in _tables(source):
        if contents.table <= last:
            progress(1)
            continue
        _must_be_whole(contents)
        batch.append(replace(contents, known=len(contents.entries)))
        size += _size(contents)
        if size > BATCH_BYTES or len(batch) >= BATCH_TABLES:
            await target.load(batch)
            progress(len(batch))
            batch, size = [], 0
    await target.load(batch)
    progress(len(batch))
    await target.set_days(await source.days())


async def compare(
    source: Maintenance,
    target: Maintenance,
    compared: Compared,
    progress: Progress = lambda n: None,
) -> AsyncIterator[Difference]:
    """Reads both again, and compares them entry by entry."""
    digest = hashlib.sha256()
    first, second = _tables(source), _tables(target)
    one, other = await anext(first, None), await anext(second, None)
    while one is not None or other is not None:
        name = min(each.table for each in (one, other) if each is not None)
        nothing = Contents(name, None, {}, {})
        ours = one if one is not None and one.table == name else nothing
        theirs = other if other is not None and other.table == name else nothing
        for difference in differences(ours, theirs):
            compared.differences += 1
            yield difference
        compared.tables += 1
        compared.entries += len(theirs.entries)
        compared.records += len(theirs.records)
        digest.update(msgspec.msgpack.encode(replace(theirs, known=0)))
        progress(1)
        one = await anext(first, None) if ours is one else one
        other = await anext(second, None) if theirs is other else other
    days = await target.days()
    if days != await source.days():
        compared.differences += 1
        yield Difference("", "days")
    compared.days = len(days)
    digest.update(msgspec.msgpack.encode(days))
    compared.digest = digest.hexdigest()


def differences(ours: Contents, theirs: Contents) -> list[Difference]:
    """The rows in which two versions of a table differ."""
    table = ours.table
    found = [Difference(table, "listing")] if ours.listing != theirs.listing else []
    for number in sorted(ours.entries.keys() | theirs.entries.keys()):
        if ours.entries.get(number) != theirs.entries.get(number):
            found.append(Difference(table, "entry", number))
    for number in sorted(ours.records.keys() | theirs.records.keys()):
        if ours.records.get(number) != theirs.records.get(number):
            found.append(Difference(table, "record", number))
    return found


async def _tables(journal: Maintenance) -> AsyncIterator[Contents]:
    async for names in pages_of_names(journal):
        for name in names:
            yield await journal.contents(name)


async def _last(journal: Maintenance) -> str:
    last = ""
    async for names in pages_of_names(journal):
        last = names[-1]
    return last


def _must_be_whole(contents: Contents) -> None:
    if (missing := contents.missing) is not None:
        raise PliError("copy_damaged", table=contents.table, n=missing)
    for number, record in contents.records.items():
        try:
            record.text.encode()
        except UnicodeEncodeError:
            raise PliError("copy_damaged_record", table=contents.table, number=number) from None


def _size(contents: Contents) -> int:
    texts = sum(len(each.text) for each in contents.records.values())
    return texts + sum(map(len, contents.entries.values()))
