"""Twin It!: spot two equal patterns and be the first with both hands. 1-6 seats."""

from collections.abc import Sequence
from typing import Any

import msgspec

from pli.game import Album, Game, Notation
from pli.games.twinit.board import board
from pli.games.twinit.events import events
from pli.games.twinit.flow import setup
from pli.games.twinit.instincts import TwinitInstincts
from pli.games.twinit.lateness import overtaken
from pli.games.twinit.position import EXPECTED, PLACED, facts, place
from pli.games.twinit.rules import RULES
from pli.games.twinit.state import CARDS, SEATING, TEAMS_COUNT, State, TwinitOptions
from pli.games.twinit.view import PICTURES, eyes, face_name, own, pictures, view

NUMBERS = [str(card) for card in range(CARDS)]


def shuffled(s: State) -> list[str]:
    if s.phase == SEATING:
        return [str(seat) for seat in range(s.seats)]
    return [face_name(card, side) for card in range(CARDS) for side in (0, 1)]


def rematch(options: TwinitOptions, winners: Sequence[int]) -> dict[str, TwinitOptions]:
    """Who won the last game alone, or the team that did, may play under the taboo (TW-17)."""
    plain = msgspec.structs.replace(options, taboo_seat="none", taboo_team="none")
    kinds = {"same": plain}
    if options.mode == "race" and len(winners) == 1:
        kinds["taboo"] = msgspec.structs.replace(plain, taboo_seat=winners[0])
    teams = {seat % TEAMS_COUNT for seat in winners}
    if options.mode == "teams" and len(teams) == 1:
        kinds["taboo"] = msgspec.structs.replace(plain, taboo_team=teams.pop())
    return kinds


GAME: Game[Any] = Game(
    rules=RULES,
    version=2,
    options=TwinitOptions,
    setup=setup,
    notation=Notation(("", ["flip"]), ("touch", NUMBERS), ("lift", NUMBERS), ("turn", NUMBERS)),
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
