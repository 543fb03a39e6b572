"""The kernel against the simple second implementation: the same random games, move by move."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from pli import games
from pli.game import read_options
from pli.kernel.machine import Plain
from tests.conftest import FUZZ
from tests.reference.marshmallow import Marshmallow
from tests.reference.plingo import Plingo

GAMES = 5_000 * FUZZ
"""Of each of the two, in a run."""

THOROUGH = 50 if FUZZ == 1 else 10
"""One in so many is compared in every word after every move; the others in what can be done at
every move, and in every word at the end."""

CASES: list[tuple[str, dict[str, Any], Callable[[int], Any]]] = [
    *(
        (
            "marshmallow",
            {"seats": seats, "edition": edition},
            lambda first, seats=seats, edition=edition: Marshmallow(seats, edition, 20, first),
        )
        for seats in (2, 3, 4, 5)
        for edition in ("en", "fr")
    ),
    *(
        (
            "marshmallow",
            {"seats": seats, "target": target, "tricks_to_go_out": tricks},
            lambda first, seats=seats, target=target, tricks=tricks: Marshmallow(
                seats, "en", target, first, tricks
            ),
        )
        for seats, target, tricks in ((2, 3, 9), (3, 4, 1), (4, 20, 2), (5, 5, 6))
    ),
    *(
        (
            "plingo",
            {"seats": seats, "teams": teams, "auction": auction, "joker": joker},
            lambda first, seats=seats, teams=teams, auction=auction, joker=joker: Plingo(
                seats, first, teams, auction, joker
            ),
        )
        for seats, teams, auction, joker in (
            (2, "none", "off", "must"),
            (3, "none", "on", "may"),
            (4, "none", "off", "must"),
            (4, "pairs", "off", "may"),
            (4, "halves", "on", "must"),
            (5, "none", "on", "must"),
            (6, "none", "off", "must"),
            (6, "pairs", "on", "may"),
            (6, "halves", "off", "must"),
        )
    ),
]
SHARES = {name: sum(case[0] == name for case in CASES) for name in ("marshmallow", "plingo")}


@pytest.mark.parametrize(
    ("name", "chosen", "reference"),
    CASES,
    ids=[f"{c[0]}-{'-'.join(map(str, c[1].values()))}" for c in CASES],
)
def test_random_games_agree_with_the_reference(
    name: str, chosen: dict[str, Any], reference: Callable[[int], Any]
) -> None:
    game = games.load(name)
    machine, show = Plain(game.rules), game.notation.show
    first = "first_dealer" if name == "marshmallow" else "first_master"
    names = game.shuffled(game.setup(read_options(game, chosen | {first: 0})))
    rng = random.Random(f"{name} {chosen}")
    for number in range(-(-GAMES // SHARES[name])):
        seat = rng.randrange(chosen["seats"])
        state = game.setup(read_options(game, chosen | {first: seat}))
        other = reference(seat)
        while not machine.over(state):
            if machine.needs(state):
                assert other.wants_deck()
                order = list(range(len(names)))
                rng.shuffle(order)
                machine.give(state, order)
                other.deal([names[i] for i in order])
            legal = {show(action): action for action in machine.legal(state, state.turn)}
            assert legal.keys() == other.legal()
            text = rng.choice([*legal])
            machine.act(state, state.turn, legal[text], 0)
            other.act(text)
            if number % THOROUGH == 0 and not machine.needs(state):
                compare(game, state, other.snapshot())
        compare(game, state, other.snapshot())


def compare(game: Any, state: Any, wanted: dict[str, Any]) -> None:
    got = game.facts(state)
    for key, value in wanted.items():
        if key == "leader" and wanted["phase"] == "over":
            continue  # nobody leads any more
        assert plain(got[key]) == value, key


def plain(value: Any) -> Any:
    """Our facts in the reference's form: sorted lists, and `none` in words."""
    if value is None:
        return "none"
    if isinstance(value, frozenset):
        return sorted(
            value, key=lambda x: ("BGYPO".index(x[0]), int(x[1:])) if isinstance(x, str) else x
        )
    if isinstance(value, list):
        return [plain(each) for each in value]
    return value


@pytest.mark.parametrize("name", SHARES)
def test_refusals_agree_with_the_reference(name: str) -> None:
    game = games.load(name)
    machine = Plain(game.rules)
    for case_name, chosen, reference in CASES:
        if case_name != name:
            continue
        rng = random.Random(f"refusals {chosen}")
        for _ in range(10 * FUZZ):
            first = "first_dealer" if name == "marshmallow" else "first_master"
            state = game.setup(read_options(game, chosen | {first: 0}))
            other = reference(0)
            while True:
                if machine.needs(state):
                    order = list(range(machine.needs(state)))
                    rng.shuffle(order)
                    names = game.shuffled(state)
                    machine.give(state, order)
                    other.deal([names[i] for i in order])
                for _ in range(4):
                    seat = rng.choice([state.turn, rng.randrange(chosen["seats"])])
                    action = rng.randrange(len(game.notation))
                    text = game.notation.show(action)
                    code = machine.check(state, seat, action, 0)
                    assert game.rules.codes[code] == (other.refusal(seat, text) or "ok")
                if machine.over(state):
                    break
                action = rng.choice(machine.legal(state, state.turn))
                machine.act(state, state.turn, action, 0)
                other.act(game.notation.show(action))
