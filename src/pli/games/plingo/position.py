"""Positions of Plingo as scenarios write them: what is its own."""

from collections.abc import Mapping, Sequence
from typing import Any

from pli import position as read
from pli.games.plingo.rules import BOXES, MOST_BID, NO_BID, PASSED, State
from pli.games.plingo.view import SIDES, Bid
from pli.kernel.bits import from_list
from pli.tricks import next_seat, played_order

_boxes_bid = read.number(1, MOST_BID)


def _bid(value: Any, seats: int) -> Bid:
    """A number of boxes, `pass` or `none`."""
    if value in ("none", None):
        return None
    return "pass" if value == "pass" else int(_boxes_bid(value, seats))


PLACED: dict[str, read.Reader] = {
    "master": read.seat,
    "grids": read.by_side(read.boxes(BOXES)),
    "bids": read.by_seat(_bid),
    "side": read.one_of(*SIDES),
}


def bid_number(made: Bid) -> int:
    """A bid as the state has it."""
    if made is None:
        return NO_BID
    return PASSED if made == "pass" else int(made)


def place(s: State, given: Mapping[str, Any]) -> None:
    bids: list[Bid] = given.get("bids", [None] * s.seats)
    if not s.auction and any(made is not None for made in bids):
        raise read.Malformed("auction", "bids")
    if "grids" in given:
        if len(given["grids"]) != s.teams:
            raise read.Malformed("by_side", "grids", sides=s.teams)
        for team, ticked in enumerate(given["grids"]):
            s.grids[team] = from_list(box - 1 for box in ticked)
    s.side = SIDES.index(given.get("side", SIDES[0]))
    turn = given.get("turn")
    if "master" in given:
        s.dealer = given["master"]
    elif turn is not None:  # who leads is the master
        s.dealer = [*played_order(given.get("trick", {}), turn), turn][0]
    if turn is None and s.round_number == 1:  # has no auction
        return
    s.bids[: s.seats] = [bid_number(made) for made in bids]
    if turn is None and None in bids:
        _rising(s, bids)


def _rising(s: State, bids: Sequence[Bid]) -> None:
    """The bids so far were made one after the other from the master's left. Where all have been
    made the master may also be who has won the auction."""
    highest = bidding = 0
    seat = next_seat(s, s.dealer)
    while bids[seat] is not None:
        made = bid_number(bids[seat])
        if made != PASSED and made <= highest:
            raise read.Malformed("rising", "bids")
        highest = max(highest, made)
        bidding += 1
        seat = next_seat(s, seat)
    if bidding < sum(made is not None for made in bids):
        raise read.Malformed("bid_order", "bids")
