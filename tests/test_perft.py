"""Counting all lines of play to a depth pins the rules down as a whole: from fixed deals, for every
seat count and edition, held against the second implementation as well."""

import copy
import random
from typing import Any

import pytest

from pli import games
from pli.game import read_options
from pli.kernel.contract import NEVER
from pli.kernel.machine import Compiled, Plain
from pli.kernel.refusals import OK
from pli.match import AnyMatch, Match
from pli.shuffling import seeded
from tests.reference.marshmallow import Marshmallow
from tests.reference.merci import Merci
from tests.reference.merci_position import merci_at
from tests.reference.plingo import Plingo


def perft(machine: Any, state: bytes, depth: int) -> int:
    """The lines of play of that length; a round's end cuts a line short. The last action of a line
    counts without being done."""
    now = machine.load(state)
    if machine.over(now) or machine.needs(now):
        return 1
    seat = machine.actors(now).bit_length() - 1
    actions = machine.legal(now, seat)
    if depth == 1:
        return len(actions)
    lines = 0
    for action in actions:
        after = machine.load(state)
        machine.act(after, seat, action, 0)
        lines += perft(machine, machine.save(after), depth - 1)
    return lines


def perft_reference(game: Any, depth: int) -> int:
    if game.phase in ("over", "deck"):
        return 1
    if depth == 1:
        return len(game.legal())
    lines = 0
    for action in game.legal():
        after = copy.deepcopy(game)
        after.act(action)
        lines += perft_reference(after, depth - 1)
    return lines


# A round after the first, from the naming of trump on: game, seats, edition, depth, lines.
OPENINGS = [
    ("marshmallow", 2, "en", 6, 68_200),
    ("marshmallow", 2, "fr", 6, 68_200),
    ("marshmallow", 3, "en", 6, 52_997),
    ("marshmallow", 3, "fr", 6, 51_458),
    ("marshmallow", 4, "en", 6, 36_399),
    ("marshmallow", 4, "fr", 6, 29_865),
    ("marshmallow", 5, "en", 6, 12_240),
    ("marshmallow", 5, "fr", 6, 7_635),
    ("plingo", 2, None, 5, 40_500),
    ("plingo", 3, None, 5, 29_160),
    ("plingo", 4, None, 5, 20_480),
    ("plingo", 5, None, 5, 12_005),
    ("plingo", 6, None, 5, 6_480),
]


def opening(name: str, seats: int, edition: str | None) -> AnyMatch:
    game = games.load(name)
    first = "first_dealer" if name == "marshmallow" else "first_master"
    chosen: dict[str, object] = {"seats": seats, first: 0}
    if edition is not None:
        chosen["edition"] = edition
    match = Match(game, read_options(game, chosen), seeded("perft"))
    match.place({"round": 2})
    return match


def the_same_by_reference(match: AnyMatch, name: str, seats: int, edition: str | None) -> Any:
    other: Any = Marshmallow(seats, edition or "en") if name == "marshmallow" else Plingo(seats)
    facts = match.game.facts(match.state)
    dealt = [card for hand in facts["hands"] for card in sorted(hand)]
    rest = [card for card in match.game.shuffled(match.state) if card not in dealt]
    other.deal(dealt + rest)
    other.round, other.phase = 2, "trump"
    return other


@pytest.mark.parametrize(("name", "seats", "edition", "depth", "lines"), OPENINGS)
def test_all_openings_of_a_later_round(
    name: str, seats: int, edition: str | None, depth: int, lines: int
) -> None:
    match = opening(name, seats, edition)
    assert perft(Plain(match.game.rules), match.save(), depth) == lines
    assert perft(Compiled(match.game.rules), match.save(), depth) == lines
    short = depth - 1
    wanted = perft_reference(the_same_by_reference(match, name, seats, edition), short)
    assert perft(Plain(match.game.rules), match.save(), short) == wanted


# Whole endings: every line to the round's or the game's end. The position, the lines of play.
ENDINGS: list[tuple[str, dict[str, object], dict[str, Any], int]] = [
    (
        "marshmallow",
        {"seats": 4, "edition": edition},
        {
            "turn": 0,
            "round": 2,
            "trump": "P",
            "tricks": [2, 2, 1, 1],
            "scores": [15, 0, 18, 3],
            "hands": ["B12 G1 P3", "B3 G2 P9", "B4 Y3 P1", "G5 G4 Y9"],
        },
        lines,
    )
    for edition, lines in (("en", 102), ("fr", 68))
] + [
    (
        "plingo",
        {"seats": 3},
        {
            "turn": 1,
            "master": 1,
            "round": 2,
            "trump": "G",
            "grids": [[1, 2, 3, 4, 5, 6, 7], [], [1, 2, 8, 9]],
            "taken": ["Y8", "", "B10"],
            "hands": ["B9 G1 G7", "Y9 G2 P10", "B4 Y4 P2"],
        },
        1_912,
    ),
    (
        "plingo",
        {"seats": 4, "teams": "pairs", "auction": "on", "joker": "may"},
        {
            "turn": 1,
            "master": 1,
            "round": 2,
            "bids": [2, 3, "pass", "pass"],
            "grids": [[1, 2, 3, 4, 5, 6, 7], [1, 2]],
            "taken": ["Y8", "", "B10", "P3"],
            "hands": ["B9 G1", "Y9 G2", "B4 Y4", "P10 P2"],
        },
        72,
    ),
    (
        "plingo",
        {"seats": 6, "teams": "halves"},
        {
            "turn": 5,
            "master": 5,
            "round": 2,
            "side": "last",
            "grids": [[1, 2, 3, 4, 5, 6, 7], [3, 4, 5, 6, 7, 8]],
            "taken": ["Y8", "", "B10", "P3", "", "Y10"],
            "hands": ["B9 G1", "Y9 B1", "B4 G4", "P10 P9", "P2 P5", "G9 G8"],
        },
        103,
    ),
]


@pytest.mark.parametrize(("seats", "teams", "lines"), [(2, "none", 275), (4, "pairs", 3_575)])
def test_all_auctions(seats: int, teams: str, lines: int) -> None:
    """PL-19: every way to bid, and what may be named trump after it."""
    game = games.load("plingo")
    chosen = {"seats": seats, "teams": teams, "auction": "on", "first_master": 0}
    match = Match(game, read_options(game, chosen), seeded("perft"))
    match.place({"round": 2})
    depth = seats + 1
    assert perft(Plain(game.rules), match.save(), depth) == lines
    assert perft(Compiled(game.rules), match.save(), depth) == lines
    other = Plingo(seats, teams=teams, auction="on")
    other.round, other.phase, other.turn = 2, "bid", 1
    assert perft_reference(other, depth) == lines


@pytest.mark.parametrize(("name", "chosen", "position", "lines"), ENDINGS)
def test_all_endings_of_a_round(
    name: str, chosen: dict[str, object], position: dict[str, Any], lines: int
) -> None:
    game = games.load(name)
    match = Match(game, read_options(game, chosen), seeded("perft"))
    match.place(position)
    assert perft(Plain(game.rules), match.save(), 50) == lines
    assert perft(Compiled(game.rules), match.save(), 50) == lines
    assert perft_reference(placed_reference(name, chosen, position), 50) == lines


def placed_reference(name: str, chosen: dict[str, Any], position: dict[str, Any]) -> Any:
    """The same ending in the second implementation."""
    other: Any = Marshmallow(**chosen) if name == "marshmallow" else Plingo(**chosen)
    other.phase = "play"
    for key, value in position.items():
        if key in ("hands", "taken"):
            value = [cards.split() for cards in value]
        if key == "grids":
            value = [set(boxes) for boxes in value]
        setattr(other, key, copy.deepcopy(value))
    other.leader = other.turn
    return other


# Merci: any seat acts at any moment, and a timer that runs out is a way to go on as well.

MERCI = games.load("merci")


def any_perft(machine: Any, state: bytes, seats: int, depth: int, now: int = 0) -> int:
    """The lines of play of that length by all seats; a shuffle cuts a line short."""
    s = machine.load(state)
    if machine.over(s) or machine.needs(s):
        return 1
    moment = machine.due(s)
    actions = [
        (seat, action)
        for seat in range(seats)
        for action in machine.legal(s, seat)
        if machine.check(s, seat, action, now) == OK
    ]
    if depth == 1:
        return len(actions) + int(moment != NEVER)
    lines = 0
    for seat, action in actions:
        after = machine.load(state)
        machine.act(after, seat, action, now)
        lines += any_perft(machine, machine.save(after), seats, depth - 1, now)
    if moment != NEVER:
        machine.tick(s)
        lines += any_perft(machine, machine.save(s), seats, depth - 1, moment)
    return lines


def any_perft_reference(game: Merci, depth: int, now: int = 0) -> int:
    if game.phase == "over" or game.wants():
        return 1
    vars(game).pop("script", None)  # it has come to its end, and can't be copied
    moment = game.due()
    actions = [
        (seat, action)
        for seat in range(game.seats)
        for action in game.legal(seat)
        if game.refusal(seat, action, now) is None
    ]
    if depth == 1:
        return len(actions) + int(moment is not None)
    lines = 0
    for seat, action in actions:
        after = copy.deepcopy(game)
        after.act(seat, action, now)
        lines += any_perft_reference(after, depth - 1, now)
    if moment is not None:
        after = copy.deepcopy(game)
        after.tick()
        lines += any_perft_reference(after, depth - 1, moment)
    return lines


# From a fixed deal: seats, rules, what a false denunciation costs, depth, lines.
MERCI_OPENINGS = [
    (3, "start", "draw", 3, 1_851),
    (4, "start", "free", 3, 2_668),
    (5, "start", "draw", 3, 7_629),
    (6, "start", "free", 3, 2_160),
    (3, "full", "free", 3, 91_505),
    (4, "full", "free", 2, 4_432),
    (5, "full", "draw", 2, 11_697),
    (6, "full", "free", 2, 12_213),
]


@pytest.mark.parametrize(("seats", "rules", "false_denounce", "depth", "lines"), MERCI_OPENINGS)
def test_all_openings_at_any_moment(
    seats: int, rules: str, false_denounce: str, depth: int, lines: int
) -> None:
    chosen = {"seats": seats, "rules": rules, "false_denounce": false_denounce, "first_player": 0}
    plain, rng = Plain(MERCI.rules), random.Random(f"perft {seats}")
    s = MERCI.setup(read_options(MERCI, chosen))
    other = Merci(seats, rules, false_denounce=false_denounce)
    while size := plain.needs(s):
        order = rng.sample(range(size), size)
        plain.give(s, order)
        other.give(list(order))
    deal = plain.save(s)
    assert any_perft(plain, deal, seats, depth) == lines
    assert any_perft(Compiled(MERCI.rules), deal, seats, depth) == lines
    short = max(2, depth - 1)
    assert any_perft(plain, deal, seats, short) == any_perft_reference(other, short)


# A round's last cards, with each effect on the pile: options, the back that shows, depth, lines.
FREE = {"false_denounce": "free"}
MERCI_ENDINGS: list[tuple[dict[str, Any], str, int, int]] = [
    ({"rules": "start"}, "one", 6, 2_524),
    ({"rules": "start"}, "gift", 6, 2_422),
    ({"rules": "start"}, "heart", 6, 2_630),
    ({"rules": "start"}, "two", 6, 2_524),
    ({"rules": "full"} | FREE, "one", 3, 3_327),
    ({"rules": "full"} | FREE, "gift", 3, 3_314),
    ({"rules": "full"} | FREE, "heart", 4, 38_696),
    ({"rules": "full"} | FREE, "two", 3, 3_327),
    ({"rules": "full"}, "one", 3, 3_517),
    ({"rules": "full", "fault_ends": "time"} | FREE, "gift", 3, 3_433),
    ({"rules": "start", "fault_ends": "time", "last_card_wait": "on"}, "gift", 5, 1_078),
    ({"rules": "full", "malpoli": "off"}, "two", 5, 3_051),
    ({"rules": "full", "interception": "off", "last_card_wait": "off"}, "one", 3, 2_997),
]


@pytest.mark.parametrize(("options", "back", "depth", "lines"), MERCI_ENDINGS)
def test_all_endings_at_any_moment(
    options: dict[str, Any], back: str, depth: int, lines: int
) -> None:
    hands, tops = ["B4/one", "Y4/two P3/gift", "B3/heart G1/one"], "B2/one B3/gift Y4/two"
    pile, laid, hearts = f"G2/{back} G3/gift O6/heart", "O2/one", [4, 3, 3]
    position: dict[str, Any] = {"turn": 0, "hands": hands, "hearts": hearts}
    position |= {"tops": tops, "pile": pile, "laid": laid}
    match = Match(MERCI, read_options(MERCI, {"seats": 3} | options), seeded("perft"))
    match.place(position)
    plain, ending = Plain(MERCI.rules), match.save()
    assert any_perft(plain, ending, 3, depth) == lines
    assert any_perft(Compiled(MERCI.rules), ending, 3, depth) == lines
    other = merci_at(hands, tops, pile, laid=laid, hearts=hearts, **options)
    assert any_perft(plain, ending, 3, depth - 1) == any_perft_reference(other, depth - 1)
