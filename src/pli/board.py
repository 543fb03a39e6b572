"""The table as a terminal draws it: each game makes a `Board` from a view."""

from dataclasses import dataclass, field

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
