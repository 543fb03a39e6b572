"""Positions of Plingo as scenarios write them."""

from collections.abc import Mapping
from typing import Any

from pli import position as read
from pli.games.plingo.rules import ask_bid, ask_trump, bid, lead_next, play
from pli.games.plingo.state import (
    BIDDING,
    BOXES,
    DECK,
    HIGHEST,
    MOST_BID,
    NO_BID,
    NO_COLOUR,
    PASSED,
    PLAY,
    State,
)
from pli.games.plingo.view import SIDES, Bid, view
from pli.kernel.bits import from_list, full, has
from pli.tricks import as_dict, card_set, needs_turn, no_card_twice, play_again, played_order

_boxes_bid = read.number(1, MOST_BID)


def _bid(value: Any, seats: int) -> Bid:
    """A number of boxes, `pass` or `none`."""
    if value == "none":
        return None
    return "pass" if value == "pass" else int(_boxes_bid(value, seats))


PLACED: dict[str, read.Reader] = {
    "master": read.seat,
    "turn": read.seat,
    "trump": read.colour(DECK),
    "round": read.number(1),
    "hands": read.by_seat(read.cards(DECK)),
    "trick": read.trick(DECK),
    "taken": read.by_seat(read.cards(DECK)),
    "grids": read.by_side(read.boxes(BOXES)),
    "bids": read.by_seat(_bid),
    "side": read.one_of(*SIDES),
}

EXPECTED: dict[str, read.Reader] = PLACED | {
    "turn": read.seat_or_none,
    "phase": read.one_of("bid", "trump", "play", "joker", "over"),
    "winners": read.a_set(read.seat),
    "cards": read.by_seat(read.number(0, HIGHEST)),
}


def place(s: State, given: Mapping[str, Any]) -> None:
    """Sets up a position on a state that was just dealt."""
    seats = range(s.seats)
    trick: dict[int, str] = given.get("trick", {})
    s.round_number = given.get("round", 1)
    s.side = SIDES.index(given.get("side", SIDES[0]))
    taken = given.get("taken", [()] * s.seats)
    if not s.auction and any(made is not None for made in given.get("bids", ())):
        raise read.Malformed("auction", "bids")
    no_card_twice(hands=given.get("hands", ()), trick=[trick.values()], taken=taken)
    elsewhere = card_set(trick.values(), DECK)
    for seat in seats:
        s.taken[seat] = card_set(taken[seat], DECK)
        elsewhere |= s.taken[seat]
    if "grids" in given:
        if len(given["grids"]) != s.teams:
            raise read.Malformed("by_side", "grids", sides=s.teams)
        for team, ticked in enumerate(given["grids"]):
            s.grids[team] = from_list(box - 1 for box in ticked)
    for seat in seats:
        if "hands" in given:
            s.hands[seat] = card_set(given["hands"][seat], DECK)
        s.hands[seat] &= ~elsewhere
    for seat, card in trick.items():
        s.hands[seat] |= card_set([card], DECK)
    s.holding_seats = from_list(seat for seat in seats if s.hands[seat])
    s.hidden = full(len(DECK))
    for cards in (*s.hands, *s.taken):
        s.hidden &= ~cards
    _place_turn(s, given, trick)


def _place_turn(s: State, given: Mapping[str, Any], trick: Mapping[int, str]) -> None:
    if "turn" not in given:
        needs_turn(given, "trump", "trick")
        s.master = given.get("master", s.master)
        if not has(s.holding_seats, s.master):
            raise read.Malformed("holding", "hands", seat=s.master)
        lead_next(s)
        if s.round_number == 1:
            s.phase = PLAY
        elif s.auction:
            _place_auction(s, given.get("bids", [None] * s.seats))
        else:
            ask_trump(s)
        return
    turn = given["turn"]
    if not has(s.holding_seats, turn):
        raise read.Malformed("holding", "turn", seat=turn)
    trump = given.get("trump")
    s.trump = NO_COLOUR if trump is None else DECK.colours.index(trump)
    order = played_order(trick, turn)
    leader = order[0] if order else turn
    s.master = given.get("master", leader)  # who leads is the master
    s.phase = PLAY
    for seat, made in enumerate(given.get("bids", ())):
        s.bids[seat] = bid_number(made)
    lead_next(s)
    s.leader = s.turn = leader
    play_again(s, trick, turn, DECK, play)


def bid_number(made: Bid) -> int:
    """A bid as the state has it."""
    if made is None:
        return NO_BID
    return PASSED if made == "pass" else int(made)


def _place_auction(s: State, bids: list[Bid]) -> None:
    """The bids made so far, one after the other from the master's left. Where all have been made
    the master may also be who has won the auction."""
    if None not in bids:
        numbers = [bid_number(made) for made in bids]
        s.bids[: s.seats] = numbers
        if max(numbers) > PASSED:
            s.master = numbers.index(max(numbers))
            lead_next(s)
        ask_trump(s)
        return
    ask_bid(s, s.master)
    for _ in bids:
        made = bids[s.turn]
        if made is None or s.phase != BIDDING:
            break
        if made != "pass" and made <= max(s.bids):
            raise read.Malformed("rising", "bids")
        bid(s, s.turn, bid_number(made))
    if sum(made is not None for made in bids) != sum(made != NO_BID for made in s.bids[: s.seats]):
        raise read.Malformed("bid_order", "bids")


def facts(s: State) -> dict[str, Any]:
    """What can be expected of a table: what its seats see, and what they took face down."""
    views = [view(s, seat) for seat in range(s.seats)]
    seen = views[0]
    return {
        "master": seen.master,
        "turn": seen.turn,
        "trump": seen.trump,
        "round": seen.round,
        "hands": [frozenset(each.hand) for each in views],
        "trick": as_dict(seen.trick),
        "taken": [frozenset(DECK.listed(cards)) for cards in s.taken[: s.seats]],
        "grids": [frozenset(grid) for grid in seen.grids],
        "bids": seen.bids,
        "side": seen.side,
        "phase": seen.phase,
        "winners": frozenset(seen.winners),
        "cards": seen.cards,
    }
