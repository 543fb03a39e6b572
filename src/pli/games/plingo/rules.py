"""The rules of Plingo, in the order of its rulebook."""

from pli.games.plingo.state import (
    BACK,
    BID,
    BIDDING,
    BOXES,
    CARDS,
    CHOOSING,
    COLOURS,
    DEALING,
    FRONT,
    HAND,
    HIGHEST,
    JOKER,
    LAST,
    LAYOUT,
    MOST_SEATS,
    NAME_TRUMP,
    NO_BID,
    NO_CARD,
    NO_COLOUR,
    NO_SEAT,
    NO_TRUMP,
    OVER,
    PASS,
    PASSED,
    PLAY,
    SEATING,
    TICK,
    TICK_NONE,
    TRUMP,
    PlingoOptions,
    State,
)
from pli.kernel.bits import bit, clockwise, full, has, highest, listed, lowest, size, without
from pli.kernel.contract import Buffer, Order, Rules
from pli.kernel.refusals import BAD_ACTION, GAME_OVER, NOT_IN_HAND, NOT_YOUR_TURN, OK
from pli.kernel.rule import hot, rule

ONE_COLOUR = full(HIGHEST)
GRID = full(BOXES)
IN_EVERY_COLOUR = sum(1 << (HIGHEST * colour) for colour in range(COLOURS))
"""Times a set of values: all cards of those values."""


# Setting up


def setup(options: PlingoOptions) -> State:
    s = LAYOUT.blank()
    s.seats = options.seats
    s.teams = options.sides
    s.joker_may = int(options.joker == "may")
    s.auction = int(options.auction == "on")
    s.bids = [NO_BID] * MOST_SEATS
    s.hand_size = HAND[options.seats]
    s.side = FRONT
    s.turn = s.last_leader = s.last_winner = NO_SEAT
    s.trump = s.asked = NO_COLOUR
    s.trick = [NO_CARD] * MOST_SEATS
    s.last_trick = [NO_CARD] * MOST_SEATS
    if options.first_master == "random":  # PL-4
        s.master = s.leader = NO_SEAT
        s.phase = SEATING
    else:
        s.master = s.leader = options.first_master
        s.phase = DEALING
    return s


@rule
def needs(s: State) -> int:
    if s.phase == DEALING:
        return CARDS
    if s.phase == SEATING:
        return s.seats
    return 0


@rule
def dealt(s: State) -> int:
    return s.hand_size * s.seats if s.phase == DEALING else 1


@rule
def give(s: State, order: Order) -> None:
    if s.phase == SEATING:
        s.master = order[0]
        s.phase = DEALING
    else:
        deal(s, order)


@rule
def deal(s: State, order: Order) -> None:
    """A new round (PL-3): all cards dealt afresh, the rest out of the round."""
    undealt = full(CARDS)
    for seat in range(s.seats):
        hand = 0
        for i in range(s.hand_size * seat, s.hand_size * (seat + 1)):
            hand |= bit(order[i])
        s.hands[seat] = hand
        undealt &= ~hand
        s.taken[seat] = 0
        s.new_boxes[seat] = 0
        s.last_trick[seat] = NO_CARD
    s.hidden = undealt
    s.cancelled = 0
    s.last_leader = NO_SEAT
    s.last_winner = NO_SEAT
    s.holding_seats = full(s.seats)
    s.trump = NO_COLOUR
    s.round_number += 1
    lead_next(s)
    if s.round_number == 1:
        s.phase = PLAY
    elif s.auction:  # PL-19
        for seat in range(s.seats):
            s.bids[seat] = NO_BID
        ask_bid(s, s.master)
    else:
        ask_trump(s)


# Playing a card


@hot
def lead_next(s: State) -> None:
    """A new trick: the master leads (PL-5, PL-9)."""
    s.leader = clockwise(s.holding_seats, s.master)
    s.turn = s.leader
    s.asked = NO_COLOUR
    s.table = 0
    s.waiting_seats = s.holding_seats


@hot
def play(s: State, seat: int, card: int) -> None:
    """Any card of the hand: there is no duty to follow (PL-6)."""
    hand = without(s.hands[seat], card)
    s.hands[seat] = hand
    if hand == 0:
        s.holding_seats = without(s.holding_seats, seat)
    s.trick[seat] = card
    s.table |= bit(card)
    if s.asked == NO_COLOUR:
        s.asked = card // HIGHEST
    waiting = without(s.waiting_seats, seat)
    s.waiting_seats = waiting
    if waiting:
        s.turn = clockwise(waiting, seat)
    else:
        end_trick(s)


# Winning a trick


@rule
def of_colour(cards: int, colour: int) -> int:
    return cards & (ONE_COLOUR << (HIGHEST * colour))


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
def best(left: int, trump: int, asked: int) -> int:
    """PL-8: the highest trump that is left; or of the colour asked for; or of all."""
    if trump != NO_COLOUR:
        trumps = of_colour(left, trump)
        if trumps:
            return highest(trumps)
    following = of_colour(left, asked)
    if following:
        return highest(following)
    value = highest(values(left))
    return lowest(left & (bit(value) * IN_EVERY_COLOUR))


@hot
def end_trick(s: State) -> None:
    left = uncancelled(s.table)
    s.cancelled |= s.table & ~left
    winner = NO_SEAT
    winning = best(left, s.trump, s.asked) if left else NO_CARD
    for seat in range(MOST_SEATS):
        card = s.trick[seat]
        s.last_trick[seat] = card
        s.trick[seat] = NO_CARD
        if card == winning and left:
            winner = seat
    s.last_leader = s.leader
    s.last_winner = winner
    if winner != NO_SEAT:  # PL-9; PL-9a: else the master keeps the card
        s.taken[winner] |= left
        s.master = winner
    if s.holding_seats:
        lead_next(s)
    else:
        reveal(s)


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
def reveal(s: State) -> None:
    """PL-10, PL-11: what each team took only once is ticked; then come the jokers. PL-19a: a team
    that can't make its bid, not even by its joker, ticks nothing."""
    s.table = 0
    s.asked = NO_COLOUR
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
    ask_joker(s, s.master)


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
        s.turn = clockwise(s.joker_seats, after + 1)
        s.phase = CHOOSING
    else:
        judge(s)


@rule
def use_joker(s: State, seat: int, box: int) -> None:
    team = team_of(s, seat)
    s.grids[team] |= bit(box)
    s.new_boxes[team] |= bit(box)
    s.joker_seats = without(s.joker_seats, seat)
    ask_joker(s, seat)


@rule
def leave_joker(s: State, seat: int) -> None:
    """PL-11a, with `joker=may`; a bid that wanted it is missed after all (PL-19a)."""
    team = team_of(s, seat)
    if size(s.new_boxes[team]) < bid_of(s, team):
        s.grids[team] &= ~s.new_boxes[team]
        s.new_boxes[team] = 0
    s.joker_seats = without(s.joker_seats, seat)
    ask_joker(s, seat)


@rule
def judge(s: State) -> None:
    """PL-13 and PL-13a, then PL-15; only if the game goes on is the master card turned (PL-12b)."""
    s.turn = NO_SEAT
    most = 0
    for team in range(s.teams):
        most = max(most, size(s.grids[team]))
    if most == BOXES or s.side == LAST:
        s.winning_seats = first_by_unique_values(s, most)
        s.phase = OVER
        return
    if s.new_boxes[team_of(s, s.master)] == 0:  # PL-12, PL-18b
        s.side = BACK if s.side == FRONT else LAST
    s.phase = DEALING


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


# The master's trump


@rule
def ask_trump(s: State) -> None:
    """PL-16, PL-16a."""
    s.phase = TRUMP
    s.turn = s.master


@rule
def name_trump(s: State, colour: int) -> None:
    """PL-16: a colour, or none."""
    s.trump = colour
    s.phase = PLAY
    s.turn = s.leader


# The auction


@rule
def ask_bid(s: State, after: int) -> None:
    """PL-19: every seat once, clockwise from the master's left, the master last."""
    s.turn = after + 1 if after + 1 < s.seats else 0
    s.phase = BIDDING


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
def bid(s: State, seat: int, boxes: int) -> None:
    s.bids[seat] = boxes
    if seat != s.master:
        ask_bid(s, seat)
        return
    most = highest_bid(s)
    if most > PASSED:
        for bidder in range(s.seats):
            if s.bids[bidder] == most:
                s.master = bidder
        lead_next(s)
    ask_trump(s)


# The contract


@rule
def actors(s: State) -> int:
    return bit(s.turn) if s.turn != NO_SEAT else 0


@rule
def check(s: State, seat: int, action: int, time: int) -> int:
    if s.phase == OVER:
        return GAME_OVER
    if seat != s.turn or seat == NO_SEAT:
        return NOT_YOUR_TURN
    if s.phase == PLAY:
        if not 0 <= action < CARDS:
            return BAD_ACTION
        return OK if has(s.hands[seat], action) else NOT_IN_HAND
    if s.phase == TRUMP:
        return OK if NAME_TRUMP <= action <= NO_TRUMP else BAD_ACTION
    first = base(s)
    if not first <= action <= first + BOXES:
        return BAD_ACTION
    return OK if has(choices(s, seat), action - first) else BAD_ACTION


@hot
def act(s: State, seat: int, action: int, time: int) -> None:
    if s.phase == PLAY:
        play(s, seat, action)
    elif s.phase == TRUMP:
        name_trump(s, NO_COLOUR if action == NO_TRUMP else action - NAME_TRUMP)
    elif s.phase == BIDDING:
        bid(s, seat, PASSED if action == PASS else action - BID + 1)
    elif action == TICK_NONE:
        leave_joker(s, seat)
    else:
        use_joker(s, seat, action - TICK)


@hot
def choices(s: State, seat: int) -> int:
    """A seat's actions as a set, counted from the first of the phase."""
    if seat != s.turn:
        return 0
    if s.phase == PLAY:
        return s.hands[seat]
    if s.phase == TRUMP:
        return full(COLOURS + 1)
    return bids(s) if s.phase == BIDDING else boxes_of_joker(s, seat)


@rule
def bids(s: State) -> int:
    """PL-19: higher than every bid before, or pass."""
    return full(PASS - BID + 1) & ~full(highest_bid(s))


@rule
def boxes_of_joker(s: State, seat: int) -> int:
    """PL-11, PL-11a: an open box of the team's, or none where that is allowed."""
    return (GRID & ~s.grids[team_of(s, seat)]) | (s.joker_may << (TICK_NONE - TICK))


@rule
def base(s: State) -> int:
    """The first action of the phase."""
    if s.phase == PLAY:
        return 0
    if s.phase == TRUMP:
        return NAME_TRUMP
    return BID if s.phase == BIDDING else TICK


@rule
def legal(s: State, seat: int, buffer: Buffer) -> int:
    return listed(choices(s, seat), base(s), buffer)


@rule
def over(s: State) -> bool:
    return s.phase == OVER


@rule
def winners(s: State) -> int:
    return s.winning_seats


@rule
def rounds(s: State) -> int:
    return s.round_number


@rule
def points(s: State, seat: int) -> int:
    """The boxes ticked on a seat's grid."""
    return size(s.grids[team_of(s, seat)])


RULES: Rules[State] = Rules(
    name="plingo",
    layout=LAYOUT,
    deck=CARDS,
    room=max(HAND.values()),
    needs=needs,
    give=give,
    actors=actors,
    check=check,
    act=act,
    legal=legal,
    over=over,
    winners=winners,
    dealt=dealt,
    choices=choices,
    base=base,
    rounds=rounds,
    points=points,
)
