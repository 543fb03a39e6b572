"""All texts for players, from the language files: `en.toml`, `fr.toml`, `es.toml` here for
everyone, and a folder `texts` in each game for its own. In the package English is the fallback for
nothing: a test holds that the three have the same keys and the same places to fill in. A game from
outside may be in English alone.
"""

import os
import re
import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from pli.folders import folder_of

LANGUAGES = ("en", "fr", "es")

_HERE = Path(__file__).parent


class Words:
    """The texts of one language, a game's own before everyone's."""

    def __init__(self, language: str, game: str | None = None) -> None:
        self.language = language
        self._texts = dict(_load(_HERE / f"{language}.toml"))
        if game is not None:
            texts = folder_of(game) / "texts"
            files = (texts / f"{each}.toml" for each in dict.fromkeys(("en", language)))
            for file in files:
                if file.is_file():
                    self._texts |= _load(file)

    def items(self) -> Iterable[tuple[str, str]]:
        """All texts by their keys, as they stand in the files."""
        return self._texts.items()

    def __contains__(self, key: str) -> bool:
        return key in self._texts

    def source(self, key: str) -> str:
        """A text as it stands in the file, with the places to fill in."""
        return self._texts[key]

    def __call__(self, key: str, /, **values: object) -> str:
        """The text; where it has forms `.one` and `.other`, the number `n` decides."""
        text = self._texts.get(key)
        if text is None:
            text = self._texts[f"{key}.{self._form(values['n'])}"]
        return text.format_map(values)

    def _form(self, n: object) -> str:
        single = (0, 1) if self.language == "fr" else (1,)
        return "one" if n in single else "other"


@cache
def words(language: str, game: str | None = None) -> Words:
    return Words(language, game)


def rules_page(language: str, game: str) -> str:
    """The rules on one page, as Markdown; `[B7]` is a card.

    Marks such as `<!-- PL-2a -->`, which tie a sentence to the ledger, and the page's pictures are
    left out.
    """
    return re.sub(r" *<!--.*?-->|!\[\]\(.*?\) *", "", page_source(language, game, "rules"))


def terminal_page(language: str, game: str) -> str:
    """What can be typed in a terminal, as Markdown: actions and options."""
    return page_source(language, game, "terminal")


def page_source(language: str, game: str, page: str) -> str:
    """A page of a game in that language, or in English; without either, its name."""
    texts = folder_of(game) / "texts"
    for each in (language, "en"):
        file = texts / f"{page}.{each}.md"
        if file.is_file():
            return file.read_text(encoding="utf-8")
    return f"# {words(language, game)('name')}\n" if page == "rules" else ""


def system_language() -> str:
    """The language that the user's system asks for, if it is one of ours."""
    for variable in ("PLI_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        wanted = os.environ.get(variable, "")[:2].lower()
        if wanted:
            return wanted if wanted in LANGUAGES else "en"
    return "en"


@cache
def _load(file: Path) -> dict[str, str]:
    with file.open("rb") as handle:
        return flattened(tomllib.load(handle))


def flattened(table: dict[str, Any], before: str = "") -> dict[str, str]:
    """The texts of a file by keys such as `errors.not_your_turn`."""
    flat: dict[str, str] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            flat |= flattened(value, f"{before}{key}.")
        else:
            flat[before + key] = value
    return flat
