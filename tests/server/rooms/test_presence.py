"""Presence: a bot stands in for a person who is disconnected or idle, and gives the seat back."""

import asyncio

import pytest

from tests.server.client import Page, Running

SOON = {"grace": 1, "pace": "instant"}


def stands_in(page: Page, seat: int) -> bool:
    return bool(page.table["seats"][seat]["stand_in"])


async def turn_of(pages: list[Page], seat: int) -> None:
    """Plays until it is a seat's turn."""
    while (awaited := pages[0].view["awaited"]) != [seat]:
        await pages[awaited[0]].do(pages[awaited[0]].legal[0])
        for page in pages:
            await page.until("update")


async def test_a_bot_plays_for_who_is_away_and_gives_the_seat_back(server: Running) -> None:
    pages = await server.people("marshmallow", 3, settings=SOON)
    seat = pages[0].view["awaited"][0]
    gone, other = pages[seat], pages[seat - 1]
    await gone.close()
    await other.sees(lambda table: not table["seats"][seat]["connected"])
    assert not stands_in(other, seat)
    await other.sees(lambda table: table["seats"][seat]["stand_in"])
    assert other.table["seats"][seat]["name"] == gone.table["seats"][seat]["name"]
    update = await other.until("update")
    assert update["events"][0]["seat"] == seat
    back = await server.page(gone.table["id"], gone.token)
    assert not stands_in(back, seat)
    assert len(back.view["hand"]) == len(gone.view["hand"]) - 1
    await other.sees(lambda table: not table["seats"][seat]["stand_in"])
    pages[seat] = back
    pages[seat - 2].view = back.view
    await pages[seat - 2].until("update")
    await turn_of(pages, seat)
    number = await back.do(back.legal[0])
    assert (await back.until("update"))["did"] == number


async def test_who_returns_in_time_is_not_replaced_and_without_grace_nobody_is(
    server: Running,
) -> None:
    host, second, third = await server.people("marshmallow", 3, settings=SOON)
    patient = await server.people("marshmallow", 3, settings={**SOON, "grace": 0})
    await patient[2].close()
    await second.close()
    await host.sees(lambda table: not table["seats"][1]["connected"])
    again = await server.page(host.table["id"], second.token)
    await third.close()
    await again.sees(lambda table: table["seats"][2]["stand_in"])
    assert not stands_in(again, 1)
    _, table = await server.get(f"/api/tables/{patient[0].table['id']}")
    assert not table["seats"][2]["stand_in"]


async def test_where_nobody_is_there_nobody_is_replaced(server: Running) -> None:
    away = await server.people("marshmallow", 3, settings=SOON)
    for page in away:
        await page.close()
    # A grace of the same length that begins later, at a table with somebody.
    host, second, _ = await server.people("marshmallow", 3, settings=SOON)
    await second.close()
    await host.sees(lambda table: table["seats"][1]["stand_in"])
    page = await server.page(away[0].table["id"], away[0].token)
    assert not any(stands_in(page, seat) for seat in range(3))
    assert page.n == away[0].n
    await page.sees(lambda table: table["seats"][1]["stand_in"])  # now the others are missed


async def test_who_is_idle_is_nudged_then_a_bot_decides_until_it_is_back(server: Running) -> None:
    pages = await server.people("marshmallow", 3, settings={"clock": 1, "pace": "instant"})
    seat = pages[0].view["awaited"][0]
    idle, other = pages[seat], pages[seat - 1]
    assert idle.told[-1]["clock"] == other.told[-1]["clock"]
    assert 0 < idle.told[-1]["clock"] <= 1100
    await idle.until("nudge")
    await idle.sees(lambda table: table["seats"][seat]["stand_in"])
    assert idle.table["seats"][seat]["connected"]
    update = await other.until("update")
    assert update["events"][0]["seat"] == seat
    assert not any(told["type"] == "nudge" for told in other.told)
    await idle.send("back")
    await other.sees(lambda table: not table["seats"][seat]["stand_in"])


async def test_who_is_back_in_its_turn_has_its_time_anew(server: Running) -> None:
    settings = {"clock": 1, "pace": "calm"}  # so that the bot does not decide at once
    pages = await server.people("marshmallow", 3, settings=settings)
    idle = pages[pages[0].view["awaited"][0]]
    first = idle.told[-1]["clock"]
    await idle.sees(lambda table: table["seats"][idle.seat or 0]["stand_in"])
    await idle.send("back")
    welcome = await idle.until("welcome")
    assert not stands_in(idle, idle.seat or 0)
    assert welcome["clock"] >= first + 1000
    await idle.until("nudge")


async def test_what_others_do_meanwhile_gives_an_idle_seat_no_more_time(server: Running) -> None:
    pages = await server.people("twinit", 2, settings={"clock": 1})
    seat = pages[0].view["awaited"][0]
    idle, other = pages[seat], pages[1 - seat]
    await idle.do("flip")
    await other.until("update")
    await other.do("flip")
    deadline = (await other.until("update"))["clock"]
    while not stands_in(other, seat):
        hands = [action for action in other.legal if action.startswith(("touch", "lift"))]
        await asyncio.sleep(0.02)  # nobody taps faster
        await other.do(hands[-1])
        update = await other.until("update")
        assert update["clock"] in (deadline, None)
    assert other.told[-1].get("time", deadline) < deadline + 1000


async def test_who_acts_is_back(server: Running) -> None:
    pages = await server.people("marshmallow", 3, settings={"clock": 1, "pace": "calm"})
    seat = pages[0].view["awaited"][0]
    idle = pages[seat]
    await idle.sees(lambda table: table["seats"][seat]["stand_in"])
    number = await idle.do(idle.legal[0])
    assert (await idle.until("update"))["did"] == number
    assert not stands_in(idle, seat)


async def test_the_host_gives_the_seat_of_who_is_away_to_a_bot_and_back(server: Running) -> None:
    settings, options = {**SOON, "grace": 60}, {"first_dealer": 2}
    pages = await server.people("marshmallow", 3, options=options, settings=settings)
    host, guest, third = pages
    await guest.close()
    await host.sees(lambda table: not table["seats"][1]["connected"])
    await host.send("fill", seat=1, level="medium")
    await third.sees(lambda table: table["seats"][1]["stand_in"])
    assert third.table["seats"][1]["kind"] == "person"
    await third.do(third.legal[0])
    await host.until("update")
    await host.do(host.legal[0])
    await host.until("update")
    update = await host.until("update")
    assert update["events"][0]["seat"] == 1
    await host.send("fill", seat=1, level=None)
    await third.sees(lambda table: not table["seats"][1]["stand_in"])
    assert await host.asks("fill", seat=1, level=None) == "not_now"


async def test_who_is_not_there_and_is_given_its_seat_back_is_missed_again(server: Running) -> None:
    host, _, third = await server.people("marshmallow", 3, settings=SOON)
    await third.close()
    await host.sees(lambda table: table["seats"][2]["stand_in"])
    await host.send("fill", seat=2, level=None)
    await host.sees(lambda table: not table["seats"][2]["stand_in"])
    await host.sees(lambda table: table["seats"][2]["stand_in"])


@pytest.mark.parametrize("game", ["marshmallow", "twinit"])
async def test_nobody_plays_for_a_guest_who_is_there(server: Running, game: str) -> None:
    host, guest, third = await server.people(game, 3, settings=SOON)
    n = host.n
    await host.send("fill", seat=1, level="medium")
    problem = await host.until("problem")
    assert problem["code"] == "seat_present"
    assert guest.table["seats"][1]["name"] in problem["text"]
    for page in (host, guest, third):
        assert not stands_in(page, 1)
    assert (await server.get(f"/api/tables/{host.table['id']}"))[1]["seats"][1]["level"] is None
    assert (await server.durable(host.table["id"])).n == n
    await host.send("fill", seat=0, level="medium")  # for oneself one may
    await guest.sees(lambda table: table["seats"][0]["stand_in"])


async def test_who_ran_out_of_time_can_be_kept_replaced(server: Running) -> None:
    settings = {"clock": 1, "pace": "instant"}
    options = {"first_dealer": 1}
    pages = await server.people("marshmallow", 3, options=options, settings=settings)
    host = pages[0]
    (seat,) = host.view["awaited"]
    assert seat != 0
    await host.sees(lambda table: table["seats"][seat]["stand_in"])
    assert host.table["seats"][seat]["connected"]
    assert await host.asks("fill", seat=seat, level="medium") == "not_now"  # one does already
    await pages[seat].send("back")
    await host.sees(lambda table: not table["seats"][seat]["stand_in"])
    assert await host.asks("fill", seat=seat, level="medium") == "seat_present"


async def test_in_a_live_game_what_somebody_does_is_not_lost_when_a_bot_gives_way(
    server: Running,
) -> None:
    options = {"mode": "coop", "minute_ms": 600_000}
    host, _ = await server.people("twinit", 2, options=options)
    await host.send("fill", seat=0, level="medium")
    await host.sees(lambda table: table["seats"][0]["stand_in"])
    turns = [action for action in host.legal if action.startswith("turn")][:3]
    for action in turns:
        await host.do(action)
    done: list[int] = []
    while done[-1:] != [3]:
        update = await host.until("update")
        done += [update["did"]] if update["did"] else []
    assert done == [1, 2, 3]
    assert not stands_in(host, 0)
