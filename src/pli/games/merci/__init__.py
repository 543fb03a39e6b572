"""Merci: get rid of your cards, and mind your manners. 3-6 seats."""

from pli.game import Game, Notation
from pli.games.merci.bots.attention import MerciAttention
from pli.games.merci.bots.belief import MerciBelief
from pli.games.merci.bots.heuristic import choose, plausible
from pli.games.merci.bots.rollout import ROLLOUT
from pli.games.merci.events import events
from pli.games.merci.observation import OBSERVATION
from pli.games.merci.position import EXPECTED, PLACED, facts, place
from pli.games.merci.rules import RULES
from pli.games.merci.rules.actions import act, check
from pli.games.merci.rules.cards import front
from pli.games.merci.rules.faults import open_fault
from pli.games.merci.rules.flow import setup
from pli.games.merci.state import (
    BACK_COUNTS,
    BACKING,
    BACKS,
    CARDS,
    DEALING,
    DENOUNCE,
    DRAW,
    LAYOUT,
    MOST_SEATS,
    NO_FAULT,
    SEATING,
    STACKS,
    THANKS_WORDS,
    WORDS,
    MerciOptions,
    State,
    card_names,
    front_name,
)
from pli.games.merci.terminal import board
from pli.games.merci.view import MerciView, own, view
from pli.games.merci.zones import ZONES
from pli.kernel.bits import to_list
from pli.kernel.refusals import OK


def shuffled(s: State) -> list[str]:
    """With each card's number: two may be equal on both sides, and records tell them apart."""
    if s.phase == SEATING:
        return [str(seat) for seat in range(s.seats)]
    if s.phase == BACKING:
        kinds = [kind for kind, n in zip(BACKS, BACK_COUNTS, strict=True) for _ in range(n)]
        return [f"{kind}.{place}" for place, kind in enumerate(kinds)]
    cards = range(CARDS) if s.phase == DEALING else to_list(s.laid)
    return [f"{front_name(front(card))}.{card}" for card in cards]


def is_stale(then: State, now: State, seat: int, action: int) -> bool:
    """A SKUZ for a card that is covered by now, a SIOUPLAIT for a run that is broken, a card that
    was in turn, a MALPOLI that another seat called first: no fault as the seat saw the table, a
    fault as the table is."""
    return _is_fault(now, seat, action) is True and _is_fault(then, seat, action) is False


def _is_fault(s: State, seat: int, action: int) -> bool | None:
    """Whether it would be a fault, or a false denunciation; None: it is not legal at all."""
    if check(s, seat, action, s.now) != OK:
        return None
    if action == DENOUNCE:
        return open_fault(s, s.now) == NO_FAULT
    if action >= DRAW:
        return False
    after = LAYOUT.copy(s)
    act(after, seat, action, s.now)
    return after.fault != NO_FAULT


GAME: Game[State, MerciView] = Game(
    rules=RULES,
    version=2,
    options=MerciOptions,
    setup=setup,
    notation=Notation(
        *(
            (word, [f"{name} on {stack + 1}" for stack in range(STACKS) for name in card_names()])
            for word in WORDS
        ),
        ("", ["draw"]),
        ("choose", [str(seat) for seat in range(MOST_SEATS)]),
        ("give", [f"{name} to {seat}" for name in card_names() for seat in range(MOST_SEATS)]),
        ("", [*THANKS_WORDS, "denounce"]),
    ),
    shuffled=shuffled,
    view=view,
    own=own,
    events=events,
    place=place,
    placed=PLACED,
    expected=EXPECTED,
    facts=facts,
    board=board,
    zones=ZONES,
    heuristic=choose,
    plausible=plausible,
    attention=MerciAttention,
    belief=MerciBelief,
    rollout=ROLLOUT,
    observation=OBSERVATION,
    is_stale=is_stale,
)
