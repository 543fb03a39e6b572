"""Merci for its tests: tables, positions, partly wild play, and what seats remember of it."""

import random
from collections.abc import Callable
from typing import Any

import pytest

import pli
from pli.errors import Refused
from pli.games.merci.bots.belief import MerciMemory, Reconstruction
from pli.games.merci.bots.dealing import MerciUnseen, deal, fill
from pli.games.merci.bots.heuristic import choose
from pli.games.merci.bots.rollout import options
from pli.games.merci.state import ACTIONS, LAYOUT, NO_FAULT, State
from pli.games.merci.view import MerciView
from pli.kernel.stream import start
from pli.match import Match
from tests.tables import TABLES

MerciMatch = Match[State, MerciView]
MERCI = [table for table in TABLES if table.game.name == "merci"]
tables = pytest.mark.parametrize("table", MERCI, ids=str)
SHOW = MERCI[0].game.notation.show
DEAL: Callable[..., int] = deal


def placed(position: dict[str, object], rules: str = "start", **options: Any) -> MerciMatch:
    """Three seats in a position, written as in a scenario."""
    match = pli.new("merci", seed=1, seats=3, rules=rules, **options)
    match.place(position)
    return match


def wild(match: MerciMatch, rng: random.Random) -> bool:
    """Something that some seat may do, politely or not; whether it was taken."""
    seat = rng.choice([each for each in match.actors if match.legal(each)])
    actions = match.legal(seat)
    # A forgotten SKUZ is accepted though it is not listed everywhere.
    actions += [each.replace("skuz", "play") for each in actions if each.startswith("skuz")]
    try:
        match.act(seat, rng.choice(actions), match.now + rng.randrange(2000))
    except Refused:
        return False
    return True


def go_on(match: MerciMatch, rng: random.Random) -> None:
    """Mostly something sensible, so that rounds end; sometimes anything."""
    seats = match.view(None).awaited
    if rng.random() < 0.35 and match.actors:
        wild(match, rng)
    elif seats:
        action = choose(match.view(seats[0]), match.legal(seats[0]))
        match.act(seats[0], action, match.now + rng.randrange(2000))
    else:
        match.wait(match.due)


def impolite(match: MerciMatch, seat: int, text: str) -> bool:
    """Whether an action would be a fault. Drawing, choosing and giving never are; a fault of the
    seat's own may stay open behind them."""
    s = LAYOUT.copy(match.state)
    match.game.rules.act(s, seat, match.game.notation.parse(text), match.now)
    harmless = text.split()[0] in ("draw", "choose", "give")
    return not harmless and s.mover == seat and s.fault != NO_FAULT


def filled(state: State, unseen: MerciUnseen, seed: int) -> State:
    """Deals the unseen cards into a state."""
    arrays = unseen.arrays()
    DEAL(arrays, start(seed, 0))
    fill(state, [int(each) for each in arrays.dealt])
    return state


def listed_options(s: State, seat: int) -> list[str]:
    """What search thinks of for a seat."""
    buffer = [0] * ACTIONS
    return [SHOW(action) for action in buffer[: options(s, seat, buffer)]]


class Watched:
    """A match, and what every seat remembers of it."""

    def __init__(self, match: MerciMatch) -> None:
        self.match = match
        self.memories = [MerciMemory() for _ in range(match.seats)]
        self._told = 0
        self.tell()

    def tell(self) -> None:
        seats = range(self.match.seats)
        seen = self.match.seen(seats, self._told)
        self._told = len(self.match.steps)
        for seat in seats:
            self.memories[seat].see(seen[seat], self.match.view(seat))

    def sample(self, seat: int, seed: int) -> State:
        """One of the states that agree with what the seat knows."""
        state, unseen = Reconstruction(self.match.view(seat), self.memories[seat]).build()
        return filled(state, unseen, seed)
