"""The SQLite file: locking, and older, newer, foreign and damaged files."""

import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from pli.server.journal.api import Append, KeptRecord, NotOpened, NotRead
from pli.server.journal.days import DAY
from pli.server.journal.open import open_journal
from pli.server.journal.sqlite import schema as sqlite_schema
from pli.server.journal.sqlite import writer as sqlite_writer
from pli.server.journal.sqlite.schema import MIGRATIONS, VERSION, connect, migrate
from pli.texts import LANGUAGES
from tests.server.journal.samples import begin, entry, files, listing, opened
from tests.server.journal.sqlite_faults import Connections

FILE = "journal.db"


async def refused(path: Path | str) -> NotOpened:
    with pytest.raises(NotOpened) as caught:
        await open_journal(str(path))
    for language in LANGUAGES:
        assert "{" not in caught.value.text(language)
    return caught.value


def pragma(path: Path, name: str) -> Any:
    connection = sqlite3.connect(path)
    try:
        return connection.execute(f"PRAGMA {name}").fetchone()[0]
    finally:
        connection.close()


async def made(path: Path, entries: int = 1000) -> None:
    """A journal that was closed in peace."""
    async with opened(path) as journal:
        await begin(journal, "T")
        await journal.append(Append("T", 1, [b"%0100d" % n for n in range(entries)]))


# Where it is


async def test_a_url_or_a_path_names_the_file_and_folders_are_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for number, url in enumerate(
        (f"sqlite:///{tmp_path}/a/b/c.db", "sqlite:///a/d.db", f"{tmp_path}/e/f é#?.db", "~/g.db")
    ):
        journal = await open_journal(url)
        await journal.append(entry(f"T{number}", 0))
        await journal.close()
    found = sorted(str(each.relative_to(tmp_path)) for each in tmp_path.rglob("*.db"))
    assert found == ["a/b/c.db", "a/d.db", "e/f é#?.db", "home/g.db"]


@pytest.mark.skipif(sys.platform == "win32", reason="files have no such modes there")
async def test_nobody_else_on_the_machine_can_read_it(tmp_path: Path) -> None:
    async with opened(tmp_path / FILE) as journal:
        await begin(journal, "T")
        modes = {each.name: each.stat().st_mode & 0o077 for each in tmp_path.glob(f"{FILE}*")}
        assert modes.keys() >= {FILE, f"{FILE}-wal"}
        assert {mode for name, mode in modes.items() if not name.endswith(".lock")} == {0}


@pytest.mark.parametrize("url", ["mysql://me:secret@host/pli", "sqlite://", "sqlite://host/x"])
async def test_another_kind_of_storage_is_refused_without_telling_passwords(url: str) -> None:
    problem = await refused(url)
    assert problem.code == "journal_scheme"
    assert "secret" not in str(problem)


# Who has it


async def test_a_second_server_is_refused_as_long_as_the_first_one_runs(tmp_path: Path) -> None:
    async with opened(tmp_path / FILE) as journal:
        assert (await refused(tmp_path / FILE)).code == "journal_in_use"
        await begin(journal, "T")
    await made(tmp_path / "other.db")
    async with opened(tmp_path / FILE) as journal:
        assert len(await journal.entries("T")) == 1


HOLDING = """
import asyncio, sys
from pli.server.journal.open import open_journal

async def hold():
    await open_journal(sys.argv[1])
    print("open", flush=True)
    await asyncio.sleep(600)

asyncio.run(hold())
"""


async def test_a_server_that_was_killed_locks_nobody_out(tmp_path: Path) -> None:
    other = subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(tmp_path / FILE)], stdout=subprocess.PIPE
    )
    with other:
        assert other.stdout is not None
        try:
            assert other.stdout.readline() == b"open\n"
            assert (await refused(tmp_path / FILE)).code == "journal_in_use"
        finally:
            other.kill()
    async with opened(tmp_path / FILE) as journal:
        await begin(journal, "T")


# How it is written


async def test_every_commit_is_flushed_and_where_it_is_not_nothing_is_begun(
    sqlite: Connections, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path / FILE):
        assert sqlite.writing.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        assert sqlite.writing.execute("PRAGMA synchronous").fetchone()[0] == 2
    volatile = sqlite3.connect(":memory:", check_same_thread=False)
    monkeypatch.setattr(sqlite_schema, "connect", lambda *_: volatile)
    with pytest.raises(NotOpened) as caught:
        await open_journal(str(tmp_path / "volatile.db"))
    volatile.close()
    assert caught.value.code == "journal_unflushed"


async def test_a_python_with_too_old_a_database_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_schema, "MIN_SQLITE", (99, 0, 0))
    problem = await refused(tmp_path / FILE)
    assert problem.code == "journal_sqlite"
    assert "99.0.0" in str(problem)


# Versions


async def test_a_journal_of_the_first_version_opens_with_all_that_it_holds(tmp_path: Path) -> None:
    path = tmp_path / FILE
    path.touch()
    old = connect(path, 0)
    migrate(old, 1)
    old.execute("INSERT INTO entries VALUES ('T', 0, x'00FF'), ('T', 1, x'31')")
    old.execute(
        "INSERT INTO listings VALUES ('T', 'chess', 1, 'playing', 1, 1000, 1000, ?)",
        (listing("T").summary,),
    )
    assert [name for (name,) in old.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    with pytest.raises(sqlite3.OperationalError):
        old.execute("SELECT * FROM records")
    old.close()
    assert pragma(path, "user_version") == 1

    async with opened(path) as journal:
        assert await journal.entries("T") == [b"\x00\xff", b"1"]
        assert await journal.listing("T") == listing("T")
        await journal.append(entry("T", 2, record=KeptRecord(1, "text")))
        assert await journal.record("T", 1) == KeptRecord(1, "text")
    assert pragma(path, "user_version") == VERSION


async def test_how_many_games_were_finished_is_counted_in_an_older_journal(tmp_path: Path) -> None:
    path = tmp_path / FILE
    path.touch()
    old = connect(path, 0)
    migrate(old, 2)
    for table in ("two", "none", "archived"):
        row = (table, "chess", 1, "over", 1, 1000, 1000, b"{}")
        old.execute(f"INSERT INTO listings VALUES ({', '.join('?' * len(row))})", row)
    kinds = ("made", "ended", "rematch", "a", "ended", "rematch")
    entries = [("none", 0, "made"), *(("two", n, kind) for n, kind in enumerate(kinds))]
    for table, number, kind in entries:
        body = b'{"e":"%s","by":"ended"}' % kind.encode()
        old.execute("INSERT INTO entries VALUES (?, ?, ?)", (table, number, body))
    old.execute("INSERT INTO records VALUES ('archived', 1, 'text'), ('archived', 3, 'text')")
    old.close()
    async with opened(path) as journal:
        for table, finished in {"two": 2, "none": 0, "archived": 3}.items():
            found = await journal.listing(table)
            assert found is not None
            assert found.finished == finished
        assert await journal.record("archived", 3) == KeptRecord(3, "text")


async def test_a_step_to_a_newer_version_that_fails_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / FILE
    await made(path)
    broken = ("CREATE TABLE half (n INTEGER)", "CREATE TABLE entries (n INTEGER)")
    with monkeypatch.context() as patch:
        patch.setattr(sqlite_schema, "MIGRATIONS", (*MIGRATIONS, broken))
        patch.setattr(sqlite_schema, "VERSION", VERSION + 1)
        assert (await refused(path)).code == "journal_unopened"
    assert pragma(path, "user_version") == VERSION
    async with opened(path) as journal:
        assert len(await journal.entries("T")) == 1001
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'half'").fetchall() == []
    connection.close()


async def test_a_journal_of_a_newer_version_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / FILE
    await made(path)
    pragma(path, "journal_mode = delete")
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()
    before = files(tmp_path)
    problem = await refused(path)
    assert problem.code == "journal_newer"
    assert problem.details["version"] == VERSION + 1
    assert files(tmp_path) == before


# Strange and damaged files


@pytest.mark.parametrize("content", [b"my diary\n", b"x" * 10_000, bytes(5000)])
async def test_a_file_of_another_kind_is_refused_and_left_as_it_is(
    tmp_path: Path, content: bytes
) -> None:
    (tmp_path / FILE).write_bytes(content)
    assert (await refused(tmp_path / FILE)).code == "journal_foreign"
    assert files(tmp_path) == {FILE: content}


async def test_a_database_of_somebody_else_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / FILE)
    other.execute("CREATE TABLE diary (text)")
    other.close()
    before = files(tmp_path)
    assert (await refused(tmp_path / FILE)).code == "journal_foreign"
    assert files(tmp_path) == before


async def test_an_empty_file_becomes_a_journal(tmp_path: Path) -> None:
    (tmp_path / FILE).touch()
    await made(tmp_path / FILE)


@pytest.mark.parametrize("damage", ["overwritten", "cut off"])
async def test_a_damaged_journal_is_refused_and_left_as_it_is(tmp_path: Path, damage: str) -> None:
    path = tmp_path / FILE
    await made(path)
    size = path.stat().st_size
    with path.open("r+b") as file:
        if damage == "cut off":
            file.truncate(size // 2)
        else:
            file.seek(size // 2)
            file.write(b"\xa5" * (size // 4))
    before = files(tmp_path)
    problem = await refused(path)
    assert problem.code == "journal_unopened"
    assert "damaged" in str(problem)
    assert files(tmp_path) == before


async def test_a_damaged_journal_that_a_crash_left_stays_as_it_is_too(tmp_path: Path) -> None:
    path, crashed = tmp_path / FILE, tmp_path / "crashed"
    crashed.mkdir()
    await made(path)
    async with opened(path) as journal:
        await journal.append(entry("T", 1001))
        for each in (path, Path(f"{path}-wal")):
            (crashed / each.name).write_bytes(each.read_bytes())
    path = crashed / FILE
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(b"\xa5" * (path.stat().st_size // 4))
    before = files(crashed)
    assert (await refused(path)).code == "journal_unopened"
    after = files(crashed)
    after.pop(f"{FILE}-shm", None)  # only says what is in the log
    assert after == before


async def test_looking_for_damage_ends_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / FILE
    await made(path, entries=20_000)
    monkeypatch.setattr(sqlite_schema, "CHECK_SECONDS", 0.001)
    begun = time.monotonic()
    async with opened(path) as journal:
        assert time.monotonic() - begun < 10
        assert len(await journal.entries("T")) == 20_001


async def test_a_folder_in_the_way_is_told(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    assert (await refused(tmp_path / FILE)).code == "journal_unopened"
    (tmp_path / "file").touch()
    assert (await refused(tmp_path / "file" / FILE)).code == "journal_unopened"


# By other names


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
async def test_by_whatever_name_a_journal_is_called_one_server_has_it(tmp_path: Path) -> None:
    path, folder = tmp_path / FILE, tmp_path / "folder"
    async with opened(path) as journal:
        await begin(journal, "T")
        (tmp_path / "link.db").symlink_to(path)
        folder.symlink_to(tmp_path)
        for name in (tmp_path / "link.db", folder / FILE, tmp_path / "x" / ".." / FILE):
            assert (await refused(name)).code == "journal_in_use"
        (tmp_path / "hard.db").hardlink_to(path)
        assert (await refused(tmp_path / "hard.db")).code == "journal_linked"
    assert (await refused(path)).code == "journal_linked"
    (tmp_path / "hard.db").unlink()
    async with opened(tmp_path / "link.db") as journal:
        assert len(await journal.entries("T")) == 1
        assert (await refused(path)).code == "journal_in_use"
    assert not [*tmp_path.glob("link.db?*")]


# What is missing


def change(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(statement)
    connection.close()


@pytest.mark.parametrize("numbers", ["= 0", "= 2", "BETWEEN 1 AND 3", "= 5", "> 3", ">= 0"])
async def test_entries_that_are_missing_are_noticed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, numbers: str
) -> None:
    path = tmp_path / FILE
    async with opened(path) as journal:
        await begin(journal, "T")
        for n in range(1, 6):
            await journal.append(entry("T", n))
        await begin(journal, "U")
        assert len(await journal.entries("T", 4)) == 2
    change(path, f"DELETE FROM entries WHERE table_id = 'T' AND number {numbers}")
    async with opened(path) as journal:
        with pytest.raises(NotRead) as caught:
            await journal.entries("T")
        assert caught.value.code == "journal_damaged"
        assert "entries are missing" in caplog.text
        assert len(await journal.entries("U")) == 1


async def test_of_a_journal_that_an_older_version_made_all_is_known(tmp_path: Path) -> None:
    path = tmp_path / FILE
    path.touch()
    old = connect(path, 0)
    migrate(old, 2)
    rows = (("A", "waiting", 40 * DAY), ("B", "waiting", 41 * DAY), ("C", "playing", 50 * DAY))
    for name, state, at in rows:
        old.execute("INSERT INTO entries VALUES (?, 0, ?)", (name, b'{"e":"made"}'))
        old.execute(
            "INSERT INTO listings VALUES (?, 'chess', 1, ?, 1, ?, ?, x'7B7D')",
            (name, state, at, at),
        )
    old.execute("INSERT INTO entries VALUES ('B', 1, ?)", (b'{"e":"ended","winners":[0]}',))
    old.close()
    async with opened(path) as journal:
        assert await journal.count() == 3
        assert [each.table for each in await journal.untouched(9, begun=False)] == ["A"]
        assert [each.table for each in await journal.untouched(9, begun=True)] == ["B", "C"]
        assert await journal.days_ago(4) is None  # days 40, 41, 50 and today are known
        assert await journal.days_ago(3) == 41 * DAY
        assert await journal.days_ago(1) == 51 * DAY
    change(path, "DELETE FROM entries WHERE number = 1")
    async with opened(path) as journal:
        with pytest.raises(NotRead):
            await journal.entries("B")


# The clock


async def test_with_a_clock_that_is_behind_nothing_looks_unused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / FILE
    now = time.time()
    await made(path)
    monkeypatch.setattr(sqlite_writer, "time", lambda: now - 40 * DAY)
    monkeypatch.setattr(sqlite_schema, "time", lambda: now - 40 * DAY)
    async with opened(path) as journal:
        assert "--trust-clock" in caplog.text
        told = int(now - 40 * DAY)
        await journal.append(entry("new", 0, listing=listing("new", at=told)))
        await journal.append(entry("T", 1001, listing=listing("T", at=told)))
        await begin(journal, "quiet", at=told)
        await journal.append(entry("quiet", 1))
        await journal.archive([])
        for name in ("new", "T", "quiet"):
            found = await journal.listing(name)
            assert found is not None
            assert found.touched > now - 2 * DAY
