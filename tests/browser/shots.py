"""`make shots`: pictures of every page and of the table at its moments, in three sizes, by day and
by night, in English and French. To be looked at by people."""

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
from tests.browser.house import CHROMIUM, FLAGS, House
from tests.browser.twinit import Player
from tests.browser.visitor import SIZES, STILL, Light, Visitor, with_mouse

Look = tuple[Light, str]
LOOKS: list[Look] = [("light", "en-GB"), ("dark", "fr-FR")]
OTHER_LOOKS: list[Look] = [("light", "fr-FR"), ("dark", "en-GB"), ("light", "es-ES")]
"""Together they show all there is; `--all` makes the others as well."""

SHOWN = ("phone", "tablet", "desktop")

PREFERENCES = {"name": "Camille", "pace": "instant", "guard": False}


class Studio:
    """Where pictures are taken: one browser, one size, one light, one language."""

    def __init__(self, browser: Browser, house: House, size: str, look: Look) -> None:
        self.browser, self.house, self.size, self.look = browser, house, size, look
        self.out = Path()
        self.only = re.compile("")

    @contextmanager
    def visitor(self, **more: object) -> Iterator[Visitor]:
        width, height = SIZES[self.size]
        light, language = self.look
        context = self.browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=light,
            locale=language,
            device_scale_factor=1,
        )
        set_before = json.dumps({**PREFERENCES, **more})
        context.add_init_script(f"localStorage.setItem('pli.preferences', '{set_before}')")
        yield Visitor(self.house, context)
        context.close()

    def snap(self, visitor: Visitor, name: str, *, whole: bool = False) -> None:
        light, language = self.look
        path = self.out / f"{name}-{self.size}-{light}-{language[:2]}.png"
        try:
            visitor.page.wait_for_function(STILL, timeout=3000)
        except PlaywrightTimeout:
            print(f"{path.name}: still moving")
        visitor.page.screenshot(path=path, full_page=whole)

    def wants(self, name: str) -> bool:
        return self.only.search(name) is not None


def pages(studio: Studio) -> None:
    with studio.visitor() as ann:
        ann.go("/")
        ann.sees(".shelf li")
        studio.snap(ann, "home", whole=True)
        ann.page.locator("header .round").click()
        studio.snap(ann, "settings")
        for path, name in (("/rules/plingo", "rules"), ("/t/nowhere123", "lost")):
            ann.go(path)
            ann.sees("h1")
            studio.snap(ann, name)


def waiting(studio: Studio) -> None:
    with studio.visitor() as ann:
        made = {"game": "marshmallow", "name": "Camille", "options": {"seats": 4}}
        seat = studio.house.ask("/api/tables", made)
        studio.house.ask(f"/api/tables/{seat['table']}/seats", {"name": "Maximilienne"})
        ann.sit({**seat, "game": "marshmallow", "used": 1})
        ann.sees(".options fieldset")
        studio.snap(ann, "waiting", whole=True)


def people(studio: Studio) -> None:
    """A seat that is freed, for its host and its person; a table that only its players see; a name
    that is not wanted."""
    with studio.visitor() as ann, studio.visitor(name="Maximilienne") as bob:
        made = {"game": "plingo", "name": "Camille", "options": {"seats": 4}}
        seat = studio.house.ask("/api/tables", {**made, "settings": {"spectators": False}})
        sat = studio.house.ask(f"/api/tables/{seat['table']}/seats", {"name": "Camille"})
        bob.sit({**sat, "game": "plingo", "used": 1})
        ann.sit({**seat, "game": "plingo", "used": 1})
        ann.sees(".options fieldset")
        bob.sees(".options fieldset")
        studio.snap(ann, "people-waiting", whole=True)
        ann.page.locator(".seats .cross").click()
        studio.snap(ann, "people-asked")
        ann.page.locator("dialog[open] .main").click()
        bob.sees(".freed")
        studio.snap(bob, "people-freed")
        ann.page.locator(".start button").click()
        ann.sees(".hand button")
        bob.page.reload()
        bob.sees("h1")
        studio.snap(bob, "people-alone")
    with studio.visitor(name="Kumquat") as bob:
        bob.go("/")
        bob.page.locator("article.plingo .acts .button:not(.main)").last.click()
        bob.sees("dialog[open] [role=alert]")
        studio.snap(bob, "people-name")


def house_rules(studio: Studio) -> None:
    """A table by the book and one that is not, as its host and a guest see them, with what is told
    of it at the table, after the game and on the shelf."""
    with studio.visitor() as ann, studio.visitor() as bob:
        seat = studio.house.make("marshmallow", 4, target=20)
        ann.sit(seat)
        ann.sees("details summary")
        studio.snap(ann, "house-folded", whole=True)
        ann.page.locator("details summary").click()
        ann.page.locator("details label", has_text=re.compile("^ *11 *$")).click()
        ann.page.locator("details label", has_text=re.compile("^ *10 *$")).first.click()
        studio.snap(ann, "house-open", whole=True)
        bob.go(f"/t/{seat['table']}")
        bob.sees("details[open]")
        studio.snap(bob, "house-guest", whole=True)
        ann.page.locator(".start button").click()
        ann.moment()
        studio.snap(ann, "house-table")
        ann.page.locator("header .house button").click()
        studio.snap(ann, "house-list")
    with studio.visitor() as ann:
        seat = studio.house.make("marshmallow", 5, target=2, tricks_to_go_out=1)
        ann.sit(seat)
        ann.page.locator(".start button").click()
        act = with_mouse(ann)
        act(ann.moment())
        studio.snap(ann, "house-one-trick")
        ann.plays(act)
        ann.sees(".result tr.won")
        studio.snap(ann, "house-result")
        made = {"game": "marshmallow", "name": "Maximilienne", "public": True}
        made |= {"options": {"target": 30}}
        waits = studio.house.ask("/api/tables", made)
        with studio.visitor() as host:
            host.sit({**waits, "game": "marshmallow", "used": 1})
            host.sees(".room")
            ann.go("/")
            ann.sees(".tables button.row")
            studio.snap(ann, "house-home", whole=True)


def old_games(studio: Studio) -> None:
    """A finished game of older rules, and one that was running."""
    with studio.visitor() as ann:
        for state in ("finished", "running"):
            seat = old.SEATS["merci"][state]
            ann.sit({**seat, "seat": 0, "game": "merci", "used": 1})
            ann.sees(".old")
            studio.snap(ann, f"old-{state}")


def table(
    studio: Studio, name: str, game: str, seats: int, options: dict[str, Any], theme: str = ""
) -> None:
    """A whole game, with a picture of everything that is seen for the first time."""
    with studio.visitor(themes={game: theme}) as ann:
        seat = studio.house.make(game, seats, **options)
        ann.sit(seat)
        ann.page.locator(".start button").click()
        seen = 0
        act = with_mouse(ann)
        moment = ann.moment()
        taken: set[str] = set()
        titles: list[str] = []
        while moment.what != "over":
            seen += 1
            what = "choice" if moment.what == "choice" else f"card{seen}"
            if what == "choice":
                title = ann.page.locator(".slip h2").inner_text()
                if title not in titles:
                    titles.append(title)
                what = f"choice{titles.index(title)}"
            if what not in taken and (what[:6] == "choice" or what in ("card1", "card5", "card12")):
                taken.add(what)
                studio.snap(ann, f"{name}-{what}")
            if seen == 3:
                trick(studio, ann, name, moment, act)
                moment = ann.moment()
                continue
            act(moment)
            moment = ann.moment(moment.state)
        ann.sees(".result tr.won")
        studio.snap(ann, f"{name}-result", whole=True)
        ann.go(f"/r/{seat['table']}/1")
        ann.sees("input[type=range]")
        ann.page.locator("input[type=range]").evaluate(
            "e => { e.value = Math.round(e.max * 0.4);"
            " e.dispatchEvent(new Event('input', { bubbles: true })); }"
        )
        studio.snap(ann, f"{name}-replay")
        ann.page.locator(".scrub select").select_option("-1")
        ann.page.wait_for_timeout(500)
        studio.snap(ann, f"{name}-replay-open")


def trick(studio: Studio, ann: Visitor, name: str, moment: Any, act: Callable[[Any], None]) -> None:
    """A trick while it is being won: for that what happens must take its time."""
    ann.page.keyboard.press("m")
    ann.page.locator("dialog[open] label", has=ann.page.locator("[value=calm]")).click()
    studio.snap(ann, f"{name}-menu")
    ann.shut()
    act(moment)
    try:
        ann.page.wait_for_selector(".trick .best", timeout=15_000)
        ann.page.wait_for_timeout(350)
        studio.snap(ann, f"{name}-trick")
    except PlaywrightTimeout:
        print(f"{name}: no trick was won")
    ann.page.keyboard.press("m")
    ann.page.locator("dialog[open] label", has=ann.page.locator("[value=instant]")).click()
    ann.shut()
    for _ in range(30):
        ann.page.keyboard.press(" ")


def merci_table(studio: Studio, seats: int, rules: str) -> None:
    """A game of Merci: at rest, with a word and a card, what is asked, what was denounced, the end
    of a round and of the game."""
    name = f"merci-{seats}"
    with studio.visitor() as ann:
        seat = studio.house.make("merci", seats, rules=rules, first_player=0, fault_window_ms=1500)
        ann.sit(seat)
        ann.sees(".options fieldset")
        studio.snap(ann, f"{name}-waiting", whole=True)
        ann.page.locator(".start button").click()
        ann.sees(".stack")  # what is drawn last
        studio.snap(ann, f"{name}-turn")
        ann.page.locator(".words .siouplait").click()
        ann.page.locator(".hand button").nth(2).click(position={"x": 12, "y": 30})
        studio.snap(ann, f"{name}-picked")
        ann.page.keyboard.press("Escape")
        do = merci.with_mouse(ann)
        taken = {"turn"}

        def act(action: str) -> None:
            now = merci.sight(ann)
            seen = {"news"} if ann.page.locator(".told .news").count() else set()
            for what in (seen | {now.view.phase if now else "turn"}) - taken:
                taken.add(what)
                studio.snap(ann, f"{name}-{what}")
            do(action)

        merci.plays(ann, act, seconds=120)
        ann.sees(".result tr.won")
        studio.snap(ann, f"{name}-result", whole=True)
        ann.go(f"/r/{seat['table']}/1")
        ann.sees("input[type=range]")
        ann.page.locator(".scrub select").select_option("-1")
        for _ in range(20):
            ann.page.keyboard.press("ArrowRight")
        studio.snap(ann, f"{name}-replay-open")


def twinit_tables(studio: Studio, mode: str, seats: int) -> None:
    """Twin It! before the game, with cards on the table and a hand on one of them, from near, after
    a catch, and its result."""
    name = f"twinit-{mode}-{seats}"
    with studio.visitor() as ann:
        ann.sit(studio.house.make("twinit", seats, mode=mode))
        ann.sees(".options fieldset")
        studio.snap(ann, f"{name}-waiting", whole=True)
        minute = {"minute_ms": 25_000} if mode in ("coop", "rush") else {"catches": 2}
        player = Player(ann, friends=seats - 1, mode=mode, seats=seats, **minute)
        ann.page.wait_for_load_state("networkidle")
        caught = 0
        while caught == 0 or not (minute.get("minute_ms") or player.over):
            if "catches" in minute:  # then it is one's turn, and nothing moves by itself
                ann.page.wait_for_selector(".flip:enabled, .result")
            pair = player.pair()
            if pair is None or len(player.cards()) < 12:
                player.flips()
            elif mode == "teams" and caught == 0:
                player.click(pair[0])
                studio.snap(ann, f"{name}-touch")
                break
            else:
                player.click(pair[0])
                studio.snap(ann, f"{name}-touch")
                player.click(pair[1])
                ann.page.wait_for_timeout(200)
                before, caught = caught, len(player.events("caught"))
                if caught > before:
                    studio.snap(ann, f"{name}-caught")
                else:  # the picture took longer than a hand rests: once more, when both are gone
                    ann.page.wait_for_timeout(3000)
        ann.page.keyboard.press("+")
        studio.snap(ann, f"{name}-near")
        if mode != "teams":
            ann.sees(".result")
            studio.snap(ann, f"{name}-result", whole=True)


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
        take(Path(folder), wanted, looks)


def take(folder: Path, wanted: argparse.Namespace, looks: list[Look]) -> None:
    names = folder / "names.txt"
    names.write_text("kumquat\n")
    unwanted = ("--unwanted-names", str(names))
    with sync_playwright() as playwright, House(folder, *unwanted) as house:
        assert CHROMIUM is not None
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for size in [wanted.size] if wanted.size else SHOWN:
            for look in looks:
                studio = Studio(browser, house, size, look)
                studio.out, studio.only = wanted.out, re.compile(wanted.only)
                if studio.wants("pages"):
                    pages(studio)
                if studio.wants("waiting"):
                    waiting(studio)
                if studio.wants("people"):
                    people(studio)
                if studio.wants("house"):
                    house_rules(studio)
                if studio.wants("old"):
                    old_games(studio)
                for name, game, seats, options in TABLES:
                    if studio.wants(name):
                        table(studio, name, game, seats, options)
                for theme, game, seats in THEMED:
                    if studio.wants(f"{theme}-{seats}"):
                        table(studio, f"{theme}-{seats}", game, seats, {}, theme)
                for seats, rules in MERCI:
                    if studio.wants(f"merci-{seats}"):
                        merci_table(studio, seats, rules)
                for mode, seats in TWINIT:
                    if studio.wants(f"twinit-{mode}-{seats}"):
                        twinit_tables(studio, mode, seats)
        browser.close()


if __name__ == "__main__":
    main()
