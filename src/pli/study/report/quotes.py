"""Texts written by hand, with numbers from the results: nobody types a number, so no text says
another one than the data.

`{advantage seats=4 bots=medium}` is that number with its interval, `... :value` without it,
`:plain` without its sign, `{games}` how many games were played. A claim such as `minutes target=40
seats=4 > minutes target=10 seats=4` holds if the intervals are apart; `A ~ 0.5` if the interval
holds the number.
"""

import re
from collections.abc import Mapping

import msgspec

from pli.errors import BadOption
from pli.study.plan import BadStudy
from pli.study.report.results import NoSuchNumber, Results, Value, find
from pli.study.report.words import Teller
from pli.texts import LANGUAGES

Text = str | dict[str, str]
"""In one language for all, or by language."""

QUOTE = re.compile(r"\{([a-z_][^{}]*)\}")

FORMS = (":value", ":plain", ":range", ":games")


class Texts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What people wrote about a study: it may change when its results are known."""

    title: Text = ""
    question: Text = ""
    answer: Text = ""
    """In a sentence or two, instead of the one that is made from the data."""
    conclusion: Text = ""
    """For and against, and what to do: Markdown."""
    claims: list[str] = []
    """What must hold in the results for answer and conclusion to be shown."""
    figures: list[str] = []
    """The metrics that are charted, in that order; without any all that say something."""


def in_language(text: Text, language: str) -> str:
    if isinstance(text, str):
        return text
    return text.get(language) or next((text[each] for each in LANGUAGES if each in text), "")


def filled(text: str, results: Results, teller: Teller) -> str:
    """With every number in its place."""
    return QUOTE.sub(lambda found: _quote(found[1], results, teller), text)


def _quote(asked: str, results: Results, teller: Teller) -> str:
    name, wanted, forms = _read(asked)
    if name == "games" and not wanted:
        return teller.count(results.games)
    _, value = find(results, name, wanted)
    signed = ":plain" not in forms
    alone = teller.number(name, value.value if signed else abs(value.value), signed=signed)
    interval = teller.interval(name, value)
    if ":games" in forms:
        return teller.count(value.games)
    if ":range" in forms:
        return interval
    return (
        alone if ":value" in forms or ":plain" in forms or not interval else f"{alone} ({interval})"
    )


def _read(asked: str) -> tuple[str, Mapping[str, str], list[str]]:
    """The metric, the facts of its cell, and how it is to be told."""
    name, *rest = asked.split()
    forms = [each for each in rest if each.startswith(":")]
    facts = [each.partition("=") for each in rest if not each.startswith(":")]
    if any(not equals for _, equals, _ in facts) or not {*forms} <= {*FORMS}:
        raise NoSuchNumber(asked, 0)
    return name, {fact: value for fact, _, value in facts}, forms


def check(texts: Texts) -> None:
    """Raises if a text is in a language that we don't have, or asks for what no results can have:
    better before a night of games than after it."""
    for name in ("title", "question", "answer", "conclusion"):
        text = getattr(texts, name)
        if isinstance(text, dict) and not {*text} <= {*LANGUAGES}:
            raise BadOption(name=name, value=", ".join(text), allowed=", ".join(LANGUAGES))
        for each in [text] if isinstance(text, str) else text.values():
            for asked in QUOTE.findall(each):
                _read(asked)
    for claim in texts.claims:
        _parts(claim)


def failing(texts: Texts, results: Results) -> list[str]:
    """The claims that do not hold."""
    return [claim for claim in texts.claims if not holds(claim, results)]


def holds(claim: str, results: Results) -> bool:
    one, sign, other = _parts(claim)
    left, right = _side(one, results), _side(other, results)
    if sign == "~":
        return _low(left) <= _high(right) and _low(right) <= _high(left)
    smaller, larger = (left, right) if sign == "<" else (right, left)
    return _high(smaller) < _low(larger)


def _parts(claim: str) -> tuple[str, str, str]:
    parts = re.split(r" ([<>~]) ", claim)
    if len(parts) != 3:
        raise BadStudy("bad_study_file", why=f"claims: {claim}")
    return parts[0], parts[1], parts[2]


def _side(text: str, results: Results) -> Value:
    try:
        number = float(text)
    except ValueError:
        name, wanted, _ = _read(text.strip())
        return find(results, name, wanted)[1]
    return Value(number, number, number, 0)


def _low(value: Value) -> float:
    return float("-inf") if value.low is None else value.low


def _high(value: Value) -> float:
    return float("inf") if value.high is None else value.high
