"""The files of a report."""

from collections.abc import Sequence
from pathlib import Path

from pli.errors import PliError
from pli.study.report.contents import Contents, contents
from pli.study.report.markdown import markdown
from pli.study.report.page import page, svg_file
from pli.study.report.quotes import Texts
from pli.study.report.results import RESULTS, Results, write_results
from pli.texts import LANGUAGES

PLOTS = "plots"


def write_report(
    results: Results,
    texts: Texts,
    folder: Path,
    languages: Sequence[str] = LANGUAGES,
    name: str = "",
) -> dict[str, Path]:
    """`report.LANG.html`, whole in itself; `report.LANG.md` with its plots as SVG files; and
    `results.json`, from which the same report can be made. Returns the HTML files."""
    pages = {}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_results(results, folder / RESULTS)
        for language in languages:
            found = contents(results, texts, language, name)
            pages[language] = folder / f"report.{language}.html"
            pages[language].write_text(page(found), encoding="utf-8")
            _write_markdown(found, folder)
    except OSError:
        raise PliError("unwritable_file", file=folder) from None
    return pages


def _write_markdown(found: Contents, folder: Path) -> None:
    plots = f"{PLOTS}/{found.language}"
    (folder / plots).mkdir(parents=True, exist_ok=True)
    for old in (folder / plots).glob("*.svg"):
        old.unlink()
    for figure in (each for chapter in found.chapters for each in chapter.figures):
        (folder / plots / f"{figure.name}.svg").write_text(svg_file(figure), encoding="utf-8")
    text = markdown(found, plots)
    (folder / f"report.{found.language}.md").write_text(text, encoding="utf-8")
