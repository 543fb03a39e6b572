"""`make shots`: screenshots of every page and of tables in all phases, in three sizes, light and
dark, in English and French. For people to look at."""

import argparse
import json
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests import old
from tests.browser import merci
from tests.browser.chromium import CHROMIUM, FLAGS
from tests.browser.server import ServerProcess
from tests.browser.twinit import Player
from tests.browser.user import NO_ANIMATIONS, SIZES, ColorScheme, User, with_mouse

Look = tuple[ColorScheme, str]
LOOKS: list[Look] = [("light", "en-GB"), ("dark", "fr-FR")]
OTHER_LOOKS: list[Look] = [("light", "fr-FR"), ("dark", "en-GB"), ("light", "es-ES")]
"""Every colour scheme and language but not every combination; `--all` takes these as well."""

SHOWN = ("phone", "tablet", "desktop")

PREFERENCES = {"name": "Camille", "pace": "instant", "guard": False}


class Shots:
    """Takes screenshots with one size, colour scheme and language."""

    def __init__(self, browser: Browser, server: ServerProcess, size: str, look: Look) -> None:
        self.browser, self.server, self.size, self.look = browser, server, size, look
        self.out = Path()
        self.only = re.compile("")

    @contextmanager
    def user(self, **more: object) -> Iterator[User]:
        width, height = SIZES[self.size]
        scheme, language = self.look
        context = self.browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            locale=language,
            device_scale_factor=1,
        )
        preferences = json.dumps({**PREFERENCES, **more})
        context.add_init_script(f"localStorage.setItem('pli.preferences', '{preferences}')")
        yield User(self.server, context)
        context.close()

    def take(self, user: User, name: str, *, whole: bool = False) -> None:
        scheme, language = self.look
        path = self.out / f"{name}-{self.size}-{scheme}-{language[:2]}.png"
        try:
            user.page.wait_for_function(NO_ANIMATIONS, timeout=3000)
        except PlaywrightTimeout:
            print(f"{path.name}: still moving")
        user.page.screenshot(path=path, full_page=whole)

    def wanted(self, name: str) -> bool:
        return self.only.search(name) is not None


def pages(shots: Shots) -> None:
    with shots.user() as ann:
        ann.go("/")
        ann.expect_visible(".shelf li")
        shots.take(ann, "home", whole=True)
        ann.page.locator("header .round").click()
        shots.take(ann, "settings")
        for path, name in (("/rules/plingo", "rules"), ("/t/nowhere123", "lost")):
            ann.go(path)
            ann.expect_visible("h1")
            shots.take(ann, name)


def waiting(shots: Shots) -> None:
    with shots.user() as ann:
        made = {"game": "marshmallow", "name": "Camille", "options": {"seats": 4}}
        seat = shots.server.request("/api/tables", made)
        shots.server.request(f"/api/tables/{seat['table']}/seats", {"name": "Maximilienne"})
        ann.open_table({**seat, "game": "marshmallow", "used": 1})
        ann.expect_visible(".options fieldset")
        shots.take(ann, "waiting", whole=True)


def people(shots: Shots) -> None:
    """A seat that is freed, as its host and its player see it; a table without spectators; an
    unwanted name."""
    with shots.user() as ann, shots.user(name="Maximilienne") as bob:
        made = {"game": "plingo", "name": "Camille", "options": {"seats": 4}}
        seat = shots.server.request("/api/tables", {**made, "settings": {"spectators": False}})
        sat = shots.server.request(f"/api/tables/{seat['table']}/seats", {"name": "Camille"})
        bob.open_table({**sat, "game": "plingo", "used": 1})
        ann.open_table({**seat, "game": "plingo", "used": 1})
        ann.expect_visible(".options fieldset")
        bob.expect_visible(".options fieldset")
        shots.take(ann, "people-waiting", whole=True)
        ann.page.locator(".seats .cross").click()
        shots.take(ann, "people-asked")
        ann.page.locator("dialog[open] .main").click()
        bob.expect_visible(".freed")
        shots.take(bob, "people-freed")
        ann.page.locator(".start button").click()
        ann.expect_visible(".hand button")
        bob.page.reload()
        bob.expect_visible("h1")
        shots.take(bob, "people-alone")
    with shots.user(name="Kumquat") as bob:
        bob.go("/")
        bob.page.locator("article.plingo .acts .button:not(.main)").last.click()
        bob.expect_visible("dialog[open] [role=alert]")
        shots.take(bob, "people-name")


def lab(shots: Shots) -> None:
    with shots.user() as ann:
        ann.go("/lab")
        ann.expect_visible("form")
        shots.take(ann, "lab", whole=True)
        ann.page.locator(".questions input").nth(1).check()
        ann.page.locator(".counts input").first.check(force=True)
        ann.page.locator("button[type=submit]").click()
        ann.expect_visible(".plot svg")
        ann.page.wait_for_function("() => document.querySelector('.go button + button').disabled")
        shots.take(ann, "lab-answer", whole=True)


def house_rules(shots: Shots) -> None:
    """A table by the book and one that is not, as host and guest see them, in the waiting room,
    during and after the game, and on the home page."""
    with shots.user() as ann, shots.user() as bob:
        seat = shots.server.create_table("marshmallow", 4, target=20)
        ann.open_table(seat)
        ann.expect_visible("details summary")
        shots.take(ann, "house-folded", whole=True)
        ann.page.locator("details summary").click()
        ann.page.locator("details label", has_text=re.compile("^ *11 *$")).click()
        ann.page.locator("details label", has_text=re.compile("^ *10 *$")).first.click()
        shots.take(ann, "house-open", whole=True)
        bob.go(f"/t/{seat['table']}")
        bob.expect_visible("details[open]")
        shots.take(bob, "house-guest", whole=True)
        ann.page.locator(".start button").click()
        ann.wait_for_prompt()
        shots.take(ann, "house-table")
        ann.page.locator("header .house button").click()
        shots.take(ann, "house-list")
    with shots.user() as ann:
        seat = shots.server.create_table("marshmallow", 5, target=2, tricks_to_go_out=1)
        ann.open_table(seat)
        ann.page.locator(".start button").click()
        act = with_mouse(ann)
        act(ann.wait_for_prompt())
        shots.take(ann, "house-one-trick")
        ann.play_game(act)
        ann.expect_visible(".result tr.won")
        shots.take(ann, "house-result")
        made = {"game": "marshmallow", "name": "Maximilienne", "public": True}
        made |= {"options": {"target": 30}}
        waits = shots.server.request("/api/tables", made)
        with shots.user() as host:
            host.open_table({**waits, "game": "marshmallow", "used": 1})
            host.expect_visible(".room")
            ann.go("/")
            ann.expect_visible(".tables button.row")
            shots.take(ann, "house-home", whole=True)


def old_games(shots: Shots) -> None:
    """A finished and a running game of an older version of the rules."""
    with shots.user() as ann:
        for state in ("finished", "running"):
            seat = old.SEATS["merci"][state]
            ann.open_table({**seat, "seat": 0, "game": "merci", "used": 1})
            ann.expect_visible(".old")
            shots.take(ann, f"old-{state}")


def table(
    shots: Shots, name: str, game: str, seats: int, options: dict[str, Any], theme: str = ""
) -> None:
    """A whole game, with a screenshot of every kind of prompt."""
    with shots.user(themes={game: theme}) as ann:
        seat = shots.server.create_table(game, seats, **options)
        ann.open_table(seat)
        ann.page.locator(".start button").click()
        seen = 0
        act = with_mouse(ann)
        prompt = ann.wait_for_prompt()
        taken: set[str] = set()
        titles: list[str] = []
        while prompt.kind != "over":
            seen += 1
            what = "choice" if prompt.kind == "choice" else f"card{seen}"
            if what == "choice":
                title = ann.page.locator(".slip h2").inner_text()
                if title not in titles:
                    titles.append(title)
                what = f"choice{titles.index(title)}"
            if what not in taken and (what[:6] == "choice" or what in ("card1", "card5", "card12")):
                taken.add(what)
                shots.take(ann, f"{name}-{what}")
            if seen == 3:
                trick(shots, ann, name, prompt, act)
                prompt = ann.wait_for_prompt()
                continue
            act(prompt)
            prompt = ann.wait_for_prompt(prompt.state)
        ann.expect_visible(".result tr.won")
        shots.take(ann, f"{name}-result", whole=True)
        ann.go(f"/r/{seat['table']}/1")
        ann.expect_visible("input[type=range]")
        ann.page.locator("input[type=range]").evaluate(
            "e => { e.value = Math.round(e.max * 0.4);"
            " e.dispatchEvent(new Event('input', { bubbles: true })); }"
        )
        shots.take(ann, f"{name}-replay")
        ann.page.locator(".seat-choice").select_option("-1")
        ann.page.wait_for_timeout(500)
        shots.take(ann, f"{name}-replay-open")


def trick(shots: Shots, ann: User, name: str, prompt: Any, act: Callable[[Any], None]) -> None:
    """A trick while it is being won: for that the pace must be slow."""
    ann.page.keyboard.press("m")
    ann.page.locator("dialog[open] label", has=ann.page.locator("[value=calm]")).click()
    shots.take(ann, f"{name}-menu")
    ann.close_dialog()
    act(prompt)
    try:
        ann.page.wait_for_selector(".trick .best", timeout=15_000)
        ann.page.wait_for_timeout(350)
        shots.take(ann, f"{name}-trick")
    except PlaywrightTimeout:
        print(f"{name}: no trick was won")
    ann.page.keyboard.press("m")
    ann.page.locator("dialog[open] label", has=ann.page.locator("[value=instant]")).click()
    ann.close_dialog()
    for _ in range(30):
        ann.page.keyboard.press(" ")


def merci_table(shots: Shots, seats: int, rules: str) -> None:
    """A game of Merci: at rest, with a word and a card picked, every phase, a denunciation, the end
    of a round and of the game."""
    name = f"merci-{seats}"
    with shots.user() as ann:
        seat = shots.server.create_table(
            "merci", seats, rules=rules, first_player=0, fault_window_ms=1500
        )
        ann.open_table(seat)
        ann.expect_visible(".options fieldset")
        shots.take(ann, f"{name}-waiting", whole=True)
        ann.page.locator(".start button").click()
        ann.expect_visible(".stack")  # what is drawn last
        shots.take(ann, f"{name}-turn")
        ann.page.locator(".words .siouplait").click()
        ann.page.locator(".hand button").nth(2).click(position={"x": 12, "y": 30})
        shots.take(ann, f"{name}-picked")
        ann.page.keyboard.press("Escape")
        do = merci.with_mouse(ann)
        taken = {"turn"}

        def act(action: str) -> None:
            now = merci.last_update(ann)
            seen = {"news"} if ann.page.locator(".told .news").count() else set()
            for what in (seen | {now.view.phase if now else "turn"}) - taken:
                taken.add(what)
                shots.take(ann, f"{name}-{what}")
            do(action)

        merci.play_game(ann, act, seconds=120)
        ann.expect_visible(".result tr.won")
        shots.take(ann, f"{name}-result", whole=True)
        ann.go(f"/r/{seat['table']}/1")
        ann.expect_visible("input[type=range]")
        ann.page.locator(".seat-choice").select_option("-1")
        for _ in range(20):
            ann.page.keyboard.press("ArrowRight")
        shots.take(ann, f"{name}-replay-open")


def twinit_tables(shots: Shots, mode: str, seats: int) -> None:
    """Twin It! before the game, with cards on the table and a hand on one of them, zoomed in, after
    a catch, and its result."""
    name = f"twinit-{mode}-{seats}"
    with shots.user() as ann:
        ann.open_table(shots.server.create_table("twinit", seats, mode=mode))
        ann.expect_visible(".options fieldset")
        shots.take(ann, f"{name}-waiting", whole=True)
        minute: dict[str, Any] = (
            {"minute_ms": 25_000} if mode in ("coop", "rush") else {"catches": 2}
        )
        player = Player(ann, headless=seats - 1, mode=mode, seats=seats, **minute)
        ann.page.wait_for_load_state("networkidle")
        caught = 0
        while caught == 0 or not (minute.get("minute_ms") or player.over):
            if "catches" in minute:  # then it is one's turn, and nothing moves by itself
                ann.page.wait_for_selector(".flip:enabled, .result")
            pair = player.pair()
            if pair is None or len(player.cards()) < 12:
                player.flip()
            elif mode == "teams" and caught == 0:
                player.click(pair[0])
                shots.take(ann, f"{name}-touch")
                break
            else:
                player.click(pair[0])
                shots.take(ann, f"{name}-touch")
                player.click(pair[1])
                ann.page.wait_for_timeout(200)
                before, caught = caught, len(player.events("caught"))
                if caught > before:
                    shots.take(ann, f"{name}-caught")
                else:  # the picture took longer than a hand rests: once more, when both are gone
                    ann.page.wait_for_timeout(3000)
        ann.page.keyboard.press("+")
        shots.take(ann, f"{name}-near")
        if mode != "teams":
            ann.page.wait_for_selector(".result", timeout=60_000)  # a minute may just have begun
            shots.take(ann, f"{name}-result", whole=True)


TWINIT = [("race", 2), ("race", 6), ("teams", 4), ("coop", 1), ("rush", 3)]
MERCI = [(3, "start"), (4, "full"), (6, "full")]

TABLES: list[tuple[str, str, int, dict[str, Any]]] = [
    ("marshmallow-2", "marshmallow", 2, {"target": 15}),
    ("marshmallow-4", "marshmallow", 4, {"target": 15}),
    ("marshmallow-5", "marshmallow", 5, {"target": 15}),
    ("plingo-2", "plingo", 2, {}),
    ("plingo-4", "plingo", 4, {}),
    ("plingo-6", "plingo", 6, {}),
    ("plingo-pairs", "plingo", 4, {"teams": "pairs", "auction": "on", "joker": "may"}),
    ("plingo-halves", "plingo", 6, {"teams": "halves", "auction": "on"}),
]

THEMED = [("honeycomb", "plingo", 2), ("honeycomb", "plingo", 6)]
"""Themes beside the first, which every table has."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("build/shots"))
    parser.add_argument("--only", default="", help="a pattern of names")
    parser.add_argument("--size", choices=SIZES)
    parser.add_argument("--all", action="store_true", help="every light in every language")
    wanted = parser.parse_args()
    assert CHROMIUM is not None, "make shots needs chromium"
    wanted.out.mkdir(parents=True, exist_ok=True)
    looks = LOOKS + (OTHER_LOOKS if wanted.all else [])
    with tempfile.TemporaryDirectory() as folder:
        old.put_journal(Path(folder))
        take_all(Path(folder), wanted, looks)


def take_all(folder: Path, wanted: argparse.Namespace, looks: list[Look]) -> None:
    names = folder / "names.txt"
    names.write_text("kumquat\n")
    unwanted = ("--unwanted-names", str(names))
    with sync_playwright() as playwright, ServerProcess(folder, *unwanted) as server:
        assert CHROMIUM is not None
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for size in [wanted.size] if wanted.size else SHOWN:
            for look in looks:
                shots = Shots(browser, server, size, look)
                shots.out, shots.only = wanted.out, re.compile(wanted.only)
                if shots.wanted("pages"):
                    pages(shots)
                if shots.wanted("lab"):
                    lab(shots)
                if shots.wanted("waiting"):
                    waiting(shots)
                if shots.wanted("people"):
                    people(shots)
                if shots.wanted("house"):
                    house_rules(shots)
                if shots.wanted("old"):
                    old_games(shots)
                for name, game, seats, options in TABLES:
                    if shots.wanted(name):
                        table(shots, name, game, seats, options)
                for theme, game, seats in THEMED:
                    if shots.wanted(f"{theme}-{seats}"):
                        table(shots, f"{theme}-{seats}", game, seats, {}, theme)
                for seats, rules in MERCI:
                    if shots.wanted(f"merci-{seats}"):
                        merci_table(shots, seats, rules)
                for mode, seats in TWINIT:
                    if shots.wanted(f"twinit-{mode}-{seats}"):
                        twinit_tables(shots, mode, seats)
        browser.close()


if __name__ == "__main__":
    main()
