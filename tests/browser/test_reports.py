"""The reports of studies in a browser: nothing scrolls sideways, nothing is asked of a network, axe
finds nothing; by day and by night, on paper, in three languages."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from pli.study.shipped import shipped
from pli.texts import LANGUAGES
from tests.browser.test_accessibility import AXE, CONTRAST, RUN

STUDIES = shipped()

WIDTHS = (360, 820, 1440)

SIDEWAYS = """() => [...document.querySelectorAll('body *')].filter((each) => {
  const { left, right } = each.getBoundingClientRect();
  return right > innerWidth + 1 || left < -1;
}).filter((each) => !each.closest('.wide')).map((each) => each.outerHTML.slice(0, 90))"""
"""What lies outside of the window, tables aside, which scroll by themselves."""

OPENED = "() => document.querySelectorAll('details').forEach((each) => (each.open = true))"

COVERED = """() => {
  const found = [];
  for (const chart of document.querySelectorAll('svg.chart')) {
    const texts = [...chart.querySelectorAll('text')].map((each) => [each, each.getBBox()]);
    texts.forEach(([one, a], i) => texts.slice(i + 1).forEach(([other, b]) => {
      const apart = a.x + a.width <= b.x + 1 || b.x + b.width <= a.x + 1
        || a.y + a.height <= b.y + 3 || b.y + b.height <= a.y + 3;
      if (!apart) found.push([chart.parentElement.id, one.textContent, other.textContent]);
    }));
  }
  return found;
}"""
"""Texts of charts that cover each other."""

CUT = """() => [...document.querySelectorAll('svg.chart text')].filter((each) => {
  const { right } = each.getBoundingClientRect();
  return right > each.closest('figure').getBoundingClientRect().right - 4;
}).map((each) => each.textContent)"""
"""Texts that leave their card."""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Path]:
    """Each study in each language."""
    folder = tmp_path_factory.mktemp("reports")
    return {
        (name, language): page
        for name, study in STUDIES.items()
        for language, page in study.report(folder / name).items()
    }


@pytest.fixture
def report(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(bypass_csp=False, service_workers="block")
    page = context.new_page()
    errors: list[str] = []
    page.on("console", lambda said: errors.append(said.text))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda asked: errors.append(asked.url) if shown(asked.url) else None)
    yield page
    context.close()
    assert errors == []


def shown(url: str) -> bool:
    """Whether a request is for anything but the file itself and what is in it."""
    return not url.startswith(("file:", "data:"))


@pytest.mark.parametrize("name", STUDIES)
def test_a_report_fits_everywhere(
    report: Page, pages: dict[tuple[str, str], Path], name: str
) -> None:
    for (study, language), file in pages.items():
        if study != name:
            continue
        report.goto(file.as_uri())
        fonts = report.evaluate("document.fonts.ready.then(() => document.fonts.size)")
        assert fonts == 2
        assert report.evaluate("document.fonts.check('620 20px Fraunces')")
        assert report.locator("html").get_attribute("lang") == language
        report.evaluate(OPENED)
        for width in WIDTHS:
            report.set_viewport_size({"width": width, "height": 900})
            wide = report.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, (name, language, width)
            assert report.evaluate(SIDEWAYS) == [], (name, language, width)
            assert report.evaluate(COVERED) == [], (name, language, width)
            assert report.evaluate(CUT) == [], (name, language, width)


@pytest.mark.parametrize("name", STUDIES)
def test_axe_finds_nothing_in_a_report(
    report: Page, pages: dict[tuple[str, str], Path], name: str
) -> None:
    language = LANGUAGES[[*STUDIES].index(name) % len(LANGUAGES)]
    report.goto(pages[name, language].as_uri())
    report.evaluate(OPENED)
    report.evaluate(AXE.read_text())
    for rules, scheme in ((None, "light"), (CONTRAST, "dark")):
        report.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert report.evaluate(RUN, rules) == [], scheme


def test_a_report_is_printed_on_white_with_all_that_it_says(
    report: Page, pages: dict[tuple[str, str], Path]
) -> None:
    report.goto(next(iter(pages.values())).as_uri())
    report.emulate_media(media="print", color_scheme="dark")
    colours = report.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert colours == "rgb(255, 255, 255)"
    hidden = report.locator(".lines td").filter(visible=False)
    assert hidden.count() == 0  # a chart of lines tells its numbers in its table alone
    assert report.pdf(prefer_css_page_size=True).count(b"/Type /Page\n") > 1
