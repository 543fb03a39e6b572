"""The table of Plingo as a terminal draws it."""

from pli.board import Board, Note
from pli.games.plingo.state import (
    BOXES,
)
from pli.games.plingo.view import PlingoView


def board(seen: PlingoView) -> Board:
    headline = [Note("board.round", {"n": seen.round}), Note(f"board.side_{seen.side}")]
    if seen.trump is not None:
        headline.append(Note("board.trump", {"colour": Note(f"colours.{seen.trump}")}))
    elif seen.phase not in ("bid", "trump"):
        headline.append(Note("board.no_trump"))
    rows: list[list[str | Note]] = []
    for seat in range(seen.seats):
        ticked = seen.grids[seen.teams[seat]]
        grid = "".join(str(box) if box in ticked else "·" for box in range(1, BOXES + 1))
        rows.append([grid, str(seen.taken[seat]), str(seen.cards[seat])])
        if seen.auction:
            made = seen.bids[seat]
            rows[-1].append(Note("board.pass") if made == "pass" else str(made or "-"))
    return Board(
        headline=headline,
        columns=["board.grid", "board.taken", "board.cards", *["board.bid"] * seen.auction],
        rows=rows,
        marks=[_mark(seen, seat) for seat in range(seen.seats)],
        trick=seen.trick,
        last_trick=seen.last_trick,
        last_winner=seen.last_winner,
        hand=seen.hand,
    )


def _mark(seen: PlingoView, seat: int) -> str:
    """The master's star, and in teams a sign of the team's."""
    team = "●○◆"[seen.teams[seat]] if len(seen.grids) < seen.seats else ""
    return ("★" if seat == seen.master else "") + team
