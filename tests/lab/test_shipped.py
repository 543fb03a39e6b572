"""Studies that come with the package, as the lab tells of them."""

from pathlib import Path

import pytest

from pli.lab import shipped
from pli.lab.shipped import ShippedStudy

REPORT = """<!doctype html><title>x</title><header><h1>Who begins,
wins?</h1></header><main><section class="answer wide"><h2>In short</h2>
<p>Hardly: <b>2</b> &lt; 3.</p><p>More.</p></section><section><p>Other</p></section></main>"""

PLAN = """question: ignored
parts:
- {game: plingo, over: {seats: 2..4}, bots: "random,medium", games: 50}
- {game: plingo, ladder: true, seats: 3}
- {game: nothing}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(shipped, "HERE", tmp_path)
    shipped.shipped.cache_clear()
    for name, reports in (("first", ("en", "fr")), ("unread", ())):
        (tmp_path / name).mkdir()
        (tmp_path / name / "study.yaml").write_text(PLAN)
        for language in reports:
            (tmp_path / name / f"report.{language}.html").write_text(REPORT)
    return tmp_path


def test_a_study_is_told_by_its_report_and_can_be_played(folder: Path) -> None:
    found = shipped.shipped()
    shipped.shipped.cache_clear()
    assert list(found) == ["first"]
    study = found["first"]
    assert study.languages == ("en", "fr")
    assert study.told["fr"] == ("Who begins, wins?", "Hardly: 2 < 3.")
    first, _ = study.plans
    assert first.over == {"seats": [2, 3, 4]}
    assert first.bots == ["random", "medium"]


def test_all_that_come_with_the_package_can_be_read() -> None:
    for file in shipped.HERE.glob(f"*/{shipped.PLAN}"):
        study = ShippedStudy(file.parent)
        assert study.plans
        for question, answer in study.told.values():
            assert question
            assert answer
