"""Every game with every choice that changes its rules."""

import random
from dataclasses import dataclass
from typing import Any

from pli import games
from pli.game import AnyGame, read_options
from pli.match import AnyMatch, Match
from pli.scenario import refusal
from pli.shuffling import seeded
from pli.testing import option_sets
from pli.testing.walks import any_action
from tests.race import RACE


@dataclass(frozen=True)
class Table:
    """A game with its options."""

    game: AnyGame
    options: Any

    def __str__(self) -> str:
        names = ("seats", "edition", "rules", "mode", "teams", "auction")
        chosen = [str(getattr(self.options, n)) for n in names if hasattr(self.options, n)]
        house = [f"{n}={getattr(self.options, n)}" for n in self.options.departures()]
        return "-".join([self.game.name, *chosen, *house])

    def match(self, seed: object, engine: Any = "plain") -> AnyMatch:
        return Match(self.game, self.options, seeded(seed), engine)


def _table(game: AnyGame, **options: object) -> Table:
    return Table(game, read_options(game, options))


TABLES = [
    *(
        _table(games.load("marshmallow"), seats=seats, edition=edition)
        for seats in (2, 3, 4, 5)
        for edition in ("en", "fr")
    ),
    _table(games.load("marshmallow"), seats=4, tricks_to_go_out=1),
    _table(games.load("marshmallow"), seats=3, tricks_to_go_out=7, target=2),
    *(_table(games.load("plingo"), seats=seats) for seats in (2, 3, 4, 5, 6)),
    _table(games.load("plingo"), seats=3, auction="on", joker="may"),
    _table(games.load("plingo"), seats=4, teams="pairs", auction="on"),
    _table(games.load("plingo"), seats=6, teams="halves"),
    *(
        _table(games.load("merci"), seats=seats, rules=rules, false_denounce=false_denounce)
        for seats, rules, false_denounce in (
            (3, "start", "free"),
            (4, "full", "free"),
            (5, "start", "draw"),
            (6, "full", "draw"),
        )
    ),
    *(
        _table(games.load("merci"), **chosen)
        for chosen in (
            {"seats": 4, "rules": "start", "fault_ends": "time", "interception": "on"},
            {"seats": 3, "rules": "full", "fault_ends": "time"},
            {"seats": 5, "rules": "full", "malpoli": "off", "interception": "off"},
        )
    ),
    *(
        _table(games.load("twinit"), seats=seats, mode=mode, **more)
        for seats, mode, more in (
            (2, "race", {}),
            (3, "race", {"taboo_seat": 1, "first_player": 2}),
            (6, "race", {"catches": 2}),
            (4, "teams", {"hand_ms": 1500, "count_ms": 1000}),
            (5, "teams", {"taboo_team": 0}),
            (1, "coop", {}),
            (3, "coop", {"hand_ms": 700}),
            (2, "rush", {}),
        )
    ),
    _table(RACE),
]

NAMED = {table.game.name for table in TABLES}

TABLES[:0] = [
    Table(game, options)
    for game in map(games.load, games.names())
    if game.name not in NAMED
    for options in option_sets(game)
]
"""A game that nobody has written into this list is tried with every value of its options."""


def step(match: AnyMatch, rng: random.Random, wild: float = 0.0) -> str:
    """One action by a random seat: legal, or (`wild`) anything at all. Says what came of it. What
    is not listed is tried now and then."""
    at = match.now + rng.randrange(2_000)
    notation, unlisted = match.game.notation, match.game.rules.unlisted
    if rng.random() < wild:
        seat = rng.randrange(-1, match.seats + 1)
        action = notation.show(any_action(notation, rng))
        text = rng.choice([action, action, action, action + "x", ""])
    else:
        seat = rng.choice(match.actors or [0])
        text = rng.choice(match.legal(seat) or [""])
        if unlisted < len(notation) and rng.random() < 0.1:
            text = notation.show(rng.randrange(unlisted, len(notation)))
    return refusal(match, seat, text, at)
