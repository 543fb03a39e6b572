"""Positions of Plingo as scenarios write them, and the table for a terminal."""

from collections.abc import Mapping
from typing import Any

from pli import position as read
from pli.board import Board, Note
from pli.games.plingo.rules import lead_next, play
from pli.games.plingo.state import BOXES, DECK, HIGHEST, NO_COLOUR, PLAY, TRUMP, State
from pli.games.plingo.view import SIDES, PlingoView, view
from pli.kernel.bits import from_list, full, has
from pli.tricks import as_dict, card_set, needs_turn, no_card_twice, play_again, played_order

PLACED: dict[str, read.Reader] = {
    "master": read.seat,
    "turn": read.seat,
    "trump": read.colour(DECK),
    "round": read.number(1),
    "hands": read.by_seat(read.cards(DECK)),
    "trick": read.trick(DECK),
    "taken": read.by_seat(read.cards(DECK)),
    "grids": read.by_seat(read.boxes(BOXES)),
    "side": read.one_of(*SIDES),
}

EXPECTED: dict[str, read.Reader] = PLACED | {
    "turn": read.seat_or_none,
    "phase": read.one_of("trump", "play", "joker", "over"),
    "winners": read.a_set(read.seat),
    "cards": read.by_seat(read.number(0, HIGHEST)),
}


def place(s: State, given: Mapping[str, Any]) -> None:
    """Sets up a position on a state that was just dealt."""
    seats = range(s.seats)
    trick: dict[int, str] = given.get("trick", {})
    s.round_number = given.get("round", 1)
    s.side = SIDES.index(given.get("side", SIDES[0]))
    taken = given.get("taken", [()] * s.seats)
    no_card_twice(hands=given.get("hands", ()), trick=[trick.values()], taken=taken)
    elsewhere = card_set(trick.values(), DECK)
    for seat in seats:
        s.taken[seat] = card_set(taken[seat], DECK)
        elsewhere |= s.taken[seat]
        if "grids" in given:
            s.grids[seat] = from_list(box - 1 for box in given["grids"][seat])
    for seat in seats:
        if "hands" in given:
            s.hands[seat] = card_set(given["hands"][seat], DECK)
        s.hands[seat] &= ~elsewhere
    for seat, card in trick.items():
        s.hands[seat] |= card_set([card], DECK)
    s.holding_seats = from_list(seat for seat in seats if s.hands[seat])
    s.hidden = full(len(DECK))
    for cards in (*s.hands, *s.taken):
        s.hidden &= ~cards
    _place_turn(s, given, trick)


def _place_turn(s: State, given: Mapping[str, Any], trick: Mapping[int, str]) -> None:
    if "turn" not in given:
        needs_turn(given, "trump", "trick")
        s.master = given.get("master", s.master)
        if not has(s.holding_seats, s.master):
            raise read.Malformed("holding", "hands", seat=s.master)
        lead_next(s)
        s.phase = PLAY if s.round_number == 1 else TRUMP
        return
    turn = given["turn"]
    if not has(s.holding_seats, turn):
        raise read.Malformed("holding", "turn", seat=turn)
    trump = given.get("trump")
    s.trump = NO_COLOUR if trump is None else DECK.colours.index(trump)
    order = played_order(trick, turn)
    leader = order[0] if order else turn
    s.master = given.get("master", leader)  # who leads is the master
    s.phase = PLAY
    lead_next(s)
    s.leader = s.turn = leader
    play_again(s, trick, turn, DECK, play)


def facts(s: State) -> dict[str, Any]:
    """What can be expected of a table: what its seats see, and what they took face down."""
    views = [view(s, seat) for seat in range(s.seats)]
    seen = views[0]
    return {
        "master": seen.master,
        "turn": seen.turn,
        "trump": seen.trump,
        "round": seen.round,
        "hands": [frozenset(each.hand) for each in views],
        "trick": as_dict(seen.trick),
        "taken": [frozenset(DECK.listed(cards)) for cards in s.taken[: s.seats]],
        "grids": [frozenset(grid) for grid in seen.grids],
        "side": seen.side,
        "phase": seen.phase,
        "winners": frozenset(seen.winners),
        "cards": seen.cards,
    }


def board(seen: PlingoView) -> Board:
    headline = [Note("board.round", {"n": seen.round}), Note(f"board.side_{seen.side}")]
    if seen.trump is not None:
        headline.append(Note("board.trump", {"colour": Note(f"colours.{seen.trump}")}))
    elif seen.phase != "trump":
        headline.append(Note("board.no_trump"))
    rows: list[list[str | Note]] = []
    for seat in range(seen.seats):
        ticked = seen.grids[seat]
        grid = "".join(str(box) if box in ticked else "·" for box in range(1, BOXES + 1))
        rows.append([grid, str(seen.taken[seat]), str(seen.cards[seat])])
    return Board(
        headline=headline,
        columns=["board.grid", "board.taken", "board.cards"],
        rows=rows,
        marks=["★" if seat == seen.master else "" for seat in range(seen.seats)],
        trick=seen.trick,
        last_trick=seen.last_trick,
        last_winner=seen.last_winner,
        hand=seen.hand,
    )
