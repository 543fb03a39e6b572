"""A journal of any engine: what it keeps, in which order, and what it refuses."""

import asyncio
import random
import sqlite3
import threading
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import pytest
from msgspec.structs import replace

from pli.server.journal.api import (
    Append,
    Conflict,
    Journal,
    JournalProblem,
    KeptRecord,
    NotRead,
    NotSaved,
    State,
)
from pli.server.journal.sqlite.rows import MAX_ROWS
from pli.server.journal.sqlite.schema import PAGE_SIZE
from tests.server.journal.samples import begin, entry, listing, opened, opened_at, outcomes
from tests.server.journal.sqlite_faults import Connections

FILE = "journal.db"


def codes(problems: list[JournalProblem | None]) -> list[str | None]:
    return [None if problem is None else problem.code for problem in problems]


# Entries


async def test_entries_come_back_as_they_were_written_from_any_number_on(place: str) -> None:
    written = [b"plain", b"", b"a\0b", b"\xff\xfe", "é".encode(), b"x" * 10_000, b",", b"1,2", b""]
    async with opened_at(place) as journal:
        await journal.append(Append("T", 0, written[:2]))
        await journal.append(Append("T", 2, written[2:]))
        await begin(journal, "U")
        for since in range(len(written) + 2):
            assert await journal.entries("T", since) == written[since:]
    async with opened_at(place) as journal:
        assert await journal.entries("T") == written
        assert await journal.entries("V") == []


async def test_an_entry_is_written_once_and_of_a_second_try_nothing_stays(place: str) -> None:
    async with opened_at(place) as journal:
        await begin(journal, "T")
        late = entry(
            "T", 0, b"late", b"later", listing=listing("T", "over"), record=KeptRecord(1, "text")
        )
        with pytest.raises(Conflict) as caught:
            await journal.append(late)
        assert caught.value.details == {"table": "T", "number": 0}
        assert journal.healthy  # it is nobody's fault
        assert await journal.entries("T") == [b"entry 0"]
        assert await journal.listing("T") == listing("T")
        assert await journal.record("T", 1) is None


async def test_a_conflict_harms_nobody_else_who_is_written_at_the_same_time(
    place: str,
) -> None:
    async with opened_at(place) as journal:
        await begin(journal, "T")
        problems = await outcomes(
            journal,
            entry("A", 0),
            entry("T", 0, b"late"),
            entry("B", 0, b"one", b"two", listing=listing("B")),
            entry("T", 1, b"in time"),
            entry("T", 1, b"too late"),
            entry("A", 1),
        )
        taken = Conflict.code
        assert codes(problems) == [None, taken, None, None, taken, None]
        assert await journal.entries("A") == [b"entry 0", b"entry 1"]
        assert await journal.entries("B") == [b"one", b"two"]
        assert await journal.entries("T") == [b"entry 0", b"in time"]
        assert await journal.listing("B") == listing("B")


async def test_there_are_no_holes(place: str) -> None:
    async with opened_at(place) as journal:
        await begin(journal, "T")
        assert codes(await outcomes(journal, entry("T", 2), entry("U", 1), entry("T", 1))) == [
            Conflict.code,
            Conflict.code,
            None,
        ]
        assert await journal.entries("T") == [b"entry 0", b"entry 1"]
        assert await journal.entries("U") == []


async def test_what_is_no_entry_at_all_is_refused_alone(
    place: str, caplog: pytest.LogCaptureFixture
) -> None:
    impossible: Any = [object()]
    async with opened_at(place) as journal:
        problems = await outcomes(
            journal,
            entry("A", 0),
            Append("B", 0, impossible),
            Append("C", -1, [b"C"]),
            Append("D", 2**70, [b"D"]),
            entry("E", 0),
        )
        failed = NotSaved.code
        assert codes(problems) == [None, failed, failed, failed, None]
        assert await journal.entries("A") == await journal.entries("E") == [b"entry 0"]
    assert "an append can't be written" in caplog.text


async def test_any_number_of_tables_and_entries_is_written_at_once(place: str) -> None:
    rng = random.Random(1)
    tables = {f"T{n}": [rng.randbytes(20) for _ in range(rng.randrange(9))] for n in range(500)}
    async with opened_at(place) as journal:
        appends = [Append(name, 0, entries) for name, entries in tables.items()]
        appends.append(Append("long", 0, [b"%d" % n for n in range(2 * MAX_ROWS + 1)]))
        assert set(await outcomes(journal, *appends)) == {None}
        for name, entries in tables.items():
            assert await journal.entries(name) == entries
        assert len(await journal.entries("long")) == 2 * MAX_ROWS + 1


def commits(log: Path) -> int:
    """How often the write-ahead log was committed to: such frames tell the size of the file."""
    data = log.read_bytes()
    return sum(data[at + 4 : at + 8] != bytes(4) for at in range(32, len(data), 24 + PAGE_SIZE))


async def test_those_who_wait_share_a_flush(tmp_path: Path) -> None:
    log = tmp_path / f"{FILE}-wal"
    async with opened(tmp_path / FILE) as journal:
        await begin(journal, "T")
        before = commits(log)
        await begin(journal, "U")
        assert commits(log) == before + 1

        with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")  # nothing can be written meanwhile
            waiting = [journal.append(entry(f"T{n}", 0)) for n in range(400)]
        await asyncio.gather(*waiting)
        # The first ones may have been on their way already when the others came.
        assert commits(log) <= before + 3


async def test_news_come_in_order_on_the_loop_and_a_callback_that_fails_keeps_none_away(
    place: str,
) -> None:
    told: list[int] = []
    failed: list[object] = []
    last = asyncio.Event()
    loop, thread = asyncio.get_running_loop(), threading.current_thread()
    loop.set_exception_handler(lambda loop, context: failed.append(context["exception"]))

    async with opened_at(place) as journal:

        def append(n: int) -> None:
            def done(problem: JournalProblem | None) -> None:
                assert threading.current_thread() is thread
                told.append(n)
                if n == 49:
                    last.set()
                if n == 7:
                    raise ZeroDivisionError

            journal.append_soon(entry("T", n), done)

        for n in range(50):
            append(n)
        await last.wait()
    assert told == list(range(50))
    assert [type(each) for each in failed] == [ZeroDivisionError]


async def test_who_stops_waiting_for_an_append_has_written_it_nevertheless(place: str) -> None:
    async with opened_at(place) as journal:
        journal.append(entry("T", 0)).cancel()
        await journal.append(entry("T", 1))
        assert len(await journal.entries("T")) == 2


# Listings and records


async def test_tables_are_found_by_how_long_nobody_touched_them(place: str) -> None:
    waiting, older = listing("A", "waiting", at=30), listing("B", "waiting", at=20)
    playing, again = listing("C", at=10), replace(listing("D", "waiting", at=40), finished=1)
    over = listing("E", "over", at=5)
    async with opened_at(place) as journal:
        assert await journal.untouched(9) == []
        for each in (waiting, older, playing, again, over):
            await journal.append(Append(each.table, 0, [b"made"], each))
        assert await journal.untouched(9) == [over, playing, older, waiting, again]
        assert await journal.untouched(2) == [over, playing]
        assert await journal.untouched(9, before=20) == [over, playing]
        assert await journal.untouched(9, begun=False) == [older, waiting]
        assert await journal.untouched(9, begun=True) == [playing, again]
        assert await journal.untouched(9, begun=True, before=40) == [playing]
        assert await journal.untouched(9, begun=False, but=["B", "x"]) == [waiting]
        assert await journal.untouched(9, among=["A", "E", "x"]) == [over, waiting]
        assert await journal.untouched(9, among=[]) == []
        assert await journal.listing("C") == playing
        assert await journal.listing("F") is None


async def test_unfinished_tables_are_counted_whatever_becomes_of_them(place: str) -> None:
    async with opened_at(place) as journal:
        assert await journal.count() == 0
        for name, state in (("A", "waiting"), ("B", "waiting"), ("C", "playing"), ("D", "over")):
            await begin(journal, name, cast(State, state))
        assert await journal.count() == 3
        await journal.append(entry("A", 1, listing=listing("A")))
        assert await journal.count() == 3
        await journal.append(entry("A", 2, listing=listing("A", "over")))
        assert await journal.count() == 2
        with pytest.raises(Conflict):  # of which nothing is counted either
            await journal.append(entry("C", 0, listing=listing("C", "over")))
        assert await journal.count() == 2
        await journal.archive(await journal.untouched(9, begun=False))
        assert await journal.count() == 1
    async with opened_at(place) as journal:
        assert await journal.count() == 1
        await journal.archive(await journal.untouched(9))
        assert await journal.count() == 0


async def steps(reading: sqlite3.Connection, query: Callable[[], Awaitable[object]]) -> int:
    """How much work a query is to SQLite."""
    count = 0

    def more() -> None:
        nonlocal count
        count += 1

    reading.set_progress_handler(more, 1)
    await query()
    reading.set_progress_handler(None, 1)
    return count


async def test_to_count_tables_and_to_find_the_oldest_is_as_much_work_for_many_as_for_few(
    sqlite: Connections, tmp_path: Path
) -> None:
    kinds: tuple[State, ...] = ("waiting", "playing", "over")

    async def make(tables: range) -> None:
        shown = [listing(f"T{n}", kinds[n % 3], at=1000 + n) for n in tables]
        await outcomes(journal, *(Append(each.table, 0, [b"made"], each) for each in shown))

    async with opened(tmp_path / FILE) as journal:
        queries: list[Callable[[], Awaitable[object]]] = [
            journal.count,
            lambda: journal.untouched(4, begun=False),
            lambda: journal.untouched(4, begun=True, before=1 << 40),
            lambda: journal.untouched(4, before=1 << 40),
            lambda: journal.untouched(4, begun=False, among=["T3", "T4"]),
        ]
        await make(range(30))
        few = [await steps(sqlite.reading, each) for each in queries]
        await make(range(30, 3000))
        many = [await steps(sqlite.reading, each) for each in queries]
        assert all(after < 2 * before + 20 for before, after in zip(few, many, strict=True))


async def test_of_several_listings_of_a_table_the_last_one_stays(place: str) -> None:
    async with opened_at(place) as journal:
        states = [listing("T", "waiting"), listing("T"), listing("T", "over")]
        assert await outcomes(
            journal, *(entry("T", n, listing=each) for n, each in enumerate(states))
        ) == [None] * len(states)
        assert await journal.listing("T") == states[-1]


async def test_records_are_kept_beside_the_entries_and_not_replaced_by_others(
    place: str,
) -> None:
    async with opened_at(place) as journal:
        await journal.append(entry("T", 0, record=KeptRecord(1, "première\n")))
        await journal.append(Append("T", 1, (), record=KeptRecord(2, "second")))
        with pytest.raises(Conflict):
            await journal.append(entry("T", 1, record=KeptRecord(2, "other")))
        assert await journal.record("T", 1) == KeptRecord(1, "première\n")
        assert await journal.record("T", 2) == KeptRecord(2, "second")
        assert await journal.record("T", 3) is None
        assert await journal.entries("T") == [b"entry 0"]


async def test_a_record_is_mended_and_says_what_it_is_about(place: str) -> None:
    async with opened_at(place) as journal:
        await journal.append(entry("T", 0, record=KeptRecord(1, "damaged")))
        await journal.append(Append("T", 0, (), record=KeptRecord(2, "second", b"about")))
        assert await journal.recorded("T") == {2}
        await journal.mend_record("T", KeptRecord(1, "whole", b"{}"))
        assert await journal.record("T", 1) == KeptRecord(1, "whole", b"{}")
        assert await journal.record("T", 2) == KeptRecord(2, "second", b"about")
        assert await journal.recorded("T") == {1, 2}
        assert await journal.recorded("other") == set()


# Archiving


async def archive(journal: Journal, before: int) -> int:
    return await journal.archive(await journal.untouched(100, before=before))


async def test_of_an_archived_table_listing_and_records_stay(place: str) -> None:
    async with opened_at(place) as journal:
        await begin(journal, "over", "over", at=10)
        await begin(journal, "left", "playing", at=20)
        await begin(journal, "recent", "playing", at=30)
        await journal.append(Append("over", 1, (), record=KeptRecord(1, "text")))
        assert await archive(journal, before=30) == 2
        assert await archive(journal, before=30) == 0
        assert await journal.entries("over") == await journal.entries("left") == []
        assert await journal.entries("recent") == [b"entry 0"]
        assert await journal.record("over", 1) == KeptRecord(1, "text")
        assert await journal.listing("over") == listing("over", "archived", at=10)
        assert await journal.count() == 1


async def test_of_a_table_that_never_began_nothing_stays(place: str) -> None:
    async with opened_at(place) as journal:
        await begin(journal, "T", "waiting")
        assert await archive(journal, before=2000) == 1
        assert await journal.listing("T") is None
        assert await journal.entries("T") == []
        with pytest.raises(Conflict):
            await journal.append(entry("T", 1, listing=listing("T", "waiting")))
        assert await journal.listing("T") is None


async def test_an_archived_table_takes_no_more(place: str) -> None:
    async with opened_at(place) as journal:
        await begin(journal, "T")
        await archive(journal, before=2000)
        for late in (
            entry("T", 1),
            entry("T", 0),
            Append("T", 1, (), listing("T")),
            entry("T", 0, listing=listing("T", "waiting")),
        ):
            with pytest.raises(Conflict):
                await journal.append(late)
        assert await journal.entries("T") == []
        assert await journal.listing("T") == listing("T", "archived")


@pytest.mark.parametrize("reopened", [False, True])
async def test_a_table_with_new_entries_is_not_archived_even_if_its_listing_is_old(
    place: str, reopened: bool
) -> None:
    async def archive_all(journal: Journal) -> None:
        assert await archive(journal, before=2000) == 1
        assert len(await journal.entries("T")) == 2
        changed = await journal.listing("T")
        assert changed is not None
        assert changed.touched > 2000

    async with opened_at(place) as journal:
        await begin(journal, "T")
        await begin(journal, "U")
        await journal.append(entry("T", 1))
        if not reopened:
            await archive_all(journal)
    if reopened:
        async with opened_at(place) as journal:
            await archive_all(journal)


async def test_what_was_touched_since_it_was_found_is_not_archived(place: str) -> None:
    async with opened_at(place) as journal:
        await begin(journal, "T", "waiting")
        await begin(journal, "U")
        found = await journal.untouched(9)
        await journal.append(entry("T", 1, listing=listing("T", "waiting", at=1001)))
        await journal.append(entry("U", 1))
        assert await journal.archive(found) == 0
        assert len(await journal.entries("T")) == len(await journal.entries("U")) == 2


# The end


async def test_closing_writes_what_still_waits_and_takes_nothing_more(place: str) -> None:
    async with opened_at(place) as journal:
        waiting = [journal.append(entry("T", n)) for n in range(100)]
        await journal.close()
        await asyncio.gather(*waiting)
        for action in (journal.append(entry("T", 100)), journal.archive([])):
            with pytest.raises(NotSaved) as caught:
                await action
            assert caught.value.code == "journal_closed"
        with pytest.raises(NotRead) as not_read:
            await journal.entries("T")
        assert not_read.value.code == "journal_closed"
        await journal.close()
    async with opened_at(place) as journal:
        assert len(await journal.entries("T")) == 100
