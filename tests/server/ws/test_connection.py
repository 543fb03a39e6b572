"""A WebSocket connection: seat tokens, reconnects, pings, keep-alive and frame sizes."""

import asyncio
import struct
from contextlib import suppress

import aiohttp
import pytest

from pli.server.limits import Limits
from pli.server.moves.lag import MAX_ALLOWANCE
from pli.server.protocol.messages import LARGEST
from pli.server.ws import connection
from tests.server.client import QUICK, Page, Running
from tests.server.protocol.schemas import check_message
from tests.server.ws.malformed import CLOSE, TEXT, RawSocket, frame


async def bare(server: Running, page: Page) -> Page:
    """Another connection for the same seat, that answers no pings by itself."""
    url = f"{server.url}/api/tables/{page.table['id']}/play"
    made = Page(await server.session.ws_connect(url, autoping=False))
    await made.send("hello", token=page.token)
    await made.until_frame(aiohttp.WSMsgType.TEXT)
    return made


# Tokens


async def test_a_seat_survives_a_reload_with_its_view_and_its_numbers(server: Running) -> None:
    pages = await server.people("marshmallow", 3)
    seat = pages[0].view["awaited"][0]
    page = pages[seat]
    await page.do(page.legal[0], 17)
    await page.until("update")
    await page.close()
    await pages[seat - 1].sees(lambda table: not table["seats"][seat]["connected"])
    actor = pages[pages[seat - 1].view["awaited"][0]]
    await actor.until("update")
    await actor.do(actor.legal[0])
    await actor.until("update")
    again = await server.page(page.table["id"], page.token)
    welcome = again.told[-1]
    assert (welcome["seat"], welcome["acted"]) == (seat, 17)
    assert welcome["view"] == {**actor.view, "seat": seat, "hand": page.view["hand"]}
    assert welcome["n"] == actor.n
    await actor.sees(lambda table: table["seats"][seat]["connected"])


async def test_a_second_tab_takes_over_from_the_first(server: Running) -> None:
    pages = await server.people("marshmallow", 3)
    first = pages[pages[0].view["awaited"][0]]
    second = await server.page(first.table["id"], first.token)
    await first.do(first.legal[0])  # of no effect
    closing = await first.until("closing")
    assert closing["code"] == "replaced"
    with pytest.raises(ConnectionError, match="4001"):
        await first.next()
    number = await second.do(second.legal[1])
    assert (await second.until("update"))["did"] == number
    assert second.table["seats"][second.view["leader"]]["connected"]
    events = [each for told in second.told for each in told.get("events", [])]
    assert [each["card"] for each in events if each["event"] == "played"] == [
        second.view["trick"][0]["card"]
    ]


async def test_a_line_that_is_closed_is_pinged_no_more(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A browser that has not answered yet would complain of it."""
    monkeypatch.setattr(connection, "FIRST_PING", 0.01)
    monkeypatch.setattr(connection, "FIRST_PINGS", 1000)
    farewell = frame(CLOSE, struct.pack("!H", connection.CLOSE_CODES["replaced"]), masked=False)
    made = await server.make("marshmallow")
    line = await RawSocket.open(int(server.url.rpartition(":")[2]), made["table"])
    line.send(frame(TEXT, b'{"type":"hello","token":"%s"}' % made["token"].encode()))
    assert not await line.ends(0.2)
    await server.page(made["table"], made["token"])
    told = b""
    with suppress(TimeoutError):
        async with asyncio.timeout(0.3):
            while data := await line.reader.read(1 << 16):
                told += data
    assert told.endswith(farewell)
    line.drop()


async def test_with_a_wrong_token_one_can_not_even_watch(server: Running) -> None:
    (page,) = await server.waiting("marshmallow", 3, people=1)
    other = await server.make("marshmallow")
    for token in ("x" * 32, other["token"]):
        stranger = await server.connect(page.table["id"])
        await stranger.send("hello", token=token)
        assert (await stranger.until("problem"))["code"] == "not_your_seat"
        assert await stranger.asks("begin") == "hello_first"
        assert await stranger.asks("do", id=1, action="play B7") == "hello_first"


async def test_a_ping_is_answered_to_players_and_spectators(server: Running) -> None:
    made = await server.make("marshmallow")
    for token in (made["token"], None):
        page = await server.page(made["table"], token)
        await page.send("ping")
        assert await page.until("pong") == {"type": "pong"}
        await page.close()


async def test_hello_is_said_first_and_once(server: Running) -> None:
    made = await server.make("marshmallow")
    page = await server.connect(made["table"])
    assert await page.asks("leave") == "hello_first"
    await page.send("hello", token=made["token"])
    await page.until("welcome")
    assert await page.asks("hello") == "not_now"
    lost = await server.connect("aaaaaaaaaa")
    assert await lost.asks("hello") == "no_such_table"


async def test_who_wants_no_list_of_what_may_be_done_gets_none_and_may_do_it(
    server: Running,
) -> None:
    first, other = await server.people("twinit", 2, options={"mode": "coop"})
    page = await server.connect(first.table["id"])
    await page.send("hello", token=first.token, legal=False)
    assert (await page.until("welcome"))["legal"] == []
    number = await page.do(other.legal[0])
    told = await page.until("update")
    assert (told["did"], told["legal"]) == (number, [])
    assert len((await other.until("update"))["legal"]) > 200


# Actions and their numbers


async def test_an_action_that_is_sent_again_is_not_carried_out_twice(server: Running) -> None:
    pages = await server.people("marshmallow", 3)
    seat = pages[0].view["awaited"][0]
    page = pages[seat]
    wanted, another = page.legal[:2]
    for number, action in ((5, wanted), (5, wanted), (5, another), (3, another)):
        await page.do(action, number)
    assert (await page.until("update"))["did"] == 5
    for _ in range(2):
        assert (await page.until("done"))["id"] == 5
    assert (await page.until("refused"))["id"] == 3  # which was never carried out
    again = await server.page(page.table["id"], page.token)
    await again.do(wanted, 5)
    assert (await again.until("done"))["id"] == 5
    assert again.n == page.n
    assert again.view["trick"] == [{"seat": seat, "card": wanted.split()[1]}]


async def test_a_refused_action_tells_why_and_leaves_its_number_free(server: Running) -> None:
    pages = await server.people("marshmallow", 3)
    page = pages[pages[0].view["awaited"][0]]
    other = pages[page.view["awaited"][0] - 1]
    for each, action, code in (
        (page, f"play {other.view['hand'][0]}", "not_in_hand"),
        (page, "dance", "bad_action"),
        (other, f"play {other.view['hand'][0]}", "not_your_turn"),
    ):
        await each.do(action, 1)
        refused = await each.until("refused")
        assert (refused["id"], refused["action"], refused["code"]) == (1, action, code)
        assert refused["text"]
    await page.do(page.legal[0], 1)
    assert (await page.until("update"))["did"] == 1


async def test_why_tells_what_speaks_against_an_action_and_changes_nothing(server: Running) -> None:
    pages = await server.people("marshmallow", 3)
    page = pages[pages[0].view["awaited"][0]]
    other = pages[page.view["awaited"][0] - 1]
    for each, action, code in (
        (page, page.legal[0], None),
        (page, "dance", "wrong_syntax"),
        (other, f"play {other.view['hand'][0]}", "not_your_turn"),
    ):
        await each.send("why", action=action)
        verdict = await each.until("verdict")
        assert (verdict["action"], verdict["code"]) == (action, code)
        assert bool(verdict["text"]) == (code is not None)
    await page.do(page.legal[0])
    assert (await page.until("update"))["n"] == page.told[-1]["n"]


# The line


async def test_the_server_pings_and_tells_how_long_the_line_is(server: Running) -> None:
    (page,) = await server.waiting("marshmallow", 3, people=1)
    slow = await bare(server, page)
    line = None
    async with asyncio.timeout(5):
        while line is None:
            frame = await slow.socket.receive()
            if frame.type is aiohttp.WSMsgType.PING:
                await asyncio.sleep(0.1)
                await slow.socket.pong(frame.data)
            elif '"line"' in str(frame.data):
                line = frame.json()
    check_message(line, "marshmallow")
    assert 100 <= line["round_trip"] <= MAX_ALLOWANCE


async def test_pongs_that_nobody_asked_for_say_nothing(server: Running) -> None:
    (page,) = await server.waiting("marshmallow", 3, people=1)
    liar = await bare(server, page)
    for number in range(1, 20):
        await liar.socket.pong(number.to_bytes(8, "little"))
    await liar.until_frame(aiohttp.WSMsgType.PING)
    assert {each.lag.allowance for each in server.context.connections} == {0}


@pytest.mark.server(limits=Limits(**QUICK, silent_seconds=0.5))
async def test_a_line_that_says_nothing_is_cut_and_the_others_see_it(server: Running) -> None:
    host, guest = await server.waiting("marshmallow", 3, people=2)
    silent = await bare(server, guest)
    await host.sees(lambda table: table["seats"][1]["connected"])
    await silent.until_frame(aiohttp.WSMsgType.PING)
    await host.sees(lambda table: not table["seats"][1]["connected"])
    while not silent.told or silent.told[-1]["type"] != "closing":
        frame = await silent.socket.receive(5)
        if frame.type is aiohttp.WSMsgType.TEXT:
            silent.told.append(frame.json())
    assert silent.told[-1]["code"] == "silent"
    assert host.table["seats"][0]["connected"]  # it answers, though it says nothing


@pytest.mark.server(limits=Limits(**QUICK, hello_seconds=0.2))
async def test_a_page_that_does_not_say_hello_is_sent_away(server: Running) -> None:
    made = await server.make("marshmallow")
    page = await server.connect(made["table"])
    assert (await page.until("closing"))["code"] == "silent"


async def test_a_lost_connection_shows_to_the_others_at_once(server: Running) -> None:
    host, guest = await server.waiting("marshmallow", 3, people=2)
    connection = guest.socket._response.connection
    assert connection is not None
    assert connection.transport is not None
    connection.transport.abort()
    await host.sees(lambda table: not table["seats"][1]["connected"])
    assert host.table["seats"][1]["name"] == "P1"


async def test_a_frame_of_more_than_8_kilobytes_ends_the_connection(server: Running) -> None:
    host, guest = await server.waiting("marshmallow", 3, people=2)
    await guest.socket.send_str("x" * LARGEST)
    assert (await guest.until("problem"))["code"] == "bad_message"
    await guest.socket.send_str("x" * (LARGEST + 1))
    with pytest.raises(ConnectionError, match="1009"):
        await guest.until("problem")
    await host.sees(lambda table: not table["seats"][1]["connected"])
    again = await server.page(host.table["id"], guest.token)
    assert again.seat == 1
