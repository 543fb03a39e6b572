"""What a seat may know of a game of Plingo, and the table as a terminal draws it."""

from typing import Any, Literal

from pli.board import Board, Note
from pli.game import Seat, View, shown_seat
from pli.games.plingo.rules import (
    BOXES,
    CHOOSING,
    DECK,
    GRID,
    NO_BID,
    PASSED,
    State,
    team_of,
)
from pli.kernel.bits import size, to_list
from pli.tricks import OVER, Column, TrickCard, draw

SIDES = ("front", "back", "last")
Bid = int | Literal["pass"] | None
"""A number of boxes; None: not yet, or there is no auction."""


class PlingoView(View, frozen=True, kw_only=True):
    round: int
    master: Seat
    side: str
    """Of the master card: front, back, or last (round)."""
    leader: Seat
    trump: str | None
    teams: list[int]
    """Each seat's team; where everybody plays alone, the seats themselves."""
    grids: list[list[int]]
    """The boxes that each team has ticked."""
    new_boxes: list[list[int]]
    """Of those, what each team has ticked at this round's reveal."""
    bids: list[Bid]
    """By seat, of this round."""
    auction: bool
    joker_may: bool
    """Whether a joker may be left unused."""
    cards: list[int]
    """How many cards each seat holds."""
    taken: list[int]
    """How many cards each seat has taken in this round."""
    took: list[str]
    """What the viewer itself has taken in this round: it saw the cards pass."""
    revealed: list[list[str]]
    """What each seat took, once it lies open at the reveal."""
    hand: list[str]
    """The viewer's own cards; none for a spectator."""
    trick: list[TrickCard]
    last_trick: list[TrickCard]
    last_winner: Seat
    full_grid: bool
    """Whether the game ended by a full grid; otherwise by the last round."""


def boxes(grid: int) -> list[int]:
    return [box + 1 for box in to_list(grid)]


def bid_shown(bid: int) -> Bid:
    if bid == NO_BID:
        return None
    return "pass" if bid == PASSED else bid


def own(s: State, seat: int) -> dict[str, Any]:
    return {"took": DECK.listed(s.taken[seat])}


def shown(s: State) -> dict[str, Any]:
    seats = range(s.seats)
    at_reveal = s.phase in (CHOOSING, OVER)
    return {
        "master": shown_seat(s.dealer),
        "side": SIDES[s.side],
        "teams": [team_of(s, each) for each in seats],
        "grids": [boxes(s.grids[team]) for team in range(s.teams)],
        "new_boxes": [boxes(s.new_boxes[team]) for team in range(s.teams)],
        "bids": [bid_shown(s.bids[each]) for each in seats],
        "taken": [size(s.taken[each]) for each in seats],
        "took": [],
        "revealed": [DECK.listed(s.taken[each]) for each in seats] if at_reveal else [],
        "full_grid": s.phase == OVER and GRID in s.grids,
    }


def board(seen: PlingoView) -> Board:
    columns: list[Column] = [
        ("board.grid", grid),
        ("board.taken", lambda seen, seat: str(seen.taken[seat])),
        ("board.cards", lambda seen, seat: str(seen.cards[seat])),
        ("board.bid", bid),
    ]
    none = seen.trump is None and seen.phase not in ("bid", "trump")
    return draw(
        seen,
        *[Note("board.no_trump")] * none,
        before=[Note(f"board.side_{seen.side}")],
        columns=columns if seen.auction else columns[:-1],
        mark=mark,
    )


def grid(seen: PlingoView, seat: int) -> str:
    ticked = seen.grids[seen.teams[seat]]
    return "".join(str(box) if box in ticked else "·" for box in range(1, BOXES + 1))


def bid(seen: PlingoView, seat: int) -> str | Note:
    made = seen.bids[seat]
    return Note("board.pass") if made == "pass" else str(made or "-")


def mark(seen: PlingoView, seat: int) -> str:
    """The master's star, and in teams a sign of the team's."""
    team = "●○◆"[seen.teams[seat]] if len(seen.grids) < seen.seats else ""
    return ("★" if seat == seen.master else "") + team
