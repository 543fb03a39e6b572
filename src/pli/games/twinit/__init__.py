"""Twin It!: spot two equal patterns and be the first with both hands. 1-6 seats."""

from collections.abc import Sequence

import msgspec

from pli.game import Game, Notation, Pairs, Sprites
from pli.games.twinit.bots.attention import TwinitAttention
from pli.games.twinit.events import events
from pli.games.twinit.observation import OBSERVATION
from pli.games.twinit.position import EXPECTED, PLACED, facts, named_faces, place
from pli.games.twinit.rules import RULES
from pli.games.twinit.rules.flow import setup
from pli.games.twinit.state import CARDS, LIFT, PLACES, SEATING, TOUCH, State, TwinitOptions
from pli.games.twinit.terminal import board
from pli.games.twinit.view import (
    SPRITES,
    TwinitView,
    face_name,
    motif_lookup,
    own,
    view,
    visible_sprites,
)
from pli.games.twinit.zones import ZONES

NUMBERS = [str(number) for number in range(PLACES)]


def shuffled(s: State) -> list[str]:
    if s.phase == SEATING:
        return [str(seat) for seat in range(s.seats)]
    return [face_name(card, side) for card in range(CARDS) for side in (0, 1)]


def rematch(options: TwinitOptions, winners: Sequence[int]) -> dict[str, TwinitOptions]:
    """The single winner of a race may play under the taboo (TW-17). A team's taboo was its own
    choice and stays, whichever team won (TW-20b)."""
    same = msgspec.structs.replace(options, taboo_seat="none")
    kinds = {"same": same}
    if options.mode == "race" and len(winners) == 1:
        kinds["taboo"] = msgspec.structs.replace(same, taboo_seat=winners[0])
    return kinds


def is_stale(then: State, now: State, seat: int, action: int) -> bool:
    """A touch is meant for the face that its player saw. The rules refuse cards that are gone; but
    a card may have been turned over meanwhile, and could then be half of an error."""
    if not TOUCH <= action < LIFT:
        return False
    card = action - TOUCH
    return then.side[card] != now.side[card]


GAME: Game[State, TwinitView] = Game(
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
    zones=ZONES,
    attention=TwinitAttention,
    observation=OBSERVATION,
    motif_lookup=motif_lookup,
    sprites=Sprites(SPRITES, visible_sprites),
    named_faces=named_faces,
    is_stale=is_stale,
    rematch=rematch,
)
