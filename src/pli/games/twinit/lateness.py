"""What comes too late in Twin It!: a touch is meant for the face that its player saw."""

from pli.games.twinit.state import LIFT, TOUCH, State


def overtaken(then: State, now: State, seat: int, action: int) -> bool:
    """Cards that are gone the rules refuse by themselves; but a card may lie there turned over, and
    could then be half of an error."""
    if not TOUCH <= action < LIFT:
        return False
    card = action - TOUCH
    return then.side[card] != now.side[card]
