"""Bots that never do something, and bots with other reflexes."""

import pytest

from pli import games
from pli.bots import HumanlikeBot, Live, known_bot, make_bot
from pli.bots.human.reflexes import ADULT
from pli.errors import PliError
from pli.game import read_options
from pli.match import Match
from pli.shuffling import seeded


def played(name: str, bot: str, seed: int = 3) -> dict[str, int]:
    """What was done in a game at whose seats such bots sit, by the first word."""
    game = games.load(name)
    match = Match(game, read_options(game, {"seats": 3}), seeded(seed))
    live = Live(match, [make_bot(bot, game, seat, seed) for seat in range(3)], seed)
    live.run()
    return live.accepted | {f"refused {code}": n for code, n in live.refused.items()}


def test_a_restricted_bot_never_does_it_where_time_matters() -> None:
    assert "denounce" in played("merci", "medium")
    assert "denounce" not in played("merci", "medium~denounce")
    assert "denounce" not in played("merci", "reflexes:0.5~denounce+skuz")


def test_a_restricted_bot_does_what_it_must() -> None:
    """A trump has to be named, whoever wishes or not."""
    assert played("plingo", "medium~trump")["trump"] > 0
    assert played("plingo", "medium~play")["play"] > 0


def test_restrictions_are_words_of_the_game() -> None:
    game = games.load("plingo")
    assert known_bot("search:5~trump", game) == "search:5~trump"
    for wrong in ("medium~sing", "medium~", "nobody~trump"):
        with pytest.raises(PliError):
            known_bot(wrong, game)


def test_reflexes_are_an_adults_times_multiplied() -> None:
    game = games.load("merci")
    bot = make_bot("reflexes:0.9", game, 0, 1)
    assert isinstance(bot, HumanlikeBot)
    assert bot.reflexes == ADULT.slower(0.9)
    for wrong in ("reflexes:0", "reflexes:x", "reflexes"):
        with pytest.raises(PliError):
            known_bot(wrong, game)
    with pytest.raises(PliError):
        known_bot("reflexes:0.9", games.load("plingo"))
