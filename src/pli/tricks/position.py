"""Positions of trick-taking games as scenarios write them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from pli import position as read
from pli.cards import Deck
from pli.game import Seat, View
from pli.kernel.bits import from_list, full, has
from pli.position import Malformed, Reader
from pli.tricks.rules import lead_next
from pli.tricks.state import NO_SEAT, PLAY
from pli.tricks.view import as_dict

Readers = Mapping[str, Reader]

SetUp = Callable[[Any, Mapping[str, Any]], int | None]
"""(state, values): sets up what is a game's own, before hands and trick; the set of seats that are
in the round, or None where all are."""


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


def placed_keys(
    deck: Deck, hand: int, kind: type[View], piles: Sequence[str], own: Readers
) -> dict[str, Reader]:
    """What can be set up: of what the view shows, hands and piles, and what is the game's own."""
    readers = {
        "dealer": read.seat,
        "turn": read.seat,
        "leader": read.seat,
        "trump": read.colour(deck),
        "round": read.number(1),
        "scores": read.by_seat(read.number(-9999)),
        "tricks": read.by_seat(read.number(0, hand)),
        "hands": read.by_seat(read.cards(deck)),
        "trick": read.trick(deck),
    }
    known = {key: readers[key] for key in readers if key in {"hands", *kind.__struct_fields__}}
    return known | dict.fromkeys(piles, readers["hands"]) | {**own}


def expected_keys(
    deck: Deck,
    hand: int,
    kind: type[View],
    piles: Sequence[str],
    phases: Iterable[str],
    own: Readers,
) -> dict[str, Reader]:
    """What can be expected."""
    return placed_keys(deck, hand, kind, piles, {}) | {
        "turn": read.seat_or_none,
        "phase": read.one_of(*phases),
        "winners": read.a_set(read.seat),
        "cards": read.by_seat(read.number(0, hand)),
        **own,
    }


def make_facts(
    deck: Deck,
    view: Callable[[Any, Seat], Any],
    expected: Iterable[str],
    piles: Sequence[str],
    own: Readers,
) -> Callable[[Any], dict[str, Any]]:
    """What can be expected of a table: what its seats see, and what lies in piles, if face down."""
    seen_by_all = [key for key in expected if key not in {"hands", *piles, *own}]

    def facts(s: Any) -> dict[str, Any]:
        views = [view(s, seat) for seat in range(s.seats)]
        seen = views[0]
        told: dict[str, Any] = {key: getattr(seen, key) for key in seen_by_all}
        told["trick"] = as_dict(seen.trick)
        told["winners"] = frozenset(seen.winners)
        told["hands"] = [frozenset(each.hand) for each in views]
        for key in piles:
            told[key] = [frozenset(deck.listed(cards)) for cards in getattr(s, key)[: s.seats]]
        for key, reader in own.items():
            value = getattr(seen, key)
            told[key] = None if value is None else reader(value, s.seats)
        return told

    return facts


def make_place(
    deck: Deck,
    begin: Callable[[Any], None],
    play: Callable[[Any, int, int], None],
    piles: Sequence[str],
    set_up: SetUp | None,
) -> Callable[[Any, Mapping[str, Any]], None]:
    """Sets up a position on a state that was just dealt."""

    def place(s: Any, given: Mapping[str, Any]) -> None:
        seats = range(s.seats)
        trick: dict[int, str] = given.get("trick", {})
        s.dealer = given.get("dealer", s.dealer)
        s.round_number = given.get("round", 1)
        for field in ("scores", "tricks"):
            values = given.get(field, [0] * s.seats)
            setattr(s, field, values + [0] * (len(s.hands) - s.seats))
        chosen = None if set_up is None else set_up(s, given)
        in_round = full(s.seats) if chosen is None else chosen
        piled = {key: given.get(key, ()) for key in piles}
        no_card_twice(hands=given.get("hands", ()), trick=[trick.values()], **piled)
        for seat, names in enumerate(given.get("hands", ())):
            s.hands[seat] = deck.set_of(names)
        elsewhere = deck.set_of(trick.values())
        for key in piles:
            elsewhere |= place_pile(s, getattr(s, key), piled[key])
        for seat in seats:
            s.hands[seat] = s.hands[seat] & ~elsewhere if has(in_round, seat) else 0
        for seat, card in trick.items():
            if not has(in_round, seat):
                raise Malformed("seat_in", "trick")
            s.hands[seat] |= deck.set_of([card])
        s.holding_seats = from_list(seat for seat in seats if s.hands[seat])
        s.played = 0
        s.hidden = full(len(deck))
        for cards in (*s.hands, *(pile for key in piles for pile in getattr(s, key))):
            s.hidden &= ~cards
        place_turn(s, given, trick)

    def place_pile(s: Any, pile: list[int], cards: Sequence[Iterable[str]]) -> int:
        """The cards that lie there, as a set."""
        together = 0
        for seat in range(s.seats):
            pile[seat] = deck.set_of(cards[seat]) if cards else 0
            together |= pile[seat]
        return together

    def place_turn(s: Any, given: Mapping[str, Any], trick: Mapping[int, str]) -> None:
        if "turn" not in given:
            needs_turn(given, "trump", "trick")
            s.phase = PLAY
            s.leader = NO_SEAT
            begin(s)
            if given.get("leader", s.leader) != s.leader:
                raise Malformed("with_turn", "leader")
            first = s.turn if s.leader == NO_SEAT else s.leader
            if not has(s.holding_seats, first):
                raise Malformed("holding", "hands", seat=first)
            return
        turn = given["turn"]
        if not has(s.holding_seats, turn):
            raise Malformed("holding", "turn", seat=turn)
        trump = given.get("trump")
        if trump is not None:
            s.trump = deck.colours.index(trump)
            s.trump_cards = deck.colour(trump)
        order = played_order(trick, turn)
        leader = order[0] if order else turn
        if given.get("leader", leader) != leader:
            raise Malformed("trick_order", "leader")
        s.phase = PLAY
        lead_next(s, leader)
        play_again(s, trick, turn, deck, play)

    return place
