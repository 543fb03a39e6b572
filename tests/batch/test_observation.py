"""Observations: what a seat may know, no more, and what it has seen before."""

import copy
import random
import subprocess
import sys
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np
import pytest

import pli
from pli import games
from pli.batch.observe import followed, observe
from pli.game import Game, read_options
from pli.kernel.bits import size, to_list
from pli.match import AnyMatch
from pli.testing import CheckFailed, check_game
from tests.batch.test_batch import FEW, LEARNT, tables
from tests.tables import Table, step

few = pytest.mark.parametrize("table", FEW, ids=lambda table: table.game.name)


def played(table: Table, seed: int, actions: int) -> AnyMatch:
    match, rng = table.match(seed), random.Random(seed)
    for _ in range(actions):
        if match.over:
            break
        step(match, rng)
    return match


@few
def test_a_leak_would_be_found(table: Table) -> None:
    declared: Any = table.game.observation

    def leaking(s: Any, m: Any, seat: int, out: Any, at: int) -> int:
        end = declared.look(s, m, seat, out, at)
        hidden = s.motif if hasattr(s, "motif") else s.hands
        out[at] = sum(each * (3 + place) for place, each in enumerate(hidden)) % 101
        return int(end)

    leaky = Game(**{**vars(table.game), "observation": replace(declared, look=leaking)})
    chosen = msgspec.structs.asdict(table.options)
    with pytest.raises(CheckFailed) as caught:
        check_game(leaky, properties=["observations"], options=chosen, games=5, compiled=False)
    assert caught.value.failure.code == "observation_leaks"


@few
def test_an_action_that_there_is_none_is_refused(table: Table) -> None:
    declared, match = table.game.observation, played(table, 1, 10)
    assert declared is not None
    with pytest.raises(ValueError, match="actions are"):
        match.action(0, declared.actions)


@tables
def test_history_is_all_that_was_observed(table: Table) -> None:
    match, rng = table.match(3), random.Random(3)
    seen = [observe(match, 0)]
    for _ in range(12):
        before = len(match.steps)
        step(match, rng)
        if len(match.steps) == before + 1:
            seen.append(observe(match, 0))
    history = observe(match, 0, history=True)
    assert len(history) == len(match.steps) + 1
    rows = [row.tobytes() for row in history]
    for each in seen:
        assert each.tobytes() in rows
    assert rows[-1] == observe(match, 0).tobytes()


@pytest.mark.parametrize("edition", ["en", "fr"])
def test_voids_are_those_that_bots_believe_in(edition: str) -> None:
    shown = 0
    declared = games.load("marshmallow").observation
    assert declared is not None
    for seed in range(5):
        match, rng = pli.new("marshmallow", seed=seed, edition=edition), random.Random(seed)
        made = games.load("marshmallow").belief
        assert made is not None
        belief = made()
        for _ in range(160):
            if match.over:
                break
            told = len(match.steps)
            step(match, rng)
            belief.see([*match.events(0, told)], match.view(0))
            _, unseen = belief.infer(match.view(0))
            fields = declared.split(observe(match, 0), 4)
            for seat in (1, 2, 3):
                colours = np.flatnonzero(fields["voids"][seat]).tolist()
                if unseen.slots[seat][0]:
                    assert colours == to_list(unseen.slots[seat][1])
                    shown += len(colours)
    assert shown > 100


def test_what_is_known_of_hands_is_so() -> None:
    """Of Merci: cards known to be held are there, sides that go together do, and both are seen
    often."""
    known = pairs = 0
    for table in [table for table in LEARNT if table.game.name == "merci"]:
        for seed in range(4):
            match, rng = table.match(seed), random.Random(seed)
            for _ in range(150):
                step(match, rng)
            for state, memory in followed(match):
                for eye in range(match.seats):
                    for holder in range(match.seats):
                        cards = memory.known[6 * eye + holder]
                        if eye != holder and state.phase > 2:
                            assert cards & ~state.hands[holder] == 0
                            known += size(cards)
                    pairs += size(memory.pairs[2 * eye])
            truth = {(card_front(card), state.back[card]) for card in range(50)}
            for eye in range(match.seats):
                for half in (0, 1):
                    for pair in to_list(memory.pairs[2 * eye + half]):
                        assert divmod(60 * half + pair, 4) in truth
    assert known > 100
    assert pairs > 1000


def card_front(card: int) -> int:
    from pli.games.merci.rules.cards import front

    return front(card)


def test_eyes_are_in_the_observation() -> None:
    """Of Twin It!: as a bot has them, for faces that lie open."""
    for table in [table for table in LEARNT if table.game.name == "twinit"]:
        match = played(table, 2, 60)
        motif_of, declared = match.motif_of, table.game.observation
        assert motif_of is not None
        assert declared is not None
        fields = declared.split(observe(match, 0), match.seats)
        open_cards = 0
        for card in range(135):
            face = f"{card}{'ab'[match.state.side[card]]}"
            try:
                assert fields["face"][card] == motif_of(face) + 1
                assert fields["seen"][card, match.state.side[card]] == motif_of(face) + 1
                open_cards += 1
            except KeyError:
                assert fields["face"][card] == fields["place"][card] == 0
        assert open_cards > 1


def test_a_copied_match_goes_on_by_itself() -> None:
    for name in games.names():
        for engine in ("plain", "compiled"):
            match = pli.new(name, seed=3, engine=engine)
            twin = copy.deepcopy(match)
            saved, rng = match.save(), random.Random(1)
            for _ in range(30):
                step(match, rng)
            assert twin.save() == saved
            assert len(twin.steps) < len(match.steps)
            rng = random.Random(1)
            for _ in range(30):
                step(twin, rng)
            assert twin.save() == match.save()


def test_nothing_is_worth_anything_before_the_end() -> None:
    match = pli.new("plingo", seed=2, seats=3)
    rng = random.Random(2)
    while not match.over:
        assert match.returns() == [0, 0, 0]
        step(match, rng)
    assert not match.mask(0).any()
    returns = match.returns()
    assert abs(sum(returns)) < 1e-9
    assert [seat for seat in range(3) if returns[seat] == max(returns)] == match.winners


def test_importing_pli_imports_nothing_of_it() -> None:
    code = (
        "import sys, pli; print([m for m in sys.modules if m.startswith('pli.batch')]); pli.observe"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout.strip()) == (0, "[]")


def test_a_game_without_an_observation_says_so() -> None:
    from tests.race import RACE

    match = Table(RACE, read_options(RACE, {})).match(1)
    for ask in (lambda: observe(match, 0), lambda: match.mask(0)):
        with pytest.raises(ValueError, match="race has no observation"):
            ask()
