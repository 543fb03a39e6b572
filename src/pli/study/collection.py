"""Several plans for one question, such as the same for each game, with what people wrote of them.

DIR/texts.yaml       question, answer, conclusion: they may change
DIR/study.yaml       of a single plan: it is the study itself; else
DIR/parts/1/...      a study, or a ladder, for each part
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import yaml

from pli import __version__
from pli.errors import PliError
from pli.study.ladders import LADDER, LadderStudy, create_ladder, open_ladder
from pli.study.plan import BadStudy, read_text, values_of
from pli.study.report.quotes import Texts
from pli.study.report.results import Results
from pli.study.report.write import write_report
from pli.study.study import PLAN, Progress, Study, create, open_study
from pli.study.study_file import StudyFile, texts_of
from pli.texts import LANGUAGES

TEXTS = "texts.yaml"
PARTS = "parts"


class Collection:
    """A folder with the studies for one question."""

    def __init__(self, folder: Path, studies: Sequence[Study | LadderStudy], texts: Texts) -> None:
        self.folder = folder
        self.studies = studies
        self.texts = texts

    def __repr__(self) -> str:
        return f"<Collection of {len(self.studies)}, {self.folder}>"

    @property
    def size(self) -> int:
        """All games that it asks for."""
        return sum(study.size for study in self.studies)

    def run(
        self, processes: int = 0, progress: Progress | None = None, ray: str | None = None
    ) -> Collection:
        """Plays what is missing, one part after the other; with `ray` on a Ray cluster, but for
        ladders."""
        before = 0
        for study in self.studies:
            tell = _shifted(progress, before)
            if isinstance(study, Study):
                study.run(processes, tell, ray)
            else:
                study.run(processes, tell)
            before += study.size
        return self

    def results(self) -> Results:
        return Results(version=__version__, parts=[study.part() for study in self.studies])

    def report(
        self, to: str | Path | None = None, languages: Sequence[str] = LANGUAGES
    ) -> dict[str, Path]:
        """Writes the report in these languages, beside the study or into another folder; the HTML
        file of each language."""
        return write_report(self.results(), self.texts, Path(to or self.folder), languages)


def _shifted(progress: Progress | None, before: int) -> Progress | None:
    return None if progress is None else lambda played: progress(before + played)


def create_collection(file: StudyFile, folder: Path, resume: bool = False) -> Collection:
    """A new one in a folder; or, with `resume`, the same one that is there. The texts are those of
    the file in any case."""
    studies: list[Study | LadderStudy] = []
    single = len(file.parts) == 1 and not file.parts[0].ladder
    other = folder / (PARTS if single else PLAN)
    if other.exists() or (not single and (folder / PARTS / str(len(file.parts) + 1)).exists()):
        raise BadStudy("other_study", folder=folder)
    for number, part in enumerate(file.parts, 1):
        place = folder if single else folder / PARTS / str(number)
        make = create_ladder if part.ladder else create
        studies.append(make(part.plan, place, resume))
    write_texts(file.texts, folder)
    return Collection(folder, studies, file.texts)


def write_texts(texts: Texts, folder: Path) -> None:
    """If there are any."""
    values = {n: v for n, v in msgspec.to_builtins(texts).items() if v}
    file = folder / TEXTS
    try:
        if values:
            text = yaml.safe_dump(values, sort_keys=False, allow_unicode=True)
            file.write_text(text, encoding="utf-8")
        else:
            file.unlink(missing_ok=True)
    except OSError:
        raise PliError("unwritable_file", file=file) from None


def open_collection(folder: str | Path) -> Collection:
    """What is in a folder, of one part or of several."""
    folder = Path(folder)
    file = folder / TEXTS
    texts = texts_of(values_of(read_text(file)) or {}) if file.is_file() else Texts()
    found = [each for each in (folder / PARTS).glob("*") if each.name.isdecimal()]
    parts = sorted(found, key=lambda each: int(each.name))
    if not parts:
        study = open_study(folder)
        if study.plan.question and not texts.question:
            texts = msgspec.structs.replace(texts, question=study.plan.question)
        return Collection(folder, [study], texts)
    opened = [
        open_ladder(each) if (each / LADDER).is_file() else open_study(each) for each in parts
    ]
    return Collection(folder, opened, texts)
