"""Records of other versions: shown as they were written, and never replayed in silence."""

import pytest

import pli
from pli.errors import BadRecord
from pli.record import read_record, write_record
from pli.record.transcript import TranscriptLine, read_transcript
from tests import old
from tests.record.test_record import forged

every_game = pytest.mark.parametrize("name", old.GAMES)


@every_game
def test_an_old_record_is_not_replayed(name: str) -> None:
    with pytest.raises(BadRecord) as told:
        read_record(old.record_file(name).read_text())
    assert told.value.code == "record_version"
    assert told.value.details["version"] == str(old.VERSION)


@every_game
def test_an_old_record_is_read_as_it_was_written(name: str) -> None:
    text = old.record_file(name).read_text()
    written = read_transcript(text)
    assert (written.game.name, written.version) == (name, old.VERSION)
    contents = [line.rpartition("  ")[0].rstrip() for line in text.splitlines()]
    assert contents[-1] == " ".join(["result winners", *map(str, written.winners or [])])
    assert written.header[0] == contents[2]
    assert [line.partition(" ")[0] for line in written.header] == [
        "options", "id", "commitment", "random", "secret",
    ]  # fmt: skip
    shown = [
        line.text if not line.time else "  ".join([line.time, str(line.seat), line.text])
        for line in written.lines
        if line.seat is not None or not line.time
    ]
    assert shown == [line for line in contents[6:-2] if not line.endswith("  timer")]
    for line in written.lines:
        if line.seat is not None:
            written.game.notation.parse(line.text)  # numbered anew or not, its words are known


def test_a_changed_old_record_is_found() -> None:
    text = old.record_file("marshmallow").read_text()
    with pytest.raises(BadRecord) as told:
        read_transcript(text.replace("play O3", "play O4"))
    assert told.value.code == "record_changed"


def text_of(*contents: str) -> str:
    return "\n".join(forged([*contents])) + "\n"


def test_what_has_another_form_stands_as_it_is() -> None:
    text = text_of(
        "pli record 1", "game plingo 9", "options seats=3", "house joker", "shuffle 1 2 0",
        "0:01.000  2  leap over", "0:02.000  timer", "something else", "result unfinished",
    )  # fmt: skip
    written = read_transcript(text)
    assert (written.version, written.winners) == (9, None)
    assert written.header == ["options seats=3", "house joker"]
    assert written.lines == [
        TranscriptLine("shuffle 1 2 0"),
        TranscriptLine("leap over", "0:01.000", 2),
        TranscriptLine("timer", "0:02.000"),
        TranscriptLine("something else"),
    ]


@pytest.mark.parametrize(
    ("line", "content"),
    [(2, "game chess 1"), (2, "game plingo one"), (2, "match plingo 1"), (4, "result winners x")],
)
def test_what_cannot_be_read_is_named_by_its_line(line: int, content: str) -> None:
    contents = ["pli record 1", "game plingo 1", "options seats=3", "result unfinished"]
    contents[line - 1] = content
    with pytest.raises(BadRecord) as told:
        read_transcript(text_of(*contents))
    assert (told.value.code, told.value.details["line"]) == ("record_line", line)


def test_a_record_of_today_can_be_read_so_too() -> None:
    match = pli.new("marshmallow", seed=1, target=8)
    written = read_transcript(write_record(match))
    assert written.header[1] == "house target"
    assert len(written.lines) == len(match.steps)
