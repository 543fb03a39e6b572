"""Golden choices: the same seed gives the same choices as when `golden.json` was written.

`python -m tests.bots.test_golden` writes the file anew, for a change of behaviour that is meant.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pli import games
from pli.bots import Live, make_bot
from pli.bots.arena import compare
from pli.bots.hints import hint
from pli.bots.workers import BotPool
from pli.game import read_options
from pli.match import Match
from pli.shuffling import seeded
from tests.bots.workers.requests import LONG, request

GOLDEN = Path(__file__).with_name("golden.json")

TABLES: dict[str, tuple[str, dict[str, Any]]] = {
    "marshmallow en": ("marshmallow", {"seats": 4, "edition": "en"}),
    "marshmallow fr": ("marshmallow", {"seats": 4, "edition": "fr"}),
    "plingo": ("plingo", {"seats": 3}),
    "merci start": ("merci", {"seats": 4, "rules": "start"}),
    "merci full": ("merci", {"seats": 4, "rules": "full"}),
    "twinit": ("twinit", {"seats": 4}),
}

BOTS = ("random", "easy", "medium", "search:30", "flat:3", "oracle:3")
SEARCHING = ("search", "flat", "oracle")
STEPS = 60
ASKED_AFTER = (10, 30)
"""Steps of a game after which a hint is asked for."""

ITERATIONS = 300
WORKER_BOTS = ("random", "easy", "medium", "search:200", "flat:5")


def between(table: str, bot: str) -> Live:
    name, options = TABLES[table]
    game = games.load(name)
    match = Match(game, read_options(game, options), seeded("golden"))
    return Live(match, [make_bot(bot, game, seat, "golden") for seat in range(match.seats)], 1)


def on(live: Live, steps: int) -> None:
    for _ in range(steps):
        if not live.match.over:
            live.step()


def searched(table: str) -> bool:
    return games.load(TABLES[table][0]).belief is not None


GAMES = [
    (table, bot)
    for table in TABLES
    for bot in BOTS
    if searched(table) or bot.partition(":")[0] not in SEARCHING
]


def play(table: str, bot: str) -> list[object]:
    """What a table came to: all that was done there, and what its seats see then."""
    live = between(table, bot)
    on(live, STEPS)
    match = live.match
    done = msgspec.json.encode([step.given for step in match.steps])
    seen = msgspec.json.encode([match.view(seat) for seat in range(match.seats)])
    return [len(match.steps), match.now, hashlib.sha256(done + seen).hexdigest()[:16]]


def hints(table: str) -> list[object]:
    live = between(table, "medium")
    found: list[object] = []
    for steps in ASKED_AFTER:
        on(live, steps - len(found) * ASKED_AFTER[0])
        seat = live.match.view(None).awaited[0]
        ranked = hint(live.match, seat, ITERATIONS)
        found.append([[each.action, each.visits, round(each.chance, 9)] for each in ranked])
    return found


def by_worker() -> list[str]:
    with BotPool(1) as pool:
        asked = [request(bot, number) for bot in WORKER_BOTS for number in range(3)]
        return [str(pool.ask(each, LONG).result()) for each in asked]


def contest() -> list[object]:
    found = compare("plingo", "search:20,medium,random", games=9, seed=4, seats=3)
    return [[each.bot, each.wins, each.share.low, each.decisions] for each in found.kinds]


def all_choices() -> dict[str, Any]:
    return {
        "games": {f"{table}, {bot}": play(table, bot) for table, bot in GAMES},
        "hints": {table: hints(table) for table in TABLES if searched(table)},
        "workers": by_worker(),
        "contest": contest(),
    }


@pytest.fixture(scope="module")
def golden() -> Any:
    return json.loads(GOLDEN.read_text())


@pytest.mark.parametrize(("table", "bot"), GAMES)
def test_games_between_bots_go_as_before(golden: Any, table: str, bot: str) -> None:
    assert play(table, bot) == golden["games"][f"{table}, {bot}"]


@pytest.mark.parametrize("table", [each for each in TABLES if searched(each)])
def test_hints_are_as_before(golden: Any, table: str) -> None:
    assert hints(table) == golden["hints"][table]


def test_workers_answer_as_before(golden: Any) -> None:
    assert by_worker() == golden["workers"]


def test_a_contest_ends_as_before(golden: Any) -> None:
    assert contest() == golden["contest"]


if __name__ == "__main__":
    GOLDEN.write_text(json.dumps(all_choices(), indent=1) + "\n")
