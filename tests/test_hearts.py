"""Hearts, the example of a game from outside the package: short, quick, checked as every game is,
and the same move by move as OpenSpiel's.

`make hearts` compares ten thousand rounds, and compiles all that can be.
"""

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

import pli
from pli import games
from pli.kernel.bits import to_list
from pli.match import AnyMatch
from pli.testing import check_game
from tests.conftest import ROOT
from tests.outside import forgotten

FOLDER = ROOT / "examples" / "hearts"

WHOLE = "PLI_HEARTS" in os.environ
ROUNDS = int(os.environ.get("PLI_HEARTS", "150"))

SUITS, RANKS = "CDHS", "23456789TJQKA"
DIRECTIONS = (1, 3, 2, 0)
"""OpenSpiel's number of the direction: no pass, left, across, right; of our rounds in order."""
PERFECT = 26
"""What OpenSpiel pays for no points."""


@pytest.fixture(autouse=True)
def hearts() -> Iterator[None]:
    with forgotten():
        games.add(FOLDER)
        yield


def test_it_is_written_in_at_most_250_lines() -> None:
    lines = [line for file in FOLDER.rglob("*.py") for line in file.read_text().splitlines()]
    assert len(lines) <= 250


def test_it_is_as_every_game_must_be() -> None:
    """Its search and its batches are compiled when somebody asks for them: `make hearts`."""
    assert all(each.holds for each in check_game("hearts", games=4, compiled=WHOLE))
    assert all(each.holds for each in check_game("hearts", games=2, properties=["compiled"]))


def test_a_core_plays_it_at_the_speed_of_compiled_rules() -> None:
    """20 million actions a second and more; a machine with other things to do makes fewer."""
    game = games.load("hearts")
    start = game.setup(pli.read_options(game, {}))
    playouts = pli.Playouts(game.rules)
    playouts.play(start, 100, seed=1)
    best = 0.0
    for seed in range(5):
        before = time.perf_counter()
        played = playouts.play(start, 2_000, seed=seed)
        best = max(best, played.lengths.sum() / (time.perf_counter() - before))
    assert best > 5e6


# Against OpenSpiel


def number(card: str) -> int:
    """OpenSpiel's number of a card of ours."""
    return RANKS.index(card[1]) * 4 + SUITS.index(card[0])


def numbers(match: AnyMatch, seat: int) -> list[int]:
    return sorted(number(text.split()[1]) for text in match.legal(seat))


def begun(spiel: Any, match: AnyMatch) -> Any:
    """The round that begins in the match, in OpenSpiel: its player 0 passes first."""
    s = match.state
    first = (s.dealer + 1) % 4
    hands = [to_list(s.hands[(first + player) % 4]) for player in range(4)]
    names = match.game.deck.names if match.game.deck is not None else []
    theirs = spiel.new_initial_state()
    theirs.apply_action(DIRECTIONS[(s.round_number - 1) % 4])
    for place in range(13):
        for player in range(4):
            theirs.apply_action(number(names[hands[player][place]]))
    return theirs


def compare(spiel: Any, seed: int, rounds: int) -> int:
    """Plays some rounds of a match at random in both; how many actions were the same."""
    match = pli.new("hearts", seed=seed, target=1000)
    rng, actions = random.Random(seed), 0
    for _ in range(rounds):
        if match.over:
            break
        theirs, s = begun(spiel, match), match.state
        first, before, number_of_round = (s.dealer + 1) % 4, [*s.scores], s.round_number
        while not theirs.is_terminal():
            (seat,) = match.actors
            assert (seat - first) % 4 == theirs.current_player()
            assert numbers(match, seat) == theirs.legal_actions()
            text = rng.choice(match.legal(seat))
            theirs.apply_action(number(text.split()[1]))
            match.act(seat, text)
            actions += 1
        after = match.state
        assert match.over or after.round_number == number_of_round + 1
        points = [after.scores[(first + player) % 4] for player in range(4)]
        earlier = [before[(first + player) % 4] for player in range(4)]
        gained = [now - then for now, then in zip(points, earlier, strict=True)]
        assert [PERFECT - each for each in gained] == theirs.returns()
    return actions


def test_every_move_is_the_same_as_in_openspiel() -> None:
    spiel = pytest.importorskip("pyspiel").load_game("hearts")
    played = seed = 0
    actions = 0
    while played < ROUNDS:
        rounds = min(20, ROUNDS - played)
        actions += compare(spiel, seed, rounds)
        played, seed = played + rounds, seed + 1
    assert actions > 50 * ROUNDS


def test_a_process_of_its_own_finds_it() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pli", "--games", str(FOLDER), "rules", "hearts"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "PLI_GAMES": "", "PLI_LANG": "en"},
    )
    assert done.stdout.strip().startswith("Hearts"), done.stderr
