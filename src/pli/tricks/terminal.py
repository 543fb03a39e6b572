"""The table of a trick-taking game as a terminal draws it."""

from collections.abc import Callable, Sequence
from typing import Any

from pli.board import Board, Note

Column = tuple[str, Callable[[Any, int], str | Note]]
"""The text key of a column, and (view, seat): what stands there."""


COLUMNS: tuple[Column, ...] = (
    ("board.points", lambda seen, seat: str(seen.scores[seat])),
    ("board.tricks", lambda seen, seat: str(seen.tricks[seat])),
    ("board.cards", lambda seen, seat: str(seen.cards[seat])),
)


def no_mark(seen: Any, seat: int) -> str:
    return ""


def draw(
    seen: Any,
    *notes: Note,
    before: Sequence[Note] = (),
    columns: Sequence[Column] = COLUMNS,
    mark: Callable[[Any, int], str] = no_mark,
) -> Board:
    """The table. Its headline has the round and the trump, with notes `before` the trump and after
    it; `mark` is (view, seat): signs beside a seat's name."""
    trump = []
    if seen.trump is not None:
        trump.append(Note("board.trump", {"colour": Note(f"colours.{seen.trump}")}))
    return Board(
        headline=[Note("board.round", {"n": seen.round}), *before, *trump, *notes],
        columns=[key for key, _ in columns],
        rows=[[cell(seen, seat) for _, cell in columns] for seat in range(seen.seats)],
        marks=[mark(seen, seat) for seat in range(seen.seats)],
        trick=seen.trick,
        last_trick=seen.last_trick,
        last_winner=seen.last_winner,
        hand=seen.hand,
    )
