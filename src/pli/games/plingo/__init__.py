"""Plingo, by Quentin Lammerant: take every number once. 2-6 seats."""

from pli.game import Game, Notation, Shuffle
from pli.games.plingo.bots.belief import PlingoBelief
from pli.games.plingo.bots.heuristic import choose, plausible
from pli.games.plingo.bots.rollout import ROLLOUT
from pli.games.plingo.events import events
from pli.games.plingo.observation import OBSERVATION
from pli.games.plingo.position import EXPECTED, PLACED, facts, place
from pli.games.plingo.rules import RULES, setup
from pli.games.plingo.state import BOXES, DECK, MOST_BID, SEATING, PlingoOptions, State
from pli.games.plingo.terminal import board
from pli.games.plingo.view import PlingoView, own, view
from pli.zones import card_zones


def shuffled(s: State) -> list[str]:
    return [str(seat) for seat in range(s.seats)] if s.phase == SEATING else DECK.names


GAME: Game[State, PlingoView] = Game(
    rules=RULES,
    version=2,
    options=PlingoOptions,
    setup=setup,
    notation=Notation(
        ("play", DECK.names),
        ("trump", [*DECK.colours, "none"]),
        ("joker", [*(str(box) for box in range(1, BOXES + 1)), "none"]),
        ("bid", [str(boxes) for boxes in range(1, MOST_BID + 1)]),
        ("", ["pass"]),
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
    zones=card_zones(face_up=["taken", "table", "cancelled"], face_down=["hidden"]),
    heuristic=choose,
    memory=PlingoBelief,
    plausible=plausible,
    belief=PlingoBelief,
    rollout=ROLLOUT,
    observation=OBSERVATION,
)
