"""Before the game: the host configures options and seats, people and bots come and go."""

from collections.abc import Callable
from typing import Any

import pytest

from pli.server.rooms import dealer
from tests.server.client import Page, Running, deal


def kinds(page: Page) -> list[str]:
    return [seat["kind"] for seat in page.table["seats"]]


def names(page: Page) -> list[str | None]:
    return [seat["name"] for seat in page.table["seats"]]


async def told(page: Page, **fields: Any) -> None:
    """Reads on until the table is so."""
    await page.sees(lambda table: all(table[name] == value for name, value in fields.items()))


async def test_the_host_chooses_options_and_how_the_table_is_run(server: Running) -> None:
    host, guest = await server.waiting("plingo", 3, people=2)
    await host.send("configure", options={"first_master": 2}, public=True)
    for page in (host, guest):
        await told(page, public=True)
        assert page.table["options"]["first_master"] == 2
    settings = {"grace": 5, "clock": 20, "pace": "brisk", "spectators": False}
    await host.send("configure", settings=settings)
    await told(guest, settings=settings, public=True)
    assert guest.table["options"]["first_master"] == 2
    assert (await server.get("/api/tables"))[1]["tables"][0]["id"] == guest.table["id"]


async def test_nobody_but_the_host_changes_anything(server: Running) -> None:
    _, guest = await server.waiting("plingo", 3, people=2)
    watcher = await server.page(guest.table["id"])
    for kind, fields in (
        ("configure", {"public": True}),
        ("fill", {"seat": 2, "level": "easy"}),
        ("begin", {}),
    ):
        assert await guest.asks(kind, **fields) == "only_host"
        assert await watcher.asks(kind, **fields) == "only_watching"


async def test_with_fewer_seats_people_keep_sitting_and_are_told_where(server: Running) -> None:
    host, guest = await server.waiting("marshmallow", 5, people=2)
    far = await server.sit(host.table["id"], "Cleo", seat=4)
    cleo = await server.page(host.table["id"], far["token"])
    for page in (host, guest, cleo):
        await page.contribute()
    await host.send("fill", seat=2, level="hard")
    await host.send("configure", options={"seats": 3})
    for seat, page in enumerate((host, guest, cleo)):
        await page.until("welcome")
        assert page.seat == seat
        assert names(page) == ["Ann", "P1", "Cleo"]
        assert kinds(page) == ["person"] * 3
    await deal([host, guest, cleo])  # whose shares are asked for anew, since seats changed
    assert cleo.view["seat"] == 2


async def test_with_more_seats_the_new_ones_are_free(server: Running) -> None:
    host, guest = await server.waiting("marshmallow", 3, people=2)
    await host.send("configure", options={"seats": 5})
    for page in (host, guest):
        await page.until("welcome")
    assert kinds(guest) == ["person", "person", "empty", "empty", "empty"]
    assert await host.asks("begin") == "seats_free"


async def test_there_are_never_fewer_seats_than_people(server: Running) -> None:
    host, *_ = await server.waiting("marshmallow", 4)
    assert await host.asks("configure", options={"seats": 3}) == "too_many_people"
    assert await host.asks("configure", options={"seats": 9}) == "bad_option"
    assert await host.asks("configure", options={"first_dealer": 4}) == "bad_option"


def has(options: dict[str, object]) -> Callable[[dict[str, Any]], bool]:
    return lambda table: options.items() <= table["options"].items()


@pytest.mark.rule("TW-20b")
@pytest.mark.parametrize(
    "away", [{"seats": 4}, {"seats": 6}, {"mode": "race"}, {"mode": "coop", "seats": 2}]
)
async def test_a_taboo_is_not_kept_when_mode_or_seats_are_others(
    server: Running, away: dict[str, object]
) -> None:
    """It was chosen by a team that was the larger one."""
    (host,) = await server.waiting("twinit", 4, people=1)
    for options, taboo in (
        ({"mode": "teams", "seats": 5}, "none"),
        ({"taboo_team": 0}, 0),
        ({"mode": "teams", "seats": 5, "count_ms": 2000}, 0),  # as they are
        (away, "none"),
        ({"mode": "teams", "seats": 5}, "none"),
        ({"taboo_team": "0"}, 0),
        ({"mode": "teams", "seats": 4, "taboo_team": 1}, 1),  # said along with it
    ):
        await host.send("configure", options=options)
        await host.sees(has({**options, "taboo_team": taboo}))


async def test_the_host_fills_seats_with_bots_of_a_level_and_frees_them(server: Running) -> None:
    (host,) = await server.waiting("marshmallow", 3, people=1)
    for seat, level in ((1, "hard"), (2, "easy"), (1, "medium"), (2, None)):
        await host.send("fill", seat=seat, level=level)
        await host.until("table")
        assert host.table["seats"][seat]["level"] == level
    assert kinds(host) == ["person", "bot", "empty"]
    guest = await server.sit(host.table["id"])
    assert guest["seat"] == 2
    page = await server.page(host.table["id"], guest["token"])
    await page.close()
    await host.sees(lambda table: not table["seats"][2]["connected"])
    await host.send("fill", seat=2, level=None)
    await host.sees(lambda table: table["seats"][2]["kind"] == "empty")
    assert await host.asks("fill", seat=3, level="easy") == "no_such_seat"
    assert await host.asks("fill", seat=1, level="genius") == "unknown_bot"


async def test_who_leaves_before_the_game_frees_its_seat_and_watches(server: Running) -> None:
    host, guest = await server.waiting("marshmallow", 3, people=2)
    await guest.contribute()
    await guest.send("leave")
    await guest.until("welcome")
    assert guest.seat is None
    await told(host, spectators=1, contributions={})
    assert kinds(host) == ["person", "empty", "empty"]
    assert await guest.asks("leave") == "only_watching"


async def test_when_the_host_leaves_the_next_one_is_host(server: Running) -> None:
    host, second, third = await server.waiting("marshmallow", 3)
    await host.send("leave")
    await told(second, host=1)
    newcomer = await server.sit(host.table["id"], "Dan")
    assert newcomer["seat"] == 0
    await told(second, host=1)
    await second.send("leave")
    await told(third, host=2)
    await third.send("leave")
    dan = await server.page(host.table["id"], newcomer["token"])
    assert dan.table["host"] == 0


async def test_a_table_that_all_have_left_belongs_to_who_comes_next(server: Running) -> None:
    (host,) = await server.waiting("marshmallow", 3, people=1)
    await host.send("leave")
    await host.until("welcome")
    assert host.table["host"] is None
    await server.sit(host.table["id"], "Dan", seat=2)
    await told(host, host=2)


async def test_the_deal_waits_for_randomness_but_not_for_long(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dealer, "WAITING", 0.2)
    host, guest, silent = await server.waiting("marshmallow", 3)
    await host.contribute()
    await host.send("begin")
    await guest.until("table", lambda told: "0" in told["table"]["contributions"])
    assert guest.table["state"] == "waiting"
    await guest.contribute()
    await silent.until("update")
    assert [*silent.table["contributions"]] == ["0", "1"]
    assert await host.asks("begin") == "already_begun"
    assert await host.asks("configure", public=True) == "already_begun"


async def test_once_all_have_added_their_randomness_it_is_dealt_at_once(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dealer, "WAITING", 3600.0)
    host, guest, third = await server.waiting("marshmallow", 3)
    await third.close()  # who is not there is not waited for
    await host.sees(lambda table: not table["seats"][2]["connected"])
    await host.send("begin")
    await host.contribute()
    await guest.contribute()
    await guest.until("update")
    assert [*guest.table["contributions"]] == ["0", "1"]


async def test_a_share_is_given_once(server: Running) -> None:
    (host,) = await server.waiting("marshmallow", 3, people=1)
    await host.send("random", hex="ab" * 16)
    await host.send("random", hex="cd" * 16)
    await host.send("configure", public=True)
    await told(host, public=True)
    assert host.table["contributions"] == {"0": "ab" * 16}
    assert await host.asks("random", hex="ABCD") == "bad_message"


async def test_spectators_see_what_spectators_may_see(server: Running) -> None:
    pages = await server.people("marshmallow", 3)
    watcher = await server.page(pages[0].table["id"])
    assert watcher.seat is None
    assert watcher.view["seat"] is None
    assert watcher.view["hand"] == []
    assert watcher.legal == []
    await told(pages[0], spectators=1)
    assert await watcher.asks("do", id=1, action="play B7") == "only_watching"
    actor = pages[pages[0].view["awaited"][0]]
    await actor.do(actor.legal[0])
    update = await watcher.until("update")
    assert update["events"][0]["event"] == "played"
    await watcher.close()
    await told(pages[0], spectators=0)
