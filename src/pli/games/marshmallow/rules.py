"""The rules of Marshmallow Test, in the order of its rulebook."""

from pli.games.marshmallow.state import (
    CARDS,
    COLOURS,
    DEALING,
    HAND,
    HIGHEST,
    LAYOUT,
    MOST_SEATS,
    NAME_TRUMP,
    NO_CARD,
    NO_COLOUR,
    NO_SEAT,
    OVER,
    PLAY,
    SEATING,
    TRICKS_TO_GO_OUT,
    TRUMP,
    MarshmallowOptions,
    State,
)
from pli.kernel.bits import bit, clockwise, full, has, listed, select, without
from pli.kernel.contract import Buffer, Order, Rules
from pli.kernel.refusals import (
    BAD_ACTION,
    GAME_OVER,
    MUST_FOLLOW,
    MUST_TRUMP,
    NOT_IN_HAND,
    NOT_YOUR_TURN,
    OK,
)
from pli.kernel.rule import hot, rule

ONE_COLOUR = full(HIGHEST)

# What a card's suit adds to its number: trumps beat the lead suit (MT-16), and a card that is
# neither never beats the one that was led (MT-8). Within a suit the higher card wins.
LEAD_STRENGTH = 64
TRUMP_STRENGTH = 128

PATIENCE = 100_000
"""Actions of a random game, which has no end where nearly all tricks are needed to go out. By the
book one to 20 points takes some hundreds, one to 1000 points some 15,000."""


# Setting up


def setup(options: MarshmallowOptions) -> State:
    s = LAYOUT.blank()
    s.seats = options.seats
    s.must_trump = int(options.edition == "fr")
    s.tricks_to_go_out = tricks_to_go_out(options)
    s.target = options.target
    s.turn = s.last_leader = s.last_winner = NO_SEAT
    s.trump = NO_COLOUR
    s.trick = [NO_CARD] * MOST_SEATS
    s.last_trick = [NO_CARD] * MOST_SEATS
    if options.first_dealer == "random":  # MT-3
        s.dealer = s.leader = NO_SEAT
        s.phase = SEATING
    else:
        s.dealer = s.leader = options.first_dealer
        s.phase = DEALING
    return s


def tricks_to_go_out(options: MarshmallowOptions) -> int:
    """MT-10, unless the house has a number of its own."""
    chosen = options.tricks_to_go_out
    return TRICKS_TO_GO_OUT[options.seats] if chosen == "book" else chosen


@rule
def needs(s: State) -> int:
    if s.phase > DEALING:
        return 0
    return CARDS if s.phase == DEALING else s.seats


@rule
def dealt(s: State) -> int:
    return HAND * s.seats if s.phase == DEALING else 1


@rule
def give(s: State, order: Order) -> None:
    if s.phase == SEATING:
        s.dealer = order[0]
        s.phase = DEALING
    else:
        deal(s, order)


@rule
def deal(s: State, order: Order) -> None:
    """A new round (MT-4): 12 cards to every seat, the rest aside."""
    aside = full(CARDS)
    for seat in range(s.seats):
        hand = 0
        for i in range(HAND * seat, HAND * (seat + 1)):
            hand |= bit(order[i])
        s.hands[seat] = hand
        aside &= ~hand
        s.tricks[seat] = 0
        s.last_trick[seat] = NO_CARD
    s.hidden = aside
    s.played = 0
    s.last_leader = NO_SEAT
    s.last_winner = NO_SEAT
    s.in_seats = full(s.seats)
    s.holding_seats = full(s.seats)
    s.trump = NO_COLOUR
    s.trump_cards = 0
    s.round_number += 1
    lead_next(s, s.dealer)  # MT-5
    s.phase = PLAY if s.round_number == 1 else TRUMP  # MT-8, MT-15


# Playing a card


@hot
def lead_next(s: State, leader: int) -> None:
    """A new trick, led by this seat."""
    s.leader = leader
    s.turn = leader
    s.lead_cards = full(CARDS)
    s.trumped = 0
    s.best_strength = -1
    s.waiting_seats = s.holding_seats


@rule
def suit(colour: int) -> int:
    return ONE_COLOUR << (HIGHEST * colour)


@hot
def playable(s: State, seat: int) -> int:
    """The cards that a seat may play to the trick; for the leader all cards are the lead suit."""
    hand = s.hands[seat]
    following = hand & s.lead_cards
    if s.trumped:
        trumps = hand & s.trump_cards
        if s.must_trump:
            if trumps:
                return trumps  # MT-18
        elif following:
            return following | trumps  # MT-17, MT-17a
    return select(following != 0, following, hand)  # MT-6, MT-7, MT-18a, MT-19


@hot
def play(s: State, seat: int, card: int) -> None:
    hand = without(s.hands[seat], card)
    s.hands[seat] = hand
    s.played |= bit(card)
    s.trick[seat] = card
    if hand == 0:
        s.holding_seats = without(s.holding_seats, seat)
    if seat == s.leader:
        s.lead_cards = suit(card // HIGHEST)
    leads, trumps = has(s.lead_cards, card), has(s.trump_cards, card)
    s.trumped |= trumps and not leads
    strength = card + LEAD_STRENGTH * leads + TRUMP_STRENGTH * trumps
    better = strength > s.best_strength
    s.best_strength = select(better, strength, s.best_strength)
    s.best_seat = select(better, seat, s.best_seat)
    waiting = without(s.waiting_seats, seat)
    s.waiting_seats = waiting
    if waiting:
        s.turn = clockwise(waiting, seat)
    else:
        take_trick(s, s.best_seat)


@hot
def take_trick(s: State, winner: int) -> None:
    """The best card takes the trick, and its seat leads the next (MT-8, MT-9, MT-16)."""
    for seat in range(MOST_SEATS):
        s.last_trick[seat] = s.trick[seat]
        s.trick[seat] = NO_CARD
    s.last_leader = s.leader
    s.last_winner = winner
    s.tricks[winner] += 1
    if s.tricks[winner] == s.tricks_to_go_out:
        go_out(s, winner)
        if s.scores[winner] >= s.target:
            end_game(s)
            return
    if s.in_seats & (s.in_seats - 1) == 0 or s.holding_seats == 0:
        end_round(s, winner)
    else:
        lead_next(s, clockwise(s.holding_seats, winner))  # MT-9, MT-12


# Going out


@rule
def go_out(s: State, seat: int) -> None:
    """MT-11: a point for every trick of the others. MT-12: the hand is discarded unseen."""
    others = -s.tricks[seat]
    for each in range(MOST_SEATS):
        others += s.tricks[each]
    s.scores[seat] += others
    s.hidden |= s.hands[seat]
    s.hands[seat] = 0
    s.in_seats = without(s.in_seats, seat)
    s.holding_seats = without(s.holding_seats, seat)


@rule
def end_round(s: State, winner: int) -> None:
    """One seat is left in (MT-13), or nobody has cards (MT-14): it, or the last trick's winner if
    still in, or else the next that is in, deals."""
    s.dealer = clockwise(s.in_seats, winner)
    s.turn = NO_SEAT
    s.phase = DEALING


@rule
def end_game(s: State) -> None:
    """MT-20: at once, the round is not finished."""
    s.waiting_seats = 0
    s.turn = NO_SEAT
    s.phase = OVER


# A new round's trump


@rule
def name_trump(s: State, colour: int) -> None:
    """MT-15."""
    s.trump = colour
    s.trump_cards = suit(colour)
    s.phase = PLAY


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
    if s.phase == TRUMP:
        return OK if NAME_TRUMP <= action < NAME_TRUMP + COLOURS else BAD_ACTION
    if not 0 <= action < CARDS:
        return BAD_ACTION
    if not has(s.hands[seat], action):
        return NOT_IN_HAND
    allowed = playable(s, seat)
    if has(allowed, action):
        return OK
    if s.trumped and s.must_trump and allowed & s.trump_cards:
        return MUST_TRUMP
    return MUST_FOLLOW


@hot
def act(s: State, seat: int, action: int, time: int) -> None:
    if s.phase == TRUMP:
        name_trump(s, action - NAME_TRUMP)
    else:
        play(s, seat, action)


@hot
def choices(s: State, seat: int) -> int:
    """A seat's actions as a set, counted from the first of the phase."""
    if seat != s.turn:
        return 0
    return full(COLOURS) if s.phase == TRUMP else playable(s, seat)


@rule
def base(s: State) -> int:
    """The first action of the phase."""
    return NAME_TRUMP if s.phase == TRUMP else 0


@rule
def legal(s: State, seat: int, buffer: Buffer) -> int:
    return listed(choices(s, seat), base(s), buffer)


@rule
def over(s: State) -> bool:
    return s.phase == OVER


@rule
def winners(s: State) -> int:
    """MT-20, MT-21: only the seat that just went out can have got there."""
    return bit(s.last_winner) if s.phase == OVER else 0


RULES: Rules[State] = Rules(
    name="marshmallow",
    layout=LAYOUT,
    deck=CARDS,
    room=HAND,
    patience=PATIENCE,
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
)
