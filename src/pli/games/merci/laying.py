"""Laying a card in Merci: with which word, on what, and what follows from it."""

from pli.games.merci.cards import (
    combines,
    front,
    identical,
    matching,
    named,
    put_down,
    value,
)
from pli.games.merci.flow import (
    begin_effect,
    end_effect,
    end_round_soon,
    left_of,
    open_window,
    take_heart,
)
from pli.games.merci.state import (
    HIGHEST,
    LAID_WRONGLY,
    NAMES,
    NO_CARD,
    NO_FAULT,
    NO_SEAT,
    OVER,
    PLAY,
    SIOUPLAIT,
    SKUZ,
    SKUZ_FORGOTTEN,
    TURN,
    State,
)
from pli.kernel.bits import bit, has
from pli.kernel.refusals import (
    BAD_ACTION,
    BAD_TARGET,
    NO_MATCH,
    NOT_IDENTICAL,
    NOT_IN_HAND,
    NOT_YOUR_TURN,
    OK,
    SKUZ_LOST,
)
from pli.kernel.rule import rule


@rule
def intercepts(s: State, seat: int, stack: int, card: int) -> bool:
    """ME-30: a 1 or a 6 out of turn, if it makes a combination."""
    return (
        s.full_rules == 1
        and seat != s.turn
        and (value(card) == 1 or value(card) == HIGHEST)
        and combines(s, stack, card)
    )


@rule
def lay(s: State, seat: int, word: int, stack: int, card: int) -> None:
    """Lays a card that `check_lay` let through, with all that follows."""
    on_turn = s.phase == TURN and seat == s.turn
    same = identical(s, stack, card)
    new = combines(s, stack, card)
    right_skuz = same and word == SKUZ
    right_siouplait = (
        not same and word == SIOUPLAIT and new and (on_turn or intercepts(s, seat, stack, card))
    )
    put_down(s, seat, card)
    s.covered = s.tops[stack]
    s.laid |= bit(s.covered)
    s.tops[stack] = card
    s.fault_stack = stack
    open_window(s, NO_FAULT, seat)
    last = s.hands[seat] == 0
    if right_skuz:  # ME-16, ME-16a
        if last:  # ME-21a: another's effect, or one's own, is dropped
            end_effect(s)
            s.ending_seat = seat
            end_round_soon(s)
        return
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
    if value(card) == 1 or value(card) == HIGHEST:  # ME-17, ME-30
        take_heart(s, seat)
    if s.phase != OVER:
        begin_effect(s, seat)


@rule
def fault_of(s: State, on_turn: bool, same: bool, word: int, new: bool) -> int:
    """What is wrong with a card that was no right SKUZ and no right SIOUPLAIT."""
    if not s.full_rules:
        return SKUZ_FORGOTTEN if same else NO_FAULT  # ME-18, ME-18a, ME-19
    if on_turn and not same and word == PLAY and not new:
        return NO_FAULT
    return LAID_WRONGLY  # ME-28, ME-28a


@rule
def words_for(s: State, seat: int, same: bool) -> int:
    """The words with which a seat may now lay a card that matches its stack, as a set."""
    if s.ending_seat != NO_SEAT:  # ME-21a, ME-29a
        return 0
    if s.phase != TURN:  # ME-16b
        return bit(SKUZ) if same else 0
    if same or s.full_rules:  # ME-16, ME-19a, ME-28a
        return bit(PLAY) | bit(SIOUPLAIT) | bit(SKUZ)
    return bit(PLAY) | bit(SIOUPLAIT) if seat == s.turn else 0  # ME-4, ME-18


@rule
def check_lay(s: State, seat: int, word: int, stack: int, name: int) -> int:
    """The front that is named decides whether a card may be laid out of turn, held or not."""
    same = name // NAMES == front(s.tops[stack])
    said_rightly = has(words_for(s, seat, same), word)
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
