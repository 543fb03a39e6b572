"""The Merci reference in the middle of a round: put there, led on, looked at."""

from typing import Any

from .merci import Merci
from .merci_cards import FRONTS


def merci_at(
    hands: list[str],
    tops: str,
    pile: str = "G1 G2 G3",
    *,
    laid: str = "",
    hearts: list[int] | None = None,
    turn: int = 0,
    **options: Any,
) -> Merci:
    """A game in the middle of a round; cards that are not named are out of play."""
    game = Merci(seats=len(hands), **options)
    game.give(list(range(50)))
    game.give(list(range(50)))
    left = list(range(50))

    def cards(names: str) -> list[int]:
        found = []
        for name in names.split():
            front, _, back = name.partition("/")
            card = next(card for card in left if FRONTS[card] == front)
            left.remove(card)
            game.backs[card] = back or "one"
            found.append(card)
        return found

    game.hands = [cards(hand) for hand in hands]
    game.stacks = [[card] for card in cards(tops)]
    game.stacks[0] = cards(laid) + game.stacks[0]
    game.pile = cards(pile)
    game.hearts = hearts or [0] * len(hands)
    game.turn = turn
    return game


def do(game: Merci, *steps: str, t: int = 0) -> None:
    """Each step as '2: merci'; shuffles leave things in order."""
    for step in steps:
        seat, action = step.split(": ")
        assert game.refusal(int(seat), action, t) is None, step
        game.act(int(seat), action, t)
        while game.wants():
            game.give(list(range(game.wants())))


def see(game: Merci, *keys: str) -> list[Any]:
    seen = game.snapshot()
    return [seen[key] for key in keys]


def hand(game: Merci, seat: int) -> str:
    return " ".join(name[:2] for name in game.snapshot()["hands"][seat])
