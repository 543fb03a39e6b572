"""Writes the lessons for the page, which shows them without a server:

python -m pli.server.http.lessons FOLDER   GAME.json and, in each language, GAME.LANG.json

Made by running the real rules; web/src/games/lesson.ts has the types of what is written.
"""

import sys
from pathlib import Path
from typing import Any

import msgspec

from pli import motifs
from pli.lessons import (
    Asked,
    BadLesson,
    Lesson,
    Moment,
    Played,
    Race,
    Said,
    Shown,
    Start,
    Way,
    lesson_files,
)
from pli.server.protocol.messages import SeatInfo, Settings, TableInfo, Update
from pli.texts import LANGUAGES, words

LEVEL = "medium"


def exported(lesson: Lesson) -> dict[str, Any]:
    """What a page needs of a lesson, but its texts."""
    scenes = [
        {
            "table": _table(lesson, number),
            "start": _update(start),
            "steps": _steps(steps),
            "faces": lesson.scenes[number].faces(),
        }
        for number, (start, *steps) in enumerate(lesson.run())
        if isinstance(start, Shown)
    ]
    pictures = {name: motifs.svg(motif) for name, motif in lesson.pictures.items()}
    return {
        "game": lesson.game.name,
        "seat": lesson.seat,
        "scenes": scenes,
        "pictures": pictures,
    }


def exported_texts(
    lesson: Lesson, scenes: list[dict[str, Any]], language: str
) -> dict[str, dict[str, str]]:
    """What is said, and the game's reasons to refuse an action in its exported scenes, by code."""
    say = words(language, lesson.game.name)
    codes = {code for scene in scenes for code in _codes(scene)}
    errors = {code: say(f"errors.{code}") for code in sorted(codes) if f"errors.{code}" in say}
    return {"texts": dict(lesson.texts[language]), "errors": errors}


def _codes(scene: dict[str, Any]) -> set[str]:
    return {code for step in scene["steps"] for code in step.get("codes", {}).values()}


def _table(lesson: Lesson, number: int) -> TableInfo:
    options = lesson.scenes[number].options
    seats = [
        SeatInfo(kind="person", connected=True)
        if seat == lesson.seat
        else SeatInfo(kind="bot", name=lesson.name(seat), level=LEVEL)
        for seat in range(options.seats)
    ]
    return TableInfo(
        id=f"lesson{number}",
        game=lesson.game.name,
        version=lesson.game.version,
        options=msgspec.to_builtins(options),
        departures=options.departures(),
        settings=Settings(),
        public=False,
        state="playing",
        seats=seats,
        host=lesson.seat,
        spectators=0,
        number=1,
        game_id="",
        commitment="",
        contributions={},
    )


def _update(shown: Shown) -> Update:
    return Update(
        n=0, time=shown.time, events=shown.events, view=shown.view, legal=shown.legal, clock=None
    )


def _steps(steps: list[Shown | Moment]) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = []
    for step in steps:
        if isinstance(step, Said):
            told.append({"kind": "say", "text": step.text, "light": step.light})
        elif isinstance(step, Played):
            told.append({"kind": "play", "after": step.after, "update": _update(step.shown)})
        elif isinstance(step, Asked):
            told.append(
                {
                    "kind": "ask",
                    "text": step.text,
                    "light": step.light,
                    "legal": step.legal,
                    "ways": _ways(step.ways),
                    "codes": step.codes,
                    "answers": step.answers,
                    "race": _race(step.race),
                }
            )
        elif isinstance(step, Start):
            told.append({"kind": "start", "counts": step.counts})
    return told


def _race(race: Race | None) -> dict[str, Any] | None:
    if race is None:
        return None
    return {"within": race.within, "text": race.text, "update": _update(race.shown)}


def _ways(ways: dict[str, Way]) -> dict[str, Any]:
    return {
        action: {"update": _update(way.shown), "then": _ways(way.then)}
        for action, way in ways.items()
    }


def write(folder: Path) -> None:
    """All lessons; files of lessons that are gone are removed."""
    folder.mkdir(parents=True, exist_ok=True)
    files: dict[str, Any] = {}
    for game, file in lesson_files().items():
        lesson = Lesson(file)
        files[f"{game}.json"] = made = exported(lesson)
        for language in LANGUAGES:
            files[f"{game}.{language}.json"] = exported_texts(lesson, made["scenes"], language)
    for old in folder.glob("*.json"):
        if old.name not in files:
            old.unlink()
    for name, content in files.items():
        (folder / name).write_bytes(msgspec.json.encode(content) + b"\n")


if __name__ == "__main__":
    try:
        write(Path(sys.argv[1]))
    except BadLesson as error:
        sys.exit(str(error))
