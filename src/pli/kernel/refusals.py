"""Why an action is refused, as far as games share the reasons. Where several apply, the first in
this order is given. A game's own reasons are numbered from OWN on, in the order of
`Rules.refusals`."""

OK = 0
GAME_OVER = 1
NOT_YOUR_TURN = 2
BAD_ACTION = 3
NOT_IN_HAND = 4
BAD_TARGET = 5
MUST_TRUMP = 6
MUST_FOLLOW = 7
OWN = 8

SHARED = (
    "ok",
    "game_over",
    "not_your_turn",
    "bad_action",
    "not_in_hand",
    "bad_target",
    "must_trump",
    "must_follow",
)
"""Their names, by number."""
