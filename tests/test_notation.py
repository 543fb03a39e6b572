"""Actions as text: parse and print are inverse, wrong syntax and wrong action are two errors."""

import pytest

import pli
from pli.errors import Refused, WrongSyntax
from tests.tables import TABLES, Table

tables = pytest.mark.parametrize("table", TABLES, ids=str)


@tables
def test_every_action_has_one_text_and_every_text_one_action(table: Table) -> None:
    notation = table.game.notation
    for action in range(len(notation)):
        assert notation.parse(notation.show(action)) == action
    assert len({notation.show(action) for action in range(len(notation))}) == len(notation)


@tables
@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "play", "play B99", "PLAY B1", "play  B1", "play B1 "),
        *("move", "move 1", "move 1 to", "move 01 to 2", "move 1 to 144", "move 135 to 1"),
        *("move 1 to 2 ", "move  1 to 2", "move 1 at 2", "put 1 to 2", "move 1 to 2 to 3"),
    ],
)
def test_what_is_no_action_is_wrong_syntax(table: Table, text: str) -> None:
    with pytest.raises(WrongSyntax):
        table.game.notation.parse(text)


def test_wrong_syntax_and_a_wrong_action_are_different_errors() -> None:
    match = pli.new("marshmallow", seed=1, first_dealer=0)
    with pytest.raises(WrongSyntax):
        match.act(0, "dance")
    with pytest.raises(Refused, match="not your turn"):
        match.act(1, match.legal(0)[0])
