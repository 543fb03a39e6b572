"""Marshmallow Test, by Reiner Knizia: win tricks, but not too soon. 2-5 seats."""

from pli.game import Game, Notation, Shuffle
from pli.games.marshmallow.bots.belief import MarshmallowBelief
from pli.games.marshmallow.bots.heuristic import choose
from pli.games.marshmallow.bots.rollout import ROLLOUT
from pli.games.marshmallow.events import events
from pli.games.marshmallow.observation import OBSERVATION
from pli.games.marshmallow.position import EXPECTED, PLACED, facts, place
from pli.games.marshmallow.rules import RULES, setup
from pli.games.marshmallow.state import DECK, SEATING, MarshmallowOptions, State
from pli.games.marshmallow.terminal import board
from pli.games.marshmallow.view import MarshmallowView, own, view


def shuffled(s: State) -> list[str]:
    return [str(seat) for seat in range(s.seats)] if s.phase == SEATING else DECK.names


GAME: Game[State, MarshmallowView] = Game(
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
    belief=MarshmallowBelief,
    rollout=ROLLOUT,
    observation=OBSERVATION,
    by_language={"edition": {"en": "en", "fr": "fr", "es": "en"}},
)
