"""Plingo, by Quentin Lammerant: take every number once. 2-6 seats."""

from typing import Any

from pli.game import Game, Notation, Shuffle
from pli.games.plingo.guesswork import INSIGHT, PlingoGuesswork
from pli.games.plingo.heuristics import choose
from pli.games.plingo.position import EXPECTED, PLACED, board, facts, place
from pli.games.plingo.rules import RULES, setup
from pli.games.plingo.state import BOXES, DECK, SEATING, PlingoOptions, State
from pli.games.plingo.view import events, own, view


def shuffled(s: State) -> list[str]:
    return [str(seat) for seat in range(s.seats)] if s.phase == SEATING else DECK.names


GAME: Game[Any] = Game(
    rules=RULES,
    version=2,
    options=PlingoOptions,
    setup=setup,
    notation=Notation(
        ("play", DECK.names),
        ("trump", [*DECK.colours, "none"]),
        ("joker", [str(box) for box in range(1, BOXES + 1)]),
    ),
    shuffled=shuffled,
    view=view,
    own=own,
    events=events,
    private=(Shuffle,),
    place=place,
    placed=PLACED,
    expected=EXPECTED,
    facts=facts,
    board=board,
    heuristic=choose,
    guesswork=PlingoGuesswork,
    insight=INSIGHT,
)
