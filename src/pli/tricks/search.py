"""How a search plays a trick-taking game on below its tree, and what a round's end is worth."""

from collections.abc import Callable, Sequence
from math import exp
from typing import Any

from pli.kernel.bits import has, size
from pli.kernel.contract import Buffer, Rules
from pli.kernel.rule import hot, rule
from pli.kernel.search import SearchModel, uniform
from pli.tricks.rules import Choice
from pli.tricks.state import DEALING, FIRST_CHOICE, OVER


@rule
def paused(s: Any) -> bool:
    return bool(s.phase == OVER or s.phase == DEALING)


@rule
def mover(s: Any) -> int:
    return int(s.turn)


@rule
def cards_left(s: Any) -> int:
    """Each card in a hand is an action."""
    cards = 0
    for seat in range(s.seats):
        cards += size(s.hands[seat])
    return cards


def by_points(scale: float, fewest: bool = False) -> Callable[[Any, Any], None]:
    """What points are worth between two rounds: a seat's chance to win is in proportion to e to the
    power of its points by `scale`, so that a lead of so many points makes it 2.7 times as likely.
    `fewest`: where the fewest points win."""
    sign = -1.0 if fewest else 1.0

    @rule
    def worth(s: Any, rewards: Any) -> None:
        total = 0.0
        best = -1e9
        for seat in range(s.seats):
            best = max(best, sign * s.scores[seat])
        for seat in range(s.seats):
            if s.phase == OVER:
                rewards[seat] = 1.0 if has(s.winning_seats, seat) else 0.0
            else:
                rewards[seat] = exp((sign * s.scores[seat] - best) / scale)
            total += rewards[seat]
        for seat in range(s.seats):
            rewards[seat] /= total

    return worth


def make_model(
    rules: Rules[Any],
    choices: Sequence[Choice[Any]],
    fill: Callable[[Any, Any], None],
    worth: Callable[[Any, Any], None],
    left: Callable[[Any], int],
) -> SearchModel[Any]:
    """Random play below the tree, but for choices that are made otherwise there."""
    open_to, base = rules.choices, rules.base

    @hot
    def any_member(s: Any, seat: int, x: int) -> int:
        return uniform(open_to(s, seat), x)

    member: Any = any_member
    for phase, choice in enumerate(choices, FIRST_CHOICE):
        if choice.rollout is not None:
            member = _member(phase, choice.rollout, member)
    members = member

    @rule
    def policy(s: Any, seat: int, buffer: Buffer, x: int) -> int:
        return int(base(s) + members(s, seat, x))

    return SearchModel(
        fill=fill,
        paused=paused,
        worth=worth,
        mover=mover,
        options=rules.legal,
        policy=policy,
        left=left,
    )


def _member(phase: int, rollout: Any, others: Any) -> Any:
    @hot
    def member(s: Any, seat: int, x: int) -> int:
        return int(rollout(s, seat, x) if s.phase == phase else others(s, seat, x))

    return member
