"""How a search plays a trick-taking game on below its tree, and what a round's end is worth."""

from collections.abc import Callable
from math import exp
from typing import Any

from pli.kernel.bits import has, size
from pli.kernel.contract import Buffer, Rules
from pli.kernel.rule import rule
from pli.kernel.search import SearchModel, uniform
from pli.tricks.state import DEALING, OVER


@rule
def paused(s: Any) -> bool:
    return bool(s.phase == OVER or s.phase == DEALING)


@rule
def mover(s: Any) -> int:
    return int(s.turn)


@rule
def left(s: Any) -> int:
    """Each card is an action; choices come before the last six."""
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
    fill: Callable[[Any, Any], None],
    worth: Callable[[Any, Any], None],
    policy: Callable[[Any, int, Buffer, int], int] | None,
) -> SearchModel[Any]:
    """Random play below the tree, unless a game has a policy of its own."""
    choices, base = rules.choices, rules.base

    @rule
    def any_action(s: Any, seat: int, buffer: Buffer, x: int) -> int:
        return base(s) + uniform(choices(s, seat), x)

    return SearchModel(
        fill=fill,
        paused=paused,
        worth=worth,
        mover=mover,
        options=rules.legal,
        policy=policy or any_action,
        left=left,
    )
