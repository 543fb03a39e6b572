"""Trick-taking games: what they share, as rules with hooks. A game writes what is its own, a page
or two, and gets the rest: view, events, positions, beliefs and search, observations, a table to
draw.

    GAME = TrickGame(name="...", deck=..., options=..., hand=13, end_round=end_round).game()
"""

from pli.cards import FRENCH_RANKS, FRENCH_SUITS, Deck, TrickCard
from pli.kernel.rule import hot, rule
from pli.tricks.belief import fill
from pli.tricks.events import RoundOver, Took, Won, trump_named
from pli.tricks.game import TrickGame, TrickOptions
from pli.tricks.observation import TrickObservation
from pli.tricks.position import played_order
from pli.tricks.rules import (
    Choice,
    any_card,
    ask,
    cards_of_trick,
    end_game,
    fewest_points,
    lead_next,
    most_points,
    next_deal,
    next_seat,
    start_play,
)
from pli.tricks.search import by_points, cards_left
from pli.tricks.state import (
    FIRST_CHOICE,
    NO_CARD,
    NO_COLOUR,
    NO_SEAT,
    OVER,
    PLAY,
    SEATS,
    TrickState,
)
from pli.tricks.terminal import COLUMNS, Column, draw
from pli.tricks.view import TrickView

__all__ = [
    "COLUMNS",
    "FIRST_CHOICE",
    "FRENCH_RANKS",
    "FRENCH_SUITS",
    "NO_CARD",
    "NO_COLOUR",
    "NO_SEAT",
    "OVER",
    "PLAY",
    "SEATS",
    "Choice",
    "Column",
    "Deck",
    "RoundOver",
    "Took",
    "TrickCard",
    "TrickGame",
    "TrickObservation",
    "TrickOptions",
    "TrickState",
    "TrickView",
    "Won",
    "any_card",
    "ask",
    "by_points",
    "cards_left",
    "cards_of_trick",
    "draw",
    "end_game",
    "fewest_points",
    "fill",
    "hot",
    "lead_next",
    "most_points",
    "next_deal",
    "next_seat",
    "played_order",
    "rule",
    "start_play",
    "trump_named",
]
