"""Games between bots for studies, and what search says of their decisions."""

from collections.abc import Iterator, Sequence

from pli.bots.arena.simulation import new_bots, new_match
from pli.bots.live import Live
from pli.bots.mcts import IsMcts, RankedAction
from pli.errors import PliError
from pli.game import Act
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
