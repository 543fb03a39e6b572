"""Lessons: every one that is found runs on the real rules, and says and lights what is there."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from pli import games
from pli.lessons import LEGAL, Asked, BadLesson, Lesson, Said, lesson_files
from pli.texts import LANGUAGES

FILES = lesson_files()


def bubbles(lesson: Lesson) -> Iterator[Said | Asked]:
    for scene in lesson.run():
        yield from (step for step in scene if isinstance(step, Said | Asked))


def test_a_lesson_is_found_for_a_game_that_there_is() -> None:
    assert FILES
    assert set(FILES) <= set(games.names())
    for game, file in FILES.items():
        assert Lesson(file).game.name == game


@pytest.mark.parametrize("game", FILES)
def test_every_scene_runs_and_what_is_asked_is_legal(game: str) -> None:
    for step in bubbles(Lesson(FILES[game])):
        if isinstance(step, Asked):
            unlisted = [each for each in step.asked if each not in step.legal]
            assert (
                unlisted == [] or len(step.asked) > 1 or games.load(game).rules.unlisted < 1 << 31
            )


@pytest.mark.parametrize("game", FILES)
def test_a_lit_card_is_there_and_is_the_one_that_is_asked_for(game: str) -> None:
    for step in bubbles(Lesson(FILES[game])):
        lit = [name.split()[1] for name in step.light if name.startswith("card ")]
        hand: list[str] = getattr(step.view, "hand", lit)
        assert set(lit) <= {card.partition("/")[0] for card in hand}, step.line
        if isinstance(step, Asked) and lit:
            words = {word for action in step.asked for word in action.split()}
            assert words & set(lit), step.line


@pytest.mark.parametrize("game", FILES)
def test_every_answer_to_a_mistake_is_to_one_that_can_be_made(game: str) -> None:
    for step in bubbles(Lesson(FILES[game])):
        if isinstance(step, Asked):
            possible = {*step.codes, *step.codes.values()}
            assert set(step.answers) <= possible, step.line
            for action, code in step.codes.items():
                # Some games list a part of what is allowed, and none lists what is refused.
                assert action not in step.legal or code == LEGAL, step.line


@pytest.mark.parametrize("game", FILES)
def test_every_text_is_said_and_there_in_all_languages(game: str) -> None:
    lesson = Lesson(FILES[game])
    used = set()
    for step in bubbles(lesson):
        used.add(step.text)
        if isinstance(step, Asked):
            used |= set(step.answers.values())
            used |= {step.race.text} if step.race else set()
    for language in LANGUAGES:
        assert set(lesson.texts[language]) == used, language
        assert all(0 < len(text) <= 120 for text in lesson.texts[language].values()), language


@pytest.mark.parametrize("game", [each for each in FILES if games.load(each).motif_lookup])
def test_where_hands_are_asked_for_no_other_faces_are_equal(game: str) -> None:
    lesson = Lesson(FILES[game])
    asked = 0
    for scene, steps in zip(lesson.scenes, lesson.run(), strict=True):
        shows = scene.faces()
        for step in steps:
            if not isinstance(step, Asked) or not step.asked[0].startswith("touch"):
                continue
            view = msgspec.to_builtins(step.view)
            open_faces = [each["face"] for each in view["table"]] + view["tops"]
            caught = [each[0] for owner in view["catches"] for each in owner]
            pictures = [shows[face] for face in (*open_faces, *caught)]
            equal = {each for each in pictures if pictures.count(each) > 1}
            cards = {action.split()[1] for action in step.asked}
            touched = {shows[f] for f in (*open_faces, *caught) if f[:-1] in cards}
            assert equal <= touched, step.line
            assert len(equal) <= 1, step.line
            asked += 1
    assert asked > 0


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the first lesson, to plant faults in."""
    game, file = next(iter(FILES.items()))
    folder = tmp_path / game
    shutil.copytree(file.parent / "texts", folder / "texts")
    return Path(shutil.copy(file, folder))


@pytest.mark.parametrize(
    ("right", "wrong", "why"),
    [
        ("tricks: [1, 0, 0, 0]", "tricks: [0, 0, 0, 1]", "tricks: wanted"),
        ("ask: play G11", "ask: play B2", "refused: must_follow"),
        ("say: goal", "say: gaol", "no text"),
        ("  - 3: play G7", "  - 3: play G8", "not_in_hand"),
        ("seat: 0", "seat: 7", "seats"),
        ("scenes:", "scnes:", "missing"),
        ("- ask: play B2\n", "- ask: [play B2, play B12]\n", "refused"),
        ("- ask: play B2\n", "- ask: play B2\n        accept: play Y2\n", "elsewhere"),
        ("- ask: play B2\n", "- ask: play B2\n        within: 9\n", "'rivals'"),
        ("- 3: play G7", "- start: soon", "counted"),
        ("seat: 0", "seat: 0\npictures: {sun: 999}", "no picture"),
    ],
)
def test_a_planted_fault_is_found_with_file_and_line(
    copied: Path, right: str, wrong: str, why: str
) -> None:
    text = copied.read_text(encoding="utf-8")
    assert right in text
    copied.write_text(text.replace(right, wrong, 1), encoding="utf-8")
    with pytest.raises(BadLesson, match=f"lesson.yaml:[0-9]+: .*{why}"):
        Lesson(copied).run()
