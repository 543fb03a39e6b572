"""The table of Merci as a terminal draws it."""

from pli.board import Board, Note
from pli.games.merci.view import MerciView


def board(seen: MerciView) -> Board:
    headline = [
        Note("board.round", {"n": seen.round}),
        Note("board.tops", {"tops": "  ".join(seen.tops)}),
        Note("board.reserve", {"n": seen.reserve}),
    ]
    if seen.pile_back is not None:
        back = Note(f"backs.{seen.pile_back}")
        headline.append(Note("board.pile", {"back": back, "n": seen.pile}))
    rows: list[list[str | Note]] = [
        ["♥" * seen.hearts[seat] or "-", str(seen.cards[seat])] for seat in range(seen.seats)
    ]
    return Board(
        headline=headline,
        columns=["board.hearts", "board.cards"],
        rows=rows,
        marks=["" for _ in rows],
        trick=[],
        last_trick=[],
        last_winner=None,
        hand=[name.partition("/")[0] for name in seen.hand],
    )
