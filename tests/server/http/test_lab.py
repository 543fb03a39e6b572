"""The lab over HTTP: who may run what, how far a run is told, and when it ends."""

import asyncio
from collections.abc import AsyncIterator
from html import escape
from typing import Any

import aiohttp
import msgspec
import pytest

from pli.server.http.routes import STUDY_POLICY
from pli.server.lab import plan_of
from pli.server.limits import Limits
from pli.server.protocol import bodies as b
from pli.study.plan import cells
from pli.study.shipped import shipped
from tests.server.client import PATIENCE, QUICK, Running


def limits(**changed: Any) -> Limits:
    return Limits(**QUICK | {"lab_seconds": 600} | changed)


LAB = pytest.mark.server(lab=True, limits=limits())

ENDLESS = {"game": "plingo", "bots": "easy", "games": 100_000}


async def lines(response: aiohttp.ClientResponse) -> AsyncIterator[b.LabState]:
    async for line in response.content:
        yield msgspec.json.decode(line, type=b.LabState)


async def begin(server: Running, question: dict[str, Any]) -> aiohttp.ClientResponse:
    body = msgspec.json.encode(question)
    return await server.session.post(f"{server.url}/api/lab/runs", data=body)


async def free(server: Running) -> None:
    """Waits until nothing runs."""
    async with asyncio.timeout(PATIENCE):
        while server.context.lab_running:
            await asyncio.sleep(0.02)


@LAB
async def test_a_run_tells_what_its_games_show(server: Running) -> None:
    question = {"game": "plingo", "over": {"seats": [2, 3]}, "bots": "easy", "games": 20}
    async with await begin(server, question) as response:
        assert response.status == 200
        assert response.content_type == "application/x-ndjson"
        told = [state async for state in lines(response)]
    assert told[0].state == "preparing"
    last = told[-1]
    assert (last.state, last.games, last.wanted, last.problem) == ("over", 40, 40, None)
    assert [cell.varied for cell in last.cells] == [{"seats": 2}, {"seats": 3}]
    for cell in last.cells:
        assert cell.games == 20
        assert len(cell.seats) == len(cell.places) == cell.varied["seats"]
        assert sum(share.value or 0 for share in cell.seats) == pytest.approx(1)
        assert cell.actions is not None
        assert cell.minutes is None
    games = [state.games for state in told]
    assert games == sorted(games)


@LAB
async def test_a_page_that_goes_away_ends_its_run(server: Running) -> None:
    response = await begin(server, ENDLESS)
    async for state in lines(response):
        if state.games:
            break
    assert server.context.lab_running == 1
    response.close()
    await free(server)


@LAB
async def test_one_run_at_a_time_for_each_address(server: Running) -> None:
    async with await begin(server, ENDLESS) as response:
        await anext(lines(response))
        status, wrong = await server.post("/api/lab/runs", ENDLESS)
        assert (status, wrong["code"]) == (503, "lab_busy")
    await free(server)
    async with await begin(server, {**ENDLESS, "games": 1}) as response:
        assert [state.state async for state in lines(response)][-1] == "over"


@pytest.mark.server(lab=True, limits=limits(lab_each=5, lab_runs=0))
async def test_the_server_has_a_limit_of_its_own(server: Running) -> None:
    status, wrong = await server.post("/api/lab/runs", ENDLESS)
    assert (status, wrong["code"]) == (503, "lab_busy")


@LAB
@pytest.mark.parametrize(
    ("question", "code"),
    [
        ({"game": "chess"}, "unknown_game"),
        ({"game": "plingo", "over": {"colour": [1]}}, "unknown_option"),
        ({"game": "plingo", "over": {"seats": [2, 99]}}, "bad_option"),
        ({"game": "plingo", "options": {"seats": 99}}, "bad_option"),
        ({"game": "plingo", "games": 100_001}, "bad_option"),
        ({"game": "plingo", "games": 0}, "bad_message"),
        ({"game": "plingo", "bots": "search:9999999"}, "bad_message"),
        ({"game": "plingo", "over": {"a": [1], "b": [1], "c": [1]}}, "bad_message"),
        (
            {
                "game": "marshmallow",
                "over": {"seats": [2, 3, 4, 5], "target": [9, 15, 20, 25, 30, 40, 50]},
            },
            "lab_cells",
        ),
    ],
)
async def test_what_can_not_be_run_is_refused(
    server: Running, question: dict[str, Any], code: str
) -> None:
    status, wrong = await server.post("/api/lab/runs", question)
    assert (status >= 400, wrong["code"]) == (True, code)
    assert not server.context.lab_running


@pytest.mark.server(alone=True)
async def test_it_is_on_for_this_machine_alone(server: Running) -> None:
    _, lab = await server.get("/api/lab")
    assert lab["on"]
    forwarded = {"X-Forwarded-For": "203.0.113.9"}
    _, lab = await server.get("/api/lab", headers=forwarded)
    assert not lab["on"]
    status, wrong = await server.post("/api/lab/runs", ENDLESS, headers=forwarded)
    assert (status, wrong["code"]) == (403, "lab_off")


async def test_it_is_off_for_others(server: Running) -> None:
    _, lab = await server.get("/api/lab")
    assert not lab["on"]
    status, wrong = await server.post("/api/lab/runs", ENDLESS)
    assert (status, wrong["code"]) == (403, "lab_off")
    assert wrong["text"]


@pytest.mark.server(lab=False, alone=True)
async def test_it_can_be_switched_off(server: Running) -> None:
    status, wrong = await server.post("/api/lab/runs", ENDLESS)
    assert (status, wrong["code"]) == (403, "lab_off")


@pytest.mark.server(lab=True, limits=limits(lab=(0.0, 1)))
async def test_runs_have_a_rate_limit(server: Running) -> None:
    question = {**ENDLESS, "games": 1}
    async with await begin(server, question) as response:
        assert [state.state async for state in lines(response)][-1] == "over"
    status, wrong = await server.post("/api/lab/runs", question)
    assert (status, wrong["code"]) == (429, "too_many_requests")


async def test_studies_are_read_where_nothing_is_run(server: Running) -> None:
    _, lab = await server.get("/api/lab", headers={"Accept-Language": "fr"})
    found = {study["name"]: study for study in lab["studies"]}
    assert set(found) == set(shipped())
    for name, study in found.items():
        assert study["answer"]
        path = f"{server.url}/api/lab/studies/{name}/fr"
        async with server.session.get(path) as response:
            assert response.status == 200
            assert response.headers["Content-Security-Policy"] == STUDY_POLICY
            page = await response.text()
        assert escape(study["question"]).split()[-2] in page
        for plan in study["plans"]:
            asked = msgspec.convert(plan, b.LabQuestion)
            assert cells(plan_of(asked, server.context.limits))
    assert found["first-seat"]["plans"][0]["over"]
    for path in ("first-seat/de", "other/en", "..%2F..%2Fstudy/en"):
        status, wrong = await server.get(f"/api/lab/studies/{path}")
        assert (status, wrong["code"]) == (404, "no_such_page")


@LAB
async def test_a_stop_of_the_server_ends_its_runs(server: Running) -> None:
    response = await begin(server, ENDLESS)
    async for state in lines(response):
        if state.games:
            break
    await server.context.close_lab()
    states = [state async for state in lines(response)]
    assert states[-1].problem is not None
