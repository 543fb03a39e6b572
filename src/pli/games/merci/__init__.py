"""Merci: get rid of your cards, and mind your manners. 3-6 seats."""

from typing import Any

from pli.game import Game, Notation
from pli.games.merci.cards import front
from pli.games.merci.flow import setup
from pli.games.merci.guesswork import MerciGuesswork
from pli.games.merci.heuristics import decide, plausible
from pli.games.merci.insight import INSIGHT
from pli.games.merci.instincts import MerciInstincts
from pli.games.merci.lateness import overtaken
from pli.games.merci.position import EXPECTED, PLACED, board, facts, place
from pli.games.merci.rules import RULES
from pli.games.merci.state import (
    BACK_COUNTS,
    BACKING,
    BACKS,
    CARDS,
    DEALING,
    MOST_SEATS,
    SEATING,
    STACKS,
    THANKS_WORDS,
    WORDS,
    MerciOptions,
    State,
    card_names,
    front_name,
)
from pli.games.merci.view import events, own, view
from pli.kernel.bits import to_list


def shuffled(s: State) -> list[str]:
    """Cards are numbered from 0 here: two may be equal on both sides, and a record must tell."""
    if s.phase == SEATING:
        return [str(seat) for seat in range(s.seats)]
    if s.phase == BACKING:
        kinds = [kind for kind, n in zip(BACKS, BACK_COUNTS, strict=True) for _ in range(n)]
        return [f"{kind}.{place}" for place, kind in enumerate(kinds)]
    cards = range(CARDS) if s.phase == DEALING else to_list(s.laid)
    return [f"{front_name(front(card))}.{card}" for card in cards]


GAME: Game[Any] = Game(
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
    heuristic=decide,
    plausible=plausible,
    instincts=MerciInstincts,
    guesswork=MerciGuesswork,
    insight=INSIGHT,
    overtaken=overtaken,
)
