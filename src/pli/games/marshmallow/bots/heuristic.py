"""The heuristic for Marshmallow Test: keep the high cards, and win tricks late."""

from collections.abc import Sequence

from pli.games.marshmallow.view import MarshmallowView

WORTH_IT = {2: 7, 3: 9, 4: 9}
"""Points for which one goes out, by the number of rivals still in; before the last one at once.
Where so many or so few tricks take one out that this can't be had, one waits as long as one can."""

SLACK = 2
"""Cards beyond those that are needed with which one begins to win."""


def choose(view: MarshmallowView, actions: Sequence[str]) -> str:
    if actions[0].startswith("trump"):
        return max(actions, key=lambda action: _strength(view.hand, action[-1]))
    cards = [action.removeprefix("play ") for action in actions]
    return f"play {_lead(view, cards) if not view.trick else _follow(view, cards)}"


def _value(card: str) -> int:
    return int(card[1:])


def _strength(hand: Sequence[str], colour: str) -> int:
    """Long and high."""
    return sum(_value(card) + 5 for card in hand if card[0] == colour)


def _wants(view: MarshmallowView) -> bool:
    """Whether this trick is welcome."""
    me = view.seat or 0
    missing = view.tricks_to_go_out - view.tricks[me]
    rivals = view.seats - len(view.out) - 1
    if rivals <= 1:
        return True
    if missing > 1:
        return view.cards[me] <= missing + SLACK
    pay = sum(view.tricks) - view.tricks[me]
    wins_game = view.scores[me] + pay >= view.target
    return wins_game or pay >= WORTH_IT[rivals] or view.cards[me] <= SLACK


def _lead(view: MarshmallowView, cards: Sequence[str]) -> str:
    return max(cards, key=_value) if _wants(view) else min(cards, key=_value)


def _follow(view: MarshmallowView, cards: Sequence[str]) -> str:
    lead = view.trick[0].card[0]

    def rank(card: str) -> int:
        if card[0] == view.trump:
            return 200 + _value(card)
        return 100 + _value(card) if card[0] == lead else 0

    best = max(rank(laid.card) for laid in view.trick)
    winning = [card for card in cards if rank(card) > best]
    losing = [card for card in cards if rank(card) <= best]
    if winning and (_wants(view) or not losing):
        return min(winning, key=rank)
    return min(losing, key=_value)
