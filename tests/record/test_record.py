"""Records: read what was written, and say on which line something is wrong."""

import random

import pytest

import pli
from pli.errors import BadRecord
from pli.match import AnyMatch
from pli.record import clock, read_record, replay, write_record
from pli.record.proof import Proof, commit
from tests.tables import step


@pytest.fixture
def match() -> AnyMatch:
    match, rng = pli.new("marshmallow", seed="a record", seats=3), random.Random(1)
    while not match.over:
        step(match, rng)
    return match


@pytest.fixture
def lines(match: AnyMatch) -> list[str]:
    return write_record(match).splitlines()


def complaint(lines: list[str]) -> BadRecord:
    with pytest.raises(BadRecord) as caught:
        read_record("\n".join(lines) + "\n")
    return caught.value


def test_a_record_can_be_read_by_a_person(lines: list[str]) -> None:
    assert lines[0].startswith("pli record 1 ")
    assert lines[1].startswith("game marshmallow 2 ")
    options = "options edition=en first_dealer=random seats=3 target=20 tricks_to_go_out=book "
    assert lines[2].startswith(options)
    assert lines[3].startswith("shuffle ")
    assert lines[4].split()[0] == "shuffle"
    assert {"B1", "O12"} < set(lines[4].split())
    assert lines[5].split()[2:4][0] == "play"
    assert lines[-1].startswith("result winners ")


def test_a_record_replays_to_any_point(match: AnyMatch) -> None:
    record = read_record(write_record(match))
    assert replay(record).winners == match.winners
    for upto in range(len(match.steps)):
        assert replay(record, upto).save() == match.steps[upto].before


def test_an_unfinished_game_is_a_record_too() -> None:
    match = pli.new("plingo", seed=1)
    record = read_record(write_record(match))
    assert record.result == "unfinished"
    assert replay(record).save() == match.save()


@pytest.mark.parametrize("kept", [1, 2, 3, 4, 5, 30, -1])
def test_a_truncated_record_names_the_line_where_it_breaks_off(lines: list[str], kept: int) -> None:
    short = lines[:kept]
    error = complaint(short)
    assert error.code == "record_truncated"
    assert error.details["line"] == len(short) + 1


def test_an_empty_file_breaks_off_at_once() -> None:
    with pytest.raises(BadRecord) as caught:
        read_record("")
    assert (caught.value.code, caught.value.details["line"]) == ("record_truncated", 1)


def test_a_line_cut_in_the_middle_is_named(lines: list[str]) -> None:
    error = complaint([*lines[:20], lines[20][:15]])
    assert (error.code, error.details["line"]) == ("record_changed", 21)


@pytest.mark.parametrize("line", [1, 2, 3, 4, 5, 10, -1])
def test_a_changed_line_is_named(lines: list[str], line: int) -> None:
    changed = list(lines)
    at = changed[line].index(" ") + 1
    changed[line] = changed[line][:at] + "x" + changed[line][at + 1 :]
    error = complaint(changed)
    assert error.code == "record_changed"
    assert error.details["line"] == line % len(lines) + 1


def test_a_line_taken_out_is_noticed_at_the_next(lines: list[str]) -> None:
    error = complaint(lines[:8] + lines[9:])
    assert (error.code, error.details["line"]) == ("record_changed", 9)


def test_a_record_that_goes_on_after_its_result_is_refused(lines: list[str]) -> None:
    error = complaint([*lines, lines[-1]])
    assert (error.code, error.details["line"]) == ("record_goes_on", len(lines) + 1)


def test_something_else_is_no_record() -> None:
    assert complaint(["hello"]).code == "record_format"


def forged(contents: list[str]) -> list[str]:
    """Lines with checksums that fit."""
    import hashlib

    digest, lines = hashlib.sha256(), []
    for content in contents:
        digest.update(content.encode() + b"\n")
        lines.append(f"{content}  {digest.hexdigest()[:4]}")
    return lines


def contents(lines: list[str]) -> list[str]:
    return [line.rpartition("  ")[0].rstrip() for line in lines]


@pytest.mark.parametrize(
    ("line", "text", "code"),
    [
        (1, "game marshmallow 99", "record_version"),
        (1, "game chess 1", "record_line"),
        (1, "game marshmallow one", "record_line"),
        (1, "nonsense", "record_line"),
        (2, "options seats=9", "record_illegal"),
        (2, "options seats", "record_line"),
        (2, "choices seats=3", "record_line"),
        (3, "shuffle 0 0 1", "record_illegal"),
        (3, "shuffle 0 1", "record_illegal"),
        (3, "shuffle a b c", "record_line"),
        (5, "0:00.000  7  play B1", "record_illegal"),
        (5, "0:00.000  0  dance", "record_line"),
        (5, "0:00.000  x  play B1", "record_line"),
        (5, "noon  0  play B1", "record_line"),
        (5, "0:00.000  timer", "record_illegal"),
        (6, "0:00.000  0  play B1", "record_illegal"),
    ],
)
def test_a_forged_line_is_held_against_the_rules(
    lines: list[str], line: int, text: str, code: str
) -> None:
    new = contents(lines)
    new[line] = text
    error = complaint(forged(new))
    assert (error.code, error.details["line"]) == (code, line + 1)


def test_a_forged_result_is_held_against_the_game(lines: list[str]) -> None:
    new = contents(lines)
    new[-1] = "result winners 0 1 2"
    error = complaint(forged(new))
    assert (error.code, error.details["line"]) == ("record_result", len(lines))


# House rules


def house_match() -> AnyMatch:
    return pli.new("marshmallow", seed=2, seats=3, target=5, tricks_to_go_out=1)


def test_a_game_that_departs_from_print_says_by_what() -> None:
    match = house_match()
    text = write_record(match, PROMISE)
    lines = contents(text.splitlines())
    assert lines[3:5] == ["house target tricks_to_go_out", "id k7f3q2-1"]
    record = read_record(text)
    assert record.first_line == 9
    assert lines[record.first_line - 1].startswith("shuffle ")
    assert record.proof == PROMISE
    assert write_record(replay(record), record.proof) == text
    assert read_record(write_record(match)).first_line == 5


@pytest.mark.parametrize(
    "line", ["house target", "house tricks_to_go_out target", "house", "house target  x", None]
)
def test_house_rules_that_do_not_fit_the_options_are_found(line: str | None) -> None:
    new = contents(write_record(house_match()).splitlines())
    new[3:4] = [] if line is None else [line]
    error = complaint(forged(new))
    assert (error.code, error.details["line"]) == ("record_house", 4)
    assert "house target tricks_to_go_out" in error.text("en")
    assert all(error.text(language) for language in ("en", "fr", "es"))


def test_a_game_by_the_book_claims_no_house_rules(lines: list[str]) -> None:
    new = contents(lines)
    error = complaint(forged([*new[:3], "house target", *new[3:]]))
    assert (error.code, error.details["line"]) == ("record_by_the_book", 4)
    assert all(error.text(language) for language in ("en", "fr", "es"))


# Records with a proof

SECRET = "5e" * 32
ADDED = {0: "0a" * 16, 2: "0c" * 32}
PROMISE = Proof("k7f3q2-1", commit("k7f3q2-1", SECRET), ADDED)
PROOF = Proof(PROMISE.game_id, PROMISE.commitment, ADDED, SECRET)


def test_a_proof_is_written_and_read(match: AnyMatch) -> None:
    text = write_record(match, PROOF)
    lines = contents(text.splitlines())
    assert lines[3:7] == [
        "id k7f3q2-1",
        f"commitment {PROOF.commitment}",
        f"random 0 {ADDED[0]}",
        f"random 2 {ADDED[2]}",
    ]
    assert lines[7].startswith("shuffle ")
    assert lines[-2] == f"secret {SECRET}"
    record = read_record(text)
    assert record.proof == PROOF
    assert record.first_line == 8
    assert replay(record).save() == match.save()
    assert write_record(replay(record), record.proof) == text


def test_a_record_without_a_proof_is_as_it_always_was(match: AnyMatch) -> None:
    record = read_record(write_record(match))
    assert record.proof is None
    assert record.first_line == 4


def test_a_game_that_is_going_on_never_tells_its_secret() -> None:
    match = pli.new("plingo", seed=1)
    with pytest.raises(ValueError, match="still going on"):
        write_record(match, PROOF)
    text = write_record(match, PROMISE)
    assert SECRET not in text
    assert read_record(text).proof == PROMISE


def test_an_abandoned_game_tells_its_secret_and_is_unfinished() -> None:
    record = read_record(write_record(pli.new("plingo", seed=1), PROOF, abandoned=True))
    assert record.result == "unfinished"
    assert record.proof == PROOF


def test_nothing_can_be_added_at_a_seat_that_is_none() -> None:
    match = pli.new("plingo", seed=1, seats=2)
    with pytest.raises(ValueError, match="a seat that is none"):
        write_record(match, PROMISE)


@pytest.mark.parametrize(
    ("line", "text", "code"),
    [
        (3, "id", "record_line"),
        (3, "id k7f3q2 1", "record_line"),
        (3, f"id {'x' * 65}", "record_line"),
        (3, "id é", "record_line"),
        (3, f"commitment {PROOF.commitment}", "record_line"),
        (4, "shuffle 0 1 2", "record_wanted"),
        (4, f"random 0 {ADDED[0]}", "record_wanted"),
        (4, f"commitment {PROOF.commitment[:-1]}", "record_line"),
        (4, f"commitment {PROOF.commitment.upper()}", "record_line"),
        (5, "random 0 00", "record_line"),
        (5, f"random 0  {ADDED[0]}", "record_line"),
        (5, f"random 0 {ADDED[0]} {ADDED[0]}", "record_line"),
        (5, f"random 00 {ADDED[0]}", "record_line"),
        (5, f"random \u0660 {ADDED[0]}", "record_line"),
        (5, f"random x {ADDED[0]}", "record_line"),
        (6, f"random 0 {ADDED[0]}", "record_line"),
        (6, f"random 3 {ADDED[0]}", "record_line"),
        (6, f"random 9 {ADDED[0]}", "record_line"),
        (6, f"secret {SECRET}", "record_line"),
        (-2, f"secret {SECRET[:-1]}", "record_line"),
        (-2, f"secret {SECRET} {SECRET}", "record_line"),
        (-2, "secret", "record_line"),
    ],
)
def test_a_malformed_proof_is_named_by_its_line(
    match: AnyMatch, line: int, text: str, code: str
) -> None:
    new = contents(write_record(match, PROOF).splitlines())
    new[line] = text
    error = complaint(forged(new))
    assert (error.code, error.details["line"]) == (code, line % len(new) + 1)
    assert all(error.text(language) for language in ("en", "fr", "es"))


def test_the_lines_of_a_proof_have_their_places(match: AnyMatch) -> None:
    new = contents(write_record(match, PROOF).splitlines())
    turned = [*new[:5], new[6], new[5], *new[7:]]
    assert complaint(forged(turned)).details["line"] == 7
    without_id = [*new[:3], *new[7:]]
    assert complaint(forged(without_id)).details["line"] == len(without_id) - 1
    nothing_but_an_id = [*new[:4], "result unfinished"]
    error = complaint(forged(nothing_but_an_id))
    assert (error.code, error.details["line"]) == ("record_wanted", 5)
    assert error.text("en") == "line 5: here belongs a line “commitment …”."


@pytest.mark.parametrize("line", [3, 4, 5, 6, -2])
def test_a_changed_line_of_a_proof_is_named(match: AnyMatch, line: int) -> None:
    changed = write_record(match, PROOF).splitlines()
    changed[line] = changed[line].replace(" ", " 0", 1)
    error = complaint(changed)
    assert (error.code, error.details["line"]) == ("record_changed", line % len(changed) + 1)


# Times and words


@pytest.mark.parametrize(("time", "text"), [(0, "0:00.000"), (64_210, "1:04.210")])
def test_times_are_minutes_seconds_and_thousandths(time: int, text: str) -> None:
    assert clock(time) == text


def test_every_complaint_has_words_in_every_language(lines: list[str]) -> None:
    error = complaint(lines[:9])
    assert error.text("en") == "line 10: the record breaks off before its result."
    assert "10" in error.text("fr")
    assert "10" in error.text("es")
