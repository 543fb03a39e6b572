"""Laying a card in Merci: with which word, on what, and what follows from it."""

from pli.games.merci.rules.cards import (
    ONES_AND_SIXES,
    combining,
    equals,
    first_of,
    front,
    matching,
    name_of,
    named,
    put_down,
    value,
)
from pli.games.merci.rules.faults import open_window
from pli.games.merci.rules.flow import begin_effect, end_effect, end_round_soon, left_of, take_heart
from pli.games.merci.state import (
    CARD_NAMES,
    HIGHEST,
    LAY,
    NAMES,
    NO_CARD,
    NO_FAULT,
    NO_MATCH,
    NO_SEAT,
    NOT_IDENTICAL,
    OUT_OF_TURN,
    OVER,
    PLAY,
    SIOUPLAIT,
    SIOUPLAIT_FOR_SKUZ,
    SIOUPLAIT_FORGOTTEN,
    SIOUPLAIT_WRONG,
    SKUZ,
    SKUZ_FORGOTTEN,
    SKUZ_LOST,
    SKUZ_WRONG,
    STACKS,
    TURN,
    State,
)
from pli.kernel.bits import bit, has, lowest, nth, select, size, without
from pli.kernel.contract import Buffer
from pli.kernel.refusals import BAD_ACTION, BAD_TARGET, NOT_IN_HAND, NOT_YOUR_TURN, OK
from pli.kernel.rule import hot, rule


@hot
def lay(s: State, seat: int, word: int, stack: int, card: int) -> None:
    """Lays a card that `check_lay` let through, with all that follows."""
    on_turn = s.phase == TURN and seat == s.turn
    top = s.tops[stack]
    same = has(equals(top), card)
    new = has(combining(s, stack), card)
    one_or_six = value(card) == 1 or value(card) == HIGHEST
    right_skuz = same and word == SKUZ
    may_combine = on_turn or (s.interception == 1 and one_or_six)  # ME-8; ME-30: interception
    right_siouplait = not same and word == SIOUPLAIT and new and may_combine
    open_window(s, NO_FAULT, seat)
    put_down(s, seat, card)
    s.covered = top
    s.laid |= bit(top)
    s.tops[stack] = card
    s.fault_stack = stack
    last = s.hands[seat] == 0
    if right_skuz:  # ME-16, ME-16a
        if last:  # ME-21a: another's effect, or one's own, is dropped
            end_effect(s)
            s.ending_seat = seat
            end_round_soon(s)
        return
    s.forgetful = select(on_turn and same, seat, NO_SEAT)
    if not right_siouplait:
        s.fault = fault_of(s, on_turn, same, word, new)
        if on_turn:
            s.turn = left_of(s, s.turn)
        if last:
            s.ending_seat = seat
            end_round_soon(s)
        return
    if last:
        s.ending_seat = seat
    s.after_effect = left_of(s, seat)  # on turn: the next; ME-30: from the interceptor on
    if one_or_six:  # ME-17, ME-30
        take_heart(s, seat)
    if s.phase != OVER:
        begin_effect(s, seat)


@hot
def fault_of(s: State, on_turn: bool, same: bool, word: int, new: bool) -> int:
    """What is wrong with a card that was no right SKUZ and no right SIOUPLAIT."""
    if same:  # ME-19, ME-28
        return SIOUPLAIT_FOR_SKUZ if s.malpoli and word == SIOUPLAIT else SKUZ_FORGOTTEN
    if not s.malpoli:
        return NO_FAULT  # ME-18, ME-18a
    if not on_turn:  # ME-28a
        return OUT_OF_TURN
    if word == PLAY:
        return SIOUPLAIT_FORGOTTEN if new else NO_FAULT
    return SKUZ_WRONG if word == SKUZ else SIOUPLAIT_WRONG


@hot
def words_for(s: State, seat: int, same: bool) -> int:
    """The words with which a seat may now lay any card that matches its stack, as a set; what
    `intercepting` lets through is not among them."""
    if s.ending_seat != NO_SEAT:  # ME-21a, ME-29a
        return 0
    if s.phase != TURN:  # ME-16b
        return bit(SKUZ) if same else 0
    if same or s.malpoli:  # ME-16, ME-19a, ME-28a
        return bit(PLAY) | bit(SIOUPLAIT) | bit(SKUZ)
    return bit(PLAY) | bit(SIOUPLAIT) if seat == s.turn else 0  # ME-4, ME-18


@hot
def check_lay(s: State, seat: int, word: int, stack: int, name: int) -> int:
    """The front that is named decides whether a card may be laid out of turn, held or not."""
    same = name // NAMES == front(s.tops[stack])
    said_rightly = has(words_for(s, seat, same), word)
    if not said_rightly and word == SIOUPLAIT and s.interception:
        said_rightly = has(intercepting(s, stack), first_of(name // NAMES))
    if not said_rightly and (word != SKUZ or s.ending_seat != NO_SEAT):
        settling = s.phase != TURN or s.ending_seat != NO_SEAT
        return BAD_ACTION if settling else NOT_YOUR_TURN
    card = named(s, seat, name)
    if card == NO_CARD:
        return NOT_IN_HAND
    if card == s.gift:  # ME-12a
        return BAD_TARGET
    if same:
        return SKUZ_LOST if has(s.skuz_lost, card) else OK
    if s.phase == TURN and not has(matching(s.tops[stack]), card):
        return NO_MATCH
    return OK if said_rightly else NOT_IDENTICAL


@rule
def intercepting(s: State, stack: int) -> int:
    """ME-30, ME-30a: the cards with which anybody may say SIOUPLAIT out of turn, where that is
    played."""
    if not s.interception or s.phase != TURN or s.ending_seat != NO_SEAT:
        return 0
    return ONES_AND_SIXES & matching(s.tops[stack]) & combining(s, stack)


# The cards that can be laid: listed, or counted and picked from for random play.


@hot
def listed_words(s: State, seat: int, same: bool) -> int:
    """ME-28d: only where every fault can be denounced faulty plays are listed."""
    words = words_for(s, seat, same)
    return words & bit(SKUZ) if same and not s.malpoli else words


@hot
def layable(s: State, seat: int, stack: int) -> int:
    """The cards that can be laid on a stack, with one word or another."""
    top = s.tops[stack]
    cards = equals(top)
    if listed_words(s, seat, False):
        cards = matching(top)
    elif s.interception and s.phase == TURN:
        cards |= intercepting(s, stack)
    hand = s.hands[seat] if s.gift == NO_CARD else without(s.hands[seat], s.gift)
    return hand & cards & ~(equals(top) & s.skuz_lost)


@rule
def list_lays(s: State, seat: int, buffer: Buffer, n: int) -> int:
    if s.ending_seat != NO_SEAT:
        return n
    on_same = listed_words(s, seat, True)
    on_other = listed_words(s, seat, False) or bit(SIOUPLAIT)  # without one: an interception
    for stack in range(STACKS):
        equal = equals(s.tops[stack])
        left = layable(s, seat, stack)
        while left:
            card = lowest(left)
            left = without(left, card)
            name = name_of(s, card)
            words = on_same if has(equal, card) else on_other
            while words and name >= 0:
                word = lowest(words)
                words = without(words, word)
                buffer[n] = LAY + (word * STACKS + stack) * CARD_NAMES + name
                n += 1
    return n


@hot
def count_lays(s: State, seat: int) -> int:
    """Cards and where they can be laid; each may be guessed with any word."""
    if s.ending_seat != NO_SEAT:
        return 0
    n = 0
    for stack in range(STACKS):
        n += size(layable(s, seat, stack))
    return n


@hot
def nth_lay(s: State, seat: int, k: int, word: int) -> int:
    """The k-th of those counted; -1 if that is not listed with this word."""
    for stack in range(STACKS):
        cards = layable(s, seat, stack)
        if k < size(cards):
            card = nth(cards, k)
            name = name_of(s, card)
            same = has(equals(s.tops[stack]), card)
            words = listed_words(s, seat, same)
            if words == 0:  # an interception
                words = bit(SIOUPLAIT)
            if name < 0 or not has(words, word):
                return -1
            return LAY + (word * STACKS + stack) * CARD_NAMES + name
        k -= size(cards)
    return -1
