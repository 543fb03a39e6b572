"""Marshmallow Test for learning agents."""

from dataclasses import dataclass
from typing import Annotated

from pli.games.marshmallow.rules import (
    COLOURS,
    DECK,
    HIGHEST,
    MOST_SEATS,
    TRUMP,
    State,
)
from pli.kernel.bits import bit, size
from pli.kernel.layout import Layout
from pli.kernel.observation import (
    SEATS,
    Field,
    Numbers,
    across,
    all_seen_from,
    one,
    one_seen_from,
    write_number,
    write_one,
    write_set,
)
from pli.kernel.rule import hot, rule
from pli.tricks import NO_COLOUR, PLAY, TrickObservation

CARDS = len(DECK)


@dataclass(slots=True)
class Memory:
    """What was seen in this round and is not in the state."""

    voids: Annotated[list[int], "i1", MOST_SEATS]  # by seat the colours that it can't have, a set


@rule
def voids_shown(lead: int, trump: int, trumped: bool, must_trump: bool, colour: int) -> int:
    """The colours in which a seat is void that adds a card of this colour to a trick: who does not
    follow has none of the lead suit (MT-7), who does not trump where one must no trump (MT-18)."""
    voids = 0
    if trumped and must_trump and colour != trump:
        voids |= bit(trump)
    if colour != lead and not (trumped and colour == trump):
        voids |= bit(lead)
    return voids


@hot
def before(s: State, m: Memory, seat: int, action: int) -> None:
    if s.phase == PLAY and seat != s.leader:
        lead = s.trick[s.leader] // HIGHEST
        colour = action // HIGHEST
        m.voids[seat] |= voids_shown(lead, s.trump, s.trumped == 1, s.must_trump == 1, colour)


@hot
def after(s: State, m: Memory) -> None:
    if s.played == 0:
        for seat in range(MOST_SEATS):
            m.voids[seat] = 0


@rule
def look(s: State, m: Memory, seat: int, out: Numbers, at: int) -> int:
    seats = s.seats
    at = write_set(out, at, s.hands[seat], CARDS)
    for k in range(seats):
        at = write_one(out, at, s.trick[across(seat, k, seats)], CARDS)
    at = write_set(out, at, s.played, CARDS)
    voids = 0
    for k in range(seats):
        voids |= m.voids[across(seat, k, seats)] << (COLOURS * k)
    at = write_set(out, at, voids, COLOURS * seats)
    led = s.trick[s.leader] if s.leader >= 0 else NO_COLOUR
    colours = one(s.trump) | one(led // HIGHEST if led >= 0 else NO_COLOUR) << COLOURS
    at = write_set(out, at, colours | (s.phase == TRUMP) << (2 * COLOURS), 2 * COLOURS + 1)
    places = all_seen_from(seat, s.in_seats, seats)
    places |= one_seen_from(seat, s.turn, seats) << seats
    places |= one_seen_from(seat, s.leader, seats) << (2 * seats)
    places |= one_seen_from(seat, s.dealer, seats) << (3 * seats)
    at = write_set(out, at, places, 4 * seats)
    for k in range(seats):
        other = across(seat, k, seats)
        at = write_number(out, at, s.tricks[other])
        out[at + seats - 1] = min(127, max(0, s.target - s.scores[other]))
        out[at + 2 * seats - 1] = size(s.hands[other])
    at += 2 * seats
    at = write_number(out, at, s.tricks_to_go_out)
    return write_number(out, at, s.must_trump)


OBSERVATION = TrickObservation[State](
    fields=(
        Field("hand", (CARDS,), "the cards of the own hand"),
        Field("trick", (SEATS, CARDS), "the card of each seat in the trick on the table"),
        Field("gone", (CARDS,), "the cards laid in this round, those of the trick included"),
        Field("voids", (SEATS, COLOURS), "colours that a seat has shown that it has none of"),
        Field("trump", (COLOURS,), "the colour that is trump; none in the first round"),
        Field("led", (COLOURS,), "the colour that was led to the trick"),
        Field("naming", (1,), "1 while the trump is being named"),
        Field("in", (SEATS,), "who has not gone out"),
        Field("turn", (SEATS,), "whose turn it is"),
        Field("leader", (SEATS,), "who leads the trick"),
        Field("dealer", (SEATS,), "who dealt"),
        Field("tricks", (SEATS,), "how many tricks each seat has taken in this round"),
        Field("to_go", (SEATS,), "how many points each seat needs to win, at most 127"),
        Field("cards", (SEATS,), "how many cards each seat holds"),
        Field("to_go_out", (1,), "how many tricks take a seat out"),
        Field("must_trump", (1,), "1 in the French edition: who can't follow has to trump"),
    ),
    look=look,
    memory=Layout(Memory),
    before=before,
    after=after,
)
