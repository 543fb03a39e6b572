"""The rules of Marshmallow Test, in the order of its rulebook."""

from typing import Any

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
from pli.kernel.bits import bit, clockwise, full, has, listed, nth, size, without
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
from pli.kernel.rule import rule

ONE_COLOUR = full(HIGHEST)

# A card's strength in a trick is its number, above these: trumps beat the lead suit (MT-16), and a
# card that is neither wins nothing (MT-8).
LEAD_STRENGTH = 16
TRUMP_STRENGTH = 32


# Setting up


def setup(options: MarshmallowOptions) -> State:
    s = LAYOUT.blank()
    s.seats = options.seats
    s.must_trump = int(options.edition == "fr")
    s.tricks_to_go_out = TRICKS_TO_GO_OUT[options.seats]
    s.target = options.target
    s.turn = s.last_leader = s.last_winner = NO_SEAT
    s.trump = s.lead = NO_COLOUR
    s.trick = [NO_CARD] * MOST_SEATS
    s.last_trick = [NO_CARD] * MOST_SEATS
    if options.first_dealer == "random":  # MT-3
        s.dealer = s.leader = NO_SEAT
        s.phase = SEATING
    else:
        s.dealer = s.leader = options.first_dealer
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
    s.round_number += 1
    lead_next(s, s.dealer)  # MT-5
    s.phase = PLAY if s.round_number == 1 else TRUMP  # MT-8, MT-15


# Playing a card


@rule
def lead_next(s: State, leader: int) -> None:
    """A new trick, led by this seat."""
    s.leader = leader
    s.turn = leader
    s.lead = NO_COLOUR
    s.trumped = 0
    s.best_strength = -1
    s.waiting_seats = s.holding_seats


@rule
def of_colour(cards: int, colour: int) -> int:
    return cards & (ONE_COLOUR << (HIGHEST * colour))


@rule
def playable(s: State, seat: int) -> int:
    """The cards that a seat may play to the trick."""
    hand = s.hands[seat]
    if s.lead == NO_COLOUR:
        return hand  # MT-6
    following = of_colour(hand, s.lead)
    if s.trumped:
        trumps = of_colour(hand, s.trump)
        if s.must_trump:
            if trumps:
                return trumps  # MT-18
        elif following:
            return following | trumps  # MT-17, MT-17a
    return following if following else hand  # MT-7, MT-18a, MT-19


@rule
def play(s: State, seat: int, card: int) -> None:
    hand = without(s.hands[seat], card)
    s.hands[seat] = hand
    s.played |= bit(card)
    s.trick[seat] = card
    if hand == 0:
        s.holding_seats = without(s.holding_seats, seat)
    colour = card // HIGHEST
    strength = card - HIGHEST * colour
    if s.lead == NO_COLOUR:
        s.lead = colour
    if colour == s.trump:
        strength += TRUMP_STRENGTH
        if colour != s.lead:
            s.trumped = 1
    elif colour == s.lead:
        strength += LEAD_STRENGTH
    else:
        strength = -1
    if strength > s.best_strength:
        s.best_strength = strength
        s.best_seat = seat
    waiting = without(s.waiting_seats, seat)
    s.waiting_seats = waiting
    if waiting:
        s.turn = clockwise(waiting, seat)
    else:
        take_trick(s, s.best_seat)


@rule
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
    s.lead = NO_COLOUR
    s.waiting_seats = 0
    s.turn = NO_SEAT
    s.phase = OVER


# A new round's trump


@rule
def name_trump(s: State, colour: int) -> None:
    """MT-15."""
    s.trump = colour
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
    if s.trumped and s.must_trump and of_colour(allowed, s.trump):
        return MUST_TRUMP
    return MUST_FOLLOW


@rule
def act(s: State, seat: int, action: int, time: int) -> None:
    if s.phase == TRUMP:
        name_trump(s, action - NAME_TRUMP)
    else:
        play(s, seat, action)


@rule
def choices(s: State, seat: int) -> int:
    """A seat's actions as a set, counted from the first of the phase."""
    if seat != s.turn:
        return 0
    return full(COLOURS) if s.phase == TRUMP else playable(s, seat)


@rule
def first_choice(s: State) -> int:
    return NAME_TRUMP if s.phase == TRUMP else 0


@rule
def count(s: State, seat: int, buffer: Buffer) -> int:
    return size(choices(s, seat))


@rule
def choose(s: State, seat: int, k: int, buffer: Buffer) -> int:
    return first_choice(s) + nth(choices(s, seat), k)


@rule
def legal(s: State, seat: int, buffer: Buffer) -> int:
    return listed(choices(s, seat), first_choice(s), buffer)


@rule
def over(s: State) -> bool:
    return s.phase == OVER


@rule
def winners(s: State) -> int:
    """MT-20, MT-21: only the seat that just went out can have got there."""
    return bit(s.last_winner) if s.phase == OVER else 0


RULES: Rules[Any] = Rules(
    name="marshmallow",
    layout=LAYOUT,
    deck=CARDS,
    room=HAND,
    needs=needs,
    give=give,
    actors=actors,
    check=check,
    act=act,
    legal=legal,
    over=over,
    winners=winners,
    dealt=dealt,
    count=count,
    choose=choose,
)
