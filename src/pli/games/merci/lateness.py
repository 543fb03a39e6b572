"""What comes too late in Merci: nobody pays for a word that was right when it was said, because
others were quicker while it was on its way."""

from pli.games.merci.faults import open_fault
from pli.games.merci.rules import act, check
from pli.games.merci.state import DENOUNCE, DRAW, LAYOUT, NO_FAULT, State
from pli.kernel.refusals import OK


def overtaken(then: State, now: State, seat: int, action: int) -> bool:
    """A SKUZ for a card that is covered by now, a SIOUPLAIT for a run that is broken, a card that
    was in turn, a MALPOLI that somebody else called first: right as the seat saw the table, and at
    its cost as the table is."""
    return costs(now, seat, action) is True and costs(then, seat, action) is False


def costs(s: State, seat: int, action: int) -> bool | None:
    """Whether it would be a fault, or a false denunciation; None: it can't be done at all."""
    if check(s, seat, action, s.now) != OK:
        return None
    if action == DENOUNCE:
        return open_fault(s, s.now) == NO_FAULT
    if action >= DRAW:
        return False
    after = LAYOUT.copy(s)
    act(after, seat, action, s.now)
    return after.fault != NO_FAULT
