"""Limits: where they are read from, what is said of wrong ones, and that hosts can look them up."""

from pathlib import Path

import msgspec
import pytest

from pli.errors import PliError
from pli.fair import FairQueue
from pli.server.http.markdown import limits_table
from pli.server.limits import UNLIMITED, Limits, read_limits
from pli.server.rate_limits import TokenBucket
from tests.conftest import ROOT


def test_limits_come_from_a_file_and_from_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "limits.toml"
    file.write_text("connections = 5\ntables = [1, 2]\n")
    read = read_limits(file, ["spectators=3", "tables=[0.5, 9]"])
    assert (read.connections, read.spectators, read.tables) == (5, 3, (0.5, 9))
    assert read.requests == Limits().requests
    assert read_limits(None) == Limits()
    assert read_limits(None, ["spectators=3"], UNLIMITED).connections == UNLIMITED.connections


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("spectator=3", "spectator"),
        ("spectators=-3", "spectators"),
        ("spectators=many", "many"),
        ("tables=3", "tables"),
        ("spectators", "spectators"),
    ],
)
def test_a_wrong_limit_is_named(text: str, says: str) -> None:
    with pytest.raises(PliError, match=says):
        read_limits(None, [text])


def test_a_file_of_limits_that_is_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(PliError, match=r"nothing\.toml"):
        read_limits(tmp_path / "nothing.toml")
    (tmp_path / "wrong.toml").write_text("= 5")
    with pytest.raises(PliError, match=r"wrong\.toml"):
        read_limits(tmp_path / "wrong.toml")


def test_without_limits_nothing_is_stricter_than_with_them() -> None:
    for name, usual in msgspec.structs.asdict(Limits()).items():
        none = getattr(UNLIMITED, name)
        assert none >= usual, name


def test_hosts_are_told_of_all_limits() -> None:
    """python -m pli.server.http.export --limits, between the marks of docs/hosting.md"""
    told = (ROOT / "docs" / "hosting.md").read_text()
    table = told.partition("<!-- limits -->\n")[2].partition("<!-- end of limits -->")[0]
    assert table == limits_table()


def test_a_bucket_can_be_overdrawn_and_fills_again() -> None:
    bucket = TokenBucket((10, 100), 0.0)
    bucket.spend(0.0, 150)
    assert bucket.empty(0.0)
    assert bucket.empty(4.9)
    assert not bucket.empty(5.5)
    assert bucket.take(6.1, 10)
    assert not bucket.take(6.1, 2)


def test_in_a_fair_queue_addresses_take_turns_and_so_do_their_tables() -> None:
    queue: FairQueue[str] = FairQueue()
    for number in range(3):
        queue.put("flood", "t1", f"f{number}")
    queue.put("flood", "t2", "g0")
    queue.put("one", "t3", "h0")
    queue.put("one", "t3", "h0")
    assert (len(queue), queue.of("flood"), queue.of("one")) == (5, 4, 1)
    assert [queue.take() for _ in range(5)] == ["f0", "h0", "g0", "f1", "f2"]
    with pytest.raises(IndexError):
        queue.take()


def test_what_nobody_waits_for_leaves_a_fair_queue() -> None:
    queue: FairQueue[str] = FairQueue()
    queue.put("a", "t", "x")
    queue.put("a", "t", "y")
    assert queue.remove("a", "t", "x")
    assert not queue.remove("a", "t", "x")
    assert not queue.remove("b", "t", "x")
    assert [*queue] == ["y"]
    assert queue.take() == "y"
    assert len(queue) == 0
