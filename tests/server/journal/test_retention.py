"""Tables that are deleted for good: which ones, and that nothing of them is left in the files."""

import asyncio
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pli.server.journal.api import Append, KeptRecord, Listing, NotSaved
from pli.server.journal.sqlite import writer
from pli.server.journal.sqlite.journal import SqliteJournal
from tests.postgres import Postgres
from tests.server.journal.samples import begin, entry, listing, opened, opened_at

FILE = "journal.db"
TABLES = 200
DELETED = 80
FUTURE = 1 << 40


def nick(table: str) -> str:
    return f"nick-of-{table}"


def held(folder: Path, names: list[str]) -> list[str]:
    """Those that any file of a journal holds."""
    content = b"".join(each.read_bytes() for each in folder.glob(f"{FILE}*"))
    return [name for name in names if name.encode() in content]


async def filled(journal: SqliteJournal, seed: int) -> list[str]:
    """Tables with entries that came in turns, so that rows were moved from page to page often."""
    rng = random.Random(seed)
    names = [f"{rng.randrange(1 << 40):010x}" for _ in range(TABLES)]
    lengths = dict.fromkeys(names, 0)
    for _ in range(40):
        waiting = []
        for _ in range(300):
            name = rng.choice(names)
            body = f'{{"name":"{nick(name)}"}}'.encode()
            if rng.random() < 0.9:
                body = bytes(rng.choice((30, 50, 800, 3000)))
            known = Listing(name, "chess", 1, "over", True, 10, 10, body + nick(name).encode(), 1)
            append = Append(name, lengths[name], [body], known if rng.random() < 0.2 else None)
            lengths[name] += 1
            waiting.append(journal.append(append))
        await asyncio.gather(*waiting)
    for name in names:
        about = nick(name).encode() + bytes(rng.randrange(2000))
        record = KeptRecord(1, "r" * rng.randrange(5000), about)
        known = Listing(name, "chess", 1, "over", True, 10, 10, nick(name).encode(), 1)
        await journal.append(Append(name, 0, (), known, record))
    await journal.archive([])  # says when tables were touched, as any transaction does
    return names


@pytest.mark.parametrize("seed", [1, 2])
async def test_nothing_of_a_deleted_table_is_left_in_any_file(tmp_path: Path, seed: int) -> None:
    async with opened(tmp_path / FILE) as journal:
        names = await filled(journal, seed)
        gone = random.Random(seed).sample(names, DELETED)
        kept = [name for name in names if name not in gone]
        found = await journal.expired(TABLES, before=FUTURE, but=kept)
        assert sorted(each.table for each in found) == sorted(gone)
        assert await journal.delete(found) == DELETED
        assert await journal.purge()
        assert held(tmp_path, [*gone, *map(nick, gone)]) == []
        assert held(tmp_path, [nick(name) for name in kept]) == [nick(name) for name in kept]
        for name in gone:
            assert await journal.entries(name) == []
            assert await journal.listing(name) is None
            assert await journal.record(name, 1) is None
        for name in kept:
            assert await journal.record(name, 1) is not None
    assert held(tmp_path, [*gone, *map(nick, gone)]) == []


async def test_overwriting_rows_alone_would_leave_traces(tmp_path: Path) -> None:
    """Why `purge` writes the file anew."""
    async with opened(tmp_path / FILE) as journal:
        names = await filled(journal, 1)
    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as connection:
        connection.execute("PRAGMA secure_delete = ON")
        gone = random.Random(1).sample(names, DELETED)
        for name in gone:
            for each in ("entries", "records", "listings"):
                connection.execute(f"DELETE FROM {each} WHERE table_id = ?", (name,))
    assert 0 < len(held(tmp_path, [*gone, *map(nick, gone)])) < DELETED


async def test_only_what_is_finished_and_long_untouched_expires(place: str) -> None:
    async with opened_at(place) as journal:
        for name, state, at in (
            ("over", "over", 10),
            ("later", "over", 30),
            ("archived", "archived", 12),
            ("playing", "playing", 10),
            ("waiting", "waiting", 10),
        ):
            await begin(journal, name, state, at=at)  # type: ignore[arg-type]  # states all
        found = await journal.expired(9, before=20)
        assert [each.table for each in found] == ["over", "archived"]
        assert [each.table for each in await journal.expired(1, before=20)] == ["over"]
        assert [each.table for each in await journal.expired(9, before=20, but=["over"])] == [
            "archived"
        ]
        again = listing("over", "waiting", at=15)
        await journal.append(entry("over", 1, listing=again))
        assert await journal.delete(found) == 1  # the other was touched meanwhile
        assert await journal.listing("archived") is None
        assert len(await journal.entries("over")) == 2
        assert await journal.count() == 3
        await begin(journal, "archived")  # as if it had never been
        assert len(await journal.entries("archived")) == 1


async def test_a_table_that_another_server_has_opened_does_not_expire(postgres_url: str) -> None:
    async with opened_at(postgres_url) as owner, opened_at(postgres_url) as other:
        await begin(owner, "T", "over", at=10)
        found = await other.expired(9, before=20)
        assert [each.table for each in found] == ["T"]
        assert await other.delete(found) == 0
        await owner.release(["T"])
        assert await other.delete(found) == 1
        assert await owner.entries("T") == []


async def test_no_row_of_postgres_holds_a_deleted_table(
    postgres: Postgres, postgres_url: str
) -> None:
    async with opened_at(postgres_url) as journal:
        for name in ("gone", "kept"):
            body = nick(name).encode()
            known = Listing(name, "chess", 1, "over", True, 10, 10, body, 1)
            await journal.append(Append(name, 0, [body], known, KeptRecord(1, nick(name), body)))
        found = await journal.expired(9, before=20, but=["kept"])
        assert await journal.delete(found) == 1
        assert await journal.purge()
    tables = ("tables", "entries", "listings", "records")
    database = postgres_url.rpartition("/")[2]
    rows = [postgres.sql(f"SELECT t FROM pli.{each} t", database) for each in tables]
    assert len([each for each in rows if "kept" in each]) == len(tables)
    for each in rows:
        for trace in ("gone", nick("gone"), nick("gone").encode().hex()):
            assert trace not in each


async def test_a_large_file_is_written_anew_when_nobody_plays_also_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "VACUUM_BYTES", 10_000)
    async with opened(tmp_path / FILE) as journal:
        names = await filled(journal, 1)
        before = (tmp_path / FILE).stat().st_size
        await journal.delete(await journal.expired(TABLES, before=FUTURE))
        assert not await journal.purge(quiet=False)
        assert (tmp_path / FILE).stat().st_size >= before
        assert (tmp_path / f"{FILE}-wal").stat().st_size == 0
    async with opened(tmp_path / FILE) as journal:
        assert await journal.purge(quiet=True)
        assert await journal.purge(quiet=False)  # nothing to do
        assert (tmp_path / FILE).stat().st_size < 100_000
        assert held(tmp_path, [*names, *map(nick, names)]) == []


async def test_a_purge_that_fails_is_told_and_made_up_for(tmp_path: Path) -> None:
    async with opened(tmp_path / FILE, timeout=0.05) as journal:
        await begin(journal, "T", "over", at=10)
        await journal.delete(await journal.expired(1, before=20))
        with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(NotSaved) as told:
                await journal.purge()
        assert told.value.code == "journal_locked"
        await begin(journal, "U")
        assert await journal.purge()
