"""`make lighthouse`: Lighthouse scores of home, of a table in mid-game, of rules and of a lesson,
on a slow phone and on a desktop. Fails below the limit."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from playwright.sync_api import sync_playwright

from tests.browser.chromium import CHROMIUM, FLAGS
from tests.browser.server import ServerProcess
from tests.browser.user import User

TOOL = Path(__file__).parents[2] / "bench" / "page" / "node_modules" / "lighthouse" / "cli"
KINDS = ("performance", "accessibility", "best-practices")
LEAST = 95
PORT = 9377
TRIES = 3
"""Now and then Lighthouse misses the start of a page, and asks to be run again."""


def scores(url: str, desk: bool, out: Path) -> dict[str, float]:
    command = ["node", str(TOOL / "index.js"), url, f"--port={PORT}", "--disable-storage-reset"]
    command += [f"--only-categories={','.join(KINDS)}", "--output=json", "--quiet"]
    command += [f"--output-path={out}", *(["--preset=desktop"] if desk else [])]
    for left in reversed(range(TRIES)):
        done = subprocess.run(command, check=left == 0, timeout=180, env={**os.environ, "CI": "1"})
        if done.returncode == 0:
            break
    found = json.loads(out.read_text())["categories"]
    return {kind: 100 * found[kind]["score"] for kind in KINDS}


def failed_audits(out: Path) -> list[str]:
    """The audits of the last run that are not passed in full."""
    audits = json.loads(out.read_text())["audits"].values()
    low = [each for each in audits if each.get("score") is not None and each["score"] < 0.9]
    return [f"    {each['id']}: {each.get('displayValue') or each['title']}" for each in low]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3, help="of which the median counts")
    parser.add_argument("--why", action="store_true", help="also what is found wanting")
    wanted = parser.parse_args()
    assert CHROMIUM is not None, "make lighthouse needs chromium"
    worst = 100.0
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        ServerProcess(Path(folder)) as server,
    ):
        flags = [*FLAGS, f"--remote-debugging-port={PORT}"]
        # Seats are kept where Lighthouse looks: in the browser's own profile.
        context = playwright.chromium.launch_persistent_context(
            Path(folder) / "profile", executable_path=CHROMIUM, args=flags
        )
        ann = User(server, context)
        seat = ann.start_game("marshmallow", 4)
        ann.wait_for_prompt()
        out = Path(folder) / "report.json"
        pages = {"home": "/", "table": f"/t/{seat['table']}"}
        pages |= {"rules": "/rules/merci", "lesson": "/learn/twinit"}
        for name, path in pages.items():
            for desk in (False, True):
                runs = [scores(server.url + path, desk, out) for _ in range(wanted.runs)]
                middle = {kind: median(run[kind] for run in runs) for kind in KINDS}
                worst = min(worst, *middle.values())
                told = ", ".join(f"{kind} {score:.0f}" for kind, score in middle.items())
                print(f"{name}, {'desk' if desk else 'phone'}: {told}", flush=True)
                if wanted.why:
                    print("\n".join(failed_audits(out)), flush=True)
        context.close()
    return 0 if worst >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
