"""Three languages, always together."""

import re
import string

import pytest

from pli import games
from pli.errors import Refused
from pli.kernel.refusals import SHARED
from pli.texts import LANGUAGES, Words, system_language

FOLDERS = [None, *games.names()]
everywhere = pytest.mark.parametrize("game", FOLDERS, ids=str)


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def texts(language: str, game: str | None) -> dict[str, str]:
    return Words(language, game)._texts


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_the_languages_have_the_same_texts_with_the_same_places(language: str) -> None:
    """Those for everyone; a game's own are looked at with the game."""
    english, other = texts("en", None), texts(language, None)
    assert english.keys() == other.keys()
    for key, text in english.items():
        assert places(text) == places(other[key]), key


@everywhere
def test_translations_are_translated(game: str | None) -> None:
    """Names and symbols may be equal; whole sentences may not."""
    english = texts("en", game)
    for language in LANGUAGES[1:]:
        same = [
            k for k, text in texts(language, game).items() if text == english[k] and " " in text
        ]
        assert [key for key in same if re.search(r"[a-z]{3,} [a-z]{3,}", english[key])] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_of_all_games_has_words(language: str) -> None:
    for code in SHARED[1:]:
        assert Refused(code).text(language) == Words(language)(f"errors.{code}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_finds_the_words_of_its_game(language: str) -> None:
    for game in map(games.load, games.names()):
        for code in game.rules.refusals:
            own = Words(language, game.name)(f"errors.{code}")
            assert Refused(code, game.name).text(language) == own


def test_a_number_decides_between_one_and_many() -> None:
    assert Words("en")("play.winner", n=1, names="A") == "A won."
    assert Words("en")("play.winner", n=2, names="A, B") == "A, B won together."


@pytest.mark.parametrize(
    ("variable", "wanted"), [("fr_FR.UTF-8", "fr"), ("es", "es"), ("de_DE", "en"), ("C", "en")]
)
def test_the_systems_language_is_used_if_it_is_ours(
    monkeypatch: pytest.MonkeyPatch, variable: str, wanted: str
) -> None:
    monkeypatch.setenv("PLI_LANG", variable)
    assert system_language() == wanted
