"""The internal address: metrics of a server on which people play, liveness, readiness."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from aiohttp import web
from prometheus_client.parser import text_string_to_metric_families

from pli.server import context
from pli.server.internal.app import make_internal_app
from pli.server.limits import Limits
from tests.server.client import QUICK, Running, Visitor, play_some
from tests.server.journal.sqlite_faults import Connections, Fault

Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


class Operator(Visitor):
    """A client of the internal address."""

    async def samples(self) -> Samples:
        """All metrics: by name and labels."""
        status, text = await self.get("/metrics")
        assert status == 200
        return {
            (sample.name, tuple(sorted(sample.labels.items()))): sample.value
            for family in text_string_to_metric_families(text.decode())
            for sample in family.samples
        }

    async def value(self, name: str, /, **labels: str) -> float:
        return (await self.samples())[name, tuple(sorted(labels.items()))]

    async def becomes(self, number: float, name: str, /, **labels: str) -> None:
        """Waits until a metric has a value."""
        async with asyncio.timeout(20):
            while await self.value(name, **labels) != number:
                await asyncio.sleep(0.02)


@asynccontextmanager
async def operating(server: Running) -> AsyncIterator[Operator]:
    runner = web.AppRunner(make_internal_app(server.context), access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield Operator(f"http://127.0.0.1:{runner.addresses[0][1]}", server.session)
    finally:
        await runner.cleanup()


@pytest.fixture
async def operator(server: Running) -> AsyncIterator[Operator]:
    async with operating(server) as found:
        yield found


async def test_tables_and_pages_are_counted_as_they_are_now(
    server: Running, operator: Operator
) -> None:
    pages = await server.people("marshmallow", 3)
    waiting = await server.waiting("plingo", 2)
    table = (await server.make("plingo"))["table"]
    spectator = await server.page(table)
    found = await operator.samples()
    assert found["pli_tables", (("state", "playing"),)] == 1
    assert found["pli_tables", (("state", "waiting"),)] == 2
    assert found["pli_viewers", (("kind", "seated"),)] == 5
    assert found["pli_viewers", (("kind", "spectator"),)] == 1
    assert found["pli_connections", ()] == 6
    for page in [*pages, *waiting, spectator]:
        await page.close()
    await operator.becomes(0, "pli_connections")
    assert await operator.value("pli_viewers", kind="seated") == 0


async def test_each_action_is_counted_and_timed_once(server: Running, operator: Operator) -> None:
    pages = await server.people("marshmallow", 3)
    before = await operator.samples()
    await play_some(pages, 12)
    after = await operator.samples()

    def more(name: str, *labels: tuple[str, str]) -> float:
        return after[name, labels] - before[name, labels]

    assert more("pli_actions_total", ("by", "person"), ("game", "marshmallow")) == 12
    assert more("pli_actions_total", ("by", "bot"), ("game", "marshmallow")) == 0
    assert more("pli_told_seconds_count") == 12
    assert more("pli_told_seconds_bucket", ("le", "+Inf")) == 12
    assert 0 < more("pli_told_seconds_sum") < 12 * 20
    assert more("pli_durable_seconds_count") == 12
    assert more("pli_durable_seconds_sum") <= more("pli_told_seconds_sum")
    assert more("pli_journal_batch_appends_sum") == 12
    assert 0 < more("pli_journal_batch_appends_count") <= 12
    assert more("pli_journal_flush_seconds_count") == more("pli_journal_batch_appends_count")
    assert 0 < more("pli_journal_flush_seconds_sum") < more("pli_durable_seconds_sum")


async def test_bots_are_counted_apart_with_the_time_that_they_think(
    server: Running, operator: Operator
) -> None:
    page = await server.alone("marshmallow", 3, options={"target": 1})
    await page.play()
    found = await operator.samples()
    by_bots = found["pli_actions_total", (("by", "bot"), ("game", "marshmallow"))]
    thought = found["pli_bot_thinking_seconds_count", (("level", "medium"),)]
    assert by_bots > 0
    assert 0 < thought <= by_bots  # a bot with one legal action does not think


async def test_refusals_problems_and_limits_are_counted_by_name(
    server: Running, operator: Operator
) -> None:
    (host, _) = await server.people("marshmallow", 2)
    await host.do("no such card")
    code = (await host.until("refused"))["code"]
    assert await host.asks("begin") == "already_begun"
    assert (await server.get("/api/tables/aaaaaaaaaa"))[0] == 404
    assert (await server.get("/no/such/page"))[0] == 404
    found = await operator.samples()
    refused = {labels: n for (name, labels), n in found.items() if name == "pli_refusals_total"}
    assert refused == {(("code", code),): 1}
    assert found["pli_problems_total", (("code", "already_begun"),)] == 1
    assert found["pli_problems_total", (("code", "no_such_table"),)] == 1
    assert found["pli_problems_total", (("code", "no_such_page"),)] == 1


@pytest.mark.server(limits=Limits(**{**QUICK, "tables": (0.001, 2)}))
async def test_a_limit_that_a_client_meets_is_counted(server: Running, operator: Operator) -> None:
    assert await operator.value("pli_limits_met_total", limit="tables") == 0
    for status in (201, 201, 429):
        assert (await server.post("/api/tables", {"game": "plingo", "name": "Ann"}))[0] == status
    assert await operator.value("pli_limits_met_total", limit="tables") == 1


async def test_round_trips_are_measured_at_each_pong(server: Running, operator: Operator) -> None:
    page = await server.alone("marshmallow", 2)
    reading = asyncio.create_task(page.socket.receive())  # which answers pings
    async with asyncio.timeout(20):
        while not await operator.value("pli_allowance_seconds_count"):
            await asyncio.sleep(0.05)
    reading.cancel()
    assert await operator.value("pli_allowance_seconds_bucket", le="+Inf") >= 1


async def test_no_metric_names_a_table_a_person_or_an_address(
    server: Running, operator: Operator
) -> None:
    pages = await server.people("marshmallow", 2)
    await play_some(pages, 4)
    table = (await server.make("plingo", name="Zebulon"))["table"]
    _, text = await operator.get("/metrics")
    for secret in (table, "Zebulon", "127.0.0.1", pages[0].token or ""):
        assert secret.encode() not in text


async def test_the_process_and_its_version_are_there(operator: Operator) -> None:
    found = await operator.samples()
    assert any(name == "pli_build_info" for name, _ in found)
    assert found["process_resident_memory_bytes", ()] > 1e6
    assert found["process_open_fds", ()] > 3
    async with asyncio.timeout(20):
        while not await operator.value("pli_event_loop_delay_seconds_count"):
            await asyncio.sleep(0.05)


async def test_openmetrics_is_given_to_those_who_ask_for_it(operator: Operator) -> None:
    wanted = {"Accept": "application/openmetrics-text; version=1.0.0"}
    async with operator.session.get(operator.url + "/metrics", headers=wanted) as response:
        assert response.content_type == "application/openmetrics-text"
        assert (await response.text()).endswith("# EOF\n")


async def test_the_internal_address_has_nothing_for_players_and_the_public_one_no_metrics(
    server: Running, operator: Operator
) -> None:
    assert (await operator.get("/api/tables"))[0] == 404
    for path in ("/metrics", "/live", "/ready"):
        assert (await operator.get(path))[0] == 200
        assert (await server.get(path))[0] == 404


@pytest.mark.parametrize(
    ("begin", "end", "code"),
    [
        (Connections.forbid_writing, Connections.allow_writing, "journal_read_only"),
        (Connections.move_away, Connections.move_back, "journal_gone"),
    ],
)
async def test_a_server_that_can_not_save_is_alive_and_not_ready(
    sqlite: Connections,
    server: Running,
    operator: Operator,
    monkeypatch: pytest.MonkeyPatch,
    begin: Fault,
    end: Fault,
    code: str,
) -> None:
    monkeypatch.setattr(context, "PROBE_INTERVAL", 0.01)
    monkeypatch.setattr("pli.server.journal.sqlite.writer.RETRY_INTERVAL", 0.05)
    monkeypatch.setattr("pli.server.journal.sqlite.writer.FILE_CHECK_INTERVAL", 0.0)

    async def becomes(status: int) -> dict[str, str]:
        async with asyncio.timeout(20):
            while (found := await operator.get("/ready"))[0] != status:
                await asyncio.sleep(0.02)
        return dict(found[1])

    assert await becomes(200) == {"status": "ok"}
    await begin(sqlite)
    assert await becomes(503) == {"status": "not_ready", "code": code}
    assert (await operator.get("/live"))[0] == 200
    assert await operator.value("pli_journal_healthy") == 0
    await end(sqlite)
    assert await becomes(200) == {"status": "ok"}
    assert await operator.value("pli_journal_healthy") == 1


async def test_what_could_not_be_saved_is_counted(
    sqlite: Connections, server: Running, operator: Operator
) -> None:
    pages = await server.people("marshmallow", 2)
    await Connections.forbid_writing(sqlite)
    actor = pages[pages[0].view["awaited"][0]]
    await actor.do(actor.first_action)
    await actor.until("problem")
    assert await operator.value("pli_unsaved_total", code="journal_read_only") == 1
    told = await operator.value("pli_told_seconds_count")
    await Connections.allow_writing(sqlite)
    assert told == 0


async def test_a_server_that_stops_is_alive_and_not_ready(server: Running) -> None:
    async with operating(server) as operator:
        server.context.stopping = True
        assert await operator.get("/ready") == (
            503,
            {"status": "not_ready", "code": "stopping"},
        )
        assert (await operator.get("/live"))[0] == 200
        assert await operator.value("pli_stopping") == 1
