"""Rematches: a new game with a secret of its own, of the kind that most players chose."""

from typing import Any

import pytest

from pli.server.journal.api import Append
from pli.server.limits import Limits
from pli.server.rooms import dealer
from pli.server.tables import entries as e
from tests.server.client import BRIEF, Page, Running, finished

SHORT = {"target": 1}
QUICK = {"pace": "instant"}


async def ended(server: Running, game: str, winners: list[int], **options: Any) -> list[Page]:
    """People at a table whose journal tells of a game that these seats won."""
    seats = options.setdefault("seats", 2)
    made = await server.make(game, options=options)
    tokens = [made["token"]]
    for _ in range(1, seats):
        tokens.append((await server.sit(made["table"]))["token"])
    await server.unloaded(made["table"])
    table = await server.durable(made["table"])
    entries = [e.Begun(version=table.game.version), e.Ended(winners=winners)]
    told = [e.encode(entry) for entry in entries]
    await server.context.journal.append(Append(table=table.name, first=table.n + 1, entries=told))
    return [await server.page(table.name, token) for token in tokens]


async def deal_again(pages: list[Page]) -> None:
    """The pages add their randomness, and it is dealt."""
    for page in pages:
        await page.sees(lambda table: table["state"] == "waiting")
        await page.contribute()
    for page in pages:
        await page.until("update")
        assert page.table["state"] == "playing"


async def test_a_rematch_needs_all_who_are_there(server: Running) -> None:
    pages = await finished(server)
    before = pages[0].table
    assert before["kinds"] == ["same"]
    for page in pages[:2]:
        await page.send("again")
    await pages[2].sees(lambda table: table["seats"][1]["again"] == "same")
    assert pages[2].table["state"] == "over"
    await pages[2].send("again")
    await pages[0].sees(lambda table: table["state"] == "waiting")
    await deal_again(pages)
    after = pages[0].table
    assert [seat["name"] for seat in after["seats"]] == [s["name"] for s in before["seats"]]
    assert not any(seat["again"] for seat in after["seats"])
    assert after["number"] == 2
    assert after["results"] == before["results"]


async def test_a_rematch_has_a_secret_and_a_commitment_of_its_own(server: Running) -> None:
    pages = await finished(server)
    first = pages[0].table
    for page in pages:
        await page.send("again")
    await pages[0].sees(lambda table: table["state"] == "waiting")
    waiting = pages[0].table
    assert waiting["commitment"] != first["commitment"]
    assert (waiting["secret"], waiting["contributions"]) == (None, {})
    await deal_again(pages)
    assert pages[0].table["commitment"] == waiting["commitment"]
    assert [*pages[0].table["contributions"]] == ["0", "1", "2"]
    status, text = await server.get(f"/api/tables/{first['id']}/games/1/record")
    assert status == 200
    assert first["secret"] in text.decode()
    assert (await server.get(f"/api/tables/{first['id']}/games/2/record"))[0] == 403


async def test_a_rematch_is_not_asked_for_before_the_game_is_over_nor_of_unknown_kinds(
    server: Running,
) -> None:
    pages = await finished(server)
    assert await pages[0].asks("again", kind="taboo") == "bad_value"
    watcher = await server.page(pages[0].table["id"])
    assert await watcher.asks("again") == "only_watching"
    others = await server.people("marshmallow", 3)
    assert await others[0].asks("again") == "not_over"


async def test_who_is_away_keeps_its_seat_and_a_bot_plays_until_it_returns(server: Running) -> None:
    pages = await finished(server)
    away = pages.pop(1)
    await away.close()
    await pages[0].sees(lambda table: not table["seats"][1]["connected"])
    for page in pages:
        await page.send("again")
    await deal_again(pages)
    seat = pages[0].table["seats"][1]
    assert (seat["kind"], seat["name"], seat["stand_in"]) == ("person", "P1", True)
    back = await server.page(pages[0].table["id"], away.token)
    assert back.seat == 1
    assert not back.table["seats"][1]["stand_in"]


async def test_the_seats_of_those_who_left_are_filled_with_bots(server: Running) -> None:
    pages = await finished(server)
    await pages[0].send("again")
    await pages[1].send("again")
    await pages[0].sees(lambda table: table["seats"][1]["again"] == "same")
    left = pages.pop()
    await left.send("leave")  # who held the others up
    await deal_again(pages)
    assert pages[0].table["seats"][2]["kind"] == "bot"
    await left.until("update")
    assert left.view["seat"] is None


async def test_a_rematch_does_not_wait_for_who_is_gone_but_for_a_reload(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dealer, "AWAY", 0.5)
    pages = await finished(server)
    for page in pages[:2]:
        await page.send("again")
    await pages[2].sees(lambda table: table["seats"][1]["again"] == "same")
    await pages[2].close()
    reloaded = await server.page(pages[2].table["id"], pages[2].token)
    await reloaded.sees(lambda table: table["seats"][0]["again"] == "same")
    await reloaded.close()
    await deal_again(pages[:2])
    assert pages[0].table["seats"][2]["stand_in"]
    states = [told["table"]["state"] for told in reloaded.told if "table" in told]
    assert set(states) == {"over"}


@pytest.mark.rule("TW-17")
@pytest.mark.server(limits=Limits(**BRIEF))
async def test_twin_it_offers_a_rematch_under_the_taboo(server: Running) -> None:
    pages = await ended(server, "twinit", [1], mode="race", seats=2)
    assert pages[0].table["kinds"] == ["same", "taboo"]
    for page in pages:
        await page.send("again", kind="taboo")
    await deal_again(pages)
    options = pages[0].table["options"]
    assert (options["taboo_seat"], options["taboo_team"]) == (1, "none")
    await pages[1].send("leave")
    await pages[0].send("leave")
    await pages[0].sees(lambda table: table["state"] == "over")
    assert pages[0].table["results"] == [[1], []]


@pytest.mark.rule("TW-20b")
@pytest.mark.parametrize("taboo", [0, "none"])
@pytest.mark.parametrize("winners", [[0, 2, 4], [1, 3]])
@pytest.mark.server(limits=Limits(**BRIEF))
async def test_in_teams_the_larger_team_keeps_its_choice_whoever_won(
    server: Running, winners: list[int], taboo: int | str
) -> None:
    options = {"mode": "teams", "seats": 5, "taboo_team": taboo}
    pages = await ended(server, "twinit", winners, **options)
    assert pages[0].table["kinds"] == ["same"]
    assert await pages[0].asks("again", kind="taboo") == "bad_value"
    for page in pages:
        await page.send("again", kind="same")
    await deal_again(pages)
    again = pages[0].table["options"]
    assert {name: again[name] for name in options} == options
    assert any(pages[0].view["taboo"]) == (taboo == 0)


@pytest.mark.server(limits=Limits(**BRIEF))
async def test_the_same_again_is_without_the_taboo(server: Running) -> None:
    pages = await ended(server, "twinit", [1], mode="race", taboo_seat=0)
    await pages[0].send("again", kind="same")
    await pages[1].send("again", kind="same")
    await deal_again(pages)
    assert pages[0].table["options"]["taboo_seat"] == "none"


@pytest.mark.parametrize(("mode", "winners"), [("race", [0, 1]), ("coop", [0, 1]), ("race", [])])
@pytest.mark.server(limits=Limits(**BRIEF))
async def test_without_one_winner_there_is_no_taboo(
    server: Running, mode: str, winners: list[int]
) -> None:
    pages = await ended(server, "twinit", winners, mode=mode)
    assert pages[0].table["kinds"] == ["same"]


@pytest.mark.server(limits=Limits(**BRIEF))
async def test_the_kind_that_most_want_is_played(server: Running) -> None:
    pages = await ended(server, "twinit", [1], mode="race", seats=3)
    for page, kind in zip(pages, ("same", "taboo", "taboo"), strict=True):
        await page.send("again", kind=kind)
    await deal_again(pages)
    assert pages[0].table["options"]["taboo_seat"] == 1


async def test_a_whole_second_game_is_played(server: Running) -> None:
    page = await server.alone("marshmallow", 3, options=SHORT)
    await page.play()
    await page.send("again")
    await deal_again([page])
    await page.play()
    assert len(page.table["results"]) == 2
    for number in (1, 2):
        status, _ = await server.get(f"/api/tables/{page.table['id']}/games/{number}/record")
        assert status == 200


# With other options, and wishes that are taken back


async def test_before_a_rematch_with_other_options_the_host_changes_them(server: Running) -> None:
    pages = await finished(server, 2)
    await pages[1].send("again", kind="options")
    await pages[0].sees(lambda table: table["seats"][1]["again"] == "options")
    await pages[0].send("again")  # whoever asks for the same may still agree on that
    for page in pages:
        await page.sees(lambda table: table["state"] == "waiting")
    table = pages[0].table
    assert [seat["kind"] for seat in table["seats"]] == ["person", "person"]
    assert table["number"] == 2
    await pages[0].send("configure", options={"seats": 3})
    await pages[0].sees(lambda table: len(table["seats"]) == 3)
    await pages[0].send("fill", seat=2, level="easy")
    await pages[0].sees(lambda table: table["seats"][2]["kind"] == "bot")
    for page in pages:
        await page.contribute()
    await pages[0].send("begin")
    for page in pages:
        await page.until("update")
        assert page.table["state"] == "playing"


async def test_a_wish_for_a_rematch_is_taken_back(server: Running) -> None:
    pages = await finished(server, 2)
    await pages[0].send("again")
    await pages[1].sees(lambda table: table["seats"][0]["again"] == "same")
    await pages[0].send("withdraw")
    await pages[1].sees(lambda table: table["seats"][0]["again"] is None)
    await pages[1].send("again")
    await pages[0].sees(lambda table: table["seats"][1]["again"] == "same")
    assert pages[0].table["state"] == "over"  # it takes both
    await pages[0].send("again")
    await pages[1].sees(lambda table: table["state"] == "waiting")
    watching = await server.page(pages[0].table["id"])
    assert await watching.asks("withdraw") == "only_watching"
