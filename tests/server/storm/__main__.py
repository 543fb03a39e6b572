"""The storm at length (`make storm`): many tables play at several servers, which are killed, frozen
and cut off, and whose database crashes. Prints what was found."""

import argparse
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from tests.server.crash.command import parse, told
from tests.server.crash.trial import Tell
from tests.server.storm.cluster import LEASE
from tests.server.storm.runs import events, storm, tables
from tests.server.storm.storm import StormReport


def main() -> int:
    """As much of everything as asked for, with what was found in a few lines."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--servers", type=int, default=3)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--freezes", type=int, default=20, help="longer than the lease")
    parser.add_argument("--databases", type=int, default=5, help="crashes of PostgreSQL")
    parser.add_argument("--cuts", type=int, default=10, help="of lines between all of them")
    parser.add_argument("--stops", type=int, default=5, help="planned ones, of servers")
    parser.add_argument("--lease", type=float, default=LEASE)
    asked = parse(parser)
    happens = events(
        asked.seed, asked.kills, asked.freezes, asked.databases, asked.cuts, asked.stops
    )

    def run(folder: Path, tell: Tell) -> Coroutine[Any, Any, StormReport]:
        plans = tables(asked.tables)
        patience = 300 + asked.tables * 3
        return storm(
            *(folder, plans, happens, asked.seed, asked.pause, patience, "compiled", tell),
            *(asked.servers, asked.lease),
        )

    return told(asked, run)


if __name__ == "__main__":
    sys.exit(main())
