"""Marshmallow Test, by Reiner Knizia: win tricks, but not too soon. 2-5 seats."""

from collections.abc import Mapping
from typing import Any

from pli import position as read
from pli.games.marshmallow import bots, rules
from pli.games.marshmallow.observation import OBSERVATION
from pli.games.marshmallow.rules import DECK, HAND, MarshmallowOptions, State
from pli.games.marshmallow.view import MarshmallowView, board, happened, shown
from pli.kernel.bits import from_list, full, size
from pli.tricks import Choice, TrickGame, trump_named


def place(s: State, given: Mapping[str, Any]) -> int:
    """Sets up who is out. No rule says how to go on from a round or a game that should be over."""
    done = from_list(seat for seat in range(s.seats) if s.tricks[seat] >= s.tricks_to_go_out)
    s.in_seats = full(s.seats) & ~(from_list(given["out"]) if "out" in given else done)
    if max(s.scores) >= s.target:
        raise read.Malformed("below_target", "scores", target=s.target)
    if s.in_seats & done:
        raise read.Malformed("out_by_tricks", "out", tricks=s.tricks_to_go_out)
    if size(s.in_seats) < 2:
        raise read.Malformed("two_in", "out")
    return s.in_seats


GAME = TrickGame(
    name="marshmallow",
    version=2,
    deck=DECK,
    options=MarshmallowOptions,
    state=State,
    setup=rules.setup,
    hand=HAND,
    clear=rules.clear,
    begin=rules.begin,
    choices=[
        Choice("trump", [("trump", DECK.colours)], rules.name_trump, told=trump_named(DECK)),
    ],
    playable=rules.playable,
    why=rules.why,
    took=rules.took,
    round_over=rules.round_over,
    end_round=rules.end_round,
    patience=rules.PATIENCE,
    view=MarshmallowView,
    show=shown,
    happened=happened,
    board=board,
    placed={"out": read.a_set(read.seat), "scores": read.by_seat(read.number())},
    place=place,
    heuristic=bots.choose,
    worth=bots.worth,
    recall=bots.recall,
    unseen=bots.unseen,
    observation=OBSERVATION,
    by_language={"edition": {"en": "en", "fr": "fr", "es": "en"}},
).game()
