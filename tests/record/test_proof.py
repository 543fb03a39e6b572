"""Provable shuffles: what follows from secret and contributions, and that any change is found."""

import random
import re
import string
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pli import games
from pli.errors import BadRecord, NotProved
from pli.game import read_options
from pli.match import Match
from pli.record import proof, read_record, write_record
from pli.record.proof import Proof, commit, derived_seed, new_secret, shuffler, valid_contribution
from pli.record.verification import verify
from tests.record.test_record import contents, forged
from tests.tables import step

PAGE = (Path(__file__).parents[2] / "docs" / "shuffles.md").read_text(encoding="utf-8")
ID = "k7f3q2-1"
SECRET = "5e" * 32
ADDED = {0: "0a" * 16, 2: "0c" * 32}

hexes = st.binary(min_size=16, max_size=32).map(bytes.hex)
secrets = st.binary(min_size=32, max_size=32).map(bytes.hex)
added = st.dictionaries(st.integers(0, 5), hexes, max_size=6)
ids = st.text(f"{string.ascii_letters}{string.digits}-", min_size=1, max_size=64)


def proved(game: str, seats: int, actions: int | None = None) -> str:
    """The record of a game with its proof, played at random to its end or abandoned."""
    chosen = games.load(game)
    match = Match(chosen, read_options(chosen, {"seats": seats}), shuffler(ID, SECRET, ADDED))
    rng = random.Random(1)
    while not match.over and (actions is None or len(match.steps) < actions):
        step(match, rng)
    told = Proof(ID, commit(ID, SECRET), ADDED, SECRET)
    return write_record(match, told, abandoned=not match.over)


@pytest.fixture(scope="module")
def text() -> str:
    return proved("marshmallow", 3)


def changed(text: str, line: int, new: str) -> str:
    """The record with another line, and checksums that fit."""
    lines = contents(text.splitlines())
    lines[line - 1] = new
    return "\n".join(forged(lines)) + "\n"


def failure(text: str, *given: Any) -> NotProved:
    with pytest.raises(NotProved) as caught:
        verify(read_record(text), *given)
    return caught.value


# What follows from what


def test_the_page_tells_how_it_is_done() -> None:
    """The page's program, which uses nothing of ours, works out the same."""
    page = page_program()
    rng = random.Random(2)
    for number in range(20):
        secret, game_id = rng.randbytes(32).hex(), f"game-{number}"
        parts = {seat: rng.randbytes(16 + number % 17).hex() for seat in range(number % 6)}
        key = page["key"](game_id, secret, parts)
        assert page["commitment"](game_id, secret) == commit(game_id, secret)
        assert page["seed"](key, "bot 3") == derived_seed(game_id, secret, parts, "bot 3")
        for k, n in ((0, 2), (1, 60), (12, 270)):
            assert page["shuffle"](key, k, n) == shuffler(game_id, secret, parts)(k, n)


def test_the_numbers_on_the_page_are_right() -> None:
    table = dict(re.findall(r"^\| ([^|]+) \| `([^`]+)` \|$", PAGE, re.MULTILINE))
    game_id, secret = table["id"], table["secret"]
    parts = {0: table["added at seat 0"], 2: table["added at seat 2"]}
    assert table["commitment"] == commit(game_id, secret)
    assert table["key"] == proof._key(game_id, secret, parts).hex()
    assert table["key, had nobody added anything"] == proof._key(game_id, secret, {}).hex()
    block = page_program()["hmac_sha256"](bytes.fromhex(table["key"]), "shuffle 0 block 0")
    assert table["shuffle 0, block 0"] == block.hex()
    assert table["seed of the label `bot 1`"] == derived_seed(game_id, secret, parts, "bot 1")
    for k, n in ((0, 3), (0, 10), (1, 10)):
        order = shuffler(game_id, secret, parts)(k, n)
        assert table[f"shuffle {k} of {n}"] == " ".join(map(str, order))


def test_the_record_on_the_page_is_proved() -> None:
    """If its game has a new version, play three cards again and put that record there."""
    (text,) = re.findall(r"```\n(pli record.*?)```", PAGE, re.DOTALL)
    record = read_record(text)
    assert record.proof is not None
    assert verify(record, record.proof.commitment, record.proof.contributions.items()) == 2


def page_program() -> dict[str, Callable[..., Any]]:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert "pli." not in program
    found: dict[str, Any] = {}
    exec(program, found)
    return found


@given(ids, secrets, added, st.data())
def test_everything_that_goes_in_matters(
    game_id: str, secret: str, parts: dict[int, str], data: st.DataObject
) -> None:
    def shuffles(game_id: str, secret: str, parts: dict[int, str]) -> list[int]:
        return shuffler(game_id, secret, parts)(0, 60)

    here = shuffles(game_id, secret, parts)
    assert here == shuffles(game_id, secret, dict(reversed(parts.items())))
    other = data.draw(secrets.filter(lambda each: each != secret))
    assert here != shuffles(game_id, other, parts)
    assert commit(game_id, secret) != commit(game_id, other)
    another = data.draw(ids.filter(lambda each: each != game_id))
    assert here != shuffles(another, secret, parts)
    assert commit(game_id, secret) != commit(another, secret)
    more = data.draw(added.filter(lambda each: each != parts))
    assert here != shuffles(game_id, secret, more)


def test_seeds_for_other_things_have_nothing_to_do_with_the_cards() -> None:
    def seed(label: str) -> str:
        return derived_seed(ID, SECRET, ADDED, label)

    labels = ["bot 0", "bot 1", "", "shuffle 0 block 0", "0 block 0"]
    assert len({seed(label) for label in labels}) == len(labels)
    key = proof._key(ID, SECRET, ADDED)
    page = page_program()
    blocks = {page["hmac_sha256"](key, f"shuffle {k} block 0").hex() for k in range(10)}
    assert not blocks & {key.hex(), *(seed(label) for label in labels)}


def test_a_secret_is_new_every_time_and_is_not_shown_by_accident() -> None:
    drawn = {new_secret() for _ in range(100)}
    assert len(drawn) == 100
    assert all(len(bytes.fromhex(each)) == 32 for each in drawn)
    assert SECRET not in repr(Proof(ID, commit(ID, SECRET), ADDED, SECRET))


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        ("00" * 16, True),
        ("ff" * 32, True),
        ("ff" * 15, False),
        ("ff" * 33, False),
        ("f" * 33, False),
        ("FF" * 16, False),
        ("ff" * 16 + "\n", False),
        ("0x" + "ff" * 16, False),
        ("\uff11" * 32, False),
        ("", False),
    ],
)
def test_a_contribution_is_16_to_32_bytes_in_small_hex(text: str, valid: bool) -> None:
    assert valid_contribution(text) == valid


@pytest.mark.parametrize("game_id", ["", "a b", "a\nb", "é", "x" * 65, "a\n"])
def test_an_id_that_could_be_read_in_two_ways_is_refused(game_id: str) -> None:
    with pytest.raises(ValueError, match="no game id"):
        commit(game_id, SECRET)
    with pytest.raises(ValueError, match="no game id"):
        shuffler(game_id, SECRET, {})
    with pytest.raises(ValueError, match="no game id"):
        Proof(game_id, "00" * 32, {})


@pytest.mark.parametrize("secret", ["", "00" * 31, "AB" * 32, "secret"])
def test_a_malformed_secret_is_refused_without_telling_it(secret: str) -> None:
    with pytest.raises(ValueError, match=r"no secret$"):
        commit(ID, secret)
    with pytest.raises(ValueError, match=r"no secret$"):
        Proof(ID, "00" * 32, {}, secret)


@pytest.mark.parametrize("parts", [{-1: "00" * 16}, {10: "00" * 16}, {0: "00"}])
def test_a_malformed_contribution_is_refused(parts: dict[int, str]) -> None:
    with pytest.raises(ValueError, match="can add"):
        shuffler(ID, SECRET, parts)
    with pytest.raises(ValueError, match="can add"):
        Proof(ID, "00" * 32, parts)


def test_a_commitment_is_a_digest() -> None:
    with pytest.raises(ValueError, match="no commitment"):
        Proof(ID, "00", {})


# Records that prove, and that don't


@pytest.mark.parametrize(
    ("game", "seats"), [("marshmallow", 4), ("plingo", 3), ("merci", 3), ("twinit", 3)]
)
def test_a_game_of_every_kind_is_proved(game: str, seats: int) -> None:
    text = proved(game, seats, 400)
    shuffles = sum(line.startswith("shuffle ") for line in text.splitlines())
    assert verify(read_record(text)) == shuffles >= 2


@pytest.mark.parametrize("game", ["marshmallow", "plingo", "merci", "twinit"])
def test_no_shuffle_can_be_left_out(game: str) -> None:
    """Else the ones after it would be numbered otherwise, and one could be skipped."""
    lines = contents(proved(game, 3, 400).splitlines())
    for at in [at for at, line in enumerate(lines) if line.startswith("shuffle ")]:
        with pytest.raises(BadRecord):
            read_record("\n".join(forged(lines[:at] + lines[at + 1 :])))


def test_a_record_without_a_proof_proves_nothing() -> None:
    game = games.load("plingo")
    match = Match(game, read_options(game, {}), shuffler(ID, SECRET, {}))
    assert failure(write_record(match)).code == "no_proof"
    going_on = write_record(match, Proof(ID, commit(ID, SECRET), {}))
    assert failure(going_on).code == "no_secret"
    assert failure(going_on, "00" * 32).code == "other_commitment"


def test_what_a_player_saw_must_be_in_the_record(text: str) -> None:
    record = read_record(text)
    verify(record, commit(ID, SECRET), ADDED.items())
    error = failure(text, "00" * 32)
    assert (error.code, error.details["line"]) == ("other_commitment", 5)
    error = failure(text, None, [(2, ADDED[2]), (0, ADDED[2])])
    assert (error.code, error.details["line"]) == ("other_contribution", 6)
    error = failure(text, None, [(2, ADDED[0])])
    assert (error.code, error.details["line"]) == ("other_contribution", 7)
    error = failure(text, None, [(1, ADDED[0])])
    assert (error.code, error.details["seat"]) == ("no_contribution", 1)


DEALT = proved("marshmallow", 3, 2)
"""Nothing but the deal, so that no action tells that a card has changed."""

digit = st.tuples(st.integers(0, 63), st.sampled_from("0123456789abcdef"))


@given(digit)
def test_a_changed_digit_of_the_secret_is_found(digit: tuple[int, str]) -> None:
    line = len(DEALT.splitlines()) - 1
    error = unless_same(line, f"secret {with_digit(SECRET, digit)}")
    assert error is None or error.code == "wrong_commitment"
    assert error is None or error.details == {"line": 5, "secret_line": line}


@given(digit)
def test_a_changed_digit_of_the_commitment_is_found(digit: tuple[int, str]) -> None:
    error = unless_same(5, f"commitment {with_digit(commit(ID, SECRET), digit)}")
    assert error is None or (error.code, error.details["line"]) == ("wrong_commitment", 5)


@given(digit, st.sampled_from([0, 2]))
def test_a_changed_digit_of_a_contribution_is_found(digit: tuple[int, str], seat: int) -> None:
    at = digit[0] % len(ADDED[seat])
    new = with_digit(ADDED[seat], (at, digit[1]))
    error = unless_same(6 + seat // 2, f"random {seat} {new}")
    # Three seats may be shuffled as before by chance, and then the cards tell.
    assert error is None or error.code == "wrong_shuffle"
    assert error is None or error.details["line"] in (8, 9)


@given(st.integers(0, 59), st.integers(0, 59))
def test_two_cards_that_changed_places_are_found(one: int, two: int) -> None:
    _, *cards = contents(DEALT.splitlines())[8].split()
    cards[one], cards[two] = cards[two], cards[one]
    error = unless_same(9, " ".join(["shuffle", *cards]))
    assert error is None or error.code == "wrong_shuffle"
    assert error is None or error.details == {"line": 9, "shuffle": 1}


def test_a_changed_id_is_found(text: str) -> None:
    assert failure(changed(text, 4, "id k7f3q2-2")).code == "wrong_commitment"


def test_a_changed_shuffle_in_a_finished_game_is_found(text: str) -> None:
    """By the rules, where the cards were played otherwise, or by the proof."""
    lines = contents(text.splitlines())
    places = [n for n, line in enumerate(lines, 1) if line.startswith("shuffle ")]
    assert len(places) > 3
    for line in places:
        _, *things = lines[line - 1].split()
        rng = random.Random(line)
        for _ in range(4):
            one, two = rng.sample(range(len(things)), 2)
            other = list(things)
            other[one], other[two] = other[two], other[one]
            new = changed(text, line, " ".join(["shuffle", *other]))
            with pytest.raises((NotProved, BadRecord)):
                verify(read_record(new))


def test_a_contribution_that_is_moved_left_out_or_put_in_is_found(text: str) -> None:
    lines = contents(text.splitlines())
    moved = [*lines[:6], lines[6].replace("random 2", "random 1"), *lines[7:]]
    less = [*lines[:6], *lines[7:]]
    more = [*lines[:6], f"random 1 {ADDED[0]}", *lines[6:]]
    for new in (moved, less, more):
        assert failure("\n".join(forged(new))).code == "wrong_shuffle"


def with_digit(text: str, digit: tuple[int, str]) -> str:
    at, new = digit
    return text[:at] + new + text[at + 1 :]


def unless_same(line: int, new: str) -> NotProved | None:
    """How a record fails with another line, if it is another."""
    other = changed(DEALT, line, new)
    if contents(other.splitlines()) == contents(DEALT.splitlines()):
        assert verify(read_record(other)) == 2
        return None
    return failure(other)
