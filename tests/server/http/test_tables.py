"""Tables over HTTP: made, listed, joined by link, and the record of a finished game."""

import pytest

from pli import __version__, games
from pli.record import read_record
from pli.record.verification import verify
from pli.server.protocol.messages import LARGEST
from pli.server.rooms import open_tables
from tests.server.client import Running
from tests.server.protocol.schemas import checker


async def test_a_table_is_made_with_a_game_options_and_bots(server: Running) -> None:
    options = {"seats": 5, "target": 30, "tricks_to_go_out": 2}
    made = await server.make("marshmallow", options=options, bots="easy", public=True)
    assert made["seat"] == 0
    status, table = await server.get(f"/api/tables/{made['table']}")
    assert status == 200
    checker("TableInfo")(table, "table")
    assert table["state"] == "waiting"
    assert table["public"]
    assert table["options"] == {**options, "edition": "en", "first_dealer": "random"}
    assert table["departures"] == ["target", "tricks_to_go_out"]
    assert [seat["kind"] for seat in table["seats"]] == ["person", *["bot"] * 4]
    assert {seat["level"] for seat in table["seats"][1:]} == {"easy"}
    assert not any(seat["open"] for seat in table["seats"])
    assert (table["host"], table["number"], table["secret"]) == (0, 1, None)
    assert len(table["commitment"]) == 64


async def test_public_tables_that_wait_for_people_are_listed(server: Running) -> None:
    public = await server.make("plingo", public=True, name=" Ann ")
    private = await server.make("plingo")
    full = await server.make("plingo", public=True, bots="medium")
    seats = (public, private, full)
    hosts = [await server.page(each["table"], each["token"]) for each in seats]
    playing = await server.make("twinit", public=True, options={"seats": 2})
    other = await server.sit(playing["table"])
    pages = [await server.page(playing["table"], each["token"]) for each in (playing, other)]
    for page in pages:
        await page.contribute()
    await pages[0].send("begin")
    await pages[0].until("update")
    await pages[1].send("leave")  # its seat is free, but this table does not wait
    await pages[0].sees(lambda table: table["seats"][1]["kind"] == "bot")
    status, listed = await server.get("/api/tables")
    assert status == 200
    checker("OpenTables")(listed, "tables")
    (only,) = listed["tables"]
    assert only["id"] == public["table"]
    assert only["names"] == ["Ann"]
    assert only["free"] == only["options"]["seats"] - 1
    assert not any(host.socket.closed for host in hosts)


async def test_a_table_says_by_what_it_departs_from_the_printed_rules(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_tables, "FRESH", 0.0)
    made = await server.make("marshmallow", public=True, options={"seats": 3})
    host = await server.page(made["table"], made["token"])

    async def departs() -> list[str]:
        (listed,) = (await server.get("/api/tables"))[1]["tables"]
        assert listed["departures"] == host.table["departures"]
        return list(host.table["departures"])

    assert await departs() == []
    await host.send("configure", options={"tricks_to_go_out": 7, "target": 10})
    await host.sees(lambda table: bool(table["departures"]))
    assert await departs() == ["target", "tricks_to_go_out"]
    await host.send("configure", options={"tricks_to_go_out": "book", "target": 20})
    await host.sees(lambda table: not table["departures"])
    assert await departs() == []
    wrong = await host.asks("configure", options={"seats": 2, "tricks_to_go_out": 1})
    assert wrong == "bad_option"


async def test_who_has_the_link_takes_the_first_free_seat_or_the_one_it_likes(
    server: Running,
) -> None:
    table = (await server.make("plingo", options={"seats": 4}))["table"]
    assert (await server.sit(table, "Bob"))["seat"] == 1
    assert (await server.sit(table, "Cleo", seat=3))["seat"] == 3
    again = await server.post(f"/api/tables/{table}/seats", {"name": "Dan", "seat": 3})
    assert (again[0], again[1]["code"]) == (409, "seat_taken")
    none = await server.post(f"/api/tables/{table}/seats", {"name": "Dan", "seat": 4})
    assert (none[0], none[1]["code"]) == (400, "no_such_seat")
    assert (await server.sit(table, "Dan"))["seat"] == 2
    full = await server.post(f"/api/tables/{table}/seats", {"name": "Eve"})
    assert (full[0], full[1]["code"]) == (409, "table_full")
    nowhere = await server.post("/api/tables/aaaaaaaaaa/seats", {"name": "Eve"})
    assert (nowhere[0], nowhere[1]["code"]) == (404, "no_such_table")
    _, told = await server.get(f"/api/tables/{table}")
    assert [seat["name"] for seat in told["seats"]] == ["Ann", "Bob", "Dan", "Cleo"]


async def test_everybody_has_another_token_and_nobody_is_shown_it(server: Running) -> None:
    made = await server.make("plingo", options={"seats": 3})
    seats = [made, *[await server.sit(made["table"]) for _ in range(2)]]
    tokens = {seat["token"] for seat in seats}
    assert len(tokens) == 3
    _, table = await server.get(f"/api/tables/{made['table']}")
    page = await server.page(made["table"], made["token"])
    assert not any(token in str(table) + str(page.told) for token in tokens)


@pytest.mark.parametrize(
    ("wanted", "status", "code"),
    [
        ({"game": "chess"}, 404, "unknown_game"),
        ({"game": "plingo", "bots": "genius"}, 400, "unknown_bot"),
        ({"game": "plingo", "options": {"seats": 99}}, 400, "bad_option"),
        ({"game": "plingo", "options": {"colour": "red"}}, 400, "unknown_option"),
        ({"game": "plingo", "name": " \n "}, 400, "bad_name"),
        ({"game": "plingo", "name": "x" * 25}, 400, "bad_message"),
        ({"game": "plingo", "settings": {"grace": -1}}, 400, "bad_message"),
        ({"game": "plingo", "cards": []}, 400, "bad_message"),
    ],
)
async def test_what_can_not_be_made_is_refused_with_a_code_and_a_text(
    server: Running, wanted: dict[str, object], status: int, code: str
) -> None:
    texts = set()
    for language in ("en", "fr;q=0.9", "de, es"):
        asked = {"Accept-Language": language}
        got = await server.post("/api/tables", {"name": "Ann", **wanted}, headers=asked)
        assert (got[0], got[1]["code"]) == (status, code)
        checker("Wrong")(got[1], "wrong")
        texts.add(got[1]["text"])
    assert len(texts) == 3


async def test_names_are_trimmed_to_what_can_be_shown(server: Running) -> None:
    table = (await server.make("plingo", name="  Zoë\t the \u202e 1st "))["table"]
    _, told = await server.get(f"/api/tables/{table}")
    assert told["seats"][0]["name"] == "Zoë the 1st"


async def test_a_body_of_more_than_8_kilobytes_is_refused(server: Running) -> None:
    body = {"game": "plingo", "name": "x" * LARGEST}
    status, wrong = await server.post("/api/tables", body)
    assert (status, wrong["code"]) == (413, "too_large")


async def test_health_tells_how_busy_the_server_is(server: Running) -> None:
    made = await server.make("plingo")
    page = await server.page(made["table"], made["token"])
    status, told = await server.get("/api/health")
    assert (status, told) == (
        200,
        {"status": "ok", "tables": 1, "connections": 1, "version": __version__},
    )
    checker("Health")(told, "health")
    await page.close()


async def test_the_games_are_told_with_their_seats_options_and_levels(server: Running) -> None:
    status, told = await server.get("/api/games")
    assert status == 200
    checker("Games")(told, "games")
    assert [each["name"] for each in told["games"]] == [*games.names()]
    by_name = {each["name"]: each for each in told["games"]}
    assert by_name["twinit"]["seats"] == [1, 2, 3, 4, 5, 6]
    assert {name for name, each in by_name.items() if each["live"]} == {"merci", "twinit"}
    assert {name for name, each in by_name.items() if not each["hints"]} == {"twinit"}
    assert by_name["plingo"]["levels"] == ["easy", "medium", "hard"]
    options = {each["name"]: each for each in by_name["marshmallow"]["options"]}
    assert {name for name, each in options.items() if each["house"]} == {
        "target", "tricks_to_go_out",
    }  # fmt: skip
    number = options["tricks_to_go_out"]
    assert (number["values"], number["least"], number["most"]) == (["book"], 1, 11)
    assert options["edition"]["by_language"] == {"en": "en", "fr": "fr", "es": "en"}
    assert options["target"]["by_language"] == {}
    for each in told["games"]:
        defaults = {option["name"]: option["default"] for option in each["options"]}
        await server.make(each["name"], options={**defaults, "seats": each["seats"][-1]})


async def test_a_table_waits_is_played_at_and_is_over_and_only_then_is_there_a_record(
    server: Running,
) -> None:
    made = await server.make(
        "marshmallow", options={"seats": 3, "target": 2}, settings={"pace": "instant"},
        bots="medium",
    )  # fmt: skip
    page = await server.page(made["table"], made["token"])
    record = f"/api/tables/{made['table']}/games/1/record"
    assert page.table["state"] == "waiting"
    assert (await server.get(record))[0] == 403
    await page.contribute()
    await page.send("begin")
    await page.until("update")
    assert page.table["state"] == "playing"
    status, wrong = await server.get(record)
    assert (status, wrong["code"]) == (403, "not_over")
    assert (await server.get(record.replace("/1/", "/2/")))[0] == 404
    commitment = page.table["commitment"]
    await page.play()
    assert page.table["state"] == "over"
    assert page.table["results"] == [page.view["winners"]]
    status, text = await server.get(record)
    assert status == 200
    read = read_record(text.decode())
    assert read.proof is not None
    assert read.proof.secret == page.table["secret"]
    shares = {str(seat): text for seat, text in read.proof.contributions.items()}
    assert shares == page.table["contributions"]
    assert verify(read, commitment) > 0
    status, replay = await server.get(record.replace("record", "replay?seat=1"))
    assert status == 200
    checker("Replay")(replay, "replay")
    assert replay["updates"][-1]["view"]["winners"] == page.view["winners"]
