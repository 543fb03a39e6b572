"""Storage faults: nothing is half written, the reason is told, and the journal recovers. Faults
are real ones where a test can make them."""

import asyncio
import itertools
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pli.server.journal.api import Append, KeptRecord, NotOpened, NotSaved
from pli.server.journal.open import open_journal
from pli.server.journal.sqlite import writer as sqlite_writer
from pli.server.journal.sqlite.journal import SqliteJournal
from pli.server.journal.sqlite.schema import PAGE_SIZE
from pli.texts import LANGUAGES, Words
from tests.server.journal.samples import entry, healed, listing, opened, outcomes
from tests.server.journal.sqlite_faults import Connections

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="such trouble is made for Linux")

FILE = "journal.db"
KEPT = [b"entry 0", b"entry 1"]


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_writer, "RETRY_INTERVAL", 0.02)
    monkeypatch.setattr(sqlite_writer, "FILE_CHECK_INTERVAL", 0.0)


def large(table: str, first: int, size: int = 300) -> Append:
    """Too much for what little room there is."""
    entries = [bytes(1000) for _ in range(size)]
    return Append(table, first, entries, listing(table, "over"), KeptRecord(1, "text"))


async def refuses(journal: SqliteJournal, code: str, append: Append | None = None) -> None:
    """Every append is refused, and none of them stays."""
    append = append or large("T", 2)
    problems = await outcomes(journal, append, entry("U", 0))
    # Entries alone are written in another way.
    problems += await outcomes(journal, Append("T", 2, append.entries))
    assert [type(each) for each in problems] == [NotSaved] * 3
    assert [each.code for each in problems if each is not None] == [code] * 3
    assert not journal.healthy
    assert journal.problem is not None
    assert journal.problem.code == code
    await keeps(journal)


async def keeps(journal: SqliteJournal) -> None:
    """There is what was there before the trouble, and can be read."""
    assert await journal.entries("T") == KEPT
    assert await journal.entries("U") == []
    assert await journal.listing("T") == listing("T")
    assert await journal.record("T", 1) is None


async def goes_on(journal: SqliteJournal) -> None:
    await healed(journal)
    assert journal.problem is None
    assert await outcomes(journal, large("T", 2), entry("U", 0)) == [None, None]
    assert len(await journal.entries("T")) == 302
    assert await journal.record("T", 1) == KeptRecord(1, "text")


async def prepare(journal: SqliteJournal) -> None:
    await journal.append(Append("T", 0, KEPT, listing("T")))


# A full disk


async def test_a_file_that_may_not_grow_takes_nothing_until_it_may(
    sqlite: Connections, tmp_path: Path
) -> None:
    async with opened(tmp_path / FILE) as journal:
        await prepare(journal)
        await sqlite.execute("PRAGMA max_page_count = 40")
        await refuses(journal, "journal_full")
        await sqlite.execute("PRAGMA max_page_count = 4000")
        await goes_on(journal)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of half a megabyte."""
    with mounted(tmp_path / "disk", "-t", "tmpfs", "-o", "size=512k", "tmpfs") as disk:
        yield disk


@contextmanager
def mounted(place: Path, *options: str) -> Iterator[Path]:
    place.mkdir(exist_ok=True)
    try:
        subprocess.run(["mount", *options, str(place)], check=True, capture_output=True, timeout=10)
    except (OSError, subprocess.SubprocessError):
        pytest.skip("nothing can be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True, timeout=10)


async def test_a_full_disk_takes_nothing_until_there_is_room(small_disk: Path) -> None:
    async with opened(small_disk / FILE) as journal:
        await prepare(journal)
        filling = small_disk / "filling"
        with pytest.raises(OSError, match="space"), filling.open("wb") as file:
            file.writelines(itertools.repeat(bytes(4096)))
        await refuses(journal, "journal_full", large("T", 2, 100))
        filling.unlink()
        await healed(journal)
        await journal.append(large("T", 2, 100))
        assert len(await journal.entries("T")) == 102


async def test_on_a_full_disk_no_journal_is_begun(small_disk: Path) -> None:
    with pytest.raises(OSError, match="space"), (small_disk / "filling").open("wb") as file:
        file.write(bytes(1 << 20))
    with pytest.raises(NotOpened) as caught:
        await open_journal(str(small_disk / FILE))
    assert "full" in str(caught.value)
    (small_disk / "filling").unlink()
    async with opened(small_disk / FILE) as journal:
        await prepare(journal)


# A failing disk


@contextmanager
def no_file_longer_than(size: int) -> Iterator[None]:
    import resource  # which not every system has

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


async def test_a_disk_that_fails_takes_nothing_until_it_works(tmp_path: Path) -> None:
    async with opened(tmp_path / FILE) as journal:
        await prepare(journal)
        # The system refuses to write further, as it does if the disk is broken there.
        with no_file_longer_than(Path(f"{tmp_path / FILE}-wal").stat().st_size):
            await refuses(journal, "journal_io")
            await asyncio.sleep(0.1)  # in which it is tried again
            assert not journal.healthy
        await goes_on(journal)


# A file that may only be read


async def test_a_journal_that_may_only_be_read_takes_nothing_until_it_may_be_written(
    sqlite: Connections, tmp_path: Path
) -> None:
    async with opened(tmp_path / FILE) as journal:
        await prepare(journal)
        await sqlite.forbid_writing()
        await refuses(journal, "journal_read_only")
        await sqlite.allow_writing()
        await goes_on(journal)


async def test_a_folder_that_may_only_be_read_is_told_at_the_start(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    async with opened(folder / FILE) as journal:
        await prepare(journal)
    with mounted(folder, "--bind", "-o", "ro", str(folder)):
        if (folder / FILE).stat().st_dev and not _read_only(folder):
            pytest.skip("this system does not mount folders read-only")
        for path in (folder / FILE, folder / "new.db", folder / "new" / FILE):
            with pytest.raises(NotOpened) as caught:
                await open_journal(str(path))
            assert "only be read" in str(caught.value)
    async with opened(folder / FILE) as journal:
        await keeps(journal)


def _read_only(folder: Path) -> bool:
    try:
        (folder / "probe").touch()
    except OSError:
        return True
    return False


async def test_a_file_that_may_only_be_read_is_told_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / FILE
    async with opened(path) as journal:
        await prepare(journal)
    if shutil.which("chattr") is None:
        pytest.skip("there is no chattr")
    if subprocess.run(["chattr", "+i", path], capture_output=True, timeout=10).returncode:
        pytest.skip("this file system or user can't protect files")
    try:
        with pytest.raises(NotOpened) as caught:
            await open_journal(str(path))
        assert "only be read" in str(caught.value)
    finally:
        subprocess.run(["chattr", "-i", path], check=True, timeout=10)
    async with opened(path) as journal:
        await keeps(journal)


# A lock


async def test_a_locked_file_takes_nothing_until_it_is_free_and_the_loop_goes_on(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path / FILE, timeout=0.3) as journal:
        await prepare(journal)
        other = sqlite3.connect(tmp_path / FILE, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        turns = 0

        async def count() -> None:
            nonlocal turns
            while True:
                await asyncio.sleep(0.01)
                turns += 1

        counting = asyncio.create_task(count())
        await refuses(journal, "journal_locked")
        counting.cancel()
        assert turns > 5
        other.execute("ROLLBACK")
        other.close()
        await goes_on(journal)


async def test_a_short_lock_is_waited_for(tmp_path: Path) -> None:
    async with opened(tmp_path / FILE) as journal:
        other = sqlite3.connect(tmp_path / FILE, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        saved = journal.append(entry("T", 0))
        await asyncio.sleep(0.1)
        assert not saved.done()
        other.execute("COMMIT")
        other.close()
        await saved


async def test_a_journal_that_is_locked_from_the_start_is_not_opened(tmp_path: Path) -> None:
    async with opened(tmp_path / FILE) as journal:
        await prepare(journal)
    other = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(NotOpened) as caught:
        await SqliteJournal.open(tmp_path / FILE, timeout=0.1)
    assert "locked" in str(caught.value)
    other.close()


async def test_a_journal_in_trouble_can_be_closed(tmp_path: Path) -> None:
    journal = await SqliteJournal.open(tmp_path / FILE, timeout=0.1)
    await prepare(journal)
    other = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    waiting = journal.append(entry("T", 2))
    await journal.close()
    with pytest.raises(NotSaved):
        await waiting
    other.close()
    async with opened(tmp_path / FILE) as journal:
        await keeps(journal)


# A file that is gone


async def test_a_file_that_was_moved_away_takes_nothing_until_it_is_back(tmp_path: Path) -> None:
    path, away = tmp_path / FILE, tmp_path / "away.db"
    async with opened(path) as journal:
        await prepare(journal)
        path.rename(away)
        await refuses(journal, "journal_gone")
        path.write_bytes(b"another one")
        await refuses(journal, "journal_gone")
        away.rename(path)
        await goes_on(journal)


@pytest.mark.parametrize("kind", ["entries", "with a listing", "a job"])
async def test_nothing_is_acknowledged_once_the_file_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(
        sqlite_writer, "FILE_CHECK_INTERVAL", 1e6
    )  # it looks after writing, if not before
    path = tmp_path / FILE
    async with opened(path) as journal:
        await prepare(journal)
        path.unlink()
        shown = None if kind == "entries" else listing("T")
        job = journal.archive(await journal.untouched(1))
        with pytest.raises(NotSaved) as caught:
            await (job if kind == "a job" else journal.append(entry("T", 2, listing=shown)))
        job.close()
        assert caught.value.code == "journal_gone"
        assert not journal.healthy


# The log


async def test_the_log_stays_small_whatever_is_written_and_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_writer, "CHECKPOINT_PAGES", 400)
    monkeypatch.setattr(sqlite_writer, "TRUNCATE_PAGES", 600)
    monkeypatch.setattr(sqlite_writer, "READER_TIMEOUT", 5.0)  # on a busy machine
    log = Path(f"{tmp_path / FILE}-wal")
    async with opened(tmp_path / FILE) as journal:
        # Somebody always reads, and never the same: a checkpoint alone would begin no log anew.
        await journal.append(Append("long", 0, [bytes(500) for _ in range(20_000)]))

        async def read() -> None:
            while True:
                await journal.entries("long")

        readers = [asyncio.create_task(read()) for _ in range(3)]
        for n in range(400):
            await journal.append(entry(f"T{n}", 0, listing=listing(f"T{n}", "waiting", at=n)))
            if n % 4 == 0:
                await journal.append(
                    Append(f"T{n}", 0, (), record=KeptRecord(1, "x" * 20 * PAGE_SIZE))
                )
            if n % 40 == 39:
                await journal.archive(await journal.untouched(40, begun=False))
        for each in readers:
            each.cancel()
        await asyncio.gather(*readers, return_exceptions=True)
        # Some 6,000 pages were written, beside the 5,000 at the beginning.
        assert log.stat().st_size < 1500 * PAGE_SIZE


# Words


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_trouble_has_words_in_every_language(language: str) -> None:
    for kind in ("full", "read_only", "locked", "io", "corrupt", "gone", "closed", "failed"):
        assert NotSaved(f"journal_{kind}").text(language)
    opening = ("unopened", "in_use", "linked", "newer", "foreign", "unflushed", "scheme", "sqlite")
    for kind in (*opening, "conflict"):
        assert f"errors.journal_{kind}" in Words(language)
