"""`pli backup`: a whole copy of a journal, whatever happens to that meanwhile."""

import asyncio
import shutil
import sqlite3
import sys
from pathlib import Path

import pytest

from pli.server.journal.api import Append
from pli.server.journal.sqlite import backup as sqlite_backup
from pli.server.journal.sqlite.backup import back_up
from tests.cli.command import complaint, pli
from tests.server.client import running
from tests.server.journal.samples import begin, entry, opened


@pytest.fixture
async def journal(tmp_path: Path) -> Path:
    """One that was closed in peace."""
    async with opened(tmp_path / "tables.db") as journal:
        await begin(journal, "T")
        await journal.append(Append("T", 1, [b"%0100d" % n for n in range(5000)]))
    return tmp_path / "tables.db"


async def entries(path: Path, table: str) -> list[bytes]:
    async with opened(path) as journal:
        return await journal.entries(table)


async def test_the_copy_of_a_stopped_journal_is_the_same_and_can_be_played_on(
    journal: Path,
) -> None:
    copy = journal.parent / "backups" / "copy.db"
    before = journal.read_bytes()
    done = pli("backup", copy, "--db", f"sqlite:///{journal}")
    assert done.returncode == 0, done.stderr
    assert "1 table" in done.stdout
    assert str(copy.name) in done.stdout
    assert journal.read_bytes() == before
    assert [each.name for each in copy.parent.iterdir()] == ["copy.db"]
    assert await entries(copy, "T") == await entries(journal, "T")
    if sys.platform != "win32":
        assert copy.stat().st_mode & 0o077 == 0


async def test_what_lies_in_the_log_of_a_live_server_is_in_the_copy(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        made = await server.make("plingo")
        plain = tmp_path / "plain.db"
        shutil.copy(tmp_path / "tables.db", plain)
        with sqlite3.connect(plain) as database, pytest.raises(sqlite3.OperationalError):
            database.execute("SELECT * FROM entries")  # a plain copy is empty
        database.close()
        copy = tmp_path / "copy.db"
        done = await asyncio.to_thread(pli, "backup", copy, "--db", tmp_path / "tables.db")
        assert done.returncode == 0, done.stderr
        await server.sit(made["table"], "Bob")  # the server goes on
        whole = await server.context.journal.entries(made["table"])
    copied = await entries(copy, made["table"])
    assert len(copied) == 3
    assert whole[:3] == copied


async def test_a_journal_that_is_written_all_the_time_is_copied_as_at_one_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_backup, "STEP", 1)
    path, copy = tmp_path / "tables.db", tmp_path / "copy.db"
    async with opened(path) as journal:
        for name in ("A", "B"):
            await begin(journal, name)
            await journal.append(Append(name, 1, [bytes(100) for _ in range(2000)]))
        loop = asyncio.get_running_loop()
        number = 2001

        async def write() -> None:
            """An entry to both tables, in one transaction."""
            nonlocal number
            for name in ("A", "B"):
                journal.append_soon(entry(name, number), lambda _: None)
            number += 1

        told: list[int] = []

        def progress(done: int, of: int) -> None:
            told.append(done)
            asyncio.run_coroutine_threadsafe(write(), loop).result()

        await asyncio.to_thread(back_up, path, copy, progress)
        assert told == sorted(told)  # it never began anew
        assert len(told) > 100
        await journal.append(entry("A", number))
    async with opened(copy) as copied:
        lengths = [len(await copied.entries(name)) for name in ("A", "B")]
    assert lengths == [2001, 2001]


async def test_a_file_that_is_there_is_replaced_only_by_force_and_wholly(journal: Path) -> None:
    copy = journal.parent / "copy.db"
    copy.write_text("precious")
    said = complaint("backup", copy, "--db", journal)
    assert "--force" in said
    assert copy.read_text() == "precious"
    assert pli("backup", copy, "--db", journal, "--force").returncode == 0
    assert len(await entries(copy, "T")) == 5001


async def test_a_copy_that_fails_leaves_nothing_behind(
    journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_backup, "STEP", 1)
    copy = journal.parent / "copy.db"
    copy.write_text("precious")
    before = {each.name for each in journal.parent.iterdir()}

    def stop(done: int, of: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        back_up(journal, copy, stop)
    assert copy.read_text() == "precious"
    assert {each.name for each in journal.parent.iterdir()} == before


async def test_what_is_no_journal_and_what_can_not_be_written_is_told(journal: Path) -> None:
    folder = journal.parent
    assert "nothing.db" in complaint("backup", folder / "copy.db", "--db", folder / "nothing.db")
    (folder / "diary.db").write_bytes(b"Dear diary, " * 100)
    assert "diary.db" in complaint("backup", folder / "copy.db", "--db", folder / "diary.db")
    assert "tables.db" in complaint("backup", journal / "copy.db", "--db", journal)
    assert "itself" in complaint("backup", journal, "--db", journal, "--force")
    (folder / "link.db").symlink_to(journal)
    assert "itself" in complaint("backup", folder / "link.db", "--db", journal, "--force")
    assert "secret" not in complaint("backup", "copy.db", "--db", "postgresql://me:secret@there/db")
    assert len(await entries(journal, "T")) == 5001
