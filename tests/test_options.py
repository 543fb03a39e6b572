"""Options as data: where a table departs from the printed rules, what follows the language, and
what becomes of the options of an older version."""

from typing import Annotated, Any, Literal

import msgspec
import pytest

from pli import games
from pli.errors import BadOption
from pli.game import (
    HOUSE,
    PRINTED,
    Options,
    change_options,
    in_language,
    read_options,
    still_possible,
)
from pli.texts import LANGUAGES


class Own(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    seats: int = 3
    zeal: Annotated[Literal["low", "high"], msgspec.Meta(extra=PRINTED)] = "low"
    aim: Annotated[int, msgspec.Meta(ge=1, le=9, extra=PRINTED)] = 5
    pace: Annotated[int, msgspec.Meta(ge=1, extra=HOUSE)] = 5
    mood: Literal["good", "bad"] = "good"


def test_only_what_the_printed_rules_say_can_be_departed_from() -> None:
    assert Own().departures() == []
    assert Own(seats=4, pace=9, mood="bad").departures() == []
    assert Own(zeal="high").departures() == ["zeal"]
    assert Own(zeal="high", aim=6).departures() == ["aim", "zeal"]


def test_marshmallow_s_edition_follows_the_language_and_is_english_for_programs() -> None:
    game = games.load("marshmallow")
    chosen = {each: in_language(game, each)["edition"] for each in LANGUAGES}
    assert chosen == {"en": "en", "fr": "fr", "es": "en"}
    assert read_options(game, {}).edition == "en"
    assert in_language(game, "de") == {}


def test_marshmallow_departs_by_its_target_and_its_tricks_to_go_out() -> None:
    game = games.load("marshmallow")

    def departs(**given: object) -> Any:
        return read_options(game, given).departures()

    assert departs(seats=5, edition="fr", first_dealer=2, tricks_to_go_out="book") == []
    assert departs(target=19) == ["target"]
    assert departs(tricks_to_go_out=3) == []  # as in the book
    assert departs(seats=3, tricks_to_go_out=3) == ["tricks_to_go_out"]
    assert departs(tricks_to_go_out="4", target="10") == ["target", "tricks_to_go_out"]


def test_plingo_departs_by_teams_and_an_auction_but_not_by_how_a_joker_is_read() -> None:
    game = games.load("plingo")
    assert read_options(game, {"joker": "may"}).departures() == []
    found = read_options(game, {"teams": "pairs", "auction": "on"}).departures()
    assert found == ["auction", "teams"]


def test_twinit_departs_only_by_what_its_mode_knows() -> None:
    game = games.load("twinit")
    others = {"catches": 3, "minute_ms": 30_000, "hand_ms": 900, "count_ms": 1000}
    assert read_options(game, {"mode": "race", **others}).departures() == ["catches"]
    assert read_options(game, {"mode": "rush", **others}).departures() == ["minute_ms"]


def test_what_was_chosen_for_so_many_seats_is_as_at_first_with_others() -> None:
    game = games.load("plingo")
    before = {"seats": 4, "teams": "pairs", "first_master": 3, "auction": "on"}
    after = change_options(game, before, {"seats": 3})
    assert after == read_options(game, {"seats": 3, "auction": "on"})
    assert change_options(game, before, {"seats": "4"}).teams == "pairs"
    assert change_options(game, before, {"seats": 6, "teams": "halves"}).teams == "halves"
    with pytest.raises(BadOption):
        change_options(game, before, {"seats": 5, "teams": "pairs"})


def test_of_older_options_all_is_kept_that_can_still_be() -> None:
    game = games.load("marshmallow")
    old = {"seats": 3, "edition": "de", "target": 0, "first_dealer": 2, "sweets": "pink"}
    kept = still_possible(game, old)
    assert kept == read_options(game, {"seats": 3, "first_dealer": 2})
    with pytest.raises(BadOption):
        read_options(game, old)
    # A value that can't be beside the others goes, and they stay.
    kept = still_possible(game, {"seats": 2, "tricks_to_go_out": 1, "target": 7})
    assert kept == read_options(game, {"seats": 2, "target": 7})
