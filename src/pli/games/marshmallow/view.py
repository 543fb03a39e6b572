"""What a seat may know of a game of Marshmallow Test, and what it sees happen."""

from collections.abc import Sequence
from typing import Any

from pli.board import Board, Note
from pli.game import Act, Event, Seat, View
from pli.games.marshmallow.rules import State
from pli.kernel.bits import full, to_list
from pli.tricks import COLUMNS, TrickCard, draw


class MarshmallowView(View, frozen=True, kw_only=True):
    edition: str
    target: int
    tricks_to_go_out: int
    round: int
    dealer: Seat
    leader: Seat
    trump: str | None
    scores: list[int]
    tricks: list[int]
    out: list[int]
    cards: list[int]
    """How many cards each seat holds."""
    hand: list[str]
    """The viewer's own cards; none for a spectator."""
    trick: list[TrickCard]
    last_trick: list[TrickCard]
    last_winner: Seat


def shown(s: State) -> dict[str, Any]:
    return {
        "edition": "fr" if s.must_trump else "en",
        "out": to_list(full(s.seats) & ~s.in_seats) if s.round_number else [],
    }


class WentOut(Event, frozen=True, kw_only=True, tag="went_out"):
    seat: int
    points: int


def happened(before: State, given: Act, after: State, seat: Seat) -> Sequence[Event]:
    """After those of the card: who went out."""
    gone = to_list(before.in_seats & ~after.in_seats)
    return [WentOut(seat=each, points=after.scores[each] - before.scores[each]) for each in gone]


def board(seen: MarshmallowView) -> Board:
    """The table as a terminal draws it."""
    notes = [Note("board.target", {"n": seen.target})]
    if seen.trump is None and seen.phase != "trump":
        notes.insert(0, Note("board.no_trump"))
    points, (tricks, _), cards = COLUMNS
    return draw(seen, *notes, columns=(points, (tricks, stacks), cards))


def stacks(seen: MarshmallowView, seat: int) -> str | Note:
    """The tricks of a seat, of those that take it out."""
    won = seen.tricks[seat]
    text = "●" * won + "○" * (seen.tricks_to_go_out - won)
    return Note("board.out", {"stacks": text}) if seat in seen.out else text
