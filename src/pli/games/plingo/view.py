"""What a seat may know of a game of Plingo, and what it sees happen."""

from typing import Any, Literal

import msgspec

from pli.events import Dealt, Played, Seated, Trumped
from pli.game import Act, Event, Input, Seat, Shuffle, View, known
from pli.games.plingo.rules import (
    GRID,
    actors,
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
    NO_BID,
    NO_COLOUR,
    NO_TRUMP,
    OVER,
    PASSED,
    SEATING,
    TICK,
    TICK_NONE,
    TRUMP,
    State,
)
from pli.kernel.bits import size, to_list
from pli.tricks import Laid, laid

PHASES = ("seating", "dealing", "bid", "trump", "play", "joker", "over")
SIDES = ("front", "back", "last")

Bid = int | Literal["pass"] | None
"""A number of boxes; None: not yet, or there is no auction."""


class PlingoView(View, frozen=True, kw_only=True):
    round: int
    master: Seat
    side: str
    """Of the master card: front, back, or last (round)."""
    leader: Seat
    trump: str | None
    teams: list[int]
    """Each seat's team; where everybody plays alone, the seats themselves."""
    grids: list[list[int]]
    """The boxes that each team has ticked."""
    new_boxes: list[list[int]]
    """Of those, what each team has ticked at this round's reveal."""
    bids: list[Bid]
    """By seat, of this round."""
    auction: bool
    joker_may: bool
    """Whether a joker may be left unused."""
    cards: list[int]
    """How many cards each seat holds."""
    taken: list[int]
    """How many cards each seat has taken in this round."""
    took: list[str]
    """What the viewer itself has taken in this round: it saw the cards pass."""
    revealed: list[list[str]]
    """What each seat took, once it lies open at the reveal."""
    hand: list[str]
    """The viewer's own cards; none for a spectator."""
    trick: list[Laid]
    last_trick: list[Laid]
    last_winner: Seat
    full_grid: bool
    """Whether the game ended by a full grid; otherwise by the last round."""


def boxes(grid: int) -> list[int]:
    return [box + 1 for box in to_list(grid)]


def bid_shown(bid: int) -> Bid:
    if bid == NO_BID:
        return None
    return "pass" if bid == PASSED else bid


def own(s: State, seat: int) -> dict[str, Any]:
    """What a seat knows beside what all can see."""
    return {"seat": seat, "took": DECK.listed(s.taken[seat]), "hand": DECK.listed(s.hands[seat])}


def view(s: State, seat: Seat) -> PlingoView:
    seats = range(s.seats)
    at_reveal = s.phase in (CHOOSING, OVER)
    shown = PlingoView(
        seat=None,
        seats=s.seats,
        phase=PHASES[s.phase],
        round=s.round_number,
        master=known(s.master),
        side=SIDES[s.side],
        turn=known(s.turn),
        awaited=to_list(actors(s)),
        leader=known(s.leader),
        trump=None if s.trump == NO_COLOUR else DECK.colours[s.trump],
        teams=[team_of(s, each) for each in seats],
        grids=[boxes(s.grids[team]) for team in range(s.teams)],
        new_boxes=[boxes(s.new_boxes[team]) for team in range(s.teams)],
        bids=[bid_shown(s.bids[each]) for each in seats],
        auction=bool(s.auction),
        joker_may=bool(s.joker_may),
        cards=[size(s.hands[each]) for each in seats],
        taken=[size(s.taken[each]) for each in seats],
        took=[],
        revealed=[DECK.listed(s.taken[each]) for each in seats] if at_reveal else [],
        hand=[],
        trick=laid(s.trick, s.leader, s.seats, DECK),
        last_trick=laid(s.last_trick, s.last_leader, s.seats, DECK),
        last_winner=known(s.last_winner),
        winners=to_list(s.winning_seats),
        full_grid=s.phase == OVER and GRID in s.grids,
    )
    return shown if seat is None else msgspec.structs.replace(shown, **own(s, seat))


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
            return [Seated(seat=after.master)]
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
