"""Why an action is refused. Where several reasons apply, the first in this order is given."""

OK = 0
GAME_OVER = 1
NOT_YOUR_TURN = 2
BAD_ACTION = 3
NOT_IN_HAND = 4
BAD_TARGET = 5
MUST_TRUMP = 6
MUST_FOLLOW = 7
NO_MATCH = 8
NOT_IDENTICAL = 9
SKUZ_LOST = 10
NOTHING_TO_DENOUNCE = 11
NOT_VISIBLE = 12
COVERED = 13
FROZEN = 14
NO_HAND_FREE = 15
NO_PAIR = 16

CODES: dict[int, str] = {
    value: name.lower() for name, value in dict(globals()).items() if isinstance(value, int)
}
