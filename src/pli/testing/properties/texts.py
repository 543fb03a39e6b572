"""Everything that a player reads has words: refusals, events, options, in every language that the
game has, with the same places to fill in."""

import string
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pli import games
from pli.folders import folder_of
from pli.game import AnyGame, Described, Event, FirstSeat
from pli.testing.failure import Broken
from pli.testing.property import Property
from pli.texts import LANGUAGES, Words, flattened

COMPUTED = frozenset(("n",))
"""What may be filled in beside the fields of an event: how many there are of what it lists."""


def whole(game: AnyGame, options: Sequence[Any]) -> None:
    languages = _languages(game)
    english = _own(game, "en")
    for language in languages[1:]:
        _as_in_english(english, _own(game, language), language)
    for language in languages:
        words = Words(language, game.name)
        for code in game.rules.refusals:
            _has(words, f"errors.{code}", language, "rules.refusals")
        for kind in filter(lambda each: each.told, games.events_of(game)):
            _event(words, kind, language)
        if games.is_outside(
            game.name
        ):  # a game of the package has a page, with sentences of its own
            for option in _spoken(game):
                _has(words, f"options.{option.name}.label", language, "options")
    for code in game.rules.refusals:
        if f"errors.{code}" in Words("en"):
            raise Broken("text_taken", "rules.refusals", key=f"errors.{code}")
    if len(game.rules.codes) != len(set(game.rules.codes)):
        raise Broken("text_taken", "rules.refusals", key=", ".join(game.rules.codes))


def _folder(game: AnyGame) -> Path:
    return folder_of(game.name) / "texts"


def _languages(game: AnyGame) -> list[str]:
    """English, and those that it has beside; of a game of the package all."""
    if not games.is_outside(game.name):
        return [*LANGUAGES]
    return ["en", *(each for each in LANGUAGES[1:] if (_folder(game) / f"{each}.toml").is_file())]


def _own(game: AnyGame, language: str) -> dict[str, str]:
    file = _folder(game) / f"{language}.toml"
    try:
        return flattened(tomllib.loads(file.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise Broken("texts_missing", "texts", file=file.name) from None


def _as_in_english(english: dict[str, str], other: dict[str, str], language: str) -> None:
    for key in english.keys() ^ other.keys():
        without = language if key in english else "en"
        raise Broken("text_missing", "texts", key=key, language=without)
    for key, text in english.items():
        if _places(text) != _places(other[key]):
            wanted, got = sorted(_places(text)), sorted(_places(other[key]))
            raise Broken("text_places", "texts", None, wanted, got, key=key, language=language)


def _places(text: str) -> set[str]:
    """The names of what is filled in."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def _has(words: Words, key: str, language: str, look: str) -> None:
    if key not in words:
        raise Broken("text_missing", look, key=key, language=language)


def _event(words: Words, kind: type[Event], language: str) -> None:
    """A sentence, or one for the seat that it is about and one for others."""
    tag = kind.__struct_config__.tag
    fields = set(kind.__struct_fields__)
    keys = [f"events.{tag}.you", f"events.{tag}.other"] if "seat" in fields else [f"events.{tag}"]
    for key in keys:
        forms = [each for each in (key, f"{key}.one", f"{key}.other") if each in words]
        if not forms:
            raise Broken("text_missing", "event_types", key=key, language=language)
        for form in forms:
            wrong = _places(words.source(form)) - fields - COMPUTED
            if wrong:
                fitting = sorted(fields)
                raise Broken(
                    "text_places",
                    "event_types",
                    None,
                    fitting,
                    sorted(wrong),
                    key=form,
                    language=language,
                )


def _spoken(game: AnyGame) -> Iterator[Described]:
    """The options of its own: seats, and which of them is first, every table can tell."""
    kinds = game.options.__annotations__
    for option in game.described:
        if option.name != "seats" and kinds.get(option.name, FirstSeat) != FirstSeat:
            yield option


def _skipped(game: AnyGame) -> str | None:
    return None if _folder(game).is_dir() else "no_folder"


TEXTS = Property("texts", whole=whole, skipped=_skipped)
