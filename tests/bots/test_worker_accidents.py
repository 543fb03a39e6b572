"""Workers in trouble: killed, stopped, stuck, late, and left alone by whoever asked them."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

import pli
from pli.bots.thinking import Question
from pli.bots.thought import simple
from pli.bots.workers import Thinkers
from pli.processes import PATIENCE
from tests.bots.asking import (
    ENDLESS,
    FLAT,
    LONG,
    SEARCH,
    SLACK,
    STUBBORN,
    busy,
    gone,
    question,
    until,
)
from tests.processes import interrupt, interruptible

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are sent another way there")


def test_a_worker_killed_while_it_thinks_is_replaced_at_once(one: Thinkers) -> None:
    thought = busy(one)
    (killed,) = one.pids
    began = time.monotonic()
    os.kill(killed, signal.SIGKILL)
    assert thought.result() == simple(question())
    assert thought.how == "died"
    assert time.monotonic() - began < SLACK
    again = one.ask(question(), LONG)
    assert again.result() in question().actions
    assert again.how == "thought"
    assert killed not in one.pids
    assert gone(killed)


def test_a_game_goes_on_over_dead_workers() -> None:
    match = pli.new("marshmallow", seed=5, target=4)
    how = []
    with Thinkers(2) as thinkers:
        thinkers.ask(question(), LONG).result()
        while not match.over:
            number = len(match.steps)
            accident = number in (12, 20, 21)
            thought = thinkers.ask(question(ENDLESS if accident else SEARCH, number, match), LONG)
            if accident and not thought.done():
                until(lambda: "thinking" in thinkers.pids.values())
                for pid in thinkers.pids:
                    os.kill(pid, signal.SIGKILL)
            match.act(match.actors[0], thought.result())
            how.append(thought.how)
    assert 1 <= how.count("died") <= 3
    assert set(how) <= {"thought", "only", "died"}


def test_a_worker_that_hangs_is_replaced_after_the_deadline(one: Thinkers) -> None:
    thought = busy(one, deadline=2.0)
    (hanging,) = one.pids
    os.kill(hanging, signal.SIGSTOP)
    assert thought.result() == simple(question())
    assert thought.how == "late"
    assert one.ask(question(), LONG).result() in question().actions
    assert gone(hanging)


def test_a_worker_that_hangs_before_it_is_asked_is_replaced_too(one: Thinkers) -> None:
    """The question is longer than what fits between two processes."""
    (hanging,) = one.pids
    os.kill(hanging, signal.SIGSTOP)
    asked = question()
    long = Question(
        "marshmallow", SEARCH, asked.seat, "x" * 3_000_000, 0, asked.view, asked.events,
        asked.actions,
    )  # fmt: skip
    began = time.monotonic()
    thought = one.ask(long, LONG)
    assert thought.result() == simple(asked)
    assert time.monotonic() - began < PATIENCE + SLACK
    again = one.ask(long, LONG)
    assert again.result() in asked.actions
    assert again.how == "thought"
    assert gone(hanging)


def test_a_search_makes_do_with_what_it_has_at_the_deadline(one: Thinkers) -> None:
    began = time.monotonic()
    thought = one.ask(question(ENDLESS), 3.0)
    thought.result()
    assert thought.how == "thought"
    assert time.monotonic() - began < 3.0 + SLACK


def test_who_does_not_stop_is_replaced_and_the_others_go_on(one: Thinkers) -> None:
    (pid,) = one.pids
    began = time.monotonic()
    stuck, next_one = one.ask(question(STUBBORN), 0.5), one.ask(question(), LONG)
    assert stuck.result() == simple(question())
    assert stuck.how == "late"
    assert 0.5 <= time.monotonic() - began < 0.5 + SLACK
    assert next_one.result() in question().actions
    assert next_one.how == "thought"
    assert pid not in one.pids


def test_the_deadline_holds_for_those_that_wait_their_turn(one: Thinkers) -> None:
    first = busy(one)
    began = time.monotonic()
    waiting = one.ask(question(), 0.5)
    assert waiting.result() == simple(question())
    assert waiting.how == "late"
    assert time.monotonic() - began < 0.5 + SLACK
    assert not first.done()
    first.hurry()
    assert first.how == "hurried"


def test_nobody_is_replaced_for_compiling(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Or else it would never be done where deadlines are short."""
    monkeypatch.setenv("PLI_CACHE_DIR", str(tmp_path))
    with Thinkers(1) as thinkers:
        until(lambda: "idle" in thinkers.pids.values())
        (pid,) = thinkers.pids
        early = thinkers.ask(question(FLAT), 0.5)
        assert early.result() == simple(question())
        assert early.how == "late"
        later = thinkers.ask(question(FLAT), LONG)
        assert later.result() in question().actions
        assert later.how == "thought"
        assert [*thinkers.pids] == [pid]


# Whoever asks ends


SCRIPT = """
import sys, time
from tests.bots.asking import *
thinkers = Thinkers(2)
thinkers.ask(question(), LONG).result()
assert "numba" not in sys.modules
thought = busy(thinkers)
until(lambda: "starting" not in thinkers.pids.values())
print(*thinkers.pids, flush=True)
"""


@contextmanager
def asking(rest: str) -> Iterator[tuple["subprocess.Popen[str]", list[int]]]:
    """A process that asks its two workers, one of which thinks for ever, and goes on."""
    command = [sys.executable, "-c", SCRIPT + rest]
    root = Path(__file__).parents[2]
    with interruptible(command, cwd=root, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        pids = [int(pid) for pid in process.stdout.readline().split()]
        assert len(pids) == 2
        yield process, pids


def test_who_asks_never_compiles_and_leaves_no_process_when_it_ends() -> None:
    with asking("") as (process, pids):
        _, err = process.communicate(timeout=LONG)
        assert (process.returncode, err) == (0, "")
        assert all(map(gone, pids))


@pytest.mark.parametrize("closed", [True, False])
def test_control_c_leaves_no_process(closed: bool) -> None:
    rest = "with thinkers:\n thought.result()" if closed else "thought.result()"
    with asking(rest) as (process, pids):
        interrupt(process)
        _, err = process.communicate(timeout=LONG)
        assert err.count("Traceback") == 1
        assert all(map(gone, pids))


def test_workers_end_when_nobody_can_ask_any_more() -> None:
    with asking("time.sleep(3600)") as (process, pids):
        process.kill()
        process.communicate(timeout=LONG)
        until(lambda: all(gone(pid) or ended(pid) for pid in pids))


def ended(pid: int) -> bool:
    """Ended, though whoever inherited it may not have looked."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    return True
