"""The tables of docs/agents.md, from what the games declare: `python -m pli.batch.page`."""

import math
from collections.abc import Iterator, Sequence

from pli import games
from pli.batch.driver import declared
from pli.game import AnyGame, read_options
from pli.kernel.observation import SEATS, Field
from pli.texts import words

BEGIN, END = "<!-- made by python -m pli.batch.page -->\n", "<!-- end -->\n"

SHOWN = 6
"""Actions in a row of the table, at most, that are named one by one."""


def section(game: AnyGame) -> str:
    declaration, seats = declared(game), int(read_options(game, {}).seats)
    kind = {"i1": "int8", "u1": "uint8"}[declaration.numbers]
    lines = [
        f"### {words('en', game.name)('name')}",
        "",
        f"`{game.name}`: {declaration.size(seats)} numbers at {seats} seats, `{kind}`; "
        f"{declaration.actions} actions.",
        "",
        "| field | shape | what it tells |",
        "| --- | --- | --- |",
    ]
    for each in declaration.fields:
        lines.append(f"| `{each.name}` | {shape(each)} | {each.about} |")
    lines += ["", "| numbers | actions |", "| --- | --- |"]
    lines += [f"| {numbers} | {named} |" for numbers, named in action_rows(declaration.names)]
    return "\n".join([*lines, ""])


def shape(field: Field) -> str:
    if math.prod(field.sizes(2)) == 1:
        return "1"
    return " x ".join("seats" if each == SEATS else str(each) for each in field.shape)


def action_rows(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Actions of the same verb in one row, by their first and last."""
    first = 0
    for number in range(1, len(names) + 1):
        if number < len(names) and verb(names[number]) == verb(names[first]):
            continue
        these = [f"`{name}`" for name in names[first:number]]
        told = (
            ", ".join(these) if len(these) <= SHOWN else f"{', '.join(these[:2])} ... {these[-1]}"
        )
        yield (f"{first}" if len(these) == 1 else f"{first}-{number - 1}"), told
        first = number


def verb(name: str) -> str:
    return name.partition(" ")[0]


def page() -> str:
    return BEGIN + "\n".join(map(section, map(games.load, games.names()))) + END


if __name__ == "__main__":
    print(page(), end="")
