"""What a page can show of any game: its view's fields by what they are, and its texts.

A game with a page of its own needs none of it. For any other, the page draws what it finds in the
view. What it can't know from a field's name and type, the view says:

class RaceView(View, frozen=True, kw_only=True):
    laid_by: Annotated[list[int], BY_SEAT]
"""

import re
from collections.abc import Mapping
from typing import Literal, cast, get_type_hints

import msgspec

from pli.game import AnyGame, View
from pli.texts import LANGUAGES, words

Shown = Literal["by_seat", "score", "cards", "pile", "number", "text"]
Shows = Shown | Literal["hidden"]


def _shows(what: Shows) -> msgspec.Meta:
    return msgspec.Meta(extra={"shows": what})


BY_SEAT = _shows("by_seat")
"""A number of each seat, shown beside it."""
SCORE = _shows("score")
"""The same, and what decides the game. Without it: `scores`."""
CARDS = _shows("cards")
"""Cards that lie open in the middle."""
PILE = _shows("pile")
"""How many cards a pile has that lies face down in the middle."""
NUMBER = _shows("number")
"""A number in the corner, with its name."""
TEXT = _shows("text")
"""The same for a word or a card."""
HIDDEN = _shows("hidden")
"""Not shown."""

KNOWN = frozenset(
    ("hand", "cards", "trick", "last_trick", "last_winner", "trump", "round", "dealer", "leader")
)
"""Fields that every table shows in its own way, if they are there."""

NAMED: Mapping[str, Shows] = {
    "scores": "score",
    **dict.fromkeys(("points", "bids", "tricks", "taken", "hearts"), "by_seat"),
    **dict.fromkeys(("pile", "stock", "deck", "talon"), "pile"),
}
"""What fields of these names are, if their type fits and they do not say otherwise."""

TEXTS = (
    *("actions", "board", "colours", "events", "fields", "options", "phases", "prompts"),
    *("ranks", "unit", "words"),
)
"""The tables of a game's texts of which a page has a use."""

SINGLE = ("name", "by", "about", "minutes")


class Field(msgspec.Struct, frozen=True):
    """A field of a view that is shown."""

    name: str
    shows: Shown


def fields(game: AnyGame) -> list[Field]:
    """The fields of a game's view that a page shows beside what every table has, in their order."""
    kind = get_type_hints(game.view).get("return", View)
    struct = msgspec.inspect.type_info(kind)
    assert isinstance(struct, msgspec.inspect.StructType)
    own = [each for each in struct.fields if each.name not in View.__struct_fields__]
    found = ((each.name, _shows_of(each)) for each in own)
    return [Field(name, shows) for name, shows in found if shows != "hidden"]


def _shows_of(field: msgspec.inspect.Field) -> Shows:
    kind = field.type
    if isinstance(kind, msgspec.inspect.Metadata):
        shows = (kind.extra or {}).get("shows")
        if shows is not None:
            return cast(Shows, shows)
        kind = kind.type
    named = NAMED.get(field.name)
    if field.name in KNOWN:
        return "hidden"
    if isinstance(kind, msgspec.inspect.ListType):
        if isinstance(kind.item_type, msgspec.inspect.StrType):
            return "cards"
        fits = isinstance(kind.item_type, msgspec.inspect.IntType)
        return named if named in ("score", "by_seat") and fits else "hidden"
    if isinstance(kind, msgspec.inspect.IntType) and named == "pile":
        return "pile"
    return "hidden"


CARD = re.compile(r"([A-Z])(?:\d+|[TJQKA])")
"""A suit's letter, and a rank."""


def suits(game: AnyGame) -> list[str]:
    """The letters of the suits of a game's cards, in their order; a game may have none."""
    if game.deck is not None:
        return list(game.deck.colours)
    shown = map(game.notation.show, range(game.notation.single))
    found = (CARD.fullmatch(text.rpartition(" ")[2]) for text in shown)
    return list(dict.fromkeys(card[1] for card in found if card))


def texts(game: AnyGame) -> dict[str, dict[str, str]]:
    """By language, the texts of a game of which a page has a use, with those that all games share:
    by keys such as `events.played.you`."""
    return {language: _texts(game, language) for language in LANGUAGES}


def _texts(game: AnyGame, language: str) -> dict[str, str]:
    return {
        key: text
        for key, text in words(language, game.name).items()
        if key in SINGLE or key.partition(".")[0] in TEXTS
    }
