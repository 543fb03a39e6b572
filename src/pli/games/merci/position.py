"""Positions of Merci as scenarios write them."""

from collections.abc import Mapping, Sequence
from typing import Any

from pli import position as read
from pli.games.merci.rules.cards import first_of, take_up, twin
from pli.games.merci.state import (
    BACKS,
    CARDS,
    FRONT_NUMBERS,
    HEARTS,
    NO_CARD,
    STACKS,
    State,
)
from pli.games.merci.view import PHASES, card_name, names, view
from pli.kernel.bits import bit, has


class OneCard:
    """A card as written; without its back it is equal to every card with that front."""

    def __init__(self, name: str) -> None:
        self.front, _, self.back = name.partition("/")

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, OneCard)
            and self.front == other.front
            and (not self.back or not other.back or self.back == other.back)
        )

    def __str__(self) -> str:
        return f"{self.front}/{self.back}" if self.back else self.front


class Bag:
    """Cards in any order."""

    def __init__(self, cards: Sequence[OneCard]) -> None:
        self.cards = list(cards)

    def __eq__(self, other: object) -> bool:
        """Cards with a back find their equals first, so that the others get what is left."""
        if not isinstance(other, Bag) or len(self.cards) != len(other.cards):
            return False
        left = list(other.cards)
        for card in sorted(self.cards, key=lambda each: not each.back):
            exact = [each for each in left if each.back == card.back and each == card]
            found = exact or [each for each in left if each == card]
            if not found:
                return False
            left.remove(found[0])
        return True

    def __str__(self) -> str:
        return " ".join(sorted(map(str, self.cards)))


def _card(word: str) -> OneCard:
    card = OneCard(word)
    if (
        card.front not in FRONT_NUMBERS
        or (card.back and card.back not in BACKS)
        or word.endswith("/")
    ):
        raise read.Malformed("card", card=word)
    return card


def cards(value: Any, seats: int) -> Bag:
    """Cards in any order, as text or as a list."""
    return Bag(row(value, seats))


def row(value: Any, seats: int) -> list[OneCard]:
    """Cards in their order, as text or as a list."""
    if value is None:
        return []
    words = value if isinstance(value, list) else str(value).split()
    return [_card(str(word)) for word in words]


def tops(value: Any, seats: int) -> list[OneCard]:
    found = row(value, seats)
    if len(found) != STACKS:
        raise read.Malformed("stacks", stacks=STACKS)
    return found


PLACED: dict[str, read.Reader] = {
    "turn": read.seat,
    "hearts": read.by_seat(read.number(0, CARDS)),
    "hands": read.by_seat(row),
    "tops": tops,
    "pile": row,
    "laid": row,
}

EXPECTED: dict[str, read.Reader] = PLACED | {
    "turn": read.seat_or_none,
    "hands": read.by_seat(cards),
    "laid": cards,
    "phase": read.one_of(*PHASES[3:]),
    "speaker": read.seat_or_none,
    "owes": read.seat_or_none,
    "reserve": read.number(0, HEARTS),
    "winners": read.a_set(read.seat),
    "round": read.number(1),
    "cards": read.by_seat(read.number(0, CARDS)),
}


class Supply:
    """Hands out the cards that a position names, each once."""

    def __init__(self, s: State) -> None:
        self._state = s
        self.used = 0

    def card(self, wanted: OneCard, key: str) -> int:
        one = first_of(FRONT_NUMBERS[wanted.front])
        free = [c for c in (one, twin(one)) if c != NO_CARD and not has(self.used, c)]
        if not free:
            raise read.Malformed("card_twice", key, card=wanted.front)
        # A back that is not named comes from the seed.
        fitting = [c for c in free if wanted.back and BACKS[self._state.back[c]] == wanted.back]
        card = (fitting or free)[0]
        if wanted.back:
            self._state.back[card] = BACKS.index(wanted.back)
        self.used |= bit(card)
        return card

    def rest(self, cards: Sequence[int]) -> list[int]:
        return [card for card in cards if not has(self.used, card)]


def place(s: State, given: Mapping[str, Any]) -> None:
    """Sets up a position on a state that was just dealt."""
    supply = Supply(s)
    before = [*reversed(s.pile[: s.pile_size]), *s.tops]
    # Cards whose backs are named come first: the others take what is left.
    rows: list[tuple[str, list[OneCard]]] = []
    for seat, hand in enumerate(given.get("hands", [])):
        rows.append((f"hands {seat}", hand))
    rows += [(key, given[key]) for key in ("tops", "pile", "laid") if key in given]
    found: dict[str, list[int]] = {name: [NO_CARD] * len(row) for name, row in rows}
    for with_back in (True, False):
        for name, row_ in rows:
            for i, wanted in enumerate(row_):
                if bool(wanted.back) == with_back:
                    found[name][i] = supply.card(wanted, name.split()[0])
    if "hands" in given:
        s.younger = 0
        for seat in range(s.seats):
            s.hands[seat] = 0
            for card in found[f"hands {seat}"]:
                take_up(s, seat, card)
    for hand in s.hands:
        supply.used |= hand
    if "tops" in given:
        s.tops = found["tops"]
    else:
        s.tops = supply.rest([*s.tops, *before])[:STACKS]
    for card in s.tops:
        supply.used |= bit(card)
    pile = found["pile"] if "pile" in given else supply.rest(before)
    s.pile_size = len(pile)
    s.pile = [*reversed(pile), *[0] * (CARDS - len(pile))]
    s.laid = 0
    for card in found.get("laid", []):
        s.laid |= bit(card)
    hearts = given.get("hearts", [0] * s.seats)
    if sum(hearts) > HEARTS or min(hearts) < 0:
        raise read.Malformed("hearts", "hearts", hearts=HEARTS)
    s.hearts[: s.seats] = hearts
    s.turn = given.get("turn", s.turn)


def facts(s: State) -> dict[str, Any]:
    views = [view(s, seat) for seat in range(s.seats)]
    seen = views[0]
    return {
        "turn": seen.turn,
        "hearts": seen.hearts,
        "hands": [Bag([OneCard(name) for name in each.hand]) for each in views],
        "tops": [OneCard(name) for name in seen.tops],
        "pile": [OneCard(card_name(s, card)) for card in reversed(s.pile[: s.pile_size])],
        "laid": Bag([OneCard(name) for name in names(s, s.laid)]),
        "phase": seen.phase,
        "speaker": seen.speaker,
        "owes": seen.owes,
        "reserve": seen.reserve,
        "winners": frozenset(seen.winners),
        "round": seen.round,
        "cards": seen.cards,
    }
