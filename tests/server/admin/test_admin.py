"""`pli admin`: what an operator sees of tables, and does with them, on both engines."""

import asyncio
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from pli.server.journal.maintenance import Contents
from pli.server.limits import Limits
from pli.server.tables import entries as e
from pli.server.tables.table import load_table
from tests.cli.command import complaint, pli
from tests.server.admin.journals import (
    NICK,
    Played,
    change,
    contents,
    everything,
    played,
    told,
)
from tests.server.client import BRIEF, Page, running
from tests.server.cluster.members import member


@pytest.fixture
async def journal(tmp_path: Path, place: str) -> Played:
    return await played(tmp_path, place)


# Looking


async def test_tables_are_listed_by_state_and_game(journal: Played) -> None:
    found = {each["id"]: each for each in told("tables", "--db", journal.db)}
    assert sorted(found) == journal.tables
    states = {name: each["state"] for name, each in found.items()}
    assert states == {
        journal.over: "over",
        journal.playing: "playing",
        journal.waiting: "waiting",
        journal.archived: "archived",
    }
    assert found[journal.over]["names"] == found[journal.archived]["names"] == ["Ann", "P1", "P2"]
    assert found[journal.waiting]["names"] == ["Ann", NICK, f"{NICK} 2"]
    assert found[journal.waiting]["free"] == 1
    assert found[journal.archived]["entries"] == 0
    assert found[journal.over]["entries"] == len((await contents(journal.db, journal.over)).entries)
    touched = [each["touched"] for each in told("tables", "--db", journal.db)]
    assert touched == sorted(touched, reverse=True)
    by_state = told("tables", "--db", journal.db, "--state", "playing")
    by_game = told("tables", "--db", journal.db, "--game", "plingo")
    assert (
        [each["id"] for each in by_state] == [each["id"] for each in by_game] == [journal.playing]
    )
    assert len(told("tables", "--db", journal.db, "--most", 2)) == 2
    shown = pli("admin", "tables", "--db", journal.db).stdout
    for name in (*journal.tables, "plingo", "archived", "free"):
        assert name in shown
    assert "state" in complaint("admin", "tables", "--db", journal.db, "--state", "lost")


async def test_a_table_is_shown_without_cards_tokens_and_secrets(journal: Played) -> None:
    for table in journal.tables:
        rows = await contents(journal.db, table)
        hidden = {journal.tokens.get(table, "no token")}
        for body in rows.entries.values():
            entry = e.decode(body)
            hidden |= {entry.token} if isinstance(entry, e.Sat) else set()
            hidden |= {entry.secret} if isinstance(entry, e.Committed) else set()
            hidden |= {entry.random} if isinstance(entry, e.Contributed) else set()
        assert len(hidden) > (1 if rows.entries else 0)
        for options in ((), ("--json",)):
            shown = pli("admin", "table", table, "--db", journal.db, *options).stdout
            assert table in shown
            assert [each for each in hidden if each in shown] == []
            assert not re.search(r"\b(hand|deck|shuffle|play [A-Z]\d)", shown)


async def test_what_is_shown_of_a_table(journal: Played) -> None:
    found = told("table", journal.playing, "--db", journal.db)
    assert (found["game"], found["state"], found["finished"]) == ("plingo", "playing", 0)
    assert found["settings"]["pace"] == "calm"
    assert found["options"]["seats"] == 3
    kinds = [(each["kind"], each["name"], each["level"]) for each in found["seats"]]
    assert kinds == [("person", NICK, None), ("bot", None, "easy"), ("bot", None, "easy")]
    assert found["host"] == 0
    assert found["kinds"]["made"] == found["kinds"]["begun"] == 1
    assert sum(found["kinds"].values()) == found["entries"]
    rows = await contents(journal.db, journal.playing)
    assert found["size"] == sum(map(len, rows.entries.values()))
    over = told("table", journal.over, "--db", journal.db)
    assert len(over["results"]) == over["finished"] == 1
    assert [each["number"] for each in over["records"]] == [1]
    archived = told("table", journal.archived, "--db", journal.db)
    assert (archived["seats"], archived["names"]) == (None, ["Ann", "P1", "P2"])
    assert [each["number"] for each in archived["records"]] == [1]
    assert "no such table" in complaint("admin", "table", "nowhere", "--db", journal.db)


# Ending


async def test_a_game_is_abandoned_for_good_and_people_are_told_when_they_come_back(
    journal: Played, tmp_path: Path, place: str
) -> None:
    before = await everything(journal.db)
    done = pli("admin", "end", journal.playing, "--db", journal.db, "--yes")
    assert done.returncode == 0, done.stderr
    assert journal.playing in done.stdout
    after = await everything(journal.db)
    assert {name for name in after if after[name] != before[name]} == {journal.playing}
    rows = after[journal.playing]
    table = load_table(journal.playing, [*rows.entries.values()])
    assert (table.state, table.results) == ("over", [[]])
    assert rows.listing is not None
    assert (rows.listing.state, rows.listing.finished) == ("over", 1)
    record = tmp_path / "ended.record"
    record.write_text(rows.records[1].text)
    assert pli("verify", record).returncode == 0
    assert "No game" in complaint("admin", "end", journal.playing, "--db", journal.db, "--yes")
    assert "No game" in complaint("admin", "end", journal.waiting, "--db", journal.db, "--yes")
    assert "No game" in complaint("admin", "end", journal.archived, "--db", journal.db, "--yes")
    assert "no such table" in complaint("admin", "end", "nowhere", "--db", journal.db, "--yes")
    async with running(tmp_path, Limits(**BRIEF), db=journal.db) as server:
        page = await server.page(journal.playing, journal.tokens[journal.playing])
        assert (page.table["state"], page.table["results"]) == ("over", [[]])
        assert page.table["secret"]  # published
        status, moves = await server.get(f"/api/tables/{journal.playing}/games/1/moves")
        assert (status, moves["abandoned"]) == (200, True)
        await page.send("again", kind=page.table["kinds"][0])
        await page.sees(lambda table: table["number"] == 2)


async def test_what_is_for_good_is_asked_for(journal: Played) -> None:
    before = await everything(journal.db)
    for command in (("end", journal.playing), ("delete", journal.over), ("forget", "Ann")):
        for typed in ("", "n\n"):
            done = pli("admin", *command, "--db", journal.db, typed=typed)
            assert done.returncode == 2
    assert await everything(journal.db) == before
    assert pli("admin", "delete", journal.over, "--db", journal.db, typed="y\n").returncode == 0
    assert journal.over not in await everything(journal.db)


# Deleting


async def test_a_deleted_table_is_gone_and_the_others_are_as_before(
    journal: Played, tmp_path: Path
) -> None:
    before = await everything(journal.db)
    for name in (journal.archived, journal.waiting):
        done = pli("admin", "delete", name, "--db", journal.db, "--yes")
        assert done.returncode == 0, done.stderr
        assert "no such table" in complaint("admin", "delete", name, "--db", journal.db, "--yes")
        if journal.db.startswith("sqlite"):
            assert held(tmp_path, name) == []
    after = await everything(journal.db)
    assert after == {name: before[name] for name in (journal.over, journal.playing)}
    assert pli("admin", "check", "--db", journal.db).returncode == 0


def held(folder: Path, *texts: str) -> list[str]:
    """Those that any file of the journal holds."""
    content = b"".join(each.read_bytes() for each in folder.glob("tables.db*"))
    return [text for text in texts if text.encode() in content]


# Forgetting


async def test_a_nickname_is_replaced_everywhere_and_records_still_verify(
    journal: Played, tmp_path: Path
) -> None:
    before = await everything(journal.db)
    done = pli("admin", "forget", "Ann", "--db", journal.db, "--yes")
    assert done.returncode == 0, done.stderr
    assert "3 tables" in done.stdout  # those of two finished games, and one that waits
    assert re.search(r"Entries: 2, listings: 3, records: 2", done.stdout)
    after = await everything(journal.db)
    assert [*after] == [*before]
    assert b'"Ann' not in msgspec.msgpack.encode(after)
    for name, rows in after.items():
        assert [*rows.entries] == [*before[name].entries]
        for number, record in rows.records.items():
            assert record.text == before[name].records[number].text
            file = tmp_path / f"{name}.record"
            file.write_text(record.text)
            assert pli("verify", file).returncode == 0
    rows = after[journal.over]
    table = load_table(journal.over, [*rows.entries.values()])
    assert [chair.name for chair in table.chairs] == ["Player", "P1", "P2"]
    about = msgspec.json.decode(after[journal.archived].records[1].about or b"")
    assert [seat["name"] for seat in about["seats"]] == ["Player", "P1", "P2"]
    assert pli("admin", "check", "--db", journal.db).returncode == 0
    if journal.db.startswith("sqlite"):
        assert held(tmp_path, '"Ann"') == []
    async with running(tmp_path, Limits(**BRIEF), db=journal.db) as server:
        page = await server.page(journal.over, journal.tokens[journal.over])
        assert page.seat == 0  # it is still theirs
        assert page.table["seats"][0]["name"] == "Player"
        status, replay = await server.get(f"/api/tables/{journal.archived}/games/1/replay")
        assert status == 200
        assert replay["table"]["seats"][0]["name"] == "Player"


async def test_who_was_told_apart_by_a_number_is_forgotten_too_and_still_told_apart(
    journal: Played,
) -> None:
    done = pli("admin", "forget", f"  {NICK}", "--db", journal.db, "--yes")
    assert done.returncode == 0, done.stderr
    shown = told("table", journal.waiting, "--db", journal.db)
    assert shown["names"] == ["Ann", "Player", "Player 2"]
    assert [seat["name"] for seat in shown["seats"]] == ["Ann", "Player", "Player 2", None]
    assert told("table", journal.playing, "--db", journal.db)["names"] == ["Player"]


async def test_forgetting_can_be_for_one_table_alone(journal: Played) -> None:
    before = await everything(journal.db)
    only = ("--table", journal.waiting)
    done = pli("admin", "forget", "Ann", *only, "--db", journal.db, "--yes")
    assert done.returncode == 0, done.stderr
    after = await everything(journal.db)
    assert {name for name in after if after[name] != before[name]} == {journal.waiting}
    done = pli("admin", "forget", "P", "--db", journal.db, "--yes")
    assert "0 tables" in done.stdout
    assert await everything(journal.db) == after
    nowhere = complaint("admin", "forget", "Ann", "--table", "x", "--db", journal.db, "--yes")
    assert "no such table" in nowhere


async def test_a_name_that_can_not_be_read_is_told(journal: Played) -> None:
    def damage(rows: Contents) -> Contents:
        sat = next(n for n, body in rows.entries.items() if b'"sat"' in body)
        return replace(rows, entries={**rows.entries, sat: rows.entries[sat][:-5]})

    await change(journal.db, journal.over, damage)
    done = pli("admin", "forget", "Ann", "--db", journal.db, "--yes")
    assert done.returncode == 1
    assert journal.over in done.stderr


# Checking


async def test_a_sound_journal_is_told_to_be_so(journal: Played) -> None:
    done = pli("admin", "check", "--db", journal.db)
    assert done.returncode == 0, done.stderr
    assert "Tables: 4" in done.stdout
    tally = told("check", "--db", journal.db)
    rows = await everything(journal.db)
    assert tally["entries"] == sum(len(each.entries) for each in rows.values())
    assert (tally["records"], tally["faults"]) == (2, [])


async def test_damage_is_found_where_it_is(journal: Played) -> None:
    def swap(rows: Contents) -> Contents:
        """A move that nobody could make: the cards are random, so another one might be legal."""
        last = len(rows.entries) - 2
        made = e.decode(rows.entries[last])
        assert isinstance(made, e.Acted)
        other = replace(made, action=9999)
        return replace(rows, entries={**rows.entries, last: e.encode(other)})

    def rename(rows: Contents) -> Contents:
        assert rows.listing is not None
        return replace(rows, listing=replace(rows.listing, game="merci", finished=7))

    def smudge(rows: Contents) -> Contents:
        text = rows.records[1].text.replace("result", "resolt")
        return replace(rows, records={1: replace(rows.records[1], text=text)})

    def cut(rows: Contents) -> Contents:
        return replace(rows, entries={**rows.entries, 1: rows.entries[1][:9]})

    at = len((await contents(journal.db, journal.over)).entries) - 2
    await change(journal.db, journal.over, swap)
    await change(journal.db, journal.playing, rename)
    await change(journal.db, journal.archived, smudge)
    await change(journal.db, journal.waiting, cut)
    done = pli("admin", "check", "--db", journal.db)
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    for table, said in (
        (journal.over, f"Entry {at} "),
        (journal.playing, "game"),
        (journal.playing, "finished"),
        (journal.archived, "record of game 1"),
        (journal.waiting, "Entry 1 "),
    ):
        assert [line for line in lines if table in line and said in line], (table, said)
    assert len(lines) == 5
    assert "5 things are wrong" in done.stdout


@pytest.mark.parametrize("number", ["first", "last", "listing"])
async def test_missing_rows_are_found(journal: Played, number: str) -> None:
    entries = (await contents(journal.db, journal.over)).entries
    statement = {
        "first": f"DELETE FROM entries WHERE table_id = '{journal.over}' AND number = 3",
        "last": f"DELETE FROM entries WHERE table_id = '{journal.over}'"
        f" AND number = {len(entries) - 1}",
        "listing": f"DELETE FROM listings WHERE table_id = '{journal.over}'",
    }[number]
    await execute(journal, statement)
    done = pli("admin", "check", "--db", journal.db)
    assert done.returncode == 1
    said = {"first": "Entry 3 ", "last": f"Entry {len(entries) - 1} ", "listing": "no listing"}
    assert said[number] in done.stderr
    assert journal.over in done.stderr
    if number != "listing":
        target = f"{journal.file}.copy"
        assert journal.over in complaint("admin", "copy", journal.db, target)


async def execute(journal: Played, statement: str) -> None:
    """Behind everybody's back."""
    if journal.db.startswith("sqlite"):
        with closing(sqlite3.connect(journal.file)) as database, database:
            database.execute(statement)
        return
    import asyncpg

    connection = await asyncpg.connect(journal.db)
    try:
        await connection.execute(statement.replace("FROM ", "FROM pli."))
    finally:
        await connection.close()


# Beside a server


async def test_an_sqlite_journal_is_read_beside_its_server_and_not_written(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        page = await server.alone("plingo", 3, name="Ann")
        table, db = page.table["id"], tmp_path / "tables.db"

        def look() -> None:
            assert [each["id"] for each in told("tables", "--db", db)] == [table]
            assert told("table", table, "--db", db)["state"] == "playing"
            assert told("check", "--db", db)["faults"] == []
            for command in (("end", table), ("delete", table), ("forget", "Ann")):
                said = complaint("admin", *command, "--db", db, "--yes")
                assert "Stop it first" in said
            said = complaint("admin", "copy", db, tmp_path / "copy.db")
            assert "Stop it first" in said

        await asyncio.to_thread(look)
        while not page.legal:
            await page.next()
        await page.do(page.first_action)
        assert (await page.until("update"))["did"]


async def act(page: Page) -> None:
    """Plays something, whatever comes of it."""
    while not page.legal:
        await page.next()
    await page.do(page.first_action)


@pytest.mark.parametrize("command", ["end", "delete", "forget"])
async def test_on_postgres_a_table_is_changed_while_people_play_at_it(
    postgres_url: str, command: str
) -> None:
    async with member(postgres_url, limits=Limits(**BRIEF)) as server:
        page = await server.alone("plingo", 3, name="Ann")
        other = await server.alone("marshmallow", 3, name="Bob")
        table = page.table["id"]
        listed = await asyncio.to_thread(told, "tables", "--db", postgres_url)
        owners = {each["owner"] for each in listed}
        assert owners == {server.journal.registry.address}
        arguments = (command, "Ann" if command == "forget" else table)
        done = await asyncio.to_thread(pli, "admin", *arguments, "--db", postgres_url, "--yes")
        assert done.returncode == 0, done.stderr
        if command == "delete":
            with pytest.raises(ConnectionError):
                await page.until("nothing any more")
            await server.unloaded(table)
            assert (await server.get(f"/api/tables/{table}"))[0] == 404
        elif command == "end":
            await page.sees(lambda table: table["state"] == "over")
            assert page.table["results"] == [[]]
            assert page.table["secret"]
        else:
            await page.sees(lambda table: table["seats"][0]["name"] == "Player")
            await act(page)
            await page.until("update", lambda update: bool(update["did"]))
        await act(other)
        await other.until("update", lambda update: bool(update["did"]))
    rows = await everything(postgres_url)
    assert (table in rows) == (command != "delete")
    assert b'"Ann"' not in msgspec.msgpack.encode(rows) or command == "end"
    assert pli("admin", "check", "--db", postgres_url).returncode == 0


async def test_what_is_no_journal_is_told_and_not_made(tmp_path: Path) -> None:
    for command in (("tables",), ("check",), ("delete", "x", "--yes")):
        assert "nothing.db" in complaint("admin", *command, "--db", tmp_path / "nothing.db")
    assert [*tmp_path.iterdir()] == []
    (tmp_path / "diary.db").write_bytes(b"Dear diary, " * 100)
    assert "diary.db" in complaint("admin", "tables", "--db", tmp_path / "diary.db")
    assert "hush" not in complaint("admin", "tables", "--db", "postgresql://me:hush@[x/db")


async def test_a_journal_of_an_older_version_is_read_once_it_was_written(tmp_path: Path) -> None:
    from tests import old

    old.put_journal(tmp_path)
    db = tmp_path / "tables.db"
    assert "older version" in complaint("admin", "tables", "--db", db)
    assert "no such table" in complaint("admin", "delete", "nothing", "--db", db, "--yes")
    done = pli("admin", "check", "--db", db)
    assert done.returncode == 0, done.stderr
    assert "older rules" in done.stdout
