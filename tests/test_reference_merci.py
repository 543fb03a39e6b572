"""Merci's kernel against the simple second implementation: random play at any moment."""

import random
from typing import Any

import pytest

from pli import games
from pli.game import read_options
from pli.games.merci.view import card_name
from pli.kernel.contract import NEVER
from pli.kernel.machine import Plain
from pli.kernel.refusals import CODES
from tests.conftest import FUZZ
from tests.reference.merci import Merci

GAMES = 2 * FUZZ
GAME = games.load("merci")
CASES = [
    (seats, rules, false_denounce)
    for seats in (3, 4, 5, 6)
    for rules in ("start", "full")
    for false_denounce in ("free", "draw")
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


@pytest.mark.parametrize(("seats", "rules", "false_denounce"), CASES)
def test_random_play_agrees_with_the_reference(seats: int, rules: str, false_denounce: str) -> None:
    machine, show = Plain(GAME.rules), GAME.notation.show
    rng = random.Random(f"{seats} {rules} {false_denounce}")
    options = {"seats": seats, "rules": rules, "false_denounce": false_denounce}
    for _ in range(GAMES):
        s = GAME.setup(read_options(GAME, options | {"first_player": 0}))
        other = Merci(seats, rules, 0, 6000, false_denounce)
        now = 0
        for _ in range(400):
            while size := machine.needs(s):
                assert other.wants() == size
                order = list(range(size))
                rng.shuffle(order)
                machine.give(s, order)
                other.give(order)
            assert other.wants() == 0
            compare(s, other)
            if machine.over(s):
                break
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
                code = CODES[machine.check(s, seat, action, now)]
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
            code = CODES[machine.check(s, seat, action, now)]
            assert code == (other.refusal(seat, show(action), now) or "ok"), show(action)
            if code == "ok":
                machine.act(s, seat, action, now)
                other.act(seat, show(action), now)
