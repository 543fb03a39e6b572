"""What can be denounced in Merci: for how long, by whom, and where its card lies by then."""

from pli.games.merci.rules.cards import take_up
from pli.games.merci.state import (
    NO_CARD,
    NO_FAULT,
    NO_SEAT,
    NO_THANKS,
    NOTHING_TO_DENOUNCE,
    THANKED,
    UNTHANKED,
    WRONG_THANKS,
    State,
)
from pli.kernel.bits import has, without
from pli.kernel.contract import NEVER
from pli.kernel.refusals import OK
from pli.kernel.rule import hot, rule


@rule
def fault_of_thanks(then: int) -> int:
    """ME-15, ME-15a."""
    if then == THANKED:
        return NO_FAULT
    return NO_THANKS if then == UNTHANKED else WRONG_THANKS


# Windows


@hot
def open_window(s: State, fault: int, seat: int) -> None:
    """ME-28b, ME-28d: what was laid or taken can be denounced for so long at most: whether or not
    anything was wrong, so that the window tells nothing. It is opened before a card is laid."""
    if s.faults_last:
        keep_open(s, seat)
    s.fault = fault
    s.mover = seat
    s.window_until = s.now + s.fault_window


@rule
def keep_open(s: State, seat: int) -> None:
    """ME-28b, `fault_ends=time`: the last deed's fault stays open behind this seat's new one; and
    so does, for the seat itself, the last deed of another seat."""
    if s.fault != NO_FAULT:
        s.older_fault = s.fault
        s.older_seat = s.mover
        s.older_until = s.window_until
        s.older_stack = s.fault_stack
        s.older_card = s.tops[s.fault_stack]
        s.older_covered = s.covered
    if s.mover != seat and s.mover != NO_SEAT:
        s.earlier_mover = s.mover
        s.earlier_until = s.window_until


@hot
def close_window(s: State) -> None:
    s.fault = NO_FAULT
    s.mover = NO_SEAT
    s.window_until = NEVER


@rule
def close_all(s: State) -> None:
    """Nothing is left to denounce."""
    close_window(s)
    s.older_fault = NO_FAULT
    close_earlier(s)


@rule
def close_earlier(s: State) -> None:
    s.earlier_mover = NO_SEAT
    s.earlier_until = NEVER


# Faults


@hot
def may_accuse(s: State, seat: int) -> bool:
    """ME-28d: whether another seat laid or took a card just now, rightly or not."""
    return s.mover != NO_SEAT and (s.mover != seat or s.earlier_mover != NO_SEAT)


@hot
def check_denounce(s: State, seat: int, time: int) -> int:
    """ME-28c."""
    if s.faults_last:
        return check_accusation(s, seat, time)
    if seat == s.mover:
        return NOTHING_TO_DENOUNCE
    return OK if s.fault != NO_FAULT or s.false_draw else NOTHING_TO_DENOUNCE


@rule
def check_accusation(s: State, seat: int, time: int) -> int:
    """The same where the latest fault need not be the last card's."""
    if seat == s.mover and s.earlier_mover == NO_SEAT:
        return NOTHING_TO_DENOUNCE
    if open_fault(s, time) != NO_FAULT:
        return NOTHING_TO_DENOUNCE if seat == offender(s) else OK
    return OK if s.false_draw else NOTHING_TO_DENOUNCE


@rule
def open_fault(s: State, time: int) -> int:
    """The latest fault that can still be denounced, or NO_FAULT. That an older one's time is over
    only this comparison tells: a timer of its own would tell of it before (ME-28d)."""
    if s.fault != NO_FAULT:
        return s.fault
    return s.older_fault if time < s.older_until else NO_FAULT


@rule
def offender(s: State) -> int:
    """Whose fault that is."""
    return s.mover if s.fault != NO_FAULT else s.older_seat


@rule
def fault_stack(s: State) -> int:
    """Where a card was laid with it."""
    return s.fault_stack if s.fault != NO_FAULT else s.older_stack


@rule
def fault_card(s: State) -> int:
    """The card with which it was made, if it was made with one and that is not in the pile."""
    return s.tops[s.fault_stack] if s.fault != NO_FAULT else s.older_card


@rule
def take_back(s: State) -> bool:
    """ME-28b: the card goes back to its owner from where it lies by now. Whether it can: not out
    of a rebuilt pile, nor if nothing is left under it."""
    card, seat, stack = fault_card(s), offender(s), fault_stack(s)
    covered = s.covered if s.fault != NO_FAULT else s.older_covered
    if s.tops[stack] == card and covered != NO_CARD:
        s.tops[stack] = covered
        s.laid = without(s.laid, covered)
    elif card != NO_CARD and has(s.laid, card):
        s.laid = without(s.laid, card)
    else:
        return False
    take_up(s, seat, card)
    if s.ending_seat == seat:  # ME-29
        s.ending_seat = NO_SEAT
        s.ending_at = NEVER
    return True


@rule
def lose_what_is_shuffled(s: State) -> None:
    """The pile is being rebuilt: what lay under the tops is in it."""
    s.covered = NO_CARD
    s.older_covered = NO_CARD
    if s.tops[s.older_stack] != s.older_card:
        s.older_card = NO_CARD
