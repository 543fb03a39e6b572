"""A trick-taking game for learning agents."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar

from pli.cards import Deck
from pli.game import Notation
from pli.kernel.bits import full, size
from pli.kernel.contract import Rules
from pli.kernel.layout import Layout
from pli.kernel.observation import (
    NO_MEMORY,
    SEATS,
    Field,
    Numbers,
    Observation,
    across,
    ignore_action,
    ignore_change,
    one_seen_from,
    write_number,
    write_one,
    write_set,
    write_zeros,
)
from pli.kernel.rule import hot, rule
from pli.tricks.rules import Choice
from pli.tricks.state import FIRST_CHOICE, NO_COLOUR, PLAY

S = TypeVar("S")


@dataclass(slots=True)
class Memory:
    """What was seen in this round and is not in the state."""

    voids: Annotated[list[int], "i1", SEATS]  # by seat the colours that it can't have, a set


@dataclass(frozen=True, eq=False)
class TrickObservation(Generic[S]):
    """What agents see of a game that has fields of its own instead of those of most; all is as in
    `Observation`."""

    fields: tuple[Field, ...]
    look: Callable[[S, Any, int, Numbers, int], int]
    memory: Layout[Any] = NO_MEMORY
    before: Callable[[S, Any, int, int], None] = ignore_action
    after: Callable[[S, Any], None] = ignore_change


Look = Callable[[Any, int, Numbers, int], int]
"""A rule (s, seat, out, at): writes fields of a game's own; returns the place after them."""


def make_observation(
    rules: Rules[Any],
    deck: Deck,
    choices: Sequence[Choice[Any]],
    notation: Notation,
    voids: Callable[[Any, int, int], int],
    fields: Sequence[Field],
    look: Look | None,
    declared: TrickObservation[Any] | None,
) -> Observation[Any]:
    cards, ranks, colours = len(deck), deck.highest, len(deck.colours)
    phases = 1 + len(choices)
    actions = len(notation)
    most_seats = len(rules.layout.blank().hands)
    open_to, base = rules.choices, rules.base
    span = _span(choices, cards)
    own = look or _nothing

    @hot
    def before(s: Any, m: Any, seat: int, action: int) -> None:
        if s.phase == PLAY:
            m.voids[seat] |= voids(s, seat, action)

    @hot
    def after(s: Any, m: Any) -> None:
        if s.played == 0:
            for seat in range(most_seats):
                m.voids[seat] = 0

    @rule
    def look_all(s: Any, m: Any, seat: int, out: Numbers, at: int) -> int:
        seats = s.seats
        at = write_set(out, at, s.hands[seat], cards)
        for k in range(seats):
            at = write_one(out, at, s.trick[across(seat, k, seats)], cards)
        at = write_set(out, at, s.played, cards)
        for k in range(seats):
            at = write_set(out, at, m.voids[across(seat, k, seats)] & full(colours), colours)
        at = write_one(out, at, s.trump, colours)
        led = s.trick[s.leader] if s.leader >= 0 else NO_COLOUR
        at = write_one(out, at, led // ranks if led >= 0 else NO_COLOUR, colours)
        phase = -1
        if s.phase == PLAY:
            phase = 0
        elif s.phase >= FIRST_CHOICE:
            phase = s.phase - FIRST_CHOICE + 1
        at = write_one(out, at, phase, phases)
        places = one_seen_from(seat, s.turn, seats)
        places |= one_seen_from(seat, s.leader, seats) << seats
        places |= one_seen_from(seat, s.dealer, seats) << (2 * seats)
        at = write_set(out, at, places, 3 * seats)
        for k in range(seats):
            other = across(seat, k, seats)
            at = write_number(out, at, s.tricks[other])
            out[at + seats - 1] = min(127, max(0, s.scores[other]))
            out[at + 2 * seats - 1] = size(s.hands[other])
        return own(s, seat, out, at + 2 * seats)

    @hot
    def mask(s: Any, seat: int, out: Numbers, at: int) -> int:
        members, first = open_to(s, seat), base(s)
        end = write_set(out, at, members if first == 0 else 0, cards)
        write_zeros(out, end, actions - cards)
        if first > 0:
            write_set(out, at + first, members, span(s))
        return size(members)

    names = [notation.show(action) for action in range(actions)]
    if declared is not None:
        return Observation(
            fields=declared.fields,
            names=names,
            look=declared.look,
            mask=mask,
            memory=declared.memory,
            before=declared.before,
            after=declared.after,
        )
    return Observation(
        fields=(
            Field("hand", (cards,), "the cards of the own hand"),
            Field("trick", (SEATS, cards), "the card of each seat in the trick on the table"),
            Field("gone", (cards,), "the cards laid in this round, those of the trick included"),
            Field("voids", (SEATS, colours), "colours that a seat has shown that it has none of"),
            Field("trump", (colours,), "the colour that is trump"),
            Field("led", (colours,), "the colour that was led to the trick"),
            Field("phase", (phases,), "a card is awaited, or one of the choices"),
            Field("turn", (SEATS,), "whose turn it is"),
            Field("leader", (SEATS,), "who leads the trick"),
            Field("dealer", (SEATS,), "who dealt"),
            Field("tricks", (SEATS,), "how many tricks each seat has taken in this round"),
            Field("scores", (SEATS,), "the points of each seat, 0 to 127"),
            Field("cards", (SEATS,), "how many cards each seat holds"),
            *fields,
        ),
        names=names,
        look=look_all,
        mask=mask,
        memory=Layout(Memory, seats=most_seats),
        before=before,
        after=after,
    )


@hot
def _nothing(s: Any, seat: int, out: Numbers, at: int) -> int:
    return at


def _span(choices: Sequence[Choice[Any]], cards: int) -> Callable[[Any], int]:
    """How many actions the phase has."""

    @hot
    def cards_alone(s: Any) -> int:
        return cards

    span: Callable[[Any], int] = cards_alone
    for number, choice in enumerate(choices):
        span = _span_of(FIRST_CHOICE + number, choice.count, span)
    return span


def _span_of(phase: int, count: int, others: Callable[[Any], int]) -> Callable[[Any], int]:
    @hot
    def span(s: Any) -> int:
        return count if s.phase == phase else others(s)

    return span
