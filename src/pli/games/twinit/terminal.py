"""The table of Twin It! as a terminal draws it: every open card with its number."""

from pli.board import Board, Note
from pli.games.twinit.view import TwinitView


def board(seen: TwinitView) -> Board:
    headline = [Note("board.mode", {"mode": Note(f"modes.{seen.mode}")})]
    headline.append(Note("board.table", {"n": len(seen.table)}))
    if seen.counts:
        headline.append(Note("board.count"))
    if seen.minute_ends is not None:
        headline.append(Note("board.points", {"n": ", ".join(map(str, seen.points))}))
    shared = len(set(seen.owners)) < seen.seats
    rows: list[list[str | Note]] = []
    for seat in range(seen.seats):
        hands = " ".join(str(hand.card) for hand in seen.hands[seat])
        caught = len(seen.catches[seen.owners[seat]])
        rows.append([str(caught), str(seen.piles[seat]), hands or "-"])
    open_faces = [lying.face for lying in seen.table]
    open_faces += [top for top in seen.tops if top is not None]
    open_faces += [face for each in seen.taboo for face in each]
    open_faces += [face for each in seen.catches for catch in each for face in catch]
    return Board(
        headline=headline,
        columns=["board.catches", "board.pile", "board.hands"],
        rows=rows,
        marks=["●○"[seen.owners[seat] % 2] if shared else "" for seat in range(seen.seats)],
        trick=[],
        last_trick=[],
        last_winner=None,
        hand=[],
        faces=open_faces,
    )
