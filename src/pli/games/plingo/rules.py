"""The rules of Plingo, in the order of its rulebook; what is like in all trick-taking games is in
`pli.tricks`. Its dealer is the master: who holds the master card."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import msgspec

from pli.errors import BadOption
from pli.game import HOUSE, PROPOSAL, FirstSeat, Options
from pli.kernel.bits import bit, clockwise, full, has, highest, lowest, size, without
from pli.kernel.layout import Int8, Int64
from pli.kernel.rule import hot, rule
from pli.tricks import (
    FIRST_CHOICE,
    NO_CARD,
    NO_COLOUR,
    NO_SEAT,
    SEATS,
    Deck,
    TrickState,
    ask,
    cards_of_trick,
    end_game,
    lead_next,
    next_deal,
    next_seat,
    start_play,
)

MOST_SEATS = 6
COLOURS = 4
HIGHEST = 10
DECK = Deck(COLOURS, HIGHEST)  # PL-1
HAND = {2: 10, 3: 9, 4: 8, 5: 7, 6: 6}  # PL-3
BOXES = 9  # PL-2a
JOKER = BOXES
"""A 10 in a set of values, which are counted from 0: it has no box and ticks any (PL-11)."""

TEAM_SEATS = (4, 6)  # PL-18: the numbers of seats at which there are teams

ONE_COLOUR = full(HIGHEST)
GRID = full(BOXES)
SUITS = DECK.colour_sets
IN_EVERY_COLOUR = sum(1 << (HIGHEST * colour) for colour in range(COLOURS))
"""Times a set of values: all cards of those values."""

TRUMP, CHOOSING, BIDDING = range(FIRST_CHOICE, FIRST_CHOICE + 3)
"""The phases in which something else than a card is chosen: the trump, a joker's box, a bid."""

# The master card's sides (PL-12).
FRONT, BACK, LAST = range(3)

# Bids (PL-19): a number of boxes, or one of these.
NO_BID, PASSED = -1, 0
MOST_BID = BOXES

# What can be chosen, as it is written, in the order of its numbers.
TRUMPS = ("trump", [*DECK.colours, "none"])
JOKERS = ("joker", [*(str(box) for box in range(1, BOXES + 1)), "none"])
BIDS = (("bid", [str(boxes) for boxes in range(1, MOST_BID + 1)]), ("", ["pass"]))


class PlingoOptions(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    bound: ClassVar[Mapping[str, tuple[str, ...]]] = {"teams": ("seats",)}

    seats: Annotated[int, msgspec.Meta(ge=min(HAND), le=MOST_SEATS)] = 4
    first_master: FirstSeat = "random"
    joker: Annotated[Literal["must", "may"], msgspec.Meta(extra=HOUSE)] = "must"
    teams: Annotated[Literal["none", "pairs", "halves"], msgspec.Meta(extra=PROPOSAL)] = "none"
    auction: Annotated[Literal["off", "on"], msgspec.Meta(extra=PROPOSAL)] = "off"

    def __post_init__(self) -> None:
        if self.teams != "none" and self.seats not in TEAM_SEATS:
            raise BadOption(name="teams", value=self.teams, allowed="none")

    @property
    def sides(self) -> int:
        """PL-18: how many grids there are: one a seat, or one a team."""
        if self.teams == "none":
            return self.seats
        return 2 if self.teams == "halves" else self.seats // 2


@dataclass(slots=True)
class State(TrickState):
    taken: Annotated[list[int], "i8", SEATS]  # kept through the reveal, until the next deal
    cancelled: Int64  # in this round
    grids: Annotated[list[int], "i2", SEATS]  # boxes ticked, by team
    new_boxes: Annotated[list[int], "i2", SEATS]  # of those, ticked at this reveal
    teams: Int8  # as many as seats where everybody plays alone; a seat's is its rest by this
    joker_may: Int8  # a joker need not be used
    auction: Int8
    side: Int8  # of the master card
    joker_seats: Int8  # who has yet to use a joker
    bids: Annotated[list[int], "i1", SEATS]  # boxes; NO_BID, PASSED


# Setting up


def setup(s: State, options: PlingoOptions) -> None:
    s.teams = options.sides
    s.joker_may = int(options.joker == "may")
    s.auction = int(options.auction == "on")
    s.bids[: s.seats] = [NO_BID] * s.seats
    s.side = FRONT


@rule
def clear(s: State) -> None:
    for seat in range(s.seats):
        s.taken[seat] = 0
        s.new_boxes[seat] = 0
        s.bids[seat] = NO_BID
    s.cancelled = 0


@rule
def begin(s: State) -> None:
    """The master leads (PL-5), after the first round with a trump (PL-16) and before it perhaps an
    auction (PL-19)."""
    lead_next(s, s.dealer)
    if s.round_number > 1:
        if s.auction:
            ask_bid(s)
        else:
            ask(s, TRUMP, s.dealer)


# Winning a trick


@rule
def values(cards: int) -> int:
    """The values that occur, counted from 0."""
    found = cards | (cards >> (2 * HIGHEST))
    return (found | (found >> HIGHEST)) & ONE_COLOUR


@rule
def values_once(cards: int) -> int:
    """The values that occur exactly once."""
    once = cards & ONE_COLOUR
    more = 0
    for colour in range(1, COLOURS):
        these = (cards >> (HIGHEST * colour)) & ONE_COLOUR
        more |= once & these
        once |= these
    return once & ~more


@rule
def uncancelled(cards: int) -> int:
    """PL-7: equal values cancel each other, two or more."""
    return cards & (values_once(cards) * IN_EVERY_COLOUR)


@rule
def best(left: int, trumps: int, asked: int) -> int:
    """PL-8: the highest trump that is left; or of the colour asked for; or of all."""
    if left & trumps:
        return highest(left & trumps)
    if left & asked:
        return highest(left & asked)
    value = highest(values(left))
    return lowest(left & (bit(value) * IN_EVERY_COLOUR))


@hot
def winning(s: State) -> int:
    """The best of the cards that don't cancel each other."""
    cards = cards_of_trick(s)
    left = uncancelled(cards)
    s.cancelled |= cards & ~left
    return best(left, s.trump_cards, s.lead_cards) if left else NO_CARD


@hot
def took(s: State, winner: int) -> None:
    """PL-9: the winner is the new master; PL-9a: if all cards cancelled, the master keeps the
    card."""
    if winner != NO_SEAT:
        s.taken[winner] |= cards_of_trick(s) & ~s.cancelled
        s.dealer = winner


@hot
def leads(s: State, winner: int) -> int:
    """The master (PL-9)."""
    return s.dealer


# The reveal


@rule
def team_of(s: State, seat: int) -> int:
    """PL-18: partners sit as far apart as they can; alone, everybody is a team. It is the rest by
    the number of teams, without a division."""
    while seat >= s.teams:
        seat -= s.teams
    return seat


@rule
def taken_by(s: State, team: int) -> int:
    """PL-18a: what a team's seats took lies together."""
    cards = s.taken[team]
    seat = team + s.teams
    while seat < s.seats:
        cards |= s.taken[seat]
        seat += s.teams
    return cards


@rule
def has_use(ticked: int, unique: int) -> bool:
    """PL-11a: whether there is a joker among a team's values, and a box for it once the plain ones
    are ticked."""
    return has(unique, JOKER) and ticked != GRID


@rule
def in_reach(grid: int, unique: int) -> int:
    """How many new boxes a team's values tick, with the joker."""
    ticked = grid | (unique & GRID)
    return size(ticked & ~grid) + (1 if has_use(ticked, unique) else 0)


@rule
def reveal(s: State, winner: int) -> None:
    """PL-10, PL-11: what each team took only once is ticked; then come the jokers. PL-19a: a team
    that can't make its bid, not even by its joker, ticks nothing."""
    jokers = 0
    for team in range(s.teams):
        unique = values_once(taken_by(s, team))
        grid = s.grids[team]
        if s.auction and in_reach(grid, unique) < bid_of(s, team):
            continue
        ticked = grid | (unique & GRID)
        s.new_boxes[team] = ticked & ~grid
        s.grids[team] = ticked
        if has_use(ticked, unique):
            jokers |= bit(joker_taker(s, team))
    s.joker_seats = jokers
    ask_joker(s, s.dealer)


@rule
def joker_taker(s: State, team: int) -> int:
    """PL-18a: who of a team took its only 10."""
    seat = team
    while not has(values(s.taken[seat]), JOKER):
        seat += s.teams
    return seat


@rule
def ask_joker(s: State, after: int) -> None:
    """PL-11a: jokers are used in seat order, from the master's left."""
    if s.joker_seats:
        ask(s, CHOOSING, clockwise(s.joker_seats, after + 1))
    else:
        judge(s)


@rule
def boxes_of_joker(s: State, seat: int) -> int:
    """PL-11, PL-11a: an open box of the team's, or none where that is allowed."""
    return (GRID & ~s.grids[team_of(s, seat)]) | (s.joker_may << BOXES)


@rule
def use_joker(s: State, seat: int, box: int) -> None:
    """PL-11a: not to use it, with `joker=may`, comes after the boxes; a bid that wanted it is
    missed after all (PL-19a)."""
    team = team_of(s, seat)
    if box < BOXES:
        s.grids[team] |= bit(box)
        s.new_boxes[team] |= bit(box)
    elif size(s.new_boxes[team]) < bid_of(s, team):
        s.grids[team] &= ~s.new_boxes[team]
        s.new_boxes[team] = 0
    s.joker_seats = without(s.joker_seats, seat)
    ask_joker(s, seat)


@rule
def judge(s: State) -> None:
    """PL-13 and PL-13a, then PL-15; only if the game goes on is the master card turned (PL-12b)."""
    most = 0
    for team in range(s.teams):
        most = max(most, size(s.grids[team]))
    if most == BOXES or s.side == LAST:
        end_game(s, first_by_unique_values(s, most))
        return
    if s.new_boxes[team_of(s, s.dealer)] == 0:  # PL-12, PL-18b
        s.side = BACK if s.side == FRONT else LAST
    next_deal(s, s.dealer)


@rule
def first_by_unique_values(s: State, boxes: int) -> int:
    """PL-14, PL-15a: of the teams with so many boxes, the seats of those with the most unique
    values taken in the round; jokers and boxes ticked before count too (PL-14a)."""
    most = -1
    seats = 0
    for team in range(s.teams):
        if size(s.grids[team]) == boxes:
            unique = size(values_once(taken_by(s, team)))
            if unique > most:
                most = unique
                seats = 0
            if unique == most:
                seat = team
                while seat < s.seats:
                    seats |= bit(seat)
                    seat += s.teams
    return seats


@rule
def boxes_ticked(s: State, seat: int) -> int:
    """On a seat's grid."""
    return size(s.grids[team_of(s, seat)])


# The master's trump


@rule
def name_trump(s: State, seat: int, colour: int) -> None:
    """PL-16, PL-16a: a colour, or none."""
    if colour < COLOURS:
        s.trump = colour
        s.trump_cards = SUITS[colour]
    else:
        s.trump = NO_COLOUR
    start_play(s, s.leader)


# The auction


@rule
def ask_bid(s: State) -> None:
    """PL-19: every seat once, clockwise from the master's left, the master last. The highest bidder
    takes the master card."""
    bidder = next_seat(s, s.dealer)
    while s.bids[bidder] != NO_BID and bidder != s.dealer:
        bidder = next_seat(s, bidder)
    if s.bids[bidder] == NO_BID:
        ask(s, BIDDING, bidder)
        return
    most = highest_bid(s)
    if most > PASSED:
        while s.bids[bidder] != most:
            bidder = next_seat(s, bidder)
        s.dealer = bidder
        lead_next(s, clockwise(s.holding_seats, bidder))
    ask(s, TRUMP, s.dealer)


@rule
def highest_bid(s: State) -> int:
    """Of those so far; PASSED if there is none."""
    most = PASSED
    for seat in range(s.seats):
        most = max(most, s.bids[seat])
    return most


@rule
def bid_of(s: State, team: int) -> int:
    """PL-19a: how many new boxes a team has bid, its seats' highest. Who was outbid is held to its
    bid as well."""
    most = PASSED
    seat = team
    while seat < s.seats:
        most = max(most, s.bids[seat])
        seat += s.teams
    return most


@rule
def higher_bids(s: State, seat: int) -> int:
    """PL-19: higher than every bid before, or pass, which comes last."""
    return full(MOST_BID + 1) & ~full(highest_bid(s))


@rule
def bid(s: State, seat: int, number: int) -> None:
    s.bids[seat] = number + 1 if number < MOST_BID else PASSED
    ask_bid(s)
