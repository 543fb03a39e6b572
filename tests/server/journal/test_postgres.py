"""The PostgreSQL journal: owners that are fenced off, outcomes that are unknown for a while,
crashes of the database, migrations by several servers, passwords that appear nowhere."""

import asyncio
import logging
import re
import signal
import socket
import subprocess
import sys
import time
import traceback
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from typing import Any

import pytest

from pli.extras import MissingExtra
from pli.server.journal.api import (
    Append,
    Conflict,
    JournalProblem,
    KeptRecord,
    NotOpened,
    NotOwner,
    NotSaved,
    OwnedElsewhere,
)
from pli.server.journal.open import open_journal
from pli.server.journal.postgres import journal as postgres_journal
from pli.server.journal.postgres.connect import Connector, hosts, place
from pli.server.journal.postgres.journal import PostgresJournal
from pli.server.journal.postgres.reader import Reader
from pli.server.journal.postgres.schema import MIGRATIONS
from pli.texts import LANGUAGES
from tests.postgres import NoPostgres, Postgres
from tests.server.journal.proxy import Proxy, proxied
from tests.server.journal.samples import begin, entry, healed, listing, outcomes

PASSWORD = "hush-hush"


@asynccontextmanager
async def opened(url: str, address: str = "", lease: float = 5.0) -> AsyncIterator[PostgresJournal]:
    journal = await PostgresJournal.open(url, address=address, lease=lease)
    try:
        yield journal
    finally:
        await journal.close()


@contextmanager
def own_server(**settings: object) -> Iterator[Postgres]:
    """A server that a test may stop."""
    try:
        server = Postgres(settings=settings)
    except NoPostgres as missing:
        pytest.skip(str(missing))
    try:
        yield server.start()
    finally:
        server.remove()


def through(proxy: Proxy, url: str) -> str:
    return re.sub(r":\d+/", f":{proxy.port}/", url)


def database(url: str) -> str:
    return url.rpartition("/")[2]


# Owners


async def test_a_table_has_one_owner_until_it_is_released(postgres_url: str) -> None:
    async with opened(postgres_url, "a:1") as first, opened(postgres_url, "b:2") as second:
        await begin(first, "T")
        await first.claim("T")  # which it owns already
        with pytest.raises(OwnedElsewhere) as caught:
            await second.claim("T")
        assert (caught.value.server, caught.value.address) == (first.registry.id, "a:1")
        with pytest.raises(NotOwner):
            await second.append(entry("T", 1, b"stolen"))
        await first.append(entry("T", 1))
        await first.release(["T", "unknown"])
        with pytest.raises(NotOwner):
            await first.append(entry("T", 2, b"late"))
        await second.claim("T")
        await second.append(entry("T", 2, b"mine"))
        assert await first.entries("T") == [b"entry 0", b"entry 1", b"mine"]
        await second.claim("nothing")
        assert await second.entries("nothing") == []


async def test_an_owner_that_is_alive_again_keeps_its_table(
    postgres: Postgres, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever found it dead may have been asleep since."""

    def alive(seconds: int) -> None:
        postgres.sql(
            f"UPDATE pli.servers SET alive_until = now() + interval '{seconds} s'"
            f" WHERE id = '{first.registry.id}'",
            database(postgres_url),
        )

    async with opened(postgres_url, lease=60.0) as first, opened(postgres_url) as second:
        await begin(first, "T")
        alive(-1)
        rows = Reader.rows

        async def slowly(reader: Reader, query: str, *values: object) -> list[Any]:
            monkeypatch.undo()
            found = await rows(reader, query, *values)
            alive(60)
            return found

        monkeypatch.setattr(Reader, "rows", slowly)
        with pytest.raises(OwnedElsewhere):
            await second.claim("T")
        await first.append(entry("T", 1))


async def test_what_is_queued_before_a_release_is_written(postgres_url: str) -> None:
    async with opened(postgres_url) as first, opened(postgres_url) as second:
        await begin(first, "T")
        writing = [first.append(entry("T", number)) for number in range(1, 20)]
        releasing = first.release(["T"])
        assert first.epoch("T") == 0
        await first.claim("T")  # waits for the release
        assert first.epoch("T") == 2
        await asyncio.gather(releasing, *writing)
        await first.append(entry("T", 20))
        with pytest.raises(OwnedElsewhere):
            await second.claim("T")


async def test_a_stop_gives_up_all_tables_at_once(postgres_url: str) -> None:
    async with opened(postgres_url, lease=60.0) as first:
        await begin(first, "T")
        last = first.append(entry("T", 1))
    await last
    async with opened(postgres_url) as second:
        await second.claim("T")
        await second.append(entry("T", 2))
        assert second.registry.peers == {}


async def test_who_is_forced_out_hears_of_it_and_is_refused(postgres_url: str) -> None:
    async with opened(postgres_url) as first, opened(postgres_url) as second:
        lost: asyncio.Queue[str] = asyncio.Queue()
        first.lost = lost.put_nowait
        await begin(first, "T")
        await second.claim("T", force=True)
        assert await asyncio.wait_for(lost.get(), 10) == "T"
        with pytest.raises(NotOwner):
            await first.append(entry("T", 1))
        await second.append(entry("T", 1))


async def test_who_missed_the_news_finds_out(
    postgres: Postgres, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_journal, "CHECK_INTERVAL", 0.1)
    async with opened(postgres_url) as journal:
        lost: asyncio.Queue[str] = asyncio.Queue()
        journal.lost = lost.put_nowait
        await begin(journal, "T")
        await begin(journal, "U")
        postgres.sql(
            "UPDATE pli.tables SET epoch = 9, owner = 'x' WHERE id = 'T'", database(postgres_url)
        )
        assert await asyncio.wait_for(lost.get(), 10) == "T"
        await journal.append(entry("U", 1))
        assert lost.empty()


async def test_a_table_of_another_server_is_not_archived(postgres_url: str) -> None:
    async with opened(postgres_url) as first, opened(postgres_url) as second:
        await begin(first, "T")
        await begin(second, "U")
        found = await second.untouched(9)
        assert await second.archive(found) == 1
        assert await second.entries("T") == [b"entry 0"]
        assert await second.entries("U") == []
        await first.release(["T"])
        assert await second.archive(found) == 1
        with pytest.raises(Conflict):
            await first.append(entry("T", 1))


# Leases

CHILD = """
import asyncio, sys
from pli.server.journal.api import Append, JournalProblem
from pli.server.journal.postgres.journal import PostgresJournal
from pli.server.journal.postgres.registry import PostgresRegistry

async def serve(url, lease, careless):
    journal = await PostgresJournal.open(url, address="child:1", lease=float(lease))
    if careless == "careless":  # as if it were stopped between the check and the statement
        PostgresRegistry.valid = property(lambda self: True)
    await journal.append(Append("T", 0, [b"child 0"]))
    print("ready", flush=True)
    number = 0
    while line := await asyncio.to_thread(sys.stdin.readline):
        number += 1
        try:
            await journal.append(Append("T", number, [b"child %d" % number]))
            print("written", flush=True)
        except JournalProblem as problem:
            print(problem.code, flush=True)

asyncio.run(serve(*sys.argv[1:]))
"""


class Child:
    """Another server, as a process."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process

    async def told(self) -> str:
        assert self.process.stdout is not None
        return (await asyncio.to_thread(self.process.stdout.readline)).strip()

    async def append(self) -> str:
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return await self.told()


@contextmanager
def child(url: str, lease: float, careless: str = "") -> Iterator[Child]:
    command = [sys.executable, "-c", CHILD, url, str(lease), careless]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield Child(process)
        finally:
            process.kill()


async def claimed(journal: PostgresJournal, table: str) -> float:
    """Claims a table as soon as it can be: after how many seconds."""
    begun = time.monotonic()
    while True:
        try:
            await journal.claim(table)
        except OwnedElsewhere:
            await asyncio.sleep(0.05)
        else:
            return time.monotonic() - begun


async def test_tables_of_a_killed_server_are_claimed_once_its_lease_has_ended(
    postgres_url: str,
) -> None:
    async with opened(postgres_url) as journal:
        with child(postgres_url, 2.0) as other:
            assert await other.told() == "ready"
            assert await other.append() == "written"
            other.process.kill()
            other.process.wait()
        waited = await claimed(journal, "T")
        assert 0.5 < waited < 10
        assert await journal.entries("T") == [b"child 0", b"child 1"]
        await journal.append(entry("T", 2))


@pytest.mark.parametrize("careless", ["", "careless"])
async def test_a_server_that_was_stopped_for_longer_than_its_lease_writes_nothing_more(
    postgres_url: str, careless: str
) -> None:
    async with opened(postgres_url) as journal:
        with child(postgres_url, 1.0, careless) as other:
            assert await other.told() == "ready"
            assert await other.append() == "written"
            other.process.send_signal(signal.SIGSTOP)
            await claimed(journal, "T")
            await journal.append(entry("T", 2, b"ours"))
            other.process.send_signal(signal.SIGCONT)
            assert await other.append() in ("not_owner", "journal_unreachable")
            if careless:
                assert await other.append() == "not_owner"
            assert await journal.entries("T") == [b"child 0", b"child 1", b"ours"]
            await journal.append(entry("T", 3, b"ours"))


async def test_a_restarted_server_replaces_its_former_self(postgres_url: str) -> None:
    async with opened(postgres_url, "here:1") as journal:
        with child(postgres_url, 60.0) as other:
            assert await other.told() == "ready"
            with pytest.raises(OwnedElsewhere):
                await journal.claim("T")
            async with opened(postgres_url, "child:1") as again:
                await again.claim("T")
                await again.append(entry("T", 1))
                assert await other.append() == "not_owner"


async def test_a_server_without_its_database_stops_before_others_are_let_in(
    postgres: Postgres, postgres_url: str
) -> None:
    changes: list[bool] = []
    async with (
        proxied(postgres.port) as proxy,
        opened(through(proxy, postgres_url), lease=1.0) as journal,
    ):
        journal.registry.changed.append(lambda: changes.append(journal.registry.valid))
        await begin(journal, "T")
        proxy.refusing = True
        proxy.stall()
        async with opened(postgres_url) as other:
            while journal.registry.valid:
                with pytest.raises(OwnedElsewhere):
                    await other.claim("T")
                await asyncio.sleep(0.02)
            assert not journal.healthy
            with pytest.raises(NotSaved):
                await journal.append(entry("T", 1))
            proxy.refusing = False
            await healed(journal)
            await journal.claim("T")
            await journal.append(entry("T", 1))
    assert changes[:2] == [False, True]


# The registry


async def test_servers_know_each_other_and_what_each_lists(postgres_url: str) -> None:
    async with opened(postgres_url, "a:1", lease=1.0) as first:
        first.registry.listed = lambda: b"tables of the first"
        changes: list[list[str]] = []
        async with opened(postgres_url, "b:2", lease=1.0) as second:
            second.registry.changed.append(
                lambda: changes.append([each.address for each in second.registry.peers.values()])
            )
            async with asyncio.timeout(10):
                while not (
                    [each.listed for each in second.registry.peers.values()]
                    == [b"tables of the first"]
                    and [*first.registry.peers] == [second.registry.id]
                ):
                    await asyncio.sleep(0.05)
            assert [*second.registry.peers] == [first.registry.id]
            assert first.registry.secret == second.registry.secret
            assert len(first.registry.secret) == 32
            await first.close()
            async with asyncio.timeout(10):
                while second.registry.peers:
                    await asyncio.sleep(0.05)
            assert changes[-1] == []


async def test_tables_are_counted_whichever_server_made_them(postgres_url: str) -> None:
    async with opened(postgres_url) as first, opened(postgres_url) as second:
        await begin(first, "A", "waiting")
        await begin(second, "B")
        assert await first.count() == await second.count() == 2
        await first.close()
        assert await second.count() == 2
        await second.claim("A")
        await second.append(entry("A", 1, listing=listing("A", "over")))
        assert await second.count() == 1


async def test_appends_are_as_much_work_for_many_tables_as_for_few(
    postgres: Postgres, postgres_url: str
) -> None:
    names = [f"T{number}" for number in range(600)]
    async with opened(postgres_url) as journal:  # whose plans are made while there is nothing
        for at in range(0, len(names), 200):
            some = names[at : at + 200]
            made = [entry(each, 0, listing=listing(each)) for each in some]
            assert {*await outcomes(journal, *made)} == {None}
        for number in range(1, 11):
            moves = [entry(each, number) for each in names[:10]]
            moves.append(entry("T11", number, listing=listing("T11")))
            assert {*await outcomes(journal, *moves)} == {None}
    name = database(postgres_url)
    read = "SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE relname IN ({})"
    tables = "'tables', 'listings', 'entries', 'records'"
    assert int(postgres.sql(read.format(tables), name)) == 0
    found = "SELECT idx_tup_read FROM pg_stat_user_indexes WHERE indexrelname = 'tables_pkey'"
    # Each table is looked up when it is begun, when it is continued, and when it is released.
    assert int(postgres.sql(found, name)) < 5 * (len(names) + 110)


# Outcomes that are unknown


async def test_a_statement_whose_reply_is_lost_is_written_once_and_acknowledged(
    postgres: Postgres, postgres_url: str
) -> None:
    async with proxied(postgres.port) as proxy, opened(through(proxy, postgres_url)) as journal:
        await begin(journal, "T")
        await begin(journal, "U")
        proxy.lose_replies()
        record = KeptRecord(1, "text")
        told = asyncio.ensure_future(
            outcomes(
                journal,
                entry("T", 1, b"one", b"two"),
                entry("U", 1, record=record),
                entry("V", 0, listing=listing("V")),
                Append("W", 0, (), record=record),
            )
        )
        async with opened(postgres_url) as other:
            while len(await other.entries("T")) == 1:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.1)
            assert not told.done()
            proxy.cut()
            assert await told == [None] * 4
            assert await other.entries("T") == [b"entry 0", b"one", b"two"]
            assert await other.entries("U") == [b"entry 0", b"entry 1"]
            assert await other.entries("V") == [b"entry 0"]
            assert await other.record("W", 1) == record
        await journal.append(entry("T", 3))
        await journal.append(entry("V", 1))
        assert journal.healthy


async def test_a_statement_that_never_arrived_is_sent_again(
    postgres: Postgres, postgres_url: str
) -> None:
    async with proxied(postgres.port) as proxy, opened(through(proxy, postgres_url)) as journal:
        await begin(journal, "T")
        proxy.lose_requests()
        told = asyncio.ensure_future(outcomes(journal, entry("T", 1), entry("T", 1, b"late")))
        await asyncio.sleep(0.1)
        proxy.cut()
        assert [type(each) for each in await told] == [type(None), Conflict]
        assert await journal.entries("T") == [b"entry 0", b"entry 1"]


async def test_a_connection_that_stalls_is_noticed_and_replaced(
    postgres: Postgres, postgres_url: str
) -> None:
    async with proxied(postgres.port) as proxy, opened(through(proxy, postgres_url)) as journal:
        await begin(journal, "T")
        assert len(await journal.entries("T")) == 1
        proxy.stall()
        begun = time.monotonic()
        await journal.append(entry("T", 1))
        assert 1.5 < time.monotonic() - begun < 4.5
        assert journal.registry.valid


async def test_an_outcome_that_stays_unknown_is_told_as_such_and_seen_later(
    postgres: Postgres, postgres_url: str
) -> None:
    async with (
        proxied(postgres.port) as proxy,
        opened(through(proxy, postgres_url), lease=1.5) as journal,
    ):
        await begin(journal, "T")
        proxy.lose_replies()
        proxy.refusing = True
        with pytest.raises(NotSaved) as caught:
            await journal.append(entry("T", 1))
        assert caught.value.code == "journal_unknown"
        assert not journal.healthy
        proxy.refusing = False
        await healed(journal)
        await journal.claim("T")
        written = await journal.entries("T")
        assert written == [b"entry 0", b"entry 1"]
        await journal.append(entry("T", 2))


# Crashes of the database


async def write_on(journal: PostgresJournal, counts: list[int], going: asyncio.Event) -> None:
    """Appends to all tables as fast as it can, and counts how many entries of each were
    acknowledged."""
    ended = asyncio.Semaphore(0)

    def next_one(table: int) -> None:
        append = entry(str(table), counts[table], b"%d of %d" % (counts[table], table))
        journal.append_soon(append, partial(done, table))

    def done(table: int, problem: JournalProblem | None) -> None:
        if problem is not None:
            asyncio.get_running_loop().create_task(again(table))
            return
        counts[table] += 1
        if going.is_set():
            next_one(table)
        else:
            ended.release()

    async def again(table: int) -> None:
        """As a room does: it reads what there is, however often the database crashes meanwhile."""
        while True:
            await healed(journal)
            with suppress(JournalProblem):
                await journal.claim(str(table))
                found = len(await journal.entries(str(table)))
                break
        assert found >= counts[table]
        counts[table] = found
        next_one(table)

    for table in range(len(counts)):
        next_one(table)
    for _ in counts:
        await ended.acquire()


async def risen(counts: list[int]) -> None:
    """Waits until entries of every table were acknowledged."""
    before = [*counts]
    while any(now <= then for now, then in zip(counts, before, strict=True)):
        await asyncio.sleep(0.01)


async def test_crashes_of_the_database_lose_nothing_and_double_nothing() -> None:
    with own_server() as server:
        async with opened(server.new_database()) as journal:
            going = asyncio.Event()
            going.set()
            counts = [0] * 20
            writing = asyncio.create_task(write_on(journal, counts, going))
            for _ in range(3):
                await risen(counts)
                await asyncio.to_thread(server.restart, "immediate")
            await risen(counts)
            going.clear()
            await writing
            for table, count in enumerate(counts):
                written = [b"%d of %d" % (number, table) for number in range(count)]
                assert await journal.entries(str(table)) == written


async def test_of_several_hosts_the_one_that_takes_writes_is_found_also_after_a_failover(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with own_server() as server:
        name = database(server.new_database())
        standby = server.standby()
        try:
            standby.start()
            server.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
            server.sql("SELECT pg_reload_conf()")
            url = f"postgresql://pli@127.0.0.1:{standby.port},127.0.0.1:{server.port}/{name}"
            async with opened(url, lease=15.0) as journal:
                await begin(journal, "T")
                for number in range(1, 20):
                    await journal.append(entry("T", number))
                server.stop("immediate")
                standby.sql("SELECT pg_promote()")
                await journal.append(entry("T", 20))
                assert len(await journal.entries("T")) == 21
                assert journal.healthy
        finally:
            standby.remove()


async def test_a_host_that_does_not_answer_delays_nobody(
    postgres: Postgres, postgres_url: str
) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        port = silent.getsockname()[1]
        begun = time.monotonic()
        async with opened(postgres_url.replace("@", f"@127.0.0.1:{port},")) as journal:
            await begin(journal, "T")
        assert time.monotonic() - begun < 8
        with pytest.raises(NotOpened) as caught:
            await open_journal(f"postgresql://pli@127.0.0.1:{port}/pli")
        assert "reached" in str(caught.value)


# Durability


async def test_a_database_that_does_not_flush_is_refused() -> None:
    with own_server(fsync="off") as server:
        url = server.new_database()
        with pytest.raises(NotOpened) as caught:
            await open_journal(url)
        assert caught.value.code == "journal_unflushed"
        assert "fsync = off" in str(caught.value)


async def test_sessions_flush_even_if_the_database_does_not_by_default(
    postgres: Postgres, postgres_url: str
) -> None:
    for setting, used in (("off", "on"), ("local", "on"), ("remote_apply", "remote_apply")):
        postgres.sql(f"ALTER DATABASE {database(postgres_url)} SET synchronous_commit = {setting}")
        connection = await Connector(postgres_url).connect()
        assert await connection.fetchval("SHOW synchronous_commit") == used
        await connection.close()


async def test_a_database_that_takes_no_writes_is_told_as_such(
    postgres: Postgres, postgres_url: str
) -> None:
    name = database(postgres_url)
    postgres.sql(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    with pytest.raises(NotOpened) as caught:
        await open_journal(postgres_url)
    assert "only be read" in str(caught.value)


# Migrations


async def test_servers_that_start_together_migrate_once(
    postgres: Postgres, postgres_url: str
) -> None:
    journals = await asyncio.gather(*(PostgresJournal.open(postgres_url) for _ in range(4)))
    for journal in journals:
        await journal.close()
    found = postgres.sql("SELECT version, oldest FROM pli.schema", database(postgres_url))
    assert found == f"{len(MIGRATIONS)}|{MIGRATIONS[-1].oldest}"


async def test_an_older_server_works_if_the_journal_lets_it_and_else_says_why_not(
    postgres: Postgres, postgres_url: str
) -> None:
    async with opened(postgres_url) as journal:
        await begin(journal, "T")
    name = database(postgres_url)
    postgres.sql("UPDATE pli.schema SET version = 9", name)
    async with opened(postgres_url) as journal:
        await journal.claim("T")
        await journal.append(entry("T", 1))
    assert postgres.sql("SELECT version FROM pli.schema", name) == "9"
    postgres.sql("UPDATE pli.schema SET oldest = 8", name)
    with pytest.raises(NotOpened) as caught:
        await open_journal(postgres_url)
    assert caught.value.code == "journal_newer"
    for language in LANGUAGES:
        told = caught.value.text(language)
        assert "8" in told
        assert name in told
        assert "\n" not in told


async def test_what_is_no_journal_of_ours_is_left_alone(
    postgres: Postgres, postgres_url: str
) -> None:
    name = database(postgres_url)
    postgres.sql("CREATE SCHEMA pli AUTHORIZATION pli CREATE TABLE tables (n int)", name)
    with pytest.raises(NotOpened) as caught:
        await open_journal(postgres_url)
    assert caught.value.code == "journal_foreign"
    assert postgres.sql("SELECT to_regclass('pli.schema')", name) == ""


# Users and passwords


async def test_a_journal_behind_a_password_opens_with_it(postgres: Postgres) -> None:
    async with opened(postgres.new_database(PASSWORD)) as journal:
        await begin(journal, "T")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda url: url.replace(PASSWORD, "wrong-" + PASSWORD), "journal_login"),
        (lambda url: re.sub(r":\d+/", ":1/", url), "journal_unreachable"),
        (lambda url: re.sub(r"127.0.0.1:\d+", "nowhere.invalid:5432", url), "journal_unreachable"),
        (lambda url: re.sub(r"@127.0.0.1:\d+/", f"@127.0.0.1:{PASSWORD}/", url), "journal_url"),
        (lambda url: re.sub(r":hush.*@", f":/{PASSWORD}@", url), None),
        (lambda url: re.sub(r":hush.*@", f":?{PASSWORD}@", url), None),
        (lambda url: url + f"?sslmode={PASSWORD}", "journal_url"),
        (lambda url: re.sub(r"/(\w+)$", f"/other?password={PASSWORD}", url), "journal_login"),
    ],
)
async def test_passwords_appear_in_no_error_and_no_log(
    postgres: Postgres, caplog: pytest.LogCaptureFixture, change: object, code: str | None
) -> None:
    assert callable(change)
    caplog.set_level(logging.DEBUG)
    with pytest.raises(NotOpened) as caught:
        await open_journal(change(postgres.new_database(PASSWORD)))
    said = [str(caught.value), repr(caught.value), caplog.text]
    said += [caught.value.text(language) for language in LANGUAGES]
    said += traceback.format_exception(caught.value)
    links: list[BaseException] = [caught.value]
    while links:
        link = links.pop()
        said += [str(link), repr(link)]
        links += [each for each in (link.__cause__, link.__context__) if each is not None]
    for each in said:
        assert PASSWORD not in each.replace(f"wrong-{PASSWORD}", PASSWORD)
    if code is not None:
        assert code in repr(caught.value) or code in repr(
            [getattr(each, "key", "") for each in caught.value.details.values()]
        )


def test_hosts_and_database_of_a_url_are_shown_and_nothing_else() -> None:
    assert place("postgresql://u:p@h:1/d?x=p") == "postgresql://h:1/d"
    assert place("postgres://u@[::1]:5,h2/d") == "postgresql://[::1]:5,h2/d"
    assert place("postgresql:///d") == "postgresql:///d"
    for odd in ("u:p/a@h/d", "u:p?a@h/d", "h:p/d", "u:p@h/d/p"):
        assert place(f"postgresql://{odd}") == "postgresql"
    assert hosts("postgresql://u:p@h:1,[::1]/d") == [
        {"host": "h", "port": 1},
        {"host": "::1", "port": 5432},
    ]
    assert hosts("postgresql://u:p@h:1/d") == [{}]


async def test_without_the_driver_it_is_said_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    with pytest.raises(MissingExtra) as caught:
        await open_journal("postgresql://u:p@h/d")
    assert "pip install 'pli[postgres]'" in str(caught.value)
