"""Two games that look the same to a seat, though other cards lie where it can't see them: what it
receives is the same, byte for byte, and so are the answers to all that it asks."""

import asyncio
import random
import re
from collections.abc import Iterator, Sequence
from importlib import import_module

import msgspec
import pytest

import pli
from pli.bots import make_bot
from pli.bots.live import Live
from pli.game import Act, Shuffle, Tick, read_options
from pli.games import load
from pli.games.twinit.rules import flow
from pli.games.twinit.rules.cards import DECK
from pli.games.twinit.state import INSIDE, LOWEST_MOTIF, MOTIFS, PLACES
from pli.match import AnyMatch, Match
from pli.server.limits import UNLIMITED
from pli.server.moves.lag import Lag
from pli.server.rooms.clock import Clock
from pli.server.tables.table import Table
from pli.shuffling import Shuffler
from pli.testing.properties.bots import replayed, same
from pli.testing.walks import any_action
from tests.bots.test_leaks import played_twins
from tests.conftest import FUZZ
from tests.server.client import Running
from tests.server.players import Game, Person, seated

PICTURE = re.compile(rb'"[0-9a-f]{20}(\.[0-8])?"')
"""The name of a sheet, and the place of a picture on it."""

ASKED = 40
"""Actions of which each page asks what would come of them."""

VIEW = import_module("pli.games.twinit.view")  # which the game's own `view` hides


class Replaying:
    """A server whose cards and time are those of matches played before."""

    def __init__(self, server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
        self._server = server
        self._orders: list[tuple[int, ...]] = []
        self._now = 0
        monkeypatch.setattr(Table, "shuffler", lambda table: self._shuffler())
        monkeypatch.setattr(Lag, "add_sample", lambda line, round_trip: None)  # no time on the line
        monkeypatch.setattr(Clock, "now", lambda clock: self._now)
        monkeypatch.setattr(Clock, "seconds_until", lambda clock, time: 0.002)

    def _shuffler(self) -> Shuffler:
        return lambda number, size: list(self._orders[number])

    async def play(self, match: AnyMatch, seat: int) -> tuple[list[bytes], list[bytes]]:
        """The same match at a table: what the seat and a spectator receive."""
        inputs = [step.given for step in match.steps]
        self._orders = [given.order for given in inputs if isinstance(given, Shuffle)]
        self._now = 0
        game = match.game.name
        options = msgspec.structs.asdict(match.options)
        table = await seated(self._server, game, options, settings={"grace": 0})
        for number, person in enumerate(table.people):
            await person.page.send("random", hex=f"{number}{number}" * 16)
        await table.people[0].page.send("begin")
        for person in table.all:
            await person.hears("update")
        n = table.watcher.page.n
        for given in inputs:
            if isinstance(given, Act):
                self._now = given.time
                acted = await table.people[given.seat].does(match.game.notation.show(given.action))
                assert acted
            elif isinstance(given, Tick):
                self._now = given.time
            else:
                continue
            n += 1
            await self._all_see(table, n)
        assert (await table.dealt()).save() == match.save()
        asking = table.people[seat]
        await self._ask(table, asking, seat)
        watched = [*table.watcher.page.raw]
        table.people[seat] = again = await table.come(asking.token)
        await asking.hears("closing")
        await table.close()
        commitment = asking.page.table["commitment"]
        return (
            anonymous([*asking.page.raw, again.page.raw[0]], table.table, commitment),
            anonymous(watched, table.table, commitment),
        )

    async def _all_see(self, table: Game, n: int) -> None:
        """Waits until every page has been shown an entry."""
        async with asyncio.timeout(20):
            while any(person.page.n < n for person in table.all):
                await asyncio.sleep(0.001)

    async def _ask(self, table: Game, person: Person, seat: int) -> None:
        match = await table.dealt()
        rng, notation = random.Random(seat), match.game.notation
        actions = [notation.show(any_action(notation, rng)) for _ in range(ASKED)]
        for action in [*actions, *person.page.legal, notation.show(len(notation) - 1)]:
            await person.says("why", "verdict", action=action)
        for action in actions:
            if action not in person.page.legal and match.refusal(seat, action):
                await person.does(action)
        await person.says("log", "log")
        await person.says("hint", "problem")
        await table.watcher.says("log", "log")


def anonymous(frames: Sequence[bytes], table: str, commitment: str) -> list[bytes]:
    """From the deal on, but for what differs between any two tables."""
    shown = [raw.replace(table.encode(), b"-").replace(commitment.encode(), b"-") for raw in frames]
    shown = [PICTURE.sub(b'"-"', raw) for raw in shown]
    deal = next(n for n, raw in enumerate(shown) if raw.startswith(b'{"type":"update"'))
    return shown[deal:]


async def told_alike(
    server: Running,
    monkeypatch: pytest.MonkeyPatch,
    pairs: Iterator[tuple[AnyMatch, AnyMatch, int]],
) -> None:
    replaying = Replaying(server, monkeypatch)
    for match, other, seat in pairs:
        one, two = await replaying.play(match, seat), await replaying.play(other, seat)
        for mine, theirs in zip(one, two, strict=True):
            assert len(mine) > 3
            for number, (a, b) in enumerate(zip(mine, theirs, strict=True)):
                assert a == b, number


@pytest.mark.parametrize("game", ["marshmallow", "plingo", "merci"])
@pytest.mark.server(limits=UNLIMITED)
async def test_games_that_look_the_same_are_told_in_the_same_bytes(
    server: Running, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    await told_alike(server, monkeypatch, iter(played_twins(game, 3 * FUZZ)))


# Twin It!: all see the same, and nobody is told what it is


def flipped(seed: int, mode: str, actions: int) -> AnyMatch:
    match = pli.new("twinit", seed=seed, seats=4, mode=mode)
    bots = [make_bot("easy", match.game, seat, seed) for seat in range(4)]
    live = Live(match, bots)
    for _ in range(actions):
        live.step()
    if mode == "rush":
        move_some(match, random.Random(seed))
    again = replayed(match, [step.given for step in match.steps])
    assert again is not None
    return again  # as far as it went: time may have passed since


def move_some(match: AnyMatch, rng: random.Random) -> None:
    """Cards are put elsewhere, which no bot does, whatever they show."""
    for _ in range(10):
        lying = {each.place: int(each.face[:-1]) for each in match.view(None).table}
        free = sorted(set(range(PLACES)) - set(lying))
        card = rng.choice(list(lying.values()))
        action = f"move {card} to {rng.choice(free)}"
        if match.refusal(seat := rng.randrange(4), action) is None:
            match.act(seat, action)


def with_other_cards_inside(match: AnyMatch, rng: random.Random) -> AnyMatch:
    """Two cards that no seat has seen yet are swapped."""
    inputs = [step.given for step in match.steps]
    deal = next(n for n, given in enumerate(inputs) if isinstance(given, Shuffle) and n)
    given = inputs[deal]
    assert isinstance(given, Shuffle)
    drawn = list(dict.fromkeys(face >> 1 for face in given.order))
    inside = [n for n in range(len(drawn)) if match.state.spot[n] == INSIDE]
    for _ in range(100):
        one, two = (drawn[n] for n in rng.sample(inside, 2))
        other = {2 * one + side: 2 * two + side for side in (0, 1)}
        other |= {there: here for here, there in other.items()}
        changed = Shuffle(tuple(other.get(face, face) for face in given.order))
        again = replayed(match, [*inputs[:deal], changed, *inputs[deal + 1 :]])
        if again is not None and again.save() != match.save() and same(match, again, 0):
            return again
    raise AssertionError("what nobody sees makes a difference")


@pytest.mark.server(limits=UNLIMITED)
async def test_cards_inside_a_pile_are_not_told(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pairs() -> Iterator[tuple[AnyMatch, AnyMatch, int]]:
        for seed in range(2 * FUZZ):
            match = flipped(seed, ("race", "teams")[seed % 2], 30)
            yield match, with_other_cards_inside(match, random.Random(seed)), seed % 4

    await told_alike(server, monkeypatch, pairs())


@pytest.mark.parametrize("mode", ["race", "rush"])
@pytest.mark.server(limits=UNLIMITED)
async def test_what_a_face_shows_is_not_told(
    server: Running, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    """With every pattern printed as another one, the same throughout, all is told as before."""
    replaying = Replaying(server, monkeypatch)
    inputs = [step.given for step in flipped(11, mode, 30).steps]
    told, saved = [], []
    for shift in (0, 57):
        other = [LOWEST_MOTIF + (motif - LOWEST_MOTIF + shift) % MOTIFS for motif in DECK]
        monkeypatch.setattr(flow, "DECK", other)
        drawn = sorted(motif - LOWEST_MOTIF for motif in other)
        first = {motif: drawn.index(motif) for motif in drawn}
        monkeypatch.setattr(VIEW, "FIRST_SPRITE", first)
        options = {"seats": 4, "mode": mode}
        game = load("twinit")
        match = Match(game, read_options(game, options), None, inputs=inputs)
        saved.append(match.save())
        told.append(await replaying.play(match, 1))
    assert saved[0] != saved[1]
    assert told[0] == told[1]
