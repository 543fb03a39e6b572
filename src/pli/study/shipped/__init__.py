"""Studies that come with the package: their plans with what was concluded, and their results, from
which their reports are made. Reading them needs no more than playing does.

NAME/study.yaml      what `pli study NAME --to DIR` plays
NAME/results.json    what came of it
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pli.study.report.contents import Contents, contents
from pli.study.report.page import page
from pli.study.report.results import RESULTS, Results, read_results
from pli.study.report.write import write_report
from pli.study.study_file import StudyFile, read_study
from pli.texts import LANGUAGES

HERE = Path(__file__).parent
PLAN = "study.yaml"


@dataclass(frozen=True)
class Shipped:
    name: str

    @property
    def file(self) -> Path:
        return HERE / self.name / PLAN

    @cached_property
    def study(self) -> StudyFile:
        return read_study(self.file)

    @cached_property
    def results(self) -> Results:
        return read_results(HERE / self.name / RESULTS)

    def told(self, language: str) -> Contents:
        """What the report says."""
        return contents(self.results, self.study.texts, language, self.name)

    def page(self, language: str) -> str:
        """The report as HTML."""
        return page(self.told(language))

    def report(self, to: Path, languages: Sequence[str] = LANGUAGES) -> dict[str, Path]:
        """Writes the report in these languages into a folder; the HTML file of each."""
        return write_report(self.results, self.study.texts, to, languages, self.name)


def shipped() -> dict[str, Shipped]:
    """By name."""
    return {file.parent.name: Shipped(file.parent.name) for file in sorted(HERE.glob(f"*/{PLAN}"))}
