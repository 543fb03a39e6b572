"""The table of a trick-taking game as a terminal draws it."""

from collections.abc import Callable
from typing import Any

from pli.board import Board, Note

Column = tuple[str, Callable[[Any, int], str | Note]]
"""The text key of a column, and (view, seat): what stands there."""


COLUMNS: tuple[Column, ...] = (
    ("board.points", lambda seen, seat: str(seen.scores[seat])),
    ("board.tricks", lambda seen, seat: str(seen.tricks[seat])),
    ("board.cards", lambda seen, seat: str(seen.cards[seat])),
)


def draw(seen: Any, *notes: Note, columns: tuple[Column, ...] = COLUMNS) -> Board:
    """The table; `notes` stand in its headline after the round and the trump."""
    headline = [Note("board.round", {"n": seen.round})]
    if seen.trump is not None:
        headline.append(Note("board.trump", {"colour": Note(f"colours.{seen.trump}")}))
    return Board(
        headline=[*headline, *notes],
        columns=[key for key, _ in columns],
        rows=[[cell(seen, seat) for _, cell in columns] for seat in range(seen.seats)],
        marks=["" for _ in range(seen.seats)],
        trick=seen.trick,
        last_trick=seen.last_trick,
        last_winner=seen.last_winner,
        hand=seen.hand,
    )
