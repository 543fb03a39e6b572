"""Every action has one text and every text one action; what is no action is refused as that. What
is shuffled has names by which a record can be read."""

import random
from collections.abc import Sequence
from typing import Any

from pli.errors import WrongSyntax
from pli.game import AnyGame, Shuffle
from pli.testing.failure import Broken
from pli.testing.property import Moment, Property
from pli.testing.walks import blaming

MOST = 20_000
"""Of those with two things, which may be more than anybody wants to wait for."""

JUNK = ("", " ", "?", "play B99", "move 1 to", "0", "-1", "\N{SNOWMAN}", "a\nb")


def whole(game: AnyGame, options: Sequence[Any]) -> None:
    notation = game.notation
    if not len(notation):
        raise Broken("no_actions", "notation")
    numbers = range(len(notation))
    some = numbers if len(numbers) <= MOST else random.Random(0).sample(numbers, MOST)
    known: dict[str, int] = {}
    for action in some:
        with blaming(game, "notation"):
            text = notation.show(action)
        if text in known:
            raise Broken("text_twice", "notation", got=text, one=known[text], two=action)
        if text != " ".join(text.split()) or not text.isprintable() or not text:
            raise Broken("text_form", "notation", got=text, action=action)
        known[text] = action
    for text, action in known.items():
        _parsed(game, text, action)
    for text in [*JUNK, *_variations([*known][: 50 if len(known) > 50 else None])]:
        if text not in known and len(known) == len(notation):
            _parsed(game, text, None)


def _parsed(game: AnyGame, text: str, wanted: int | None) -> None:
    try:
        found: int | None = game.notation.parse(text)
    except WrongSyntax:
        found = None
    except Exception as error:
        raise Broken("parse_raises", "notation", text=text, why=repr(error)) from error
    if found != wanted:
        raise Broken("text_differs", "notation", None, wanted, found, text=text)


def _variations(texts: Sequence[str]) -> list[str]:
    """What looks like these."""
    changed = []
    for text in texts:
        changed += [f"{text} ", f" {text}", f"{text}x", text.replace(" ", "  "), text.upper()]
    return [text for text in changed if text not in texts]


def moment(at: Moment) -> None:
    game, load = at.game, at.game.rules.layout.load
    for step in at.match.steps[at.since :]:
        if not isinstance(step.given, Shuffle):
            continue
        with blaming(game, "shuffled"):
            names = [*game.shuffled(load(step.before))]
        if len(names) != len(step.given.order):
            raise Broken("shuffled_count", "shuffled", None, len(step.given.order), len(names))
        wrong = [name for name in names if not name or len(name.split()) != 1]
        twice = {name for name in names if names.count(name) > 1} if len(names) < 300 else set()
        if wrong or twice:
            raise Broken("shuffled_names", "shuffled", got=[*wrong, *sorted(twice)])


NOTATION = Property("notation", whole=whole, moment=moment)
