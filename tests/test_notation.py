"""What is no action of a game is wrong syntax, and a wrong action another error. That parse and
print are inverse is in `pli.testing`."""

import pytest

import pli
from pli.errors import Refused, WrongSyntax
from tests.tables import TABLES, Table

tables = pytest.mark.parametrize("table", TABLES, ids=str)


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
