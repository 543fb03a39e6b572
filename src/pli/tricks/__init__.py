"""Trick-taking games: what they share, as rules with hooks. A game writes what is its own, a page
or two, and gets the rest: view, events, positions, beliefs and search, observations, a table to
draw.

    GAME = TrickGame(name="...", deck=..., options=..., hand=13, end_round=end_round).game()
"""

from pli.cards import FRENCH_RANKS, FRENCH_SUITS, Deck, TrickCard
from pli.kernel.rule import hot, rule
from pli.tricks.belief import fill, held_before, play_seen
from pli.tricks.events import Chose, RoundOver, Took, Won, trump_named
from pli.tricks.game import TrickGame, TrickOptions
from pli.tricks.position import card_set, needs_turn, no_card_twice, play_again, played_order
from pli.tricks.rules import (
    Choice,
    ask,
    end_game,
    fewest_points,
    follow,
    lead_next,
    most_points,
    next_deal,
    next_seat,
    start_play,
)
from pli.tricks.search import by_points
from pli.tricks.state import (
    DEALING,
    FIRST_CHOICE,
    NO_CARD,
    NO_COLOUR,
    NO_SEAT,
    OVER,
    PLAY,
    SEATING,
    SEATS,
    TrickState,
)
from pli.tricks.terminal import COLUMNS, draw
from pli.tricks.view import TrickView, as_dict, trick_cards

__all__ = [
    "COLUMNS",
    "DEALING",
    "FIRST_CHOICE",
    "FRENCH_RANKS",
    "FRENCH_SUITS",
    "NO_CARD",
    "NO_COLOUR",
    "NO_SEAT",
    "OVER",
    "PLAY",
    "SEATING",
    "SEATS",
    "Choice",
    "Chose",
    "Deck",
    "RoundOver",
    "Took",
    "TrickCard",
    "TrickGame",
    "TrickOptions",
    "TrickState",
    "TrickView",
    "Won",
    "as_dict",
    "ask",
    "by_points",
    "card_set",
    "draw",
    "end_game",
    "fewest_points",
    "fill",
    "follow",
    "held_before",
    "hot",
    "lead_next",
    "most_points",
    "needs_turn",
    "next_deal",
    "next_seat",
    "no_card_twice",
    "play_again",
    "play_seen",
    "played_order",
    "rule",
    "start_play",
    "trick_cards",
    "trump_named",
]
