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
from pli.bots.workers import BotPool, DecisionRequest, fallback
from pli.processes import PATIENCE
from tests.bots.workers.requests import (
    ENDLESS,
    FLAT,
    LONG,
    SEARCH,
    SLACK,
    STUBBORN,
    busy,
    gone,
    request,
    until,
)
from tests.processes import interrupt, interruptible

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are sent another way there")


def test_a_worker_killed_while_it_thinks_is_replaced_at_once(one: BotPool) -> None:
    decision = busy(one)
    (killed,) = one.pids
    began = time.monotonic()
    os.kill(killed, signal.SIGKILL)
    assert decision.result() == fallback(request())
    assert decision.source == "crashed"
    assert time.monotonic() - began < SLACK
    again = one.ask(request(), LONG)
    assert again.result() in request().actions
    assert again.source == "worker"
    assert killed not in one.pids
    assert gone(killed)


def test_a_game_goes_on_over_dead_workers() -> None:
    match = pli.new("marshmallow", seed=5, target=4)
    how = []
    with BotPool(2) as pool:
        pool.ask(request(), LONG).result()
        while not match.over:
            number = len(match.steps)
            accident = number in (12, 20, 21)
            decision = pool.ask(request(ENDLESS if accident else SEARCH, number, match), LONG)
            if accident and not decision.done():
                until(lambda: "thinking" in pool.pids.values())
                for pid in pool.pids:
                    os.kill(pid, signal.SIGKILL)
            match.act(match.actors[0], decision.result())
            how.append(decision.source)
    assert 1 <= how.count("crashed") <= 3
    assert set(how) <= {"worker", "forced", "crashed"}


def test_a_worker_that_hangs_is_replaced_after_the_deadline(one: BotPool) -> None:
    decision = busy(one, deadline=2.0)
    (hanging,) = one.pids
    os.kill(hanging, signal.SIGSTOP)
    assert decision.result() == fallback(request())
    assert decision.source == "late"
    assert one.ask(request(), LONG).result() in request().actions
    assert gone(hanging)


def test_a_worker_that_hangs_before_it_is_asked_is_replaced_too(one: BotPool) -> None:
    """The question is longer than what fits between two processes."""
    (hanging,) = one.pids
    os.kill(hanging, signal.SIGSTOP)
    asked = request()
    long = DecisionRequest(
        "marshmallow", SEARCH, asked.seat, "x" * 3_000_000, 0, asked.view, asked.events,
        asked.actions,
    )  # fmt: skip
    began = time.monotonic()
    decision = one.ask(long, LONG)
    assert decision.result() == fallback(asked)
    assert time.monotonic() - began < PATIENCE + SLACK
    again = one.ask(long, LONG)
    assert again.result() in asked.actions
    assert again.source == "worker"
    assert gone(hanging)


def test_a_search_makes_do_with_what_it_has_at_the_deadline(one: BotPool) -> None:
    began = time.monotonic()
    decision = one.ask(request(ENDLESS), 3.0)
    decision.result()
    assert decision.source == "worker"
    assert time.monotonic() - began < 3.0 + SLACK


def test_who_does_not_stop_is_replaced_and_the_others_go_on(one: BotPool) -> None:
    (pid,) = one.pids
    began = time.monotonic()
    stuck, next_one = one.ask(request(STUBBORN), 0.5), one.ask(request(), LONG)
    assert stuck.result() == fallback(request())
    assert stuck.source == "late"
    assert 0.5 <= time.monotonic() - began < 0.5 + SLACK
    assert next_one.result() in request().actions
    assert next_one.source == "worker"
    assert pid not in one.pids


def test_the_deadline_holds_for_those_that_wait_their_turn(one: BotPool) -> None:
    first = busy(one)
    began = time.monotonic()
    waiting = one.ask(request(), 0.5)
    assert waiting.result() == fallback(request())
    assert waiting.source == "late"
    assert time.monotonic() - began < 0.5 + SLACK
    assert not first.done()
    first.cancel()


def test_nobody_is_replaced_for_compiling(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Or else it would never be done where deadlines are short."""
    monkeypatch.setenv("PLI_CACHE_DIR", str(tmp_path))
    with BotPool(1) as pool:
        until(lambda: "idle" in pool.pids.values())
        (pid,) = pool.pids
        early = pool.ask(request(FLAT), 0.5)
        assert early.result() == fallback(request())
        assert early.source == "late"
        later = pool.ask(request(FLAT), LONG)
        assert later.result() in request().actions
        assert later.source == "worker"
        assert [*pool.pids] == [pid]


# Whoever asks ends


SCRIPT = """
import sys, time
from tests.bots.workers.requests import *
pool = BotPool(2)
pool.ask(request(), LONG).result()
assert "numba" not in sys.modules
decision = busy(pool)
until(lambda: "starting" not in pool.pids.values())
print(*pool.pids, flush=True)
"""


@contextmanager
def asking(rest: str) -> Iterator[tuple["subprocess.Popen[str]", list[int]]]:
    """A process that asks its two workers, one of which thinks for ever, and goes on."""
    command = [sys.executable, "-c", SCRIPT + rest]
    root = Path(__file__).parents[3]
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
    rest = "with pool:\n decision.result()" if closed else "decision.result()"
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
