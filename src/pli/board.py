"""The table as a terminal draws it: each game makes a `Board` from a view."""

from dataclasses import dataclass, field
from typing import Any

from pli.cards import TrickCard


@dataclass(frozen=True)
class Note:
    """A text of the game's language files with its values. A value that is a card is coloured."""

    key: str
    values: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Board:
    headline: list[Note]
    """The round, the trump and the like."""
    columns: list[str]
    """Text keys of what is shown of every seat."""
    rows: list[list[str | Note]]
    """By seat, one entry a column."""
    marks: list[str]
    """By seat, shown beside its name: the master's star and the like."""
    trick: list[TrickCard]
    last_trick: list[TrickCard]
    last_winner: int | None
    hand: list[str]
    faces: list[str] = field(default_factory=list)
    """Cards that lie open and are to be looked at: what they show is for the eyes."""


BY_SEAT = {"scores": "board.points", "tricks": "board.tricks", "cards": "board.cards"}
"""Fields that many views have, and the texts above them."""


def simple_board(view: Any) -> Board:
    """The table of a game that says nothing else: the round, what is counted of every seat, and the
    viewer's hand."""
    counted = [name for name in BY_SEAT if isinstance(getattr(view, name, None), list)]
    hand = getattr(view, "hand", [])
    return Board(
        headline=[Note("board.round", {"n": view.round})] if hasattr(view, "round") else [],
        columns=[BY_SEAT[name] for name in counted],
        rows=[[str(getattr(view, name)[seat]) for name in counted] for seat in range(view.seats)],
        marks=[""] * view.seats,
        trick=[],
        last_trick=[],
        last_winner=None,
        hand=[str(card) for card in hand],
    )
