"""What trick-taking games share around their rules: tricks in views, beliefs and positions."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from pli.cards import Deck
from pli.kernel.bits import bit, from_list
from pli.position import Malformed


class TrickCard(msgspec.Struct, frozen=True):
    """A card of a trick, and the seat that played it."""

    seat: int
    card: str


def trick_cards(trick: Sequence[int], leader: int, seats: int, deck: Deck) -> list[TrickCard]:
    """The cards of a trick in the order in which they were played; -1 stands for none."""
    names = deck.names
    return [
        TrickCard(seat, names[trick[seat]])
        for seat in (*range(leader, seats), *range(leader))
        if trick[seat] >= 0
    ]


def as_dict(trick: Iterable[TrickCard]) -> dict[int, str]:
    return {each.seat: each.card for each in trick}


def card_set(names: Iterable[str], deck: Deck) -> int:
    return from_list(deck.number(name) for name in names)


def played_order(trick: Mapping[int, str], turn: int) -> list[int]:
    """The seats of a set-up trick in the order of play: the first clockwise from the seat on turn
    led, since everyone between had not played yet."""
    return sorted(trick, key=lambda seat: (seat < turn, seat))


def play_again(
    s: Any, trick: Mapping[int, str], turn: int, deck: Deck, play: Callable[[Any, int, int], None]
) -> None:
    """Plays a set-up trick card by card from its leader, so that a position is nothing that play
    can't reach; the seat on turn must come next."""
    for seat in played_order(trick, turn):
        if seat == s.turn:
            play(s, seat, deck.number(trick[seat]))
    if s.turn != turn:
        raise Malformed("trick_order", "trick")


def held_before(trick: Iterable[TrickCard], cards: Sequence[int]) -> int:
    """The seats that held cards before the trick of a view, by the numbers that they hold now."""
    return from_list({*(seat for seat, n in enumerate(cards) if n), *as_dict(trick)})


def play_seen(
    s: Any,
    trick: Iterable[TrickCard],
    cards: Sequence[int],
    deck: Deck,
    play: Callable[[Any, int, int], None],
) -> None:
    """Plays the trick of a view, on a state in which hands are known only by their sizes: any other
    card stands for the rest of a hand."""
    for each in trick:
        card = deck.number(each.card)
        rest = bit((card + 1) % len(deck)) if cards[each.seat] else 0
        s.hands[each.seat] = bit(card) | rest
        play(s, each.seat, card)
        s.hands[each.seat] = 0


def needs_turn(given: Mapping[str, object], *keys: str) -> None:
    """These make sense only in the middle of play, so with `turn`."""
    for key in keys:
        if given.get(key) not in (None, {}):
            raise Malformed("with_turn", key)


def no_card_twice(**places: Iterable[Iterable[str]]) -> None:
    """No card may be in two places of a position, which are given by their keys."""
    seen: set[str] = set()
    for key, place in places.items():
        for cards in place:
            for card in cards:
                if card in seen:
                    raise Malformed("card_twice", key, card=card)
                seen.add(card)
