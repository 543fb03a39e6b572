"""Twin It!: spot two equal patterns and be the first with both hands. 1-6 seats."""

from collections.abc import Sequence
from typing import Any

import msgspec

from pli.game import Album, Game, Notation, Pairs
from pli.games.twinit.board import board
from pli.games.twinit.events import events
from pli.games.twinit.flow import setup
from pli.games.twinit.instincts import TwinitInstincts
from pli.games.twinit.lateness import overtaken
from pli.games.twinit.position import EXPECTED, PLACED, facts, place
from pli.games.twinit.rules import RULES
from pli.games.twinit.state import CARDS, PLACES, SEATING, State, TwinitOptions
from pli.games.twinit.view import PICTURES, eyes, face_name, own, pictures, view

NUMBERS = [str(number) for number in range(PLACES)]


def shuffled(s: State) -> list[str]:
    if s.phase == SEATING:
        return [str(seat) for seat in range(s.seats)]
    return [face_name(card, side) for card in range(CARDS) for side in (0, 1)]


def rematch(options: TwinitOptions, winners: Sequence[int]) -> dict[str, TwinitOptions]:
    """Who won a race alone may play under the taboo (TW-17). A team's taboo was its own choice and
    stays, whoever won (TW-20b)."""
    same = msgspec.structs.replace(options, taboo_seat="none")
    kinds = {"same": same}
    if options.mode == "race" and len(winners) == 1:
        kinds["taboo"] = msgspec.structs.replace(same, taboo_seat=winners[0])
    return kinds


GAME: Game[Any] = Game(
    rules=RULES,
    version=2,
    options=TwinitOptions,
    setup=setup,
    notation=Notation(
        ("", ["flip"]),
        *((verb, NUMBERS[:CARDS]) for verb in ("touch", "lift", "turn")),
        pairs=Pairs("move", NUMBERS[:CARDS], "to", NUMBERS),
    ),
    shuffled=shuffled,
    view=view,
    own=own,
    events=events,
    private=(),
    place=place,
    placed=PLACED,
    expected=EXPECTED,
    facts=facts,
    board=board,
    instincts=TwinitInstincts,
    eyes=eyes,
    album=Album(PICTURES, pictures),
    overtaken=overtaken,
    rematch=rematch,
)
