"""The studies that come with Pli: what their texts claim holds in their results, and their reports
in docs/studies are what those give."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from pli import games
from pli.study.plan import cells
from pli.study.report.contents import contents
from pli.study.report.quotes import QUOTE, failing, in_language
from pli.study.shipped import shipped
from pli.texts import LANGUAGES
from tests.cli.command import pli

ROOT = Path(__file__).parents[2]
STUDIES = shipped()

each_study = pytest.mark.parametrize("name", STUDIES)


def test_there_are_some() -> None:
    assert len(STUDIES) >= 4


@each_study
def test_the_results_are_those_of_the_plan(name: str) -> None:
    """Of today's rules: a game whose behaviour changes wants its studies played again."""
    study = STUDIES[name]
    parts = study.results.parts
    assert [(part.plan, part.ladder) for part in parts] == [
        (part.plan, part.ladder) for part in study.study.parts
    ]
    for part in parts:
        assert part.rules == games.load(part.plan.game).version
        asked = {tuple(cell.varied.items()) for cell in cells(part.plan)}
        found = {tuple(cell.varied.items()) for cell in part.cells}
        lowest = ("bots", part.plan.bots[0])
        wanted = {each for each in asked if lowest not in each} if part.ladder else asked
        assert found == wanted


@each_study
def test_its_claims_hold(name: str) -> None:
    study = STUDIES[name]
    assert study.study.texts.claims
    assert failing(study.study.texts, study.results) == []


@each_study
@pytest.mark.parametrize("language", LANGUAGES)
def test_its_texts_are_there_and_nobody_typed_a_measured_number(name: str, language: str) -> None:
    texts = STUDIES[name].study.texts
    for text in (texts.title, texts.question, texts.answer, texts.conclusion):
        assert isinstance(text, dict)
        assert set(text) == set(LANGUAGES)
        rest = QUOTE.sub("", in_language(text, language))
        assert not re.findall(r"\d[.,]\d|\d\s?%", rest)
    told = contents(STUDIES[name].results, texts, language)
    assert told.withheld == ""
    assert "{" not in told.answer + told.conclusion


@each_study
def test_the_languages_quote_the_same_numbers(name: str) -> None:
    texts = STUDIES[name].study.texts
    for text in (texts.answer, texts.conclusion):
        quoted = [sorted(QUOTE.findall(in_language(text, each))) for each in LANGUAGES]
        assert quoted[0] == quoted[1] == quoted[2]


def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_studies", ROOT / "docs/make_studies.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_reports_in_docs_are_what_the_results_give() -> None:
    """`make studies` writes them."""
    folder = ROOT / "docs" / "studies"
    wanted = maker().pages()
    assert {file.name for file in folder.glob("*.html")} == set(wanted)
    for name, text in wanted.items():
        assert (folder / name).read_text(encoding="utf-8") == text, f"{name}: make studies"


def test_the_page_of_studies_names_each_with_its_reports() -> None:
    page = (ROOT / "docs" / "studies.md").read_text(encoding="utf-8")
    for name, study in STUDIES.items():
        assert f"pli study open {name}" in page
        assert in_language(study.study.texts.question, "en") in page
        assert f"(studies/{name}.html)" in page


def test_they_are_small() -> None:
    """They are in every clone."""
    files = [*(ROOT / "docs" / "studies").iterdir()]
    files += [file for study in STUDIES.values() for file in study.file.parent.iterdir()]
    assert sum(file.stat().st_size for file in files) < 2_000_000


def test_they_are_listed_and_opened_by_name(tmp_path: Path) -> None:
    listed = pli("study", "--list", "--lang", "fr")
    assert listed.returncode == 0, listed.stderr
    for name, study in STUDIES.items():
        assert f"{name}: " in listed.stdout
        assert in_language(study.study.texts.question, "fr")[:30] in listed.stdout
    name = next(iter(STUDIES))
    opened = pli("study", "open", name, "--lang", "es")
    assert opened.returncode == 0, opened.stderr
    assert f"{name}/report.es.html" in opened.stdout.replace("\n", "").replace("\\", "/")
