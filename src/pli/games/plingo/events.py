"""What happens in a game of Plingo, as a seat may see it."""

from collections.abc import Sequence

from pli.events import Trumped
from pli.game import Act, Event, Seat
from pli.games.plingo.rules import (
    BIDDING,
    BOXES,
    CHOOSING,
    COLOURS,
    DECK,
    LAST,
    MOST_BID,
    PASSED,
    TRUMP,
    State,
    bid_of,
    in_reach,
    taken_by,
    team_of,
    uncancelled,
    values,
    values_once,
)
from pli.games.plingo.view import SIDES, boxes
from pli.kernel.bits import from_list, size, to_list
from pli.tricks import NO_CARD, NO_SEAT, PLAY


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


# Choices


def trump_told(s: State, seat: int, colour: int) -> Event:
    if colour == COLOURS:
        return NoTrump(seat=seat)
    return Trumped(seat=seat, colour=DECK.colours[colour])


def joker_told(s: State, seat: int, box: int) -> Event:
    return JokerLeft(seat=seat) if box == BOXES else Ticked(seat=seat, boxes=[box + 1])


def bid_told(s: State, seat: int, number: int) -> Event:
    return Passes(seat=seat) if number == MOST_BID else BidMade(seat=seat, boxes=number + 1)


# What comes of a card or a choice


def happened(before: State, given: Act, after: State, seat: Seat) -> Sequence[Event]:
    if before.phase == PLAY:
        return _revealed(before, after) if after.holding_seats == 0 else []
    if before.phase == BIDDING and after.phase == TRUMP:
        most = after.bids[after.dealer]
        won = AuctionWon(seat=after.dealer, boxes=most)
        return [won if most > PASSED else AllPassed(seat=after.dealer)]
    if before.phase == CHOOSING:
        team = team_of(before, given.seat)
        had, has = before.new_boxes[team], after.new_boxes[team]
        return [] if had & ~has == 0 else [_missed(after, team, size(had))]
    return []


def trick_over(before: State, after: State) -> Sequence[Event]:
    cards = from_list(card for card in after.last_trick if card != NO_CARD)
    left = uncancelled(cards)
    told: list[Event] = []
    if left != cards:
        told.append(Cancelled(cards=DECK.listed(cards & ~left)))
    if after.last_winner == NO_SEAT:
        return [*told, NobodyTook(seat=after.dealer)]
    return [*told, Took(seat=after.last_winner, cards=DECK.listed(left))]


def _revealed(before: State, after: State) -> Sequence[Event]:
    told: list[Event] = []
    unique = [values_once(taken_by(after, team)) for team in range(after.teams)]
    for seat in range(after.seats):
        team = team_of(after, seat)
        own = values(after.taken[seat])
        once = [value + 1 for value in to_list(unique[team] & own)]
        told.append(Revealed(seat=seat, cards=DECK.listed(after.taken[seat]), unique=once))
        new = after.grids[team] & ~before.grids[team] & own
        if new:
            told.append(Ticked(seat=seat, boxes=boxes(new)))
    for team in range(after.teams):
        reached = in_reach(before.grids[team], unique[team])
        if reached < bid_of(after, team):
            told.append(_missed(after, team, reached))
    return told


def _missed(s: State, team: int, boxes: int) -> Missed:
    bid = bid_of(s, team)
    return Missed(seat=s.bids.index(bid), bid=bid, boxes=boxes)


def round_over(before: State, after: State) -> Sequence[Event]:
    told: list[Event] = []
    if after.side != before.side:
        told.append(Turned(seat=after.dealer, side=SIDES[after.side]))
        if after.side == LAST:
            told.append(LastRound())
    for seat in to_list(after.winning_seats):
        told.append(Won(seat=seat, boxes=size(after.grids[team_of(after, seat)])))
    return told
