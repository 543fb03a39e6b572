"""The heuristic for Merci: sound play without looking ahead, as plain functions over a view."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from pli.games.merci.rules.cards import completing, first_of
from pli.games.merci.rules.cards import front as front_of
from pli.games.merci.state import CARDS_A_HEART, FRONT_NUMBERS, HIGHEST, STACKS, WORDS, front_name
from pli.games.merci.view import MerciView
from pli.kernel.bits import to_list

LAST_CARD = 100.0
"""Winning the round is worth more than anything else that a card can do."""

FREE = 10.0
"""A SKUZ costs no turn: it comes first."""

HEART_GAINED = 3.0
EFFECTS = {"one": 1.0, "two": 2.0, "gift": 0.7, "heart": 1.0}
"""What the back on the pile is worth to the speaker, in cards; hearts aside."""

HEART_FOR_RIVAL = -1.5
TWIN_FOLLOWS = 1.5
"""Laying one of two equal cards: the other can follow at once as a SKUZ."""

PLAYABLE_LEFT = 0.3
"""For each card left that could be laid on the tops as they will be."""

HELD_BACK = -0.5
"""A 1 or a 6 is better kept for a combination, where it gains a heart."""

NEAR = (4.0, 3.0, 1.5)
"""How near to winning a rival is with no card, one, or two; in hearts."""

COSTS_HEART = 0.5
"""For a rival to whom the next card costs a heart."""

FITS, FITS_EXACTLY, HAS_TWIN, GAINS = 0.5, 3.0, 2.0, 1.0
"""What a card is still good for: on each top, as a SKUZ, with its equal, for a heart."""


class Lay(NamedTuple):
    """An action that lays a card, taken apart."""

    word: str
    name: str
    front: str
    stack: int
    """From 0."""


@cache
def lay_of(action: str) -> Lay | None:
    word, _, rest = action.partition(" ")
    if word not in WORDS:
        return None
    name, _, stack = rest.partition(" on ")
    return Lay(word, name, name.partition("/")[0], int(stack) - 1)


def matches(front: str, top: str) -> bool:
    """ME-4."""
    return front[0] == top[0] or front[1] == top[1]


def gains_heart(front: str) -> bool:
    """ME-17: a 1 or a 6."""
    return int(front[1]) in (1, HIGHEST)


def combines(tops: Sequence[str], stack: int, front: str) -> bool:
    """Whether a card laid on a stack makes a combination that was not there."""
    old, one, two = tops[stack], tops[(stack + 1) % STACKS], tops[(stack + 2) % STACKS]
    return front in _combining(old, one, two)


@cache
def _combining(old: str, one: str, two: str) -> frozenset[str]:
    """`completing` by the names of fronts."""
    cards = completing(*(first_of(FRONT_NUMBERS[top]) for top in (old, one, two)))
    return frozenset(front_name(front_of(card)) for card in to_list(cards))


def right_word(tops: Sequence[str], stack: int, front: str) -> str:
    """What is to be said on one's own turn: ME-8, ME-16."""
    if tops[stack] == front:
        return "skuz"
    return "siouplait" if combines(tops, stack, front) else "play"


def right_thanks(effect: str | None) -> str:
    """ME-11 to ME-14."""
    return "merci-beaucoup" if effect == "two" else "merci"


# Decisions


def choose(view: MerciView, actions: Sequence[str]) -> str:
    """One of the actions: what the phase asks for."""
    kinds = {"heart": "choose", "choose": "choose", "gift": "give"}
    if view.phase == "thanks" and view.owes == view.seat:
        effect = None if view.gift_back is not None else view.pile_back
        return _first(actions, [right_thanks(effect)])
    if view.phase in kinds:
        asked = [each for each in actions if each.startswith(kinds[view.phase])]
        if asked:
            chooser = {"heart": _heart, "choose": _choice, "gift": _gift}[view.phase]
            return chooser(view, asked)
    return _lay(view, actions)


def _first(actions: Sequence[str], wanted: Sequence[str]) -> str:
    return next((each for each in wanted if each in actions), actions[0])


def _lay(view: MerciView, actions: Sequence[str]) -> str:
    """Lays rather than draws."""
    best, most = "", float("-inf")
    for action in polite(view, actions):
        lay = lay_of(action)
        if lay is not None and lay_worth(view, lay) > most:
            best, most = action, lay_worth(view, lay)
    return best or _first(actions, ["draw"])


def plausible(view: MerciView, actions: Sequence[str]) -> list[str]:
    """What a distracted player may still do: no bad manners, no accusations at random, and no
    drawing where a card can be laid."""
    found = polite(view, actions)
    return [each for each in found if each != "draw"] or found


def polite(view: MerciView, actions: Sequence[str]) -> list[str]:
    """Cards with the right word, which one may leave out where that can't be denounced (ME-18); and
    no accusations, which need a reason."""
    return [each for each in actions if each != "denounce" and _is_polite(view, lay_of(each))]


def _is_polite(view: MerciView, lay: Lay | None) -> bool:
    if lay is None:
        return True
    right = right_word(view.tops, lay.stack, lay.front)
    return lay.word == right or (not view.malpoli and (right, lay.word) == ("siouplait", "play"))


def lay_worth(view: MerciView, lay: Lay) -> float:
    """What laying a card is worth on one's own turn, in cards."""
    left = [card.partition("/")[0] for card in view.hand]
    left.remove(lay.front)
    worth = LAST_CARD if not left else 0.0
    if lay.word == "skuz":
        return worth + FREE
    if lay.word == "siouplait":
        worth += effect_worth(view)
        if gains_heart(lay.front):
            worth += HEART_GAINED
    elif gains_heart(lay.front):
        worth += HELD_BACK
    tops = [*view.tops]
    tops[lay.stack] = lay.front
    if lay.front in left:
        worth += TWIN_FOLLOWS
    return worth + PLAYABLE_LEFT * sum(any(matches(card, top) for top in tops) for card in left)


def effect_worth(view: MerciView) -> float:
    """What the back that shows on the pile does for the speaker."""
    if view.pile_back is None:
        return 0.0
    worth = EFFECTS[view.pile_back]
    if view.pile_back == "heart":
        assert view.seat is not None
        mine = view.hearts[view.seat] == min(view.hearts)
        worth += HEART_GAINED if mine else HEART_FOR_RIVAL
    return worth


def threat(view: MerciView, seat: int) -> float:
    """How near a seat is to winning, and how much a card would hurt it."""
    cards = view.cards[seat]
    near = NEAR[cards] if cards < len(NEAR) else 0.0
    costs_heart = view.hearts[seat] > 0 and cards % CARDS_A_HEART == CARDS_A_HEART - 1
    return view.hearts[seat] + near + (COSTS_HEART if costs_heart else 0.0)


def _rank(view: MerciView, seat: int) -> tuple[float, int]:
    """By threat; of equal ones the next to play comes first, so that no seat is favoured."""
    assert view.seat is not None
    return threat(view, seat), -((seat - view.seat) % view.seats)


def _choice(view: MerciView, actions: Sequence[str]) -> str:
    """The rival nearest to winning draws."""
    return max(actions, key=lambda each: _rank(view, int(each.split()[1])))


def _heart(view: MerciView, actions: Sequence[str]) -> str:
    """The own seat if allowed; or the one that will profit least."""
    own = f"choose {view.seat}"
    if own in actions:
        return own
    return min(actions, key=lambda each: _rank(view, int(each.split()[1])))


def _gift(view: MerciView, actions: Sequence[str]) -> str:
    """The card that is of least use, to the rival nearest to winning."""

    def worth(action: str) -> tuple[float, int]:
        _, name, _, to = action.split()
        danger, nearness = _rank(view, int(to))
        return danger - gift_use(view, name.partition("/")[0]), nearness

    return max(actions, key=worth)


def gift_use(view: MerciView, front: str) -> float:
    """What a card would still be good for in one's own hand."""
    use = FITS * sum(matches(front, top) for top in view.tops)
    if front in view.tops:
        use += FITS_EXACTLY
    if [card.partition("/")[0] for card in view.hand].count(front) > 1:
        use += HAS_TWIN
    if gains_heart(front):
        use += GAINS
    return use
