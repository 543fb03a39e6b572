"""`pli admin copy`: from one storage to another and back, and that a difference is found."""

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from pli.server.admin import copying
from pli.server.journal import maintenance
from pli.server.journal.api import KeptRecord
from pli.server.journal.maintenance import Contents
from tests.cli.command import complaint, pli
from tests.server.admin.journals import everything, opened, played
from tests.server.journal.samples import listing


@pytest.fixture
def target(place: str, tmp_path: Path) -> str:
    """An empty journal of each engine."""
    return place if place.startswith("postgresql") else f"{tmp_path}/other/copy.db"


async def days(db: str) -> list[int]:
    async with opened(db) as journal:
        return await journal.days()


async def test_a_copy_holds_the_same_also_when_it_comes_back(tmp_path: Path, target: str) -> None:
    journal = await played(tmp_path, "sqlite")
    before = await everything(journal.db)
    done = pli("admin", "copy", journal.db, target)
    assert done.returncode == 0, done.stderr
    assert "Tables: 4" in done.stdout
    digest = re.findall(r"sha256 [0-9a-f]{64}", done.stdout)
    assert len(digest) == 1
    back = pli("admin", "copy", target, tmp_path / "back.db")
    assert back.returncode == 0, back.stderr
    assert digest[0] in back.stdout
    for db in (target, str(tmp_path / "back.db")):
        copied = await everything(db)
        assert [*copied] == [*before]
        for name, rows in copied.items():
            assert replace(rows, known=0) == replace(before[name], known=0)
        assert await days(db) == await days(journal.db)
        assert pli("admin", "check", "--db", db).returncode == 0


async def test_only_an_empty_journal_is_copied_into(tmp_path: Path, target: str) -> None:
    journal = await played(tmp_path, "sqlite")
    assert pli("admin", "copy", journal.db, target).returncode == 0
    assert "--resume" in complaint("admin", "copy", journal.db, target)
    assert "Stop it first" in complaint("admin", "copy", journal.db, journal.db)


def odd_tables(count: int) -> list[Contents]:
    """With any bytes, in no order of time."""
    return [
        Contents(
            f"t{at:05}",
            replace(listing(f"t{at:05}", "over", at=count - at), summary=bytes([at % 256, 0, 255])),
            {n: bytes([n % 256]) * (n * 7 % 300) for n in range(at % 40 + 1)},
            {2: KeptRecord(2, "text é\n", None), 5: KeptRecord(5, "", b"\0\xff")},
            at % 40 + 1,
        )
        for at in range(count)
    ]


async def test_a_copy_that_was_interrupted_goes_on(
    tmp_path: Path, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "BATCH_TABLES", 7)
    monkeypatch.setattr(maintenance, "PAGE", 10)
    source = str(tmp_path / "source.db")
    async with opened(source, write=True, create=True) as first:
        await first.load(odd_tables(100))
        async with opened(target, write=True, create=True) as second:

            def stop(done: int, so_far: list[int] = []) -> None:  # noqa: B006  kept between calls
                so_far.append(done)
                if sum(so_far) > 50:
                    raise KeyboardInterrupt

            with pytest.raises(KeyboardInterrupt):
                await copying.copy(first, second, progress=stop)
            copied = await second.names("", 1000)
            assert 50 < len(copied) < 100
    assert "--resume" in complaint("admin", "copy", source, target)
    done = pli("admin", "copy", source, target, "--resume")
    assert done.returncode == 0, done.stderr
    assert "Tables: 100" in done.stdout
    assert await everything(target) == await everything(source)


async def test_a_difference_is_named_by_table_and_number(tmp_path: Path, target: str) -> None:
    source = str(tmp_path / "source.db")
    tables = odd_tables(6)
    other = [*tables[:3], *tables[4:]]
    other[0] = replace(tables[0], entries={0: b"other"})
    other[1] = replace(tables[1], records={2: tables[1].records[2]})
    assert tables[2].listing is not None
    other[2] = replace(tables[2], listing=replace(tables[2].listing, touched=5_000))
    async with opened(source, write=True, create=True) as first:
        await first.load(tables)
    async with opened(target, write=True, create=True) as second:
        await second.load(other)
        await second.set_days([3])
    done = pli("admin", "copy", source, target, "--resume")
    assert done.returncode == 1
    lines = [line.removeprefix("pli: ") for line in done.stderr.splitlines()]
    entries = [f"Different: t00003 entry {n}" for n in range(4)]
    assert lines == [
        "Different: t00000 entry 0",
        "Different: t00001 record 5",
        "Different: t00002 listing",
        "Different: t00003 listing",
        *entries,
        "Different: t00003 record 2",
        "Different: t00003 record 5",
        "10 differences.",
    ]
