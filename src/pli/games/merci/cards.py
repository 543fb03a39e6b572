"""Merci's cards and hands: fronts, backs, combinations, and which of two equal cards is meant."""

from pli.games.merci.state import (
    CARDS_IN_COLOUR,
    COLOURS,
    HIGHEST,
    NAMES,
    NO_CARD,
    State,
)
from pli.kernel.bits import bit, full, has, without
from pli.kernel.rule import rule

LAST_IN_COLOUR = CARDS_IN_COLOUR - 1
IN_EVERY_COLOUR = sum(1 << (CARDS_IN_COLOUR * each) for each in range(COLOURS))
"""Times the cards of the first colour: the same of all."""


@rule
def colour(card: int) -> int:
    return card // CARDS_IN_COLOUR


@rule
def value(card: int) -> int:
    """1 .. 6: the cards of a colour are 1 2 2 3 3 4 4 5 5 6 (ME-1)."""
    return (card % CARDS_IN_COLOUR + 1) // 2 + 1


@rule
def front(card: int) -> int:
    return colour(card) * HIGHEST + value(card) - 1


@rule
def first_of(front_number: int) -> int:
    """The lower of the cards with this front."""
    place = front_number % HIGHEST
    return front_number // HIGHEST * CARDS_IN_COLOUR + (2 * place - 1 if place else 0)


@rule
def twin(card: int) -> int:
    """The other card with the same front, or none: 1s and 6s have none."""
    place = card % CARDS_IN_COLOUR
    if place == 0 or place == LAST_IN_COLOUR:
        return NO_CARD
    return card + 1 if place % 2 == 1 else card - 1


@rule
def take_up(s: State, seat: int, card: int) -> None:
    """A card comes into a hand."""
    other = twin(card)
    s.younger = without(s.younger, card)
    if other != NO_CARD and has(s.hands[seat], other):
        s.younger = without(s.younger, other) | bit(card)
    s.hands[seat] |= bit(card)


@rule
def put_down(s: State, seat: int, card: int) -> None:
    """A card leaves a hand; its equal, if it is there, is then the only one."""
    s.hands[seat] = without(s.hands[seat], card)
    other = twin(card)
    s.younger = without(s.younger, card)
    if other != NO_CARD and has(s.hands[seat], other):
        s.younger = without(s.younger, other)


@rule
def named(s: State, seat: int, name: int) -> int:
    """The card of a hand that a name means: of two equal fronts the one held longest, unless the
    back tells; NO_CARD if there is none."""
    back = name % NAMES - 1
    one = first_of(name // NAMES)
    other = twin(one)
    has_one = has(s.hands[seat], one) and (back < 0 or s.back[one] == back)
    has_other = (
        other != NO_CARD and has(s.hands[seat], other) and (back < 0 or s.back[other] == back)
    )
    if has_one and has_other:
        return other if has(s.younger, one) else one
    if has_one:
        return one
    return other if has_other else NO_CARD


@rule
def name_of(s: State, seat: int, card: int) -> int:
    """How a card of a hand is named in a list of actions; -1 for the younger of two that are equal
    on both sides, which nobody can tell apart."""
    plain = front(card) * NAMES
    if not has(s.younger, card):
        return plain
    if s.back[twin(card)] == s.back[card]:
        return -1
    return plain + 1 + s.back[card]


@rule
def is_run(a: int, b: int, c: int) -> int:
    """The lowest of three consecutive values in any order, or 0."""
    low = min(a, min(b, c))
    high = max(a, max(b, c))
    return low if high - low == 2 and a + b + c == 3 * (low + 1) else 0


@rule
def combines(s: State, stack: int, card: int) -> bool:
    """ME-7, ME-9, ME-9a: whether a card laid on a stack makes a combination that was not there:
    a run by its height, a colour, or a value."""
    old = s.tops[stack]
    one = s.tops[(stack + 1) % 3]
    two = s.tops[(stack + 2) % 3]
    run = is_run(value(card), value(one), value(two))
    if run and run != is_run(value(old), value(one), value(two)):
        return True
    if colour(one) == colour(two) == colour(card) and colour(old) != colour(card):
        return True
    return value(one) == value(two) == value(card) and value(old) != value(card)


@rule
def identical(s: State, stack: int, card: int) -> bool:
    return front(s.tops[stack]) == front(card)


@rule
def equals(card: int) -> int:
    """The cards with the same front, itself among them."""
    other = twin(card)
    return bit(card) if other == NO_CARD else bit(card) | bit(other)


@rule
def matching(card: int) -> int:
    """ME-4: the cards with the same colour or the same value."""
    place = card % CARDS_IN_COLOUR
    first = equals(card) >> (card - place)
    return (full(CARDS_IN_COLOUR) << (card - place)) | (first * IN_EVERY_COLOUR)
