"""Plingo for learning agents. The state has all that was seen in a round: who took which cards, and
which cancelled each other."""

from pli.games.plingo.rules import (
    BIDDING,
    BOXES,
    CHOOSING,
    COLOURS,
    DECK,
    HIGHEST,
    LAST,
    NO_BID,
    TRUMP,
    State,
    team_of,
)
from pli.kernel.bits import bit, size
from pli.kernel.observation import (
    SEATS,
    Field,
    Numbers,
    across,
    one,
    one_seen_from,
    write_number,
    write_one,
    write_set,
)
from pli.kernel.rule import rule
from pli.tricks import NO_COLOUR, PLAY, TrickObservation

CARDS = len(DECK)

PHASES = 4
SIDES = LAST + 1


@rule
def phases(s: State) -> int:
    """The phase of an action as a set of one."""
    return (
        (s.phase == BIDDING)
        | (s.phase == TRUMP) << 1
        | (s.phase == PLAY) << 2
        | (s.phase == CHOOSING) << 3
    )


@rule
def look(s: State, m: object, seat: int, out: Numbers, at: int) -> int:
    seats = s.seats
    at = write_set(out, at, s.hands[seat], CARDS)
    mates = 0
    for k in range(seats):
        other = across(seat, k, seats)
        write_one(out, at + CARDS * k, s.trick[other], CARDS)
        write_set(out, at + CARDS * (seats + k), s.taken[other], CARDS)
        mates |= (team_of(s, other) == team_of(s, seat)) << k
    at = write_set(out, at + 2 * CARDS * seats, s.cancelled, CARDS)
    for k in range(seats):
        at = write_set(out, at, s.grids[team_of(s, across(seat, k, seats))], BOXES)
    led = s.trick[s.leader] if s.leader >= 0 else NO_COLOUR
    asked = led // HIGHEST if led >= 0 else NO_COLOUR
    table = one(s.trump) | one(asked) << COLOURS | phases(s) << (2 * COLOURS)
    table |= bit(s.side) << (2 * COLOURS + PHASES)
    at = write_set(out, at, table, 2 * COLOURS + PHASES + SIDES)
    places = mates | one_seen_from(seat, s.turn, seats) << seats
    places |= one_seen_from(seat, s.dealer, seats) << (2 * seats)
    places |= one_seen_from(seat, s.leader, seats) << (3 * seats)
    at = write_set(out, at, places, 4 * seats)
    for k in range(seats):
        other = across(seat, k, seats)
        out[at + k] = size(s.hands[other])
        out[at + seats + k] = s.bids[other] - NO_BID
    at = write_number(out, at + 2 * seats, s.auction)
    return write_number(out, at, s.joker_may)


OBSERVATION = TrickObservation[State](
    fields=(
        Field("hand", (CARDS,), "the cards of the own hand"),
        Field("trick", (SEATS, CARDS), "the card of each seat in the trick on the table"),
        Field("taken", (SEATS, CARDS), "the cards that each seat has taken in this round"),
        Field("cancelled", (CARDS,), "the cards that have cancelled each other in this round"),
        Field("grid", (SEATS, BOXES), "the boxes that each seat, or its team, has ticked"),
        Field("trump", (COLOURS,), "the colour that is trump"),
        Field("asked", (COLOURS,), "the colour that the trick asks for"),
        Field("phase", (PHASES,), "a bid, a trump, a card, or a joker's box is awaited"),
        Field("side", (SIDES,), "the master card shows its front or its back, or is turned"),
        Field("mates", (SEATS,), "who is of the own team, oneself included"),
        Field("turn", (SEATS,), "whose turn it is"),
        Field("master", (SEATS,), "who has the master card"),
        Field("leader", (SEATS,), "who leads the trick"),
        Field("cards", (SEATS,), "how many cards each seat holds"),
        Field("bids", (SEATS,), "0 is no bid, 1 a pass, 1 + n a bid of n boxes"),
        Field("auction", (1,), "1 if there is an auction"),
        Field("joker_may", (1,), "1 if a joker may be left unused"),
    ),
    look=look,
)
