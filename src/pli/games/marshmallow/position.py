"""Positions of Marshmallow Test as scenarios write them."""

from collections.abc import Mapping
from typing import Any

from pli import position as read
from pli.games.marshmallow.rules import lead_next, name_trump, play
from pli.games.marshmallow.state import DECK, HAND, MOST_SEATS, PLAY, TRUMP, State
from pli.games.marshmallow.view import view
from pli.kernel.bits import from_list, full, has, size
from pli.tricks import as_dict, card_set, needs_turn, no_card_twice, play_again, played_order

PLACED: dict[str, read.Reader] = {
    "dealer": read.seat,
    "turn": read.seat,
    "leader": read.seat,
    "trump": read.colour(DECK),
    "round": read.number(1),
    "scores": read.by_seat(read.number()),
    "tricks": read.by_seat(read.number(0, HAND)),
    "out": read.a_set(read.seat),
    "hands": read.by_seat(read.cards(DECK)),
    "trick": read.trick(DECK),
}

EXPECTED: dict[str, read.Reader] = PLACED | {
    "turn": read.seat_or_none,
    "phase": read.one_of("trump", "play", "over"),
    "winners": read.a_set(read.seat),
    "cards": read.by_seat(read.number(0, HAND)),
}


def place(s: State, given: Mapping[str, Any]) -> None:
    """Sets up a position on a state that was just dealt."""
    seats = range(s.seats)
    trick: dict[int, str] = given.get("trick", {})
    s.dealer = given.get("dealer", s.dealer)
    s.round_number = given.get("round", 1)
    for field in ("scores", "tricks"):
        values = given.get(field, [0] * s.seats)
        setattr(s, field, values + [0] * (MOST_SEATS - s.seats))
    done = from_list(seat for seat in seats if s.tricks[seat] >= s.tricks_to_go_out)
    out = from_list(given["out"]) if "out" in given else done
    s.in_seats = full(s.seats) & ~out
    _check_reachable(s, done)
    if "hands" in given:
        no_card_twice(hands=given["hands"], trick=[trick.values()])
        for seat in seats:
            s.hands[seat] = card_set(given["hands"][seat], DECK)
    for seat in seats:
        s.hands[seat] = 0 if has(out, seat) else s.hands[seat] & ~card_set(trick.values(), DECK)
    for seat, card in trick.items():
        if has(out, seat):
            raise read.Malformed("seat_in", "trick")
        s.hands[seat] |= card_set([card], DECK)
    s.holding_seats = from_list(seat for seat in seats if s.hands[seat])
    s.played = 0
    s.hidden = full(len(DECK))
    for hand in s.hands:
        s.hidden &= ~hand
    _place_turn(s, given, trick)


def _check_reachable(s: State, done: int) -> None:
    """No rule says how to go on from a round or a game that should be over."""
    if max(s.scores) >= s.target:
        raise read.Malformed("below_target", "scores", target=s.target)
    if s.in_seats & done:
        raise read.Malformed("out_by_tricks", "out", tricks=s.tricks_to_go_out)
    if size(s.in_seats) < 2:
        raise read.Malformed("two_in", "out")


def _place_turn(s: State, given: Mapping[str, Any], trick: Mapping[int, str]) -> None:
    if "turn" not in given:
        needs_turn(given, "trump", "trick")
        if given.get("leader", s.dealer) != s.dealer:
            raise read.Malformed("with_turn", "leader")
        if not has(s.holding_seats, s.dealer):
            raise read.Malformed("holding", "hands", seat=s.dealer)
        lead_next(s, s.dealer)
        s.phase = PLAY if s.round_number == 1 else TRUMP
        return
    turn = given["turn"]
    if not has(s.holding_seats, turn):
        raise read.Malformed("holding", "turn", seat=turn)
    trump = given.get("trump")
    if trump is not None:
        name_trump(s, DECK.colours.index(trump))
    order = played_order(trick, turn)
    leader = order[0] if order else turn
    if given.get("leader", leader) != leader:
        raise read.Malformed("trick_order", "leader")
    s.phase = PLAY
    lead_next(s, leader)
    play_again(s, trick, turn, DECK, play)


def facts(s: State) -> dict[str, Any]:
    """What can be expected of a table, from what its seats see."""
    views = [view(s, seat) for seat in range(s.seats)]
    seen = views[0]
    return {
        "dealer": seen.dealer,
        "turn": seen.turn,
        "leader": seen.leader,
        "trump": seen.trump,
        "round": seen.round,
        "scores": seen.scores,
        "tricks": seen.tricks,
        "out": frozenset(seen.out),
        "hands": [frozenset(each.hand) for each in views],
        "trick": as_dict(seen.trick),
        "phase": seen.phase,
        "winners": frozenset(seen.winners),
        "cards": seen.cards,
    }
