"""Marshmallow Test, by Reiner Knizia: win tricks, but not too soon. 2-5 seats."""

from typing import Any

from pli.game import Game, Notation, Shuffle
from pli.games.marshmallow.guesswork import INSIGHT, MarshmallowGuesswork
from pli.games.marshmallow.heuristics import choose
from pli.games.marshmallow.position import EXPECTED, PLACED, board, facts, place
from pli.games.marshmallow.rules import RULES, setup
from pli.games.marshmallow.state import DECK, SEATING, MarshmallowOptions, State
from pli.games.marshmallow.view import events, own, view


def shuffled(s: State) -> list[str]:
    return [str(seat) for seat in range(s.seats)] if s.phase == SEATING else DECK.names


GAME: Game[Any] = Game(
    rules=RULES,
    version=2,
    options=MarshmallowOptions,
    setup=setup,
    notation=Notation(("play", DECK.names), ("trump", DECK.colours)),
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
    guesswork=MarshmallowGuesswork,
    insight=INSIGHT,
    by_language={"edition": {"en": "en", "fr": "fr", "es": "en"}},
)
