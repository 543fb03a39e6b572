"""Jobs on several threads: all are done, and Ctrl-C ends them at any moment."""

import subprocess
import sys
from concurrent.futures import Executor, ThreadPoolExecutor

import pytest

from pli.kernel.executors import results_as_completed, shutting_down

PATIENCE = 120
MOMENTS = 200
"""Fewer lines than these the library does not need for a few jobs."""


@pytest.fixture
def pool() -> Executor:
    return ThreadPoolExecutor(2)


@pytest.mark.parametrize("ahead", [1, 3, 100])
def test_every_job_is_done_once(pool: Executor, ahead: int) -> None:
    with shutting_down(pool):
        found = [*results_as_completed(lambda number: pool.submit(str, number), range(20), ahead)]
    assert sorted(found, key=int) == [str(number) for number in range(20)]


def test_no_more_than_so_many_are_on_their_way(pool: Executor) -> None:
    begun: list[int] = []
    with shutting_down(pool):
        done = results_as_completed(lambda number: pool.submit(begun.append, number), range(20), 3)
        for count, _ in enumerate(done, 1):
            assert len(begun) <= count + 3


def test_what_fails_says_so_and_the_rest_is_left(pool: Executor) -> None:
    with pytest.raises(ZeroDivisionError), shutting_down(pool):
        next(results_as_completed(lambda number: pool.submit(divmod, 1, number), range(20), 1))
    with pytest.raises(RuntimeError, match="shutdown"):
        pool.submit(str, 1)


def test_control_c_at_any_moment_ends_it() -> None:
    """A lock that is left taken would be waited for in vain."""
    command = [sys.executable, "-m", "tests.kernel.interrupting"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    said, moments = done.stdout.split()
    assert said == "done"
    assert int(moments) > MOMENTS
