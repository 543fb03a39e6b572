"""A match as the rows that compiled playouts record, from its inputs when it is over."""

from typing import Any

import numpy as np

from pli.game import Act, Shuffle, Tick
from pli.kernel.recording import DECISION_COLUMNS, NOBODY, Log
from pli.match import AnyMatch


def actions_of(match: AnyMatch) -> int:
    """How many actions it had."""
    return sum(isinstance(step.given, Act) for step in match.steps)


def rows(match: AnyMatch, number: int, detailed: bool = False) -> Log:
    """The same rows as compiled playouts write of a game."""
    rules = match.game.rules
    load = rules.layout.load
    buffer = [0] * rules.room
    seats = range(match.seats)
    last = [NOBODY for _ in seats]
    first = opener = NOBODY
    actions = chosen = choices = turns = waited = longest = now = 0
    rounds: list[list[int]] = []
    decisions: list[list[int]] = []

    def round_over(state: Any) -> list[int]:
        points = [rules.points(state, seat) for seat in seats]
        return [number, rules.rounds(state), opener, actions, now, *points]

    state = load(match.steps[0].before) if match.steps else match.state
    for step in match.steps:
        given = step.given
        after = load(step.after)
        if isinstance(given, Shuffle):
            if rules.rounds(after) != rules.rounds(state):
                if rules.rounds(state) > 0:
                    rounds.append(round_over(state))
                opener = NOBODY
        elif isinstance(given, Tick):
            now = given.time
        else:
            seat, now = given.seat, given.time
            listed = rules.legal(state, seat, buffer)
            if opener == NOBODY:
                opener = seat
                first = seat if first == NOBODY else first
            since = actions - last[seat] - 1
            longest = max(longest, since)
            if last[seat] != NOBODY:
                turns += 1
                waited += since
            last[seat] = actions
            if listed > 1:
                chosen += 1
                choices += listed
            if detailed:
                decisions.append([number, rules.rounds(state), seat, actions, listed, now])
            actions += 1
        state = after
    rounds.append(round_over(state))
    longest = max(longest, *(actions - each - 1 for each in last))
    row = [now, first, rules.rounds(state), chosen, choices, turns, waited, longest, len(rounds)]
    tables = np.array([row]), np.array(rounds), np.array(decisions).reshape(-1, DECISION_COLUMNS)
    return Log(*(table.astype(np.int64) for table in tables))
