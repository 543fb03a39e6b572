"""No bot knows more than its seat: whatever lies where the seat can't see it, it does the same."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

import pli
from pli import games
from pli.bots import Bot, Live, Moment, Plan, RandomBot, factory, make_bot
from pli.bots.hints import hint
from pli.bots.mcts import CompiledSearch
from pli.errors import PliError
from pli.game import Game, Input, Shuffle
from pli.match import AnyMatch, Match
from tests.tables import unseen

SEARCHED = [name for name in games.names() if games.load(name).rollout is not None]
CASES = [
    *((name, "medium") for name in games.names() if games.load(name).motif_lookup is None),
    *((name, bot) for name in SEARCHED for bot in ("search:200", "flat:20")),
]


class Asked:
    """A bot, and what it was shown and answered."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.told: list[tuple[Moment[Any], str | Plan | None]] = []

    @property
    def watches(self) -> bool:
        return self.bot.watches

    @property
    def policy(self) -> Any:
        return getattr(self.bot, "policy", None)

    def choose(self, moment: Moment[Any]) -> str | Plan | None:
        answer = self.bot.choose(moment)
        self.told.append((moment, answer))
        return answer


def seated(match: AnyMatch, spec: str) -> list[Asked]:
    return [Asked(make_bot(spec, match.game, seat, 7)) for seat in range(match.seats)]


# The same for the seat, but not the same


def begun(game: str, seed: int) -> AnyMatch:
    """A game that has gone on for some time, a random one."""
    match = pli.new(game, seed=seed)
    rng = random.Random(seed)
    live = Live(match, [make_bot("medium", match.game, seat, seed) for seat in range(match.seats)])
    for _ in range(rng.randrange(5, 60)):
        if match.over:
            return begun(game, seed + 1000)
        live.step()
    return match if match.view(None).awaited else begun(game, seed + 1000)


def twin(match: AnyMatch, seat: int, rng: random.Random) -> AnyMatch | None:
    """A match in which the seat saw the same, though other cards are where it can't see them; None
    if there seems to be none."""
    inputs = [step.given for step in match.steps]
    deals = [n for n, given in enumerate(inputs) if isinstance(given, Shuffle)]
    deal = max(deals, key=lambda n: (len(order(inputs[n])), n))
    state = match.state
    hidden = sorted(unseen(state, seat))
    backs = getattr(state, "back", [0] * 64)
    for _ in range(100):
        some = rng.sample(hidden, min(len(hidden), rng.choice((2, 4, 60))))
        other: dict[int, int] = {}
        for back in set(backs):  # these can be seen
            alike = [card for card in some if backs[card] == back]
            other |= dict(zip(alike, rng.sample(alike, len(alike)), strict=True))
        changed = Shuffle(tuple(other.get(card, card) for card in order(inputs[deal])))
        again = replayed(match, [*inputs[:deal], changed, *inputs[deal + 1 :]])
        if again is not None and again.save() != match.save() and same(match, again, seat):
            return again
    return None


def order(given: Input) -> tuple[int, ...]:
    assert isinstance(given, Shuffle)
    return given.order


def replayed(match: AnyMatch, inputs: list[Input]) -> AnyMatch | None:
    try:
        return Match(match.game, match.options, None, inputs=inputs)
    except PliError:
        return None  # somebody could have followed, or does not hold what it gave away


def same(one: AnyMatch, two: AnyMatch, seat: int) -> bool:
    return (
        list(one.events(seat)) == list(two.events(seat))
        and one.view(seat) == two.view(seat)
        and one.legal(seat) == two.legal(seat)
        and one.now == two.now
    )


def twins(game: str, count: int) -> Iterator[tuple[AnyMatch, AnyMatch, int]]:
    seed = found = 0
    while found < count:
        seed += 1
        assert seed < 20 * count, "hardly any game has a twin"
        match = begun(game, seed)
        seat = int(match.view(None).awaited[0])
        other = twin(match, seat, random.Random(seed))
        if other is not None:
            found += 1
            yield match, other, seat


def told(match: AnyMatch, seat: int, spec: str) -> tuple[Moment[Any], str | Plan | None]:
    """What a bot is shown at the table, and what it says to it."""
    bots: list[Bot] = [RandomBot(1) for _ in range(match.seats)]
    asked = Asked(make_bot(spec, match.game, seat, 7))
    bots[seat] = asked
    Live(match, bots)
    return asked.told[0]


@pytest.mark.parametrize(("game", "spec"), CASES)
def test_what_a_seat_can_not_see_changes_nothing(game: str, spec: str) -> None:
    for match, other, seat in twins(game, 12):
        assert told(match, seat, spec) == told(other, seat, spec)


@pytest.mark.parametrize("game", SEARCHED)
def test_hints_tell_nothing_that_a_seat_can_not_see(game: str) -> None:
    for match, other, seat in twins(game, 6):
        assert hint(match, seat, 300) == hint(other, seat, 300)


@pytest.mark.parametrize("game", SEARCHED)
def test_who_cheats_is_found_out_by_that(game: str) -> None:
    """So the tests above can fail."""
    assert any(
        told(match, seat, "oracle:40") != told(other, seat, "oracle:40")
        for match, other, seat in twins(game, 25)
    )


# Who is handed what


def inside(thing: Any, known: set[int]) -> Iterator[Any]:
    """Everything that can be reached from a thing by its attributes and what it holds."""
    if id(thing) in known or isinstance(
        thing, str | bytes | int | float | type | Game | CompiledSearch
    ):
        return
    known.add(id(thing))
    yield thing
    parts = [*getattr(thing, "__dict__", {}).values()]
    for kind in type(thing).__mro__:
        names = getattr(kind, "__slots__", ())
        for name in (names,) if isinstance(names, str) else names:
            parts.append(getattr(thing, name, None))
    if isinstance(thing, dict):
        parts += [*thing.keys(), *thing.values()]
    elif isinstance(thing, list | tuple | set | frozenset):
        parts += thing
    for part in parts:
        yield from inside(part, known)


@pytest.mark.parametrize(
    ("game", "spec"),
    [
        *((name, bot) for name in games.names() for bot in ("random", "easy", "medium", "hard")),
        *((name, bot) for name in SEARCHED for bot in ("search:20", "flat:3")),
    ],
)
def test_no_bot_is_handed_a_state(game: str, spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(factory, "HARD_SECONDS", 0.01)
    assert not handed(game, spec)


@pytest.mark.parametrize("game", SEARCHED)
def test_but_who_is_known_to_cheat(game: str) -> None:
    assert handed(game, "oracle:3")


def handed(game: str, spec: str) -> bool:
    """Whether bots got hold of the state or of what has it."""
    match = pli.new(game, seed=2)
    bots = seated(match, spec)
    live = Live(match, bots)
    for _ in range(25):
        live.step()
    assert any(asked.told for asked in bots)
    secret = (Match, Live, type(match.state))
    return any(isinstance(each, secret) for each in inside(bots, set()))
