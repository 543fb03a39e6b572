"""The heuristic for Plingo: win what one's team still needs, leave to the others what it has
already, and bid no more than a good hand brings."""

from collections.abc import Sequence

from pli.games.plingo.rules import best, uncancelled
from pli.games.plingo.state import BOXES, DECK, HIGHEST, NO_COLOUR
from pli.games.plingo.view import PlingoView
from pli.kernel.bits import bit, to_list
from pli.tricks import card_set

JOKER_WORTH = 1.5
"""A 10 ticks any box."""

HOLDS = 0.75
"""How likely a card that is winning still is after each further one."""

CANCELS = 0.5
"""What it is worth that a card cancels its equals, so that no team gets them."""

GIVES_JOKER, GIVES = 0.5, 0.15
"""What it costs to give a card to another team."""

SPARE = 0.1
"""What a pip is worth in the hand: low cards go first."""

SAFE_BIDS = {1: 1, 2: 5, 3: 8}
"""So many boxes must be open for a bid to be made four times in five, whatever the hand: the fewer
are left, the more of what is taken is ticked already. A bid of one box risks nothing."""


def choose(view: PlingoView, actions: Sequence[str]) -> str:
    if view.phase == "bid":
        return _bid(view, actions)
    if view.phase == "trump":
        return max(actions, key=lambda action: _strength(view.hand, action.split()[1]))
    if view.phase == "joker":
        return actions[0]
    return max(actions, key=lambda action: _prospect(view, action.removeprefix("play ")))


def plausible(view: PlingoView, actions: Sequence[str]) -> Sequence[str]:
    """A distracted player still bids no more than it takes to be the highest."""
    return [actions[0], actions[-1]] if view.phase == "bid" else actions


def _strength(hand: Sequence[str], colour: str) -> float:
    """Long and high; no trump is better than a poor one."""
    if colour == "none":
        return 2.5 * HIGHEST
    return sum(int(card[1:]) + 5 for card in hand if card[0] == colour)


def _bid(view: PlingoView, actions: Sequence[str]) -> str:
    """The lowest bid there is, if it is safe: the master card is worth that much and no more."""
    if actions[0] == "pass":
        return "pass"
    needed = SAFE_BIDS.get(int(actions[0].split()[1]))
    open_boxes = BOXES - len(view.grids[view.teams[view.seat or 0]])
    return actions[0] if needed is not None and open_boxes >= needed else "pass"


def _prospect(view: PlingoView, card: str) -> float:
    """What the trick would bring as it stands, with the chance that it stays so."""
    value = int(card[1:])
    mine = bit(DECK.number(card))
    table = card_set([laid.card for laid in view.trick], DECK)
    left = uncancelled(table | mine)
    spare = -SPARE * value
    partners = [laid.card for laid in view.trick if _partner(view, laid.seat)]
    later = view.seats - len(view.trick) - 1
    asked = DECK.colours.index((view.trick[0].card if view.trick else card)[0])
    trump = NO_COLOUR if view.trump is None else DECK.colours.index(view.trump)
    leads = DECK.names[best(left, trump, asked)] if left else None
    if leads in partners:
        return spare + _gain(view, left) * HOLDS**later
    if not left & mine:
        before = uncancelled(table)
        winning = DECK.names[best(before, trump, asked)] if before else None
        # A partner's trick is not to be cancelled away.
        return spare - _gain(view, before) if winning in partners else spare + CANCELS
    if leads != card:
        return spare - (GIVES_JOKER if value == HIGHEST else GIVES)
    return spare + _gain(view, left) * HOLDS**later


def _partner(view: PlingoView, seat: int) -> bool:
    return view.seat is not None and view.teams[seat] == view.teams[view.seat]


def _gain(view: PlingoView, cards: int) -> float:
    """Boxes that these cards could tick, less those that they would cost: a value taken twice
    counts no more."""
    ticked = view.grids[view.teams[view.seat or 0]]
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
