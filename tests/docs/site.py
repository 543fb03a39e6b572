"""Builds the documentation's site, strictly, and proves that it needs nobody else: `make docs`.

No page, style or script of it names a file on another host, and a browser that loads pages asks
only the site for anything. With `--shots FOLDER` the pages are photographed at two widths.
"""

import argparse
import functools
import os
import re
import subprocess
import sys
import threading
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from tests.docs.pages import ROOT

SITE = ROOT / "build" / "site"

LOADING = {"script": "src", "img": "src", "iframe": "src", "source": "srcset", "form": "action"}
"""Attributes that make a page load something; `link` is one by its `rel`."""

WIDTHS = (360, 1440)

LOOKED_AT = ("index", "first-game", "write-a-game", "reference/match", "bench/RESULTS", "protocol")


class Loaded(HTMLParser):
    """The addresses of what a page loads from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.elsewhere: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        name = LOADING.get(tag)
        if tag == "link" and values.get("rel") not in ("canonical", "prev", "next"):
            name = "href"
        address = values.get(name) if name else None
        if address and (urlsplit(address).netloc or urlsplit(address).scheme not in ("", "data")):
            self.elsewhere.append(f"{tag} {address}")


def elsewhere() -> list[str]:
    """All that the site would load from other hosts."""
    found = []
    for page in sorted(SITE.rglob("*.html")):
        loaded = Loaded()
        loaded.feed(page.read_text(encoding="utf-8"))
        found += [f"{page.relative_to(SITE)}: {each}" for each in loaded.elsewhere]
    for style in sorted(SITE.rglob("*.css")):
        addresses = re.findall(r"url\(['\"]?((?:https?:)?//[^)'\"]+)", style.read_text())
        found += [f"{style.relative_to(SITE)}: {each}" for each in addresses]
    return found


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Requests are nobody's business."""


def looked_at(shots: Path | None) -> list[str]:
    """Loads pages in a browser: what went wrong, and what they asked of others."""
    from playwright.sync_api import sync_playwright

    from tests.browser.chromium import CHROMIUM, FLAGS

    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(SITE)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    home = f"http://127.0.0.1:{server.server_port}/"
    wrong: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for dark in (False, True):
            for width in WIDTHS:
                page = browser.new_page(
                    viewport={"width": width, "height": 900},
                    color_scheme="dark" if dark else "light",
                )
                page.on("request", lambda asked: _judge(asked.url, home, wrong))
                page.on("console", lambda said: _complain(said.type, said.text, wrong))
                for name in LOOKED_AT:
                    page.goto(f"{home}{name}.html", wait_until="networkidle")
                    inner = page.evaluate("document.documentElement.scrollWidth")
                    if inner > width:
                        wrong.append(f"{name} at {width}: {inner} wide")
                    if shots is not None:
                        file = f"{name.replace('/', '-')}-{width}{'-dark' if dark else ''}.png"
                        page.screenshot(path=shots / file)
                page.close()
        browser.close()
    server.shutdown()
    return wrong


def _judge(url: str, home: str, wrong: list[str]) -> None:
    if not url.startswith((home, "data:", "blob:")):
        wrong.append(f"asked for {url}")


def _complain(kind: str, text: str, wrong: list[str]) -> None:
    if kind == "error":
        wrong.append(text)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--shots", type=Path, help="a folder for pictures of the pages")
    shots = parser.parse_args().shots
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet"], cwd=ROOT, env=quiet
    )
    if built.returncode:
        sys.exit(built.returncode)
    wrong = elsewhere()
    if shots is not None:
        shots.mkdir(parents=True, exist_ok=True)
        wrong += looked_at(shots)
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{SITE.relative_to(ROOT)}: {len(list(SITE.rglob('*.html')))} pages")


if __name__ == "__main__":
    main()
