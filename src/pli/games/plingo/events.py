"""What happens in a game of Plingo, as a seat may see it."""

from pli.events import Dealt, Played, StarterDrawn, Trumped
from pli.game import Act, Event, Input, Seat, Shuffle
from pli.games.plingo.rules import (
    bid_of,
    in_reach,
    taken_by,
    team_of,
    uncancelled,
    values,
    values_once,
)
from pli.games.plingo.state import (
    BIDDING,
    CHOOSING,
    DECK,
    LAST,
    NAME_TRUMP,
    NO_TRUMP,
    PASSED,
    SEATING,
    TICK,
    TICK_NONE,
    TRUMP,
    State,
)
from pli.games.plingo.view import SIDES, boxes
from pli.kernel.bits import size, to_list


class BidMade(Event, frozen=True, kw_only=True, tag="bid"):
    """So many new boxes the seat wants to tick in this round."""

    seat: int
    boxes: int


class Passes(Event, frozen=True, kw_only=True, tag="passed"):
    """The seat bids nothing."""

    seat: int


class AuctionWon(Event, frozen=True, kw_only=True, tag="auction_won"):
    """The highest bidder takes the master card."""

    seat: int
    boxes: int


class AllPassed(Event, frozen=True, kw_only=True, tag="all_passed"):
    """Nobody bid: the seat keeps the master card."""

    seat: int


class NoTrump(Event, frozen=True, kw_only=True, tag="no_trump"):
    seat: int


class Cancelled(Event, frozen=True, kw_only=True, tag="cancelled"):
    """Equal values in the trick have cancelled each other."""

    cards: list[str]


class Took(Event, frozen=True, kw_only=True, tag="took"):
    seat: int
    cards: list[str]


class NobodyTook(Event, frozen=True, kw_only=True, tag="nobody_took"):
    """The seat is the master, and leads again."""

    seat: int


class Revealed(Event, frozen=True, kw_only=True, tag="revealed"):
    """What a seat took in the round, and those of its values that its team holds only once (10: a
    joker)."""

    seat: int
    cards: list[str]
    unique: list[int]


class Ticked(Event, frozen=True, kw_only=True, tag="ticked"):
    """New boxes, by plain values or by a joker."""

    seat: int
    boxes: list[int]


class Missed(Event, frozen=True, kw_only=True, tag="missed"):
    """The seat bid more boxes than it could tick, and so ticks none; `bid` is its own."""

    seat: int
    bid: int
    boxes: int


class JokerLeft(Event, frozen=True, kw_only=True, tag="joker_left"):
    """The seat does not use its joker."""

    seat: int


class Turned(Event, frozen=True, kw_only=True, tag="turned"):
    """The master ticked nothing and turned the card over."""

    seat: int
    side: str


class LastRound(Event, frozen=True, kw_only=True, tag="last_round"):
    """The card was turned a second time: the next round is the last."""


class Won(Event, frozen=True, kw_only=True, tag="won"):
    """One for each winner."""

    seat: int
    boxes: int


def events(before: State, given: Input, after: State, seat: Seat) -> list[Event]:
    if isinstance(given, Shuffle):
        if before.phase == SEATING:
            return [StarterDrawn(seat=after.master)]
        hand = [] if seat is None else DECK.listed(after.hands[seat])
        return [Dealt(seat=after.master, round=after.round_number, hand=hand)]
    if not isinstance(given, Act):
        return []
    who = given.seat
    if before.phase == TRUMP:
        if given.action == NO_TRUMP:
            return [NoTrump(seat=who)]
        return [Trumped(seat=who, colour=DECK.colours[given.action - NAME_TRUMP])]
    if before.phase == BIDDING:
        return _bid(who, after)
    if before.phase == CHOOSING:
        return [*_joker(before, given, after), *_judged(before, after)]
    happened: list[Event] = [Played(seat=who, card=DECK.names[given.action])]
    if before.waiting_seats & (before.waiting_seats - 1) == 0:
        happened += _trick(before, given.action, after)
    return happened


def _bid(who: int, after: State) -> list[Event]:
    boxes = after.bids[who]
    happened: list[Event] = [
        Passes(seat=who) if boxes == PASSED else BidMade(seat=who, boxes=boxes)
    ]
    if after.phase == TRUMP:
        most = after.bids[after.master]
        won = AuctionWon(seat=after.master, boxes=most)
        happened.append(won if most > PASSED else AllPassed(seat=after.master))
    return happened


def _joker(before: State, given: Act, after: State) -> list[Event]:
    if given.action != TICK_NONE:
        return [Ticked(seat=given.seat, boxes=[given.action - TICK + 1])]
    happened: list[Event] = [JokerLeft(seat=given.seat)]
    team = team_of(before, given.seat)
    if after.new_boxes[team] != before.new_boxes[team]:
        happened.append(_missed(after, team, size(before.new_boxes[team])))
    return happened


def _missed(s: State, team: int, boxes: int) -> Missed:
    bid = bid_of(s, team)
    return Missed(seat=s.bids.index(bid), bid=bid, boxes=boxes)


def _trick(before: State, last_card: int, after: State) -> list[Event]:
    table = before.table | (1 << last_card)
    left = uncancelled(table)
    happened: list[Event] = []
    if left != table:
        happened.append(Cancelled(cards=DECK.listed(table & ~left)))
    if left:
        happened.append(Took(seat=after.last_winner, cards=DECK.listed(left)))
    else:
        happened.append(NobodyTook(seat=after.master))
    if after.holding_seats == 0:
        happened += _revealed(before, after)
    return happened


def _revealed(before: State, after: State) -> list[Event]:
    happened: list[Event] = []
    unique = [values_once(taken_by(after, team)) for team in range(after.teams)]
    for seat in range(after.seats):
        team = team_of(after, seat)
        own = values(after.taken[seat])
        once = [value + 1 for value in to_list(unique[team] & own)]
        happened.append(Revealed(seat=seat, cards=DECK.listed(after.taken[seat]), unique=once))
        new = after.grids[team] & ~before.grids[team] & own
        if new:
            happened.append(Ticked(seat=seat, boxes=boxes(new)))
    for team in range(after.teams):
        reached = in_reach(before.grids[team], unique[team])
        if reached < bid_of(after, team):
            happened.append(_missed(after, team, reached))
    return happened + _judged(before, after)


def _judged(before: State, after: State) -> list[Event]:
    happened: list[Event] = []
    if after.side != before.side:
        happened.append(Turned(seat=after.master, side=SIDES[after.side]))
        if after.side == LAST:
            happened.append(LastRound())
    for seat in to_list(after.winning_seats):
        boxes_won = size(after.grids[team_of(after, seat)])
        happened.append(Won(seat=seat, boxes=boxes_won))
    return happened
