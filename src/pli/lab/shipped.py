"""Studies that come with the package, to be read: each a folder with its plan, `study.yaml`, and
its report in each language, `report.LANG.html`.

What a study asks and what came out is told by its report: its title, and the first paragraph of the
section with the class `answer`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from pli.errors import PliError
from pli.study.plan import Plan, make_plan
from pli.texts import LANGUAGES
from pli.yaml_file import parsed

HERE = Path(__file__).parent.parent / "study" / "shipped"

PLAN = "study.yaml"
PLANNED = ("game", "over", "options", "bots", "games")


@dataclass(frozen=True)
class ShippedStudy:
    folder: Path

    @property
    def name(self) -> str:
        return self.folder.name

    @cached_property
    def languages(self) -> tuple[str, ...]:
        return tuple(each for each in LANGUAGES if self.report(each).is_file())

    def report(self, language: str) -> Path:
        return self.folder / f"report.{language}.html"

    @cached_property
    def told(self) -> dict[str, tuple[str, str]]:
        """Question and answer, by language."""
        return {each: _told(self.report(each)) for each in self.languages}

    @cached_property
    def plans(self) -> tuple[Plan, ...]:
        return tuple(_plans((self.folder / PLAN).read_text(encoding="utf-8")))


@cache
def shipped() -> dict[str, ShippedStudy]:
    """Those that have a report, by name."""
    found = [ShippedStudy(file.parent) for file in sorted(HERE.glob(f"*/{PLAN}"))]
    return {each.name: each for each in found if each.languages}


def _plans(text: str) -> Iterator[Plan]:
    """The file's plan, or its parts. What is no sweep, such as a ladder, is left out."""
    values: Any = parsed(text)
    for each in values.get("parts") or [values]:
        given = {name: each[name] for name in PLANNED if name in each}
        try:
            yield make_plan(given.pop("game", ""), **given)
        except PliError:
            continue


class _Reader(HTMLParser):
    """Takes two texts from a report."""

    def __init__(self) -> None:
        super().__init__()
        self.title = ""
        self.answer = ""
        self._answering = False
        self._into = ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag == "h1":
            self._into = "title"
        elif tag == "section":
            self._answering = "answer" in (dict(attributes).get("class") or "").split()
        elif tag == "p" and self._answering and not self.answer:
            self._into = "answer"

    def handle_endtag(self, tag: str) -> None:
        if tag in ("h1", "p"):
            self._into = ""

    def handle_data(self, data: str) -> None:
        if self._into:
            setattr(self, self._into, getattr(self, self._into) + data)


def _told(file: Path) -> tuple[str, str]:
    reader = _Reader()
    reader.feed(file.read_text(encoding="utf-8"))
    return " ".join(reader.title.split()), " ".join(reader.answer.split())
