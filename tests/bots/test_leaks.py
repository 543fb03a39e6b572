"""No bot knows more than its seat: whatever lies where the seat can't see it, it does the same."""

from collections.abc import Iterator
from typing import Any

import pytest

import pli
from pli import games
from pli.bots import Live, factory, make_bot
from pli.bots.hints import hint
from pli.bots.mcts import CompiledSearch
from pli.game import Game, read_options
from pli.match import AnyMatch, Match
from pli.testing import check_game
from pli.testing.properties.bots import Spied, specs, told, twins

SEARCHED = [name for name in games.names() if games.load(name).rollout is not None]
SPECS_OF = {name: specs(games.load(name), compiled=True) for name in games.names()}


def played_twins(name: str, count: int) -> list[tuple[AnyMatch, AnyMatch, int]]:
    game = games.load(name)
    found = [*twins(game, read_options(game, {}), count)]
    assert len(found) == count, "hardly any game has a twin"
    return found


@pytest.mark.parametrize("game", [name for name in games.names() if SPECS_OF[name]])
def test_what_a_seat_can_not_see_changes_nothing(game: str) -> None:
    (result,) = check_game(game, properties=["bots"], options={}, games=4)
    assert result.skipped is None


@pytest.mark.parametrize("game", SEARCHED)
def test_hints_tell_nothing_that_a_seat_can_not_see(game: str) -> None:
    for match, other, seat in played_twins(game, 6):
        assert hint(match, seat, 300) == hint(other, seat, 300)


@pytest.mark.parametrize("game", SEARCHED)
def test_who_cheats_is_found_out_by_that(game: str) -> None:
    """So the tests above can fail."""
    assert any(
        told(match, seat, "oracle:40") != told(other, seat, "oracle:40")
        for match, other, seat in played_twins(game, 25)
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
    bots = [Spied(make_bot(spec, match.game, seat, 7)) for seat in range(match.seats)]
    live = Live(match, bots)
    for _ in range(25):
        live.step()
    assert any(asked.told for asked in bots)
    secret = (Match, Live, type(match.state))
    return any(isinstance(each, secret) for each in inside(bots, set()))
