"""The table of Marshmallow Test as a terminal draws it."""

from pli.board import Board, Note
from pli.games.marshmallow.view import MarshmallowView


def board(seen: MarshmallowView) -> Board:
    headline = [Note("board.round", {"n": seen.round})]
    if seen.trump is not None:
        headline.append(Note("board.trump", {"colour": Note(f"colours.{seen.trump}")}))
    elif seen.phase != "trump":
        headline.append(Note("board.no_trump"))
    headline.append(Note("board.target", {"n": seen.target}))
    rows: list[list[str | Note]] = []
    for seat in range(seen.seats):
        won = seen.tricks[seat]
        stacks = "●" * won + "○" * (seen.tricks_to_go_out - won)
        rows.append(
            [
                str(seen.scores[seat]),
                Note("board.out", {"stacks": stacks}) if seat in seen.out else stacks,
                str(seen.cards[seat]),
            ]
        )
    return Board(
        headline=headline,
        columns=["board.points", "board.tricks", "board.cards"],
        rows=rows,
        marks=["" for _ in rows],
        trick=seen.trick,
        last_trick=seen.last_trick,
        last_winner=seen.last_winner,
        hand=seen.hand,
    )
