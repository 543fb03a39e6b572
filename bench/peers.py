"""The peers of the benchmark: OpenSpiel, RLCard and, when its file is given, a C yardstick.

Each peer plays at its quickest: where there are several ways of driving it, the way that gave the
most actions per second was chosen, and a comment says which.
"""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import count
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from measure import MAIN_GAME, Absent, Contestant, Figure

SEED = 2024
STARTS = 96  # start states per game, so that no single deal decides the figure
SAMPLES = 100  # random games per start state that measure its mean length
ROLLOUTS = 500  # per call into C++: some 5 ms, long against the call, short against a round
WARM_UP = 0.1  # share of a round's seconds that is played first and not counted


@dataclass(frozen=True)
class Spiel:
    """A trick-taking game of OpenSpiel: its short name and how to load it."""

    name: str
    load: str


SPIELS = (
    Spiel("spades", "spades"),
    # Without double-dummy results the cards are played rather than looked up. The auction is part
    # of the rollouts: that gives a tenth more actions per second than from the first lead.
    Spiel("bridge", "bridge(use_double_dummy_result=false)"),
    Spiel("hearts", "hearts"),
    # Four seats as in the other games; quicker than the default of three.
    Spiel("oh_hell", "oh_hell(players=4)"),
)
# Of these four, Python drives bridge the quickest, with spades next to equal.
LOOP_SPIEL = SPIELS[1]


def after_the_deal(game: Any) -> list[Any]:
    """Start states of the game with the cards dealt, the same ones in every run."""
    rng = random.Random(SEED)
    states = []
    for _ in range(STARTS):
        state = game.new_initial_state()
        while state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(actions, weights)[0])
        states.append(state)
    return states


def play_out(state: Any) -> int:
    """Play a copy of the state to its end at random and count the actions.

    The quickest loop that Python can drive: a finished state has no legal actions, which spares
    asking is_terminal(), and scaling random() is the cheapest choice from a list.
    """
    state = state.clone()
    legal_actions, apply_action, draw = state.legal_actions, state.apply_action, random.random
    actions = 0
    while legal := legal_actions():
        apply_action(legal[int(draw() * len(legal))])
        actions += 1
    return actions


def timed(
    name: str, game: str, seats: int, play: Callable[[], tuple[float, int]], seconds: float
) -> Figure:
    """Call `play`, which returns its actions and games, for the seconds, after a warm-up."""
    begin = perf_counter()
    while perf_counter() - begin < seconds * WARM_UP:
        play()
    actions, games = 0.0, 0
    begin = perf_counter()
    while (passed := perf_counter() - begin) < seconds:
        more_actions, more_games = play()
        actions += more_actions
        games += more_games
    return Figure(name, game, seats, round(actions), games, passed)


def spiel_rollouts(pyspiel: Any, spiel: Spiel) -> Contestant:
    """OpenSpiel's random rollouts in C++ after the deal, the quickest thing it offers.

    Python reaches them through a search of one simulation: its single evaluation is ROLLOUTS
    random games from the root, played in C++ without coming back to Python. They report no
    lengths, so the actions are the rollouts times the mean length of random games from the same
    state, measured beforehand in Python and outside the clock. That is exact where all cards
    dealt are played, and within half a percent in bridge, whose auctions differ in length.
    """
    name = "OpenSpiel C++ rollouts"

    @cache  # made at the first run, outside the clock, and kept for the next rounds
    def prepared() -> tuple[Any, list[tuple[Any, float]]]:
        game = pyspiel.load_game(spiel.load)
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=ROLLOUTS, seed=SEED)
        bot = pyspiel.MCTSBot(
            game,
            evaluator,
            uct_c=2.0,
            max_simulations=1,
            max_memory_mb=64,
            solve=False,
            seed=SEED,
            verbose=False,
        )
        return bot, [(s, fmean(play_out(s) for _ in range(SAMPLES))) for s in after_the_deal(game)]

    def run(seconds: float) -> Figure:
        bot, starts = prepared()
        turn = count()

        def play() -> tuple[float, int]:
            state, length = starts[next(turn) % STARTS]
            bot.mcts_search(state)
            return ROLLOUTS * length, ROLLOUTS

        return timed(name, spiel.name, starts[0][0].num_players(), play, seconds)

    return Contestant(f"{name}, {spiel.name}", run)


def spiel_loop(pyspiel: Any, spiel: Spiel) -> Contestant:
    """OpenSpiel driven from Python, action by action.

    After the deal: OpenSpiel deals one card per chance node, steps that count as no actions here,
    so leaving the deal out is the quicker.
    """
    name = "OpenSpiel, Python loop"

    @cache
    def starts() -> list[Any]:
        return after_the_deal(pyspiel.load_game(spiel.load))

    def run(seconds: float) -> Figure:
        states = starts()
        turn = count()
        return timed(
            name,
            spiel.name,
            states[0].num_players(),
            lambda: (play_out(states[next(turn) % STARTS]), 1),
            seconds,
        )

    return Contestant(f"{name}, {spiel.name}", run)


def rlcard_env(rlcard: Any) -> Contestant:
    """RLCard's ordinary use: whole games of its bridge through reset() and step().

    Quicker than env.run() with its random agents, which also keeps every trajectory.
    """
    name = "RLCard env"
    env = rlcard.make("bridge", config={"seed": SEED})

    def play() -> tuple[float, int]:
        state, _ = env.reset()
        actions = 0
        while not env.is_over():
            legal = state["raw_legal_actions"]
            state, _ = env.step(legal[int(random.random() * len(legal))])
            actions += 1
        return actions, 1

    return Contestant(name, lambda seconds: timed(name, "bridge", 4, play, seconds))


def rlcard_game(rlcard: Any) -> Contestant:
    """RLCard's bare rules: the game object inside the environment, with no observations made.

    Not how its users play, but what it can do at most, and nearest to what the others are doing.
    """
    name = "RLCard game object"
    game = rlcard.make("bridge", config={"seed": SEED}).game

    def play() -> tuple[float, int]:
        game.init_game()
        actions = 0
        while not game.is_over():
            legal = game.judger.get_legal_actions()
            game.step(legal[int(random.random() * len(legal))])
            actions += 1
        return actions, 1

    return Contestant(name, lambda seconds: timed(name, "bridge", 4, play, seconds))


def contestants() -> list[Contestant | Absent]:
    """All peers that are installed, and a note for each that is not."""
    found: list[Contestant | Absent] = []
    pyspiel = loaded("pyspiel", "OpenSpiel")
    if isinstance(pyspiel, Absent):
        found.append(pyspiel)
    else:
        found += [spiel_rollouts(pyspiel, spiel) for spiel in SPIELS]
        found.append(spiel_loop(pyspiel, LOOP_SPIEL))
    rlcard = loaded("rlcard", "RLCard")
    if isinstance(rlcard, Absent):
        found.append(rlcard)
    else:
        found += [rlcard_env(rlcard), rlcard_game(rlcard)]
    return found


def loaded(module: str, name: str) -> Any:
    """The module, or a note that it is not there."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        inside = "" if error.name == module else f" ({error.name} is missing)"
        return Absent(name, f"not installed{inside}")
    except ImportError as error:
        return Absent(name, f"cannot be loaded: {str(error).splitlines()[0]}")


C_NAME = "C yardstick, 1 core"
C_LINE = re.compile(
    r"(?P<seats>\d+) players games/s (?P<games>[\d.]+) plies/s \S+ plies/game (?P<plies>[\d.]+)"
)


def c_yardstick(source: Path) -> dict[int, Figure]:
    """Compile the C file, run it once and read the figure of each number of seats it prints."""
    with TemporaryDirectory() as folder:
        program = Path(folder) / "yardstick"
        build = ["cc", "-O3", "-march=native", "-o", str(program), str(source)]
        subprocess.run(build, check=True, capture_output=True, text=True)
        out = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    figures = {}
    for line in C_LINE.finditer(out):
        # It prints rates, so the figure is that of one second. Its plies/s are rounded to
        # 0.1 million; games/s times plies/game is the same number, finer.
        games = float(line["games"])
        seats = int(line["seats"])
        actions = round(games * float(line["plies"]))
        figures[seats] = Figure(C_NAME, MAIN_GAME, seats, actions, round(games), 1.0)
    return figures


def c_contestants(source: Path) -> list[Contestant | Absent]:
    """One contestant for each number of seats the C file plays.

    One run of the program plays them all and sets its own time, so the first of them to be asked
    in a round runs it and the others take their figure from that run.
    """
    try:
        seats = sorted(c_yardstick(source))
    except FileNotFoundError:
        return [Absent(C_NAME, "no C compiler (cc) installed")]
    except subprocess.CalledProcessError as error:
        # The compiler's own words would carry the file's path into the published table.
        verb = "compile" if error.cmd[0] == "cc" else "run"
        return [Absent(C_NAME, f"does not {verb} (exit code {error.returncode})")]
    if not seats:
        return [Absent(C_NAME, "printed no figures")]
    latest: dict[int, Figure] = {}

    def run(number: int) -> Figure:
        if number not in latest:
            latest.update(c_yardstick(source))
        return latest.pop(number)

    def contestant(number: int) -> Contestant:
        return Contestant(f"{C_NAME}, {number} seats", lambda _seconds: run(number))

    return [contestant(number) for number in seats]
