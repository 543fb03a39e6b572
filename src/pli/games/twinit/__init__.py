"""Twin It!: spot two equal patterns and be the first with both hands. 1-6 seats."""

from typing import Any

from pli.game import Game, Notation
from pli.games.twinit.board import board
from pli.games.twinit.events import events
from pli.games.twinit.flow import setup
from pli.games.twinit.instincts import TwinitInstincts
from pli.games.twinit.position import EXPECTED, PLACED, facts, place
from pli.games.twinit.rules import RULES
from pli.games.twinit.state import CARDS, SEATING, State, TwinitOptions
from pli.games.twinit.view import eyes, face_name, view

NUMBERS = [str(card) for card in range(CARDS)]


def shuffled(s: State) -> list[str]:
    if s.phase == SEATING:
        return [str(seat) for seat in range(s.seats)]
    return [face_name(card, side) for card in range(CARDS) for side in (0, 1)]


GAME: Game[Any] = Game(
    rules=RULES,
    version=1,
    options=TwinitOptions,
    setup=setup,
    notation=Notation(("", ["flip"]), ("touch", NUMBERS), ("lift", NUMBERS), ("turn", NUMBERS)),
    shuffled=shuffled,
    view=view,
    events=events,
    place=place,
    placed=PLACED,
    expected=EXPECTED,
    facts=facts,
    board=board,
    instincts=TwinitInstincts,
    eyes=eyes,
)
