"""The pages of rules: alike in three languages, free of what only a terminal needs, and open about
what is our reading, our house rule or our proposal.

Invisible marks tie a page to the ledger: `<!-- PL-2a -->` beside a sentence names the reading or
the option that it tells of, and in a heading `<!-- readings -->` names the section."""

import re
from typing import NamedTuple

import msgspec
import pytest

from pli import games
from pli.texts import LANGUAGES, Words, page_source, rules_page, terminal_page
from tests import test_how_to_play as how_to_play
from tests.conftest import LEDGER

GAMES = games.names()
every_page = pytest.mark.parametrize("language", LANGUAGES)
every_game = pytest.mark.parametrize("game", GAMES)

UNNOTICED = {
    "MT-20a": "the order of payments and endings, which no player could tell from another order",
}
"""Readings that no page has to tell of, and why."""

OF_THE_BOOK = {
    "seats": "the number of players, with which every page begins",
    "edition": "two books, and both are told",
    "rules": "both are in the book",
    "mode": "all four are in the book",
    "taboo_seat": "a variant in the book",
    "taboo_team": "a variant in the book",
    "first_dealer": "stands in for who ate marshmallows last",
    "first_player": "stands in for what the book says, or is a reading",
    "helper": "changes no rule",
}
"""Options that are no house rules, and why."""

MOST_LINES = 105
"""Of rules without the fine print: what can be read aloud before play."""


class Section(NamedTuple):
    kind: str
    marks: list[str]
    shape: list[object]
    text: str


def shape_of(part: str) -> list[object]:
    """What must be alike in all languages: of every block its kind, its items or rows, and its
    cards, pictures, stars and cells."""
    blocks = [block for block in part.strip().split("\n\n") if block.strip()]
    return [
        (
            block[0] if block[0] in "#->|" else "paragraph",
            len(re.findall(r"^(?:- |\| )", block, re.MULTILINE)),
            re.findall(r"\[[BGYPO]\d+\]|!\[\]\(.*?\)|\\\*|\d+ (?=\|)", block),
        )
        for block in blocks
    ]


def sections(language: str, game: str) -> list[Section]:
    """The parts of a page, each from its heading on; the first is what stands under its title."""
    page = page_source(language, game, "rules")
    found = []
    for part in re.split(r"^(?=#)", page, flags=re.MULTILINE)[1:]:
        heading, _, body = part.partition("\n")
        kind = "".join(re.findall(r"<!-- (\w+) -->", heading))
        marks = " ".join(re.findall(r"<!-- (.*?) -->", body)).split()
        found.append(Section(kind, marks, shape_of(part), part))
    return found


def marks_in(language: str, game: str, *kinds: str) -> set[str]:
    return {mark for each in sections(language, game) if each.kind in kinds for mark in each.marks}


def ledger(game: str) -> str:
    return (LEDGER / f"{game}.md").read_text()


def ids_of(game: str, kind: str) -> set[str]:
    return set(re.findall(rf"^\| ([A-Z]{{2}}-\d+[a-z]?) \| {kind} \|", ledger(game), re.MULTILINE))


def options_of(game: str) -> set[str]:
    return {field.name for field in msgspec.structs.fields(games.load(game).options)}


@every_game
@every_page
def test_the_languages_have_the_same_sections_items_tables_and_marks(
    language: str, game: str
) -> None:
    english, other = sections("en", game), sections(language, game)
    assert [each.kind for each in english] == [each.kind for each in other]
    for ours, theirs in zip(english, other, strict=True):
        assert ours.shape == theirs.shape, theirs.text
        assert ours.marks == theirs.marks, theirs.text


@every_game
@every_page
def test_the_rules_come_first_then_the_fine_print_then_what_is_not_in_the_book(
    language: str, game: str
) -> None:
    kinds = [each.kind for each in sections(language, game)]
    last = ["readings", "house", *(["proposals"] if game == "plingo" else [])]
    assert kinds == [""] * (len(kinds) - len(last)) + last
    rules = page_source(language, game, "rules").split("<!-- readings -->")[0]
    assert rules.startswith("# ")
    assert len(rules.splitlines()) <= MOST_LINES
    assert all(len(line) <= 110 for line in rules.splitlines())


@every_game
@every_page
def test_every_reading_is_told_as_ours(language: str, game: str) -> None:
    assert ids_of(game, "reading") - UNNOTICED.keys() <= marks_in(language, game, "readings")


@every_game
@every_page
def test_every_option_that_is_not_in_the_book_is_told_as_ours(language: str, game: str) -> None:
    ours = marks_in(language, game, "house", "proposals")
    assert ids_of(game, "option") <= ours
    assert options_of(game) - OF_THE_BOOK.keys() <= ours


@every_game
@every_page
def test_a_mark_names_a_rule_of_the_ledger(language: str, game: str) -> None:
    """Its number at least: what hangs on a rule may be written before the ledger has it."""
    known = set(re.findall(r"^\| ([A-Z]{2}-\d+)", ledger(game), re.MULTILINE))
    assert {each.rstrip("abcdx") for each in marks_in(language, game, "readings")} <= known
    assert not marks_in(language, game, "")


@every_game
@every_page
def test_a_star_in_the_rules_has_its_reading(language: str, game: str) -> None:
    """The fine print explains the star exactly where there is one."""
    rules, _, rest = page_source(language, game, "rules").partition("<!-- readings -->")
    assert (r"\*" in rules) == (r"\*" in rest)
    assert rest.count(r"\*") <= 1


@every_game
@every_page
def test_a_page_has_people_and_no_option_names(language: str, game: str) -> None:
    page = "\n".join([*how_to_play.sentences(language, game).values(), rules_page(language, game)])
    assert "`" not in page
    assert "<!--" not in page
    assert "![" not in page
    assert not re.search(r"\b(seats?|places? \d|asientos?)\b", page, re.IGNORECASE)
    assert not [name for name in options_of(game) if "_" in name and name in page]


@every_game
@every_page
def test_the_terminal_page_tells_every_action_and_every_option(language: str, game: str) -> None:
    page = terminal_page(language, game)
    assert page.startswith("## ")
    words = {word for code in re.findall(r"`(.+?)`", page) for word in code.strip("-").split()}
    verbs = {key.split(".")[1] for key in Words("en", game)._texts if key.startswith("actions.")}
    assert {verb.split("_")[0] for verb in verbs - {"play"}} <= words
    assert options_of(game) - {"helper"} <= words
