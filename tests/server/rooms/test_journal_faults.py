"""Rooms while the journal can't be written: pages are told, nothing that was shown is lost, and
play goes on afterwards."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from pli.server.journal.api import Append
from pli.server.journal.sqlite import writer as sqlite_writer
from pli.server.rooms import room as room
from pli.server.tables import entries as e
from tests.server.client import Page, Running, running
from tests.server.journal.sqlite_faults import Connections, Fault


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "RETRY", 0.05)
    monkeypatch.setattr(sqlite_writer, "RETRY_INTERVAL", 0.05)


async def play_until_problem(pages: list[Page]) -> dict[str, object]:
    """Everybody plays until something can't be saved: what is told of that."""
    for _ in range(500):
        actor = pages[pages[0].view["awaited"][0]]
        await actor.do(actor.legal[0])
        told = [await after(page, "update", "problem") for page in pages]
        if any(each["type"] == "problem" for each in told):
            assert all(each["type"] == "problem" for each in told)
            return told[0]
    raise AssertionError("there is no trouble")


async def after(page: Page, *kinds: str) -> dict[str, object]:
    while (message := await page.next())["type"] not in kinds:
        pass
    return message


@pytest.mark.parametrize(
    ("begin", "end", "code"),
    [
        (Connections.forbid_writing, Connections.allow_writing, "journal_read_only"),
        (Connections.lock, Connections.unlock, "journal_locked"),
    ],
)
async def test_people_are_told_nothing_shown_is_lost_and_the_table_goes_on(
    sqlite: Connections, tmp_path: Path, begin: Fault, end: Fault, code: str
) -> None:
    async with running(tmp_path) as server:
        pages = await server.people("marshmallow", 3, options={"target": 1000})
        table = pages[0].table["id"]
        await begin(sqlite)
        assert (await play_until_problem(pages))["code"] == code
        shown = [(page.n, page.view, page.id) for page in pages]
        for page, (n, view, _) in zip(pages, shown, strict=True):
            await page.until("welcome")  # what could not be saved did not happen
            assert (page.n, page.view) == (n, view)
        assert await pages[0].asks("do", id=999, action=pages[0].view["hand"][0]) == code
        assert await pages[1].asks("leave") == code
        late = await server.connect(table)
        assert await late.asks("hello") == code
        assert (await server.get("/api/health"))[1]["status"] == "not_saving"
        await end(sqlite)
        for page in pages:
            await page.until("welcome")
        await late.until("welcome")
        assert (await server.get("/api/health"))[1]["status"] == "ok"
        for _ in range(4):
            actor = pages[pages[0].view["awaited"][0]]
            number = await actor.do(actor.legal[0])
            for page in pages:
                update = await page.until("update")
                assert update["did"] == (number if page is actor else 0)
                assert update["events"]
    async with running(tmp_path) as server:
        for page in pages:
            again = await server.page(table, page.token)
            assert (again.n, again.view) == (page.n, page.view)


async def test_where_there_is_room_for_a_little_more_that_is_saved(
    sqlite: Connections, server: Running
) -> None:
    """On a disk that is nearly full some things can be saved and others not."""
    pages = await server.people("marshmallow", 3, options={"target": 1000})
    await sqlite.fill_disk()
    assert (await play_until_problem(pages))["code"] == "journal_full"
    shown = [(page.n, page.view) for page in pages]
    for page, as_before in zip(pages, shown, strict=True):
        await page.until("welcome")  # what could not be saved did not happen
        assert (page.n, page.view) == as_before
    await sqlite.make_room()
    for page in pages:
        await page.until("welcome")
    page = pages[pages[0].view["awaited"][0]]
    number = await page.do(page.legal[0])
    assert (await page.until("update"))["did"] == number


async def test_bots_wait_for_the_end_of_the_trouble_too(
    sqlite: Connections, server: Running
) -> None:
    options = {"first_dealer": 1, "target": 1}
    page = await server.alone("marshmallow", 3, options=options, settings={"pace": "brisk"})
    await sqlite.forbid_writing()
    assert (await page.until("problem"))["code"] == "journal_read_only"
    await asyncio.sleep(0.5)
    await sqlite.allow_writing()
    await page.until("update")
    problems = [told for told in page.told if told["type"] == "problem"]
    assert len(problems) == 1  # they did not try again and again


async def test_the_time_of_play_stands_still_in_trouble(
    sqlite: Connections, server: Running
) -> None:
    options = {"mode": "coop", "minute_ms": 1500}
    (page,) = await server.waiting("twinit", 1, options=options)
    await page.contribute()
    await page.send("begin")
    began = await page.until("update")
    await sqlite.forbid_writing()
    await page.do(next(action for action in page.legal if action.startswith("turn")))
    await page.until("problem")
    await asyncio.sleep(1.5)
    await sqlite.allow_writing()
    for _ in range(2):
        welcome = await page.until("welcome")
        assert welcome["view"]["phase"] == "play"
        assert welcome["time"] <= began["time"] + 1000
    number = await page.do(next(each for each in page.legal if each.startswith("turn")))
    assert (await page.until("update"))["did"] == number
    await page.until("update", lambda told: told["view"]["phase"] == "over")


async def test_who_could_not_leave_or_change_the_table_is_where_it_was(
    sqlite: Connections, server: Running
) -> None:
    host, guest = await server.waiting("marshmallow", 4, people=2)
    sat = await server.sit(host.table["id"], "Cleo", seat=3)
    cleo = await server.page(host.table["id"], sat["token"])
    for page, kind, fields in (
        (cleo, "leave", {}),
        (host, "configure", {"options": {"seats": 3}}),
    ):
        await sqlite.forbid_writing()
        assert await page.asks(kind, **fields) == "journal_read_only"
        await sqlite.allow_writing()
        for each, seat in ((host, 0), (guest, 1), (cleo, 3)):
            for _ in range(2):
                welcome = await each.until("welcome")
                assert welcome["seat"] == seat
                assert len(welcome["table"]["seats"]) == 4


async def test_over_http_too_it_is_told_that_nothing_can_be_saved(
    sqlite: Connections, server: Running
) -> None:
    table = (await server.make("marshmallow"))["table"]
    await sqlite.forbid_writing()
    for path, body in (
        (f"/api/tables/{table}/seats", {"name": "Bob"}),
        ("/api/tables", {"game": "plingo", "name": "Bob"}),
    ):
        status, wrong = await server.post(path, body)
        assert (status, wrong["code"]) == (503, "journal_read_only")
    await sqlite.allow_writing()
    while (await server.get("/api/health"))[1]["status"] != "ok":
        await asyncio.sleep(0.02)
    while (got := await server.post(f"/api/tables/{table}/seats", {"name": "Bob"}))[0] == 503:
        await asyncio.sleep(0.02)
    assert (got[0], got[1]["seat"]) == (201, 1)


async def test_who_finds_that_somebody_else_wrote_rereads_and_goes_on_from_there(
    server: Running,
) -> None:
    pages = await server.people("marshmallow", 3)
    page = pages[pages[0].view["awaited"][0]]
    table = await server.durable(page.table["id"])
    assert table.match is not None
    action = table.game.notation.parse(page.legal[0])
    other = e.Acted(seat=page.seat or 0, action=action, time=table.match.now, id=7)
    await server.context.journal.append(
        Append(table=table.name, first=table.n + 1, entries=[e.encode(other)])
    )
    laid = page.legal[0].split()[1]
    await page.do(page.legal[1])
    for each in pages:
        assert (await each.until("problem"))["code"] == "journal_conflict"
        for _ in range(2):  # that it is so, and that it goes on
            await each.until("welcome")
        assert each.view["trick"] == [{"seat": page.seat, "card": laid}]
    assert page.told[-1]["acted"] == 7
    following = pages[page.view["awaited"][0]]
    number = await following.do(following.legal[0])
    assert (await following.until("update"))["did"] == number


async def test_who_sits_at_a_table_that_the_journal_does_not_know_is_sent_away(
    server: Running, tmp_path: Path
) -> None:
    (page,) = await server.waiting("marshmallow", 3, people=1)
    with sqlite3.connect(tmp_path / "tables.db") as database:
        database.execute("DELETE FROM entries")
    database.close()
    await page.send("configure", public=True)
    assert (await page.until("closing"))["code"] == "not_saved"
    others = await server.people("marshmallow", 3)
    assert others[0].view
