"""A second, deliberately simple implementation of the games, for differential testing.

It is written from the rulebooks and the rule ledger alone, with other means
than the fast rules (strings, lists and sets; a trick is judged as a whole once it is complete), so
that a slip in one of the two shows as a difference when both play the same games.

This file holds the few words about cards that both games share.
"""

COLOURS = "BGYPO"

# Every card that either game knows, in the order in which hands are written: 'B1', 'B2' ... 'O12'.
_CARDS_IN_ORDER = [f"{colour}{number}" for colour in COLOURS for number in range(1, 13)]
_PLACE = {card: place for place, card in enumerate(_CARDS_IN_ORDER)}
_NUMBER = {card: int(card[1:]) for card in _CARDS_IN_ORDER}


def colour_of(card: str) -> str:
    return card[0]


def number_of(card: str) -> int:
    return _NUMBER[card]


def in_order(cards: list[str]) -> list[str]:
    return sorted(cards, key=_PLACE.__getitem__)
