"""Everything that each page receives in whole games of all four kinds, checked against what its
seat may know at that moment."""

import asyncio
import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from pli.record import read_record
from pli.record.verification import verify
from pli.server.cluster import wire
from pli.server.limits import UNLIMITED
from pli.server.tables import entries as e
from pli.server.tables.table import hashed
from pli.testing.walks import any_action
from tests.conftest import FUZZ
from tests.server.client import Running
from tests.server.cluster.members import Relayed
from tests.server.journal.held import held_appends
from tests.server.players import Game, Person, seated
from tests.server.protocol.knowledge import Audit, Truth

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("marshmallow", {"seats": 4, "edition": "en", "target": 8}),
    ("marshmallow", {"seats": 3, "edition": "fr", "target": 8}),
    ("plingo", {"seats": 4}),
    ("merci", {"seats": 3, "rules": "start", "fault_window_ms": 15}),
    ("merci", {"seats": 4, "rules": "full", "fault_window_ms": 15, "false_denounce": "draw"}),
    ("twinit", {"seats": 3, "mode": "race", "catches": 3, "count_ms": 20}),
    ("twinit", {"seats": 4, "mode": "teams", "catches": 2, "count_ms": 20, "taboo_team": 0}),
    ("twinit", {"seats": 2, "mode": "coop", "minute_ms": 2000}),
    ("twinit", {"seats": 3, "mode": "rush", "minute_ms": 2000}),
    ("plingo", {"seats": 4, "teams": "pairs", "auction": "on", "joker": "may"}),
]
CHOSEN = ("edition", "rules", "mode", "teams")
NAMES = ["-".join([game, *(had[name] for name in CHOSEN if name in had)]) for game, had in GAMES]
every_game = pytest.mark.parametrize(("game", "options"), GAMES, ids=NAMES)
some_games = pytest.mark.parametrize(("game", "options"), GAMES[::2], ids=NAMES[::2])


async def audited(
    server: Running,
    game: str,
    options: dict[str, Any],
    story: Callable[[Game, random.Random], Any],
    **settings: object,
) -> None:
    """Lets a story happen at tables, and holds all that was told there against the journal: at one,
    or at as many as it takes to be told much, as little happens in a minute of a busy machine."""
    tables = frames = hidden = 0
    while tables < FUZZ or frames <= 100 or hidden <= 3000:
        assert tables < FUZZ + 9, f"only {frames} frames, {hidden} hidden things"
        seed, tables = tables, tables + 1
        table = await seated(server, game, options, public=True, settings=settings)
        async with asyncio.timeout(60):
            overheard = await story(table, random.Random(f"{game} {options} {seed}"))
        await table.close()
        truth = Truth(table.table, await server.context.journal.entries(table.table))
        # In a thread: for seconds on end it would keep the servers of this process from working.
        audit = await asyncio.to_thread(hold_against, truth, table, overheard)
        frames += audit.frames
        hidden += audit.hidden


def hold_against(truth: Truth, table: Game, overheard: list[tuple[str, Any]]) -> Audit:
    audit = Audit(truth, table.tokens)
    for person in table.all:
        audit.hold(person.page.raw, person.sent)
    for text, told in overheard:
        assert not truth.named(text)
        audit.secrets(text, told)
    return audit


# Whole games, with all that may happen beside


async def spied(table: Game) -> list[tuple[str, Any]]:
    """What HTTP tells a client that only has the link, before the game is over."""
    get, path, heard = table.server.get, f"/api/tables/{table.table}", []
    for wanted in ("record", "replay", "replay?seat=0", "replay?seat=1"):
        status, told = await get(f"{path}/games/1/{wanted}")
        assert (status, told["code"]) == (403, "not_over")
    for wanted in (path, "/api/tables"):
        status, told = await get(wanted)
        assert status == 200
        heard.append((msgspec.json.encode(told).decode(), told if "id" in told else None))
    return heard


async def comes_back(table: Game, person: Person, rng: random.Random) -> None:
    """A page is loaded anew, or there is a second one: the first hears nothing more."""
    second_tab = rng.random() < 0.5
    if not second_tab:
        await person.close()
    seat = table.people.index(person)
    table.people[seat] = await table.come(person.token)
    if second_tab:
        await person.hears("closing", code="replaced")


async def asks(table: Game, person: Person, rng: random.Random) -> None:
    """What would be refused and what is, all that happened, what a bot would do."""
    notation = (await table.dealt()).game.notation
    for _ in range(5):
        action = notation.show(any_action(notation, rng))
        await person.says("why", "verdict", action=action)
    await person.does(notation.show(any_action(notation, rng)))
    await person.does("play something else")
    await person.says("log", "log")
    await table.watcher.says("log", "log")
    await person.says("say", "said", phrase="oops")
    await person.page.send("hint")


async def whole_game(table: Game, rng: random.Random) -> list[tuple[str, Any]]:
    heard = await spied(table)
    await table.deal()
    heard += await spied(table)
    steps = 0
    while table.playing:
        await table.step(rng)
        steps += 1
        if steps in (12, 50, 90) and table.playing:
            await comes_back(table, rng.choice(table.people), rng)
            await asks(table, rng.choice(table.people), rng)
            await table.come(None)
    for person in [*table.people, table.watcher]:
        await person.hears("table")
    for person in table.people:
        # How many frames there are tells nothing either: everybody gets one when anybody does.
        told, all_told = updates(person), updates(table.watcher)
        assert told == all_told[len(all_told) - len(told) :]
    table.people[0] = await table.come(table.tokens[0])
    await table.people[0].says("log", "log")
    return heard


def updates(person: Person) -> list[int]:
    return [each["n"] for each in person.page.told if each["type"] == "update"]


@every_game
@pytest.mark.server(limits=UNLIMITED)
async def test_no_page_is_told_more_than_its_seat_may_know(
    server: Running, game: str, options: dict[str, Any]
) -> None:
    await audited(server, game, options, whole_game, grace=0)


@some_games
@pytest.mark.parametrize("server", ["relayed"], indirect=True)
@pytest.mark.server(limits=UNLIMITED)
async def test_no_page_is_told_more_over_a_relay(
    server: Relayed, game: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does the link between the two servers carry anything for a page that the page is not
    shown, but for the last frames of one that is closed before it reads them."""
    relays: dict[int, list[bytes]] = {}

    def encoded(messages: list[wire.AnyMessage]) -> bytes:
        for each in messages:
            if isinstance(each, wire.ToPage):
                relays.setdefault(each.relay, []).append(each.data)
        return encode(messages)

    encode = wire.encode
    monkeypatch.setattr(wire, "encode", encoded)
    await audited(server, game, options, whole_game, grace=0)
    shown = {data for page in server.pages for data in page.raw}
    assert len(relays) == len(server.pages)
    for frames in relays.values():
        read = [data in shown for data in frames]
        assert True in read
        assert all(read[: len(read) - read[::-1].index(True)])


# Seats that change hands


async def seat_changes_hands(table: Game, rng: random.Random) -> list[tuple[str, Any]]:
    """A player leaves and watches, a bot plays on, another person takes the seat, and all of them
    play again afterwards."""
    server, (leaver, *_) = table.server, table.people[1:]
    await table.deal()
    for _ in range(8):
        await table.step(rng)
    if table.playing:
        await leaver.says("leave", "welcome")
        await leaver.says("log", "log")
        await leaver.page.do("flip")
        stale = await server.connect(table.table)
        await stale.send("hello", token=table.tokens[1])
        assert (await stale.until("problem"))["code"] == "not_your_seat"
        await stale.close()
        wanted = {"name": "Gus", "seat": 0}
        status, refused = await server.post(f"/api/tables/{table.table}/seats", wanted)
        assert (status, refused["code"]) == (409, "seat_taken")
        await asyncio.sleep(0.05)
    if table.playing:
        taken = await server.sit(table.table, "Gus")
        assert taken["seat"] == 1
        table.tokens.append(taken["token"])
        table.people[1] = await table.come(taken["token"])
        await table.people[1].says("log", "log")
    while table.playing:
        await table.step(rng)
    await proved(table, 1)
    for person in [each for each in table.people if each.page.seat is not None]:
        await person.page.send("again")
    for person in [each for each in table.people if each.page.seat is not None]:
        await person.hears("table", len(person.page.told) - 1)
        await person.page.contribute()
    await asyncio.sleep(0.05)
    return []


async def proved(table: Game, number: int) -> None:
    """The record proves that the shuffles follow from all contributions, also of those who left."""
    path = f"/api/tables/{table.table}/games/{number}/record"
    async with asyncio.timeout(5):
        while (got := await table.server.get(path))[0] != 200:
            await asyncio.sleep(0.02)
    record = read_record(got[1].decode())
    assert record.proof is not None
    assert verify(record, table.watcher.page.table["commitment"]) > 0
    assert set(record.proof.contributions) == set(range(len(table.people)))


@some_games
@pytest.mark.server(limits=UNLIMITED)
async def test_a_seat_that_changes_hands_takes_its_knowledge_with_it(
    server: Running, game: str, options: dict[str, Any]
) -> None:
    await audited(server, game, options, seat_changes_hands, grace=0, pace="instant")


async def seat_is_freed(table: Game, rng: random.Random) -> list[tuple[str, Any]]:
    """The host frees a seat before the game, and another after it; who sat there watches, asks for
    all that it might be told, and goes on to say what only a seat may."""
    server, host, guest = table.server, table.people[0], table.people[1]
    await guest.page.contribute()
    await host.page.send("fill", seat=1)
    await guest.hears("problem", code="seat_freed")
    await guest.hears("welcome", seat=None)
    stale = await server.connect(table.table)
    await stale.send("hello", token=table.tokens[1])
    assert (await stale.until("problem"))["code"] == "not_your_seat"
    await stale.close()
    taken = await server.sit(table.table, "Gus")
    assert taken["seat"] == 1
    table.tokens.append(taken["token"])
    table.people[1] = await table.come(taken["token"])
    await table.deal()
    for step in range(200):
        if not table.playing:
            break
        if step in (3, 30):
            await guest.says("log", "log")
            for said in ("hint", "back", "begin"):
                assert (await guest.says(said, "problem"))["code"] == "only_watching"
            await guest.page.do("flip")
            await guest.hears("problem", len(guest.page.told) - 1)
        await table.step(rng)
    if not table.playing:
        last = table.people[-1]
        await host.page.send("fill", seat=len(table.people) - 1, level="easy")
        await last.hears("problem", code="seat_freed")
        await last.hears("welcome", seat=None)
        await last.says("log", "log")
    assert [each["seat"] for each in guest.page.told if each["type"] == "welcome"] == [1, None]
    return []


@some_games
@pytest.mark.server(limits=UNLIMITED)
async def test_who_was_freed_of_its_seat_knows_nothing_of_it(
    server: Running, game: str, options: dict[str, Any]
) -> None:
    await audited(server, game, options, seat_is_freed, grace=0, pace="instant")


# Alone among bots


@pytest.mark.server(limits=UNLIMITED)
async def test_among_bots_nothing_more_is_told_nor_do_hints(server: Running) -> None:
    page = await server.alone("plingo", 3)
    async with asyncio.timeout(60):
        for _ in range(3):
            while page.view.get("awaited") != [page.seat]:
                await page.next()
            await page.send("hint")
            await page.until("hints")
            await page.do(page.legal[-1])
            await page.next()
    await page.close()
    table = page.table["id"]
    truth = Truth(table, await server.context.journal.entries(table))
    audit = Audit(truth, [str(page.token)])
    audit.hold(page.raw, ["hint"])
    assert audit.hidden > 300


# That the tests above can fail


async def test_what_a_seat_may_not_know_is_found_in_its_frames(server: Running) -> None:
    rng = random.Random(7)
    table = await seated(server, "marshmallow", {"seats": 3, "target": 3})
    await table.deal()
    while table.playing:
        await table.step(rng)
    await asyncio.sleep(0.05)
    await table.close()
    truth = Truth(table.table, await server.context.journal.entries(table.table))
    audit = Audit(truth, table.tokens)
    one, two = (person.page.raw for person in table.people[:2])
    audit.hold(one)
    first = next(i for i, raw in enumerate(one) if b'"update"' in raw)
    n = next(n for n, moment in enumerate(truth.moments) if moment.save is not None)
    hidden = min(truth.known(n, 1) - truth.known(n, 0))
    secret, token = truth.secrets[1], table.tokens[1]
    told = '{"type":"said","seat":0,"phrase":"%s"}'
    for wrong in (
        [one[0], *two[1:]],  # somebody else's frames
        [*one[:first], one[first].replace(b'"events":[', b'"events":[{"card":"B1"},')],
        [*one[:first], (told % hidden).encode()],
        [*one[:first], (told % secret).encode()],
        [*one[:first], (told % token).encode()],
        [*one[:first], (told % hashed(token)).encode()],
    ):
        with pytest.raises(AssertionError):
            audit.hold(wrong)


# Safe before told


async def test_nothing_is_told_before_it_is_safe(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The end of a game, on its way to the disk: neither its secret nor its winner is told to who
    asks, who comes, or when somebody goes."""
    rng = random.Random(3)
    table = await seated(server, "plingo", {"seats": 2})
    await table.deal()
    ends = False
    while not ends:
        with held_appends(server.context.journal, monkeypatch) as held:
            acting = asyncio.create_task(table.step(rng))
            await held.some()
            append, _ = held[0]
            ends = any(isinstance(e.decode(entry), e.Ended) for entry in append.entries)
            if ends:
                while any(person.page.n < append.first - 1 for person in table.all):
                    await asyncio.sleep(0.001)  # what came before is on its way to some
                before = [len(person.page.raw) for person in table.all]
                asked = asyncio.create_task(server.get(f"/api/tables/{table.table}"))
                late = asyncio.create_task(table.come(None))
                await table.watcher.close()
                await asyncio.sleep(0.2)
                for person, told in zip(table.all, before, strict=True):
                    assert len(person.page.raw) == told
                assert not asked.done()
                assert not late.done()
        await acting
    assert (await asked)[1]["state"] == "over"
    assert (await late).page.table["state"] == "over"


# What is for the players to notice


@pytest.mark.server(limits=UNLIMITED)
async def test_why_does_not_tell_whether_two_faces_are_a_pair(server: Running) -> None:
    table = await seated(server, "twinit", {"seats": 1, "mode": "rush"})
    await table.deal()
    (person,) = table.people
    shown = (await table.dealt()).state.motif[::2]
    first = next(card for card in range(135) if shown.count(shown[card]) > 1)
    await person.does(f"touch {first}")
    others = [f"touch {card}" for card in range(135) if card != first]
    told = [await person.says("why", "verdict", action=each) for each in others]
    assert {each["code"] for each in told} == {None}
    match = await table.dealt()
    assert {match.refusal(0, each) for each in others} == {None, "no_pair"}
    await table.close()


@pytest.mark.server(limits=UNLIMITED)
async def test_why_does_not_tell_whether_somebody_is_at_fault(server: Running) -> None:
    rng = random.Random(5)
    options = {"seats": 3, "rules": "full", "false_denounce": "free"}
    table = await seated(server, "merci", options)
    await table.deal()
    found: set[str | None] = set()
    while len(found) < 2:
        await table.step(rng)
        for person in table.people:
            if "denounce" in person.page.legal:
                found.add((await table.dealt()).refusal(person.page.seat or 0, "denounce"))
                told = await person.says("why", "verdict", action="denounce")
                assert told["code"] is None
    await table.close()
