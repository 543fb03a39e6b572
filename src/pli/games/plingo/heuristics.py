"""Rules of thumb for Plingo: win what one still needs, leave to the others what one has already."""

from collections.abc import Sequence

from pli.games.plingo.rules import best, uncancelled
from pli.games.plingo.state import DECK, HIGHEST, NO_COLOUR
from pli.games.plingo.view import PlingoView
from pli.kernel.bits import bit, to_list
from pli.tricks import card_set

JOKER_WORTH = 1.5
"""A 10 ticks any box."""

HOLDS = 0.75
"""How likely a card that is winning still is after each further one."""

CANCELS = 0.5
"""What it is worth that a card leaves the round with its equals, and nobody gets them."""

GIVES_JOKER, GIVES = 0.5, 0.15
"""What it costs to lay a card for somebody else."""

SPARE = 0.1
"""What a pip is worth in the hand: low cards go first."""


def choose(view: PlingoView, actions: Sequence[str]) -> str:
    if actions[0].startswith("trump"):
        return max(actions, key=lambda action: _strength(view.hand, action.split()[1]))
    if actions[0].startswith("joker"):
        return actions[0]
    return max(actions, key=lambda action: _prospect(view, action.removeprefix("play ")))


def _strength(hand: Sequence[str], colour: str) -> float:
    """Long and high; no trump is better than a poor one."""
    if colour == "none":
        return 2.5 * HIGHEST
    return sum(int(card[1:]) + 5 for card in hand if card[0] == colour)


def _prospect(view: PlingoView, card: str) -> float:
    """What the trick would bring as it stands, with the chance that it stays so."""
    value = int(card[1:])
    mine = bit(DECK.number(card))
    left = uncancelled(card_set([laid.card for laid in view.trick], DECK) | mine)
    spare = -SPARE * value
    if not left & mine:
        return spare + CANCELS
    asked = DECK.colours.index((view.trick[0].card if view.trick else card)[0])
    trump = NO_COLOUR if view.trump is None else DECK.colours.index(view.trump)
    if best(left, trump, asked) != DECK.number(card):
        return spare - (GIVES_JOKER if value == HIGHEST else GIVES)
    later = view.seats - len(view.trick) - 1
    return spare + _gain(view, left) * HOLDS**later


def _gain(view: PlingoView, cards: int) -> float:
    """Boxes that these cards could tick, less those that they would cost: a value taken twice
    counts no more."""
    ticked = view.grids[view.seat or 0]
    took = [int(card[1:]) for card in view.took]
    gain = 0.0
    for number in to_list(cards):
        value = number % HIGHEST + 1
        worth = JOKER_WORTH if value == HIGHEST else float(value not in ticked)
        if value not in took:
            gain += worth
        elif took.count(value) == 1:
            gain -= worth
    return gain
