"""A game between bots as the rows that studies keep, from its inputs when it is over."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from pli.bots.arena.simulation import new_bots, new_match
from pli.bots.live import Live
from pli.bots.mcts import IsMcts, RankedAction
from pli.errors import PliError
from pli.game import Act, Shuffle, Tick
from pli.kernel.recording import DECISION_COLUMNS, NOBODY, Log
from pli.match import AnyMatch
from pli.processes import check_cancelled
from pli.study.plan import Cell, Plan


def play(plan: Plan, cell: Cell, number: int) -> AnyMatch:
    """One game of a cell, played to its end if it has one. All cells have the same shuffles in
    their games of the same number."""
    seed = f"{plan.seed} {number}"
    match = new_match(plan.game, cell.options, seed)
    live = Live(match, new_bots(match, [cell.bots] * match.seats, seed), seed)
    patience = match.game.rules.patience
    try:
        while not match.over:
            if patience and len(match.steps) > patience:
                break
            check_cancelled()
            live.step()
    except PliError as error:
        if error.code != "unending":
            raise
    return match


def actions_of(match: AnyMatch) -> int:
    return sum(isinstance(step.given, Act) for step in match.steps)


def rows(match: AnyMatch, number: int, detailed: bool) -> Log:
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


def judged(match: AnyMatch, iterations: int, seed: object) -> Iterator[Sequence[float] | None]:
    """For every action of a match what search says of it, from what its seat could know: see
    `tables.JUDGED`; None where there was no choice to search."""
    game = match.game
    load = game.rules.layout.load
    searches = [IsMcts(game, f"{seed} {seat} judge", iterations) for seat in range(match.seats)]
    seen = [0 for _ in searches]
    buffer = [0] * game.rules.room
    for number, step in enumerate(match.steps):
        if not isinstance(step.given, Act):
            continue
        check_cancelled()
        seat, state = step.given.seat, load(step.before)
        view = game.view(state, seat)
        if game.rules.legal(state, seat, buffer) < 2 or seat not in view.awaited:
            yield None
            continue
        searches[seat].see([*match.events(seat, seen[seat], number)], view)
        seen[seat] = number
        yield _judgement(searches[seat].rank(view), game.notation.show(step.given.action))


def _judgement(ranked: Sequence[RankedAction], done: str) -> Sequence[float] | None:
    if len(ranked) < 2:
        return None
    best = max(ranked, key=lambda each: (each.visits, each.chance))
    worst = min(ranked, key=lambda each: each.chance)
    chosen = next((each.chance for each in ranked if each.action == done), float("nan"))
    mean = sum(each.chance for each in ranked) / len(ranked)
    return chosen, mean, best.chance, worst.chance, best.visits, worst.visits
