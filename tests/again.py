"""Runs the few tests that failed once more, alone: `python -m tests.again STATUS`, after a run.

Many tests play against a clock, with real browsers, databases and killed processes, several at a
time on two cores. What is wrong fails alone as well, and the run with it; what only ran out of time
beside others passes here, and is named.
"""

import json
import subprocess
import sys
from pathlib import Path

MOST = 6
"""More failures than that are no matter of a busy moment."""

FAILED = 1
"""The status of a run in which tests failed, and nothing else went wrong."""


def again(status: int, root: Path) -> int:
    """The status of the whole, after the last run of the tests in `root` ended with `status`."""
    cache = root / ".pytest_cache" / "v" / "cache" / "lastfailed"
    tests = sorted(json.loads(cache.read_text())) if cache.exists() else []
    if status != FAILED or not 0 < len(tests) <= MOST:
        return status
    print(f"\n*** {len(tests)} failed beside others. Once more, alone: ***", *tests, sep="\n  ")
    sys.stdout.flush()
    alone = subprocess.run([sys.executable, "-m", "pytest", "-n0", *tests], cwd=root, check=False)
    if alone.returncode == 0:
        print("\n*** Failed beside others, and passed alone: ***", *tests, sep="\n  ")
    return alone.returncode


if __name__ == "__main__":
    sys.exit(again(int(sys.argv[1]), Path(__file__).parent.parent))
