"""Merci's kernel against the simple second implementation: random play at any moment."""

import random
from typing import Any

import pytest

from pli import games
from pli.game import read_options
from pli.games.merci.view import card_name
from pli.kernel.bits import from_list
from pli.kernel.contract import NEVER
from pli.kernel.machine import Plain
from tests.conftest import FUZZ
from tests.reference.merci import Merci

GAMES = 2 * FUZZ
GAME = games.load("merci")
CASES: list[dict[str, Any]] = [
    {"seats": seats, "rules": rules, "false_denounce": false_denounce}
    for seats in (3, 4, 5, 6)
    for rules in ("start", "full")
    for false_denounce in ("free", "draw")
]
# Every choice of what stands apart from the rule sets, with the next card and with time.
VARIANTS: list[dict[str, Any]] = [
    {
        "seats": 3 + number % 4,
        "rules": "full" if number % 3 else "start",
        "fault_ends": "time" if (number + number // 8) % 2 else "next_card",
        "malpoli": "on" if number & 1 else "off",
        "interception": "on" if number & 2 else "off",
        "last_card_wait": "on" if number & 4 else "off",
    }
    for number in range(16)
]
LASTING: list[dict[str, Any]] = [
    {"seats": seats, "rules": rules, "fault_ends": "time", "false_denounce": "free"}
    for seats in (3, 5)
    for rules in ("start", "full")
]


def words(s: Any) -> dict[str, Any]:
    """The kernel's facts in the reference's form."""
    facts = GAME.facts(s)
    found: dict[str, Any] = {
        key: "none" if value is None else value
        for key, value in facts.items()
        if key in ("turn", "hearts", "phase", "speaker", "owes", "reserve", "round", "cards")
    }
    found["hands"] = [sorted(map(str, bag.cards)) for bag in facts["hands"]]
    found["tops"] = list(map(str, facts["tops"]))
    found["pile"] = list(map(str, facts["pile"]))
    found["laid"] = sorted(map(str, facts["laid"].cards))
    found["winners"] = sorted(facts["winners"])
    return found


def compare(s: Any, other: Merci) -> None:
    wanted = other.snapshot()
    wanted["hands"] = [sorted(hand) for hand in wanted["hands"]]
    wanted["laid"] = sorted(wanted["laid"])
    got = words(s)
    assert got == {key: wanted[key] for key in got}


def case(options: dict[str, Any]) -> str:
    return " ".join(map(str, options.values()))


def play_beside(s: Any, other: Merci, rng: random.Random, steps: int) -> None:
    """The same at random in both, at any moment, and all that can be seen of it compared."""
    machine, show, seats = Plain(GAME.rules), GAME.notation.show, other.seats
    now = 0
    for _ in range(steps):
        while size := machine.needs(s):
            assert other.wants() == size
            order = list(range(size))
            rng.shuffle(order)
            machine.give(s, order)
            other.give(order)
        assert other.wants() == 0
        compare(s, other)
        if machine.over(s):
            return
        now += rng.choice([0, 10, 500, 500, 3000])
        due = other.due()
        assert machine.due(s) == (NEVER if due is None else due)
        if machine.due(s) <= now:
            now = machine.due(s)
            machine.tick(s)
            other.tick()
            continue
        for seat in range(seats):
            listed = {show(action) for action in machine.legal(s, seat)}
            assert listed == other.legal(seat)
        for _ in range(3):
            seat, action = rng.randrange(seats), rng.randrange(len(GAME.notation))
            code = GAME.rules.codes[machine.check(s, seat, action, now)]
            assert code == (other.refusal(seat, show(action), now) or "ok"), show(action)
        seat = rng.randrange(seats)
        choices = machine.legal(s, seat)
        held = [card_name(s, card) for card in range(50) if s.hands[seat] >> card & 1]
        if held and rng.random() < 0.3:
            name = rng.choice([rng.choice(held), rng.choice(held).partition("/")[0]])
            word = rng.choice(["play", "siouplait", "skuz"])
            choices = [GAME.notation.parse(f"{word} {name} on {rng.randint(1, 3)}")]
        if not choices:
            continue
        action = rng.choice(choices)
        code = GAME.rules.codes[machine.check(s, seat, action, now)]
        assert code == (other.refusal(seat, show(action), now) or "ok"), show(action)
        if code == "ok":
            machine.act(s, seat, action, now)
            other.act(seat, show(action), now)


def dealt(options: dict[str, Any], rng: random.Random) -> tuple[Any, Merci]:
    """The same deal twice."""
    s, other = GAME.setup(read_options(GAME, options | {"first_player": 0})), Merci(**options)
    machine = Plain(GAME.rules)
    while size := machine.needs(s):
        order = rng.sample(range(size), size)
        machine.give(s, order)
        other.give(list(order))
    return s, other


@pytest.mark.parametrize("options", [*CASES, *VARIANTS, *LASTING], ids=case)
def test_random_play_agrees_with_the_reference(options: dict[str, Any]) -> None:
    rng = random.Random(case(options))
    for _ in range(GAMES):
        play_beside(*dealt(options, rng), rng, 400)


@pytest.mark.parametrize("options", [*LASTING, *VARIANTS[:8]], ids=case)
def test_play_with_few_cards_agrees_with_the_reference(options: dict[str, Any]) -> None:
    """Piles are rebuilt and rounds end all the time."""
    rng = random.Random(case(options))
    for _ in range(10 * FUZZ):
        s, other = dealt(options, rng)
        for seat in range(other.seats):
            other.hands[seat] = other.hands[seat][:3]
            s.hands[seat] = from_list(other.hands[seat])
        s.younger &= sum(s.hands)
        s.pile[:2], s.pile_size = s.pile[s.pile_size - 2 : s.pile_size], 2
        other.pile = other.pile[:2]
        play_beside(s, other, rng, 50)
