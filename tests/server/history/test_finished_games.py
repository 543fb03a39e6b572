"""Requests for finished games cost players nothing: they are looked up before they are replayed,
wait for running tables, and are bounded."""

import asyncio
import gc
import gzip
import logging
import sqlite3
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any, TypeVar

import aiohttp
import msgspec
import pytest

from pli.match import AnyMatch, Match
from pli.server.history import api, replay
from pli.server.history.api import CONCURRENT_OPENINGS
from pli.server.history.compression import decompressed
from pli.server.history.queries import QueryQueue
from pli.server.history.worker import WorkerThread
from pli.server.journal.sqlite.journal import SqliteJournal
from pli.server.limits import Limits
from pli.server.tables.table import loading
from pli.slices import Slices
from tests.server.client import BRIEF, Running, play_some, running
from tests.server.history.long_table import NAME, put_long_table

HELD = "replay?seat=2"
"""What the question that is held asks of the first game: no test asks for it otherwise."""

MANY: dict[str, Any] = {**BRIEF, "replays": (1e6, 1e6), "pictures": (1e6, 1e6)}


T = TypeVar("T")


class Work:
    """Counts what is done to tell the past."""

    def __init__(self) -> None:
        self.steps = 0
        """Inputs that were fed to matches."""
        self.reads = 0
        """Times that entries of tables were read."""


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    done = Work()
    take, entries = Match._take, SqliteJournal.entries

    def counted(match: AnyMatch, given: Any) -> None:
        done.steps += 1
        take(match, given)

    async def counted_entries(journal: SqliteJournal, *table: Any) -> list[bytes]:
        done.reads += 1
        return await entries(journal, *table)

    monkeypatch.setattr(Match, "_take", counted)
    monkeypatch.setattr(SqliteJournal, "entries", counted_entries)
    return done


@asynccontextmanager
async def with_long_table(folder: Path, count: int, **limits: Any) -> AsyncIterator[Running]:
    """A server whose journal has a table of so many finished games."""
    await put_long_table(folder, count)
    async with running(folder, Limits(**{**MANY, **limits}), proxied=True) as server:
        yield server


def past(number: int, what: str = "replay") -> str:
    return f"/api/tables/{NAME}/games/{number}/{what}"


def by(address: str) -> dict[str, Any]:
    return {"headers": {"X-Forwarded-For": address}}


class Endless:
    """Work that is done in small steps, and comes to its end when it is let."""

    def __init__(self) -> None:
        self.begun = 0
        self._released = False

    def before(self, work: Callable[..., Slices[T]]) -> Callable[..., Slices[T]]:
        """The same work, which takes all the time there is until it is released."""

        def endless(*args: Any) -> Slices[T]:
            self.begun += 1
            while not self._released:
                yield
            return (yield from work(*args))

        return endless

    async def begins(self, *asked: Awaitable[Any]) -> "asyncio.Future[list[Any]]":
        """Asks, and waits until all of it is being worked on."""
        answers = asyncio.gather(*asked)
        async with asyncio.timeout(10):
            while self.begun < len(asked):
                await asyncio.sleep(0.01)
        return answers

    def release(self) -> None:
        self._released = True


@asynccontextmanager
async def held(server: Running) -> AsyncIterator[None]:
    """A question about a finished game is being worked on, which takes all the time there is."""
    endless = Endless()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(replay, "response", endless.before(replay.response))
        asked = await endless.begins(server.get(past(1, HELD), **by("9.9.9.9")))
    try:
        yield
    finally:
        endless.release()
        await asked


async def waiting(server: Running, count: int) -> None:
    """Until so many questions wait, beside the one that is held."""
    async with asyncio.timeout(10):
        while server.context.lobby.history.waiting != count + 1:
            await asyncio.sleep(0.01)


# Looking first


async def test_what_does_not_exist_is_looked_up_and_not_worked_out(
    tmp_path: Path, work: Work
) -> None:
    async with with_long_table(tmp_path, 5) as server:
        made = await server.make("twinit")
        work.steps = work.reads = 0
        for table, code in ((NAME, 404), (made["table"], 404), ("nonenoneno", 404)):
            for number in (0, 7, 999):
                for what in ("record", "replay", "replay?seat=1", "moves"):
                    at = f"/api/tables/{table}/games/{number}/{what}"
                    assert (await server.get(at))[0] == code
                at = f"/pictures/{table}/{number}/{'0' * 20}"
                assert (await server.get(at))[0] == code
        status, wrong = await server.get(f"/api/tables/{made['table']}/games/1/record")
        assert (status, wrong["code"]) == (403, "not_over")
        assert (work.steps, work.reads) == (0, 0)


async def test_of_a_table_only_the_game_is_played_again_that_is_asked_for_and_only_once(
    tmp_path: Path, work: Work
) -> None:
    async with with_long_table(tmp_path, 12) as server:
        work.steps = work.reads = 0
        status, moves = await server.get(past(6, "moves"))
        assert status == 200
        game = len(moves["moves"])
        # The record is written, and its list of moves is not played. Each game is dealt.
        assert game < work.steps < 2 * game
        assert work.reads == 1
        status, replay = await server.get(past(6))
        assert (status, len(replay["updates"]) >= game) == (200, True)
        assert work.reads == 1  # the record tells it
        steps = work.steps
        assert await server.get(past(6)) == (200, replay)
        assert (await server.get(past(6, "record")))[0] == 200
        assert (work.steps, work.reads) == (steps, 1)


async def test_a_log_costs_no_more_for_the_games_before(server: Running, work: Work) -> None:
    page = await server.alone("marshmallow", 3, options={"target": 1})
    for _ in range(4):
        await page.play()
        await page.send("again")
        await page.sees(lambda table: table["state"] == "waiting")
        await page.contribute()
        await page.until("update")
    while page.view["awaited"] != [0]:
        await page.next()
    await asyncio.sleep(0.3)  # the last record is kept
    entries = await server.context.journal.entries(page.table["id"])
    kinds = [msgspec.json.decode(each)["e"] for each in entries]
    since = kinds[::-1].index("begun")
    work.steps = work.reads = 0
    await page.send("log")
    logged = await page.until("log")
    assert logged["events"]
    assert work.reads == 1
    # The game was dealt before its first move, and its moves are played.
    assert since <= work.steps <= since + 5 < len(kinds) // 4


# Who plays goes first


@pytest.mark.parametrize("what", ["replay", "record"])
async def test_a_log_and_a_bot_that_comes_wait_for_no_stranger(tmp_path: Path, what: str) -> None:
    """Dozens ask for a long table's games, each of which takes a while."""
    async with with_long_table(tmp_path, 40, history_each=100) as server:
        pages = await server.people("merci", 3, settings={"pace": "instant"})
        await play_some(pages, 3)
        strangers = [
            asyncio.ensure_future(server.get(past(number, what), **by(f"1.2.3.{number}")))
            for number in range(1, 41)
        ]
        await asyncio.sleep(0.2)
        page = pages[0]
        await page.send("log")
        assert (await page.until("log"))["events"]
        gone = pages.pop(page.view["awaited"][0])
        seat = gone.seat
        await gone.send("leave")
        told = await pages[0].until("update", lambda told: bool(told["events"]))
        assert told["events"][0]["seat"] == seat
        assert not all(each.done() for each in strangers)
        assert {status for status, _ in await asyncio.gather(*strangers)} == {200}


async def test_tables_are_opened_and_logs_told_in_the_middle_of_a_strangers_work(
    tmp_path: Path,
) -> None:
    async with with_long_table(tmp_path, 5) as server:
        pages = await server.people("plingo", 3)
        await play_some(pages, 5)
        async with held(server):
            questions = [asyncio.ensure_future(server.get(past(n))) for n in range(1, 6)]
            await waiting(server, 5)
            await pages[1].send("log")
            assert (await pages[1].until("log"))["events"]
            status, table = await server.get(f"/api/tables/{NAME}")
            assert (status, len(table["results"])) == (200, 5)
            assert not any(question.done() for question in questions)
        assert {status for status, _ in await asyncio.gather(*questions)} == {200}


async def test_a_log_does_not_wait_for_tables_that_are_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with with_long_table(tmp_path, 2) as server:
        pages = await server.people("plingo", 3)
        await play_some(pages, 5)
        others = [(await server.make("plingo"))["table"] for _ in range(CONCURRENT_OPENINGS)]
        await server.unloaded(*others)
        endless = Endless()
        monkeypatch.setattr(api, "loading", endless.before(loading))
        opened = await endless.begins(*(server.get(f"/api/tables/{each}") for each in others))
        last = asyncio.ensure_future(server.get(f"/api/tables/{NAME}"))
        await asyncio.sleep(0.1)
        await pages[1].send("log")
        assert (await pages[1].until("log"))["events"]
        assert not last.done()
        assert endless.begun == CONCURRENT_OPENINGS
        endless.release()
        assert {status for status, _ in [*await opened, await last]} == {200}


# Bounds


async def test_addresses_take_turns(tmp_path: Path) -> None:
    async with with_long_table(tmp_path, 11) as server:
        order: list[str] = []

        async def ask(address: str, number: int, what: str) -> None:
            assert (await server.get(past(number, what), **by(address)))[0] == 200
            order.append(address)

        async with held(server):
            many = [
                asyncio.ensure_future(ask("1.1.1.1", number, what))
                for number in range(1, 11)
                for what in ("replay", "moves")
            ]
            await waiting(server, 20)
            one = asyncio.ensure_future(ask("2.2.2.2", 11, "replay"))
            await waiting(server, 21)
            # Also who asks for what somebody else asked for last.
            other = asyncio.ensure_future(ask("3.3.3.3", 10, "moves"))
            await asyncio.sleep(0.1)
        await asyncio.gather(*many, one, other)
        assert order.index("2.2.2.2") < 10
        assert order.index("3.3.3.3") < 10


async def test_so_much_waits_and_no_more(tmp_path: Path) -> None:
    async with with_long_table(tmp_path, 4, history_waiting=3, history_each=2) as server:
        async with held(server):
            asked = [
                asyncio.ensure_future(server.get(past(number), **by(address)))
                for number, address in ((1, "1.1.1.1"), (2, "1.1.1.1"), (3, "2.2.2.2"))
            ]
            await waiting(server, 3)
            # Three may wait, two of one address; but what is asked for already may be joined.
            for number, address in ((4, "1.1.1.1"), (4, "2.2.2.2"), (4, "3.3.3.3")):
                status, wrong = await server.get(past(number), **by(address))
                assert (status, wrong["code"]) == (503, "too_busy")
            asked.append(asyncio.ensure_future(server.get(past(1), **by("1.1.1.1"))))
            await asyncio.sleep(0.1)
            assert not any(each.done() for each in asked)
        assert {status for status, _ in await asyncio.gather(*asked)} == {200}
        assert (await server.get(past(4)))[0] == 200


async def test_what_takes_too_long_is_given_up(tmp_path: Path) -> None:
    async with with_long_table(tmp_path, 30, history_seconds=0) as server:
        status, wrong = await server.get(past(30))
        assert (status, wrong["code"]) == (503, "too_busy")
        assert server.context.lobby.history.waiting == 0


async def test_records_count_as_replays(tmp_path: Path) -> None:
    async with with_long_table(tmp_path, 1, replays=(0.001, 3)) as server:
        codes = [(await server.get(past(1, "record")))[0] for _ in range(4)]
        assert codes == [200, 200, 200, 429]


async def test_who_hangs_up_is_not_worked_for(tmp_path: Path, work: Work) -> None:
    async with with_long_table(tmp_path, 20) as server:
        port = int(server.url.rpartition(":")[2])
        async with held(server):
            work.reads = 0
            lines = []
            for number in range(1, 21):
                _, line = await asyncio.open_connection("127.0.0.1", port)
                line.write(f"GET {past(number)} HTTP/1.1\r\nHost: here\r\n\r\n".encode())
                lines.append(line)
            await waiting(server, 20)
            assert work.reads == 0  # what waits holds nothing
            for line in lines:
                line.close()
            await waiting(server, 0)
        assert work.reads == 0


async def test_work_that_nobody_waits_for_ends_and_lets_go() -> None:
    class Heavy:
        """What a question holds in memory."""

    def alive() -> int:
        gc.collect()
        return sum(type(each) is Heavy for each in gc.get_objects())

    def endless(heavy: Heavy) -> Slices[None]:
        while heavy:
            yield

    def short() -> Slices[str]:
        yield
        return "answer"

    worker = WorkerThread()
    lane = QueryQueue(worker, concurrency=1)
    asked = asyncio.ensure_future(
        lane.ask("endless", "9.9.9.9", "", lambda: lane.compute(endless(Heavy())))
    )
    await asyncio.sleep(0.05)
    assert alive() == 1
    asked.cancel()
    async with asyncio.timeout(10):
        while len(lane) or alive():
            await asyncio.sleep(0.01)
    # The lane is free.
    assert await lane.ask("short", "9.9.9.9", "", lambda: lane.compute(short())) == "answer"
    worker.close()


async def test_what_was_worked_out_is_kept_within_bounds(tmp_path: Path, work: Work) -> None:
    async with with_long_table(tmp_path, 8, history_bytes=15_000) as server:
        sizes = []
        for number in range(1, 9):
            status, told = await server.get(past(number))
            assert status == 200
            sizes.append(len(gzip.compress(msgspec.json.encode(told))))
        assert sum(sizes) > 15_000
        work.steps = 0
        assert (await server.get(past(8)))[0] == 200
        assert work.steps == 0  # it was kept
        assert (await server.get(past(1)))[0] == 200
        assert work.steps > 0  # it was not


async def test_long_answers_are_packed_for_who_can_unpack_them(tmp_path: Path) -> None:
    async with with_long_table(tmp_path, 1) as server:
        plain = {"headers": {"Accept-Encoding": "identity"}}
        for what in ("replay", "record", "moves"):
            packed = await server.get(past(1, what))
            assert packed[0] == 200
            assert await server.get(past(1, what), **plain) == packed
        whole = msgspec.json.encode((await server.get(past(1)))[1])
        async with (
            aiohttp.ClientSession(auto_decompress=False) as session,
            session.get(server.url + past(1)) as response,
        ):
            assert response.headers["Content-Encoding"] == "gzip"
            packed_file = await response.read()
        assert 5 * len(packed_file) < len(whole)
        assert gzip.decompress(packed_file) == b"".join(decompressed(packed_file)) == whole


# Records


def change(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / "tables.db")) as database:
        database.execute(statement)
        database.commit()


async def archived(server: Running, table: str = NAME) -> None:
    await server.unloaded(table)
    assert await server.context.lobby.archive(int(time.time()) + 10) == 1


@pytest.mark.server(limits=Limits(**BRIEF, history_bytes=0))
async def test_an_archived_table_tells_its_games_from_their_records(server: Running) -> None:
    page = await server.alone("twinit", 1, options={"mode": "coop", "minute_ms": 300})
    await page.until("update", lambda update: update["view"]["phase"] == "over")
    await page.close()
    table = page.table["id"]
    sheet = next(told["sheets"][0] for told in page.told if told["type"] == "pictures")
    paths = [f"/api/tables/{table}/games/1/{what}" for what in ("record", "replay", "moves")]
    paths += [f"/api/tables/{table}/games/1/replay?seat=0", f"/pictures/{table}/1/{sheet}"]
    before = [await server.get(path) for path in paths]
    assert {status for status, _ in before} == {200}
    await archived(server, table)
    assert [await server.get(path) for path in paths] == before
    assert (await server.get(f"/api/tables/{table}/games/2/replay"))[0] == 404


async def test_a_table_without_records_has_them_when_it_is_archived(
    tmp_path: Path, work: Work
) -> None:
    async with with_long_table(tmp_path, 6) as server:
        await archived(server)
        assert work.reads == 1
        for number in range(1, 7):
            assert (await server.get(past(number)))[0] == 200
        assert work.reads == 1
        assert (await server.get(past(7)))[0] == 404


DAMAGE = (
    "text = replace(text, 'play', 'pley')",
    "text = substr(text, 1, 300)",
    "text = CAST(x'ff00fe' AS TEXT)",
    "text = ''",
)


@pytest.mark.parametrize("damage", [*DAMAGE, "about = x'7b'"])
async def test_a_damaged_record_is_logged_and_mended_from_the_entries(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: str
) -> None:
    kinds = ("replay", "record", "moves")
    await put_long_table(tmp_path, 2)
    async with running(tmp_path, Limits(**MANY)) as server:
        whole = [await server.get(past(2, kind)) for kind in kinds]
    change(tmp_path, f"UPDATE records SET {damage}")
    async with running(tmp_path, Limits(**MANY)) as server:
        assert [await server.get(past(2, kind)) for kind in kinds] == whole
        logged = [each for each in caplog.records if each.levelno >= logging.ERROR]
        assert [each.message for each in logged] == ["a record is damaged"]
        assert (logged[0].__dict__["table"], logged[0].__dict__["number"]) == (NAME, 2)


@pytest.mark.parametrize("damage", DAMAGE)
async def test_a_damaged_record_of_an_archived_table_is_told_as_such(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: str
) -> None:
    await put_long_table(tmp_path, 2)
    async with running(tmp_path, Limits(**MANY)) as server:
        await archived(server)
    change(tmp_path, f"UPDATE records SET {damage} WHERE number = 2")
    async with running(tmp_path, Limits(**MANY)) as server:
        for kind in ("replay", "record", "moves"):
            caplog.clear()
            status, wrong = await server.get(past(2, kind))
            assert (status, wrong["code"]) == (503, "record_damaged")
            assert "a record is damaged" in caplog.messages
            assert (await server.get(past(1, kind)))[0] == 200


@pytest.mark.parametrize("entry", ['\'{"e":"nothing"}\'', "x'00'"])
async def test_a_game_that_cannot_be_worked_out_is_told_and_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, entry: str
) -> None:
    await put_long_table(tmp_path, 1)
    change(tmp_path, f"UPDATE entries SET entry = {entry} WHERE number = 20")
    async with running(tmp_path, Limits(**MANY)) as server:
        for kind in ("replay", "record", "moves"):
            status, wrong = await server.get(past(1, kind))
            assert (status, wrong["code"]) == (503, "journal_damaged")
            assert "the entries of a table can't be read" in caplog.messages
