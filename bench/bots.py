"""Contests between bots: the tables of docs/bots.md, made anew.

    python bench/bots.py --out bench/BOTS.md [--games 400] [--only marshmallow]

Every line names the command that plays it alone. The same deals, seats rotated; 95 % intervals. At
the end stands how fast search is (bench/search_speed.py).
"""

import argparse
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from search_speed import ITERATIONS, POSITIONS, measure

from pli.bots.arena import compare

SEATS = 4
SEED = 1

LONGER_SEARCH = "search:5000,search:5000,search:500,search:500"
"""Ten times the iterations, two against two: a small effect, which takes many games to show."""


@dataclass(frozen=True)
class MatchUp:
    """One against three of another kind; or two against two."""

    game: str
    option: str
    """As NAME=VALUE; several with spaces between them."""
    bots: str
    games: float = 1.0
    """The share of the requested number of games: long games are played less often."""

    @property
    def options(self) -> dict[str, Any]:
        return dict(each.split("=") for each in self.option.split())

    def command(self, games: int) -> str:
        options = "".join(f" --option {each}" for each in self.option.split())
        return (
            f"pli arena {self.game} --bots {self.bots} --seats {SEATS} --games {games}"
            f" --seed {SEED}{options}"
        )


def match_ups() -> list[MatchUp]:
    found = []
    tricks = (("marshmallow", "edition=en"), ("marshmallow", "edition=fr"), ("plingo", ""))
    for game, option in tricks:
        for rival in ("random", "flat:30"):
            for bot in ("medium", "flat:300", "search:5000", "oracle:300"):
                found.append(MatchUp(game, option, f"{bot},{rival}"))
        found.append(MatchUp(game, option, LONGER_SEARCH, 3.0 if option == "edition=en" else 1.0))
        found.append(MatchUp(game, option, "easy,random"))
        found.append(MatchUp(game, option, "easy,medium"))
    for bots in ("medium,random", "search:2000,medium"):
        found.append(MatchUp("plingo", "auction=on", bots, 0.5))
        for option in ("teams=pairs", "teams=pairs auction=on"):
            found.append(MatchUp("plingo", option, f"{bots},{bots}", 0.5))  # partners are alike
    for option in ("rules=start", "rules=full"):
        found.append(MatchUp("merci", option, "search:2000,medium", 0.5))
        found.append(MatchUp("merci", option, "easy,medium", 0.5))
        found.append(MatchUp("merci", option, LONGER_SEARCH))
    # Not by full rules: `random` takes no time, and lays out of turn before anybody can say a word.
    for bots in ("medium,random", "easy,random"):
        found.append(MatchUp("merci", "rules=start", bots, 0.25))
    for bots in ("easy,medium", "hard,medium"):
        found.append(MatchUp("twinit", "", bots, 0.25))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--only", help="lines that contain this text")
    chosen = parser.parse_args()
    rows = [
        "| game | bots | share a seat | even | Elo | ms a decision | games |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    todo = [line for line in match_ups() if not chosen.only or chosen.only in line.command(0)]
    commands = []
    with Progress(console=Console(stderr=True)) as bar:
        task = bar.add_task("arena", total=len(todo))
        for line in todo:
            games = max(40, int(chosen.games * line.games))
            found = compare(
                line.game, line.bots, games, SEED, os.cpu_count() or 1, seats=SEATS, **line.options
            )
            kind = found.kinds[0]
            low, high = kind.share.low, kind.share.high
            elo = f"{kind.elo.value:+.0f}" if kind.elo is not None else ""
            rows.append(
                f"| {line.game} {line.option} | `{line.bots}` | **{kind.share.value:.1%}**"
                f" ({low:.1%}-{high:.1%}) | {kind.even:.0%} | {elo} |"
                f" {kind.ms or 0:.1f} | {found.games} |"
            )
            commands.append(f"    {line.command(games)}")
            print(rows[-1], file=sys.stderr)
            bar.advance(task)
        paces = [] if chosen.only else ["", *measure(ITERATIONS, POSITIONS, bar)]
    text = "\n".join(["# Bots", "", *rows, "", "Each line alone:", "", *commands, *paces, ""])
    if chosen.out:
        chosen.out.write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
