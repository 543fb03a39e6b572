"""A study as a YAML file: one plan or several, and what people wrote of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from pli.study.plan import BadStudy, Plan, from_values, read_text, values_of
from pli.study.report import figures, quotes
from pli.study.report.quotes import Texts

WRITTEN = tuple(each.name for each in msgspec.structs.fields(Texts))


@dataclass(frozen=True)
class PartPlan:
    plan: Plan
    ladder: bool = False


@dataclass(frozen=True)
class StudyFile:
    """What stands in a YAML file: plans, and texts."""

    parts: Sequence[PartPlan]
    texts: Texts


def read_study(file: Path) -> StudyFile:
    """A plan with what is written about it, or several as `parts`."""
    values = values_of(read_text(file))
    if not isinstance(values, dict):
        raise BadStudy("bad_study_file", why="game: ?")
    texts = texts_of({name: values[name] for name in WRITTEN if name in values})
    rest = {name: value for name, value in values.items() if name not in WRITTEN}
    parts = rest.pop("parts", None)
    if parts is None:
        parts = [rest]
    elif rest or not isinstance(parts, list) or not parts:
        raise BadStudy("bad_study_file", why="parts: [{game: ...}, ...]")
    return StudyFile([_part(each) for each in parts], texts)


def _part(values: Any) -> PartPlan:
    if not isinstance(values, dict):
        raise BadStudy("bad_study_file", why="parts: [{game: ...}, ...]")
    ladder = values.get("ladder", False)
    if not isinstance(ladder, bool):
        raise BadStudy("bad_study_file", why="ladder: true")
    return PartPlan(from_values({n: v for n, v in values.items() if n != "ladder"}), ladder)


def texts_of(values: dict[str, Any]) -> Texts:
    try:
        texts = msgspec.convert(values, Texts)
    except msgspec.ValidationError as error:
        raise BadStudy("bad_study_file", why=str(error)) from None
    quotes.check(texts)
    figures.check(texts.figures)
    return texts
