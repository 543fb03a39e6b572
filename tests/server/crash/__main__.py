"""The crash test at length (`make crash`): many tables play, and the server is killed again and
again, at any moment. Prints what was found."""

import argparse
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from tests.server.crash.command import parse, told
from tests.server.crash.runs import MOMENTS, QUICK, SLOW, THINKING, crash
from tests.server.crash.trial import Report, Tell


def main() -> int:
    """As many tables and kills as asked for, with what was found in a few lines."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--kills", type=int, default=50)
    asked = parse(parser)
    every = (*QUICK, *SLOW)
    plans = [THINKING if n % 100 == 50 else every[n % len(every)] for n in range(asked.tables)]
    moments = [
        each
        for number in range(asked.kills)
        for each in ([MOMENTS[number % len(MOMENTS)]] + ["stop"] * (number % 10 == 5))
    ]

    def run(folder: Path, tell: Tell) -> Coroutine[Any, Any, Report]:
        patience = 300 + asked.tables * 3
        return crash(folder, plans, moments, asked.seed, asked.pause, patience, "compiled", tell)

    return told(asked, run)


if __name__ == "__main__":
    sys.exit(main())
