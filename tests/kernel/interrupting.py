"""Breaks jobs off at every line of the library that runs them, one after the other: a program that
says `done` if it never hangs, and tells where it was if it does."""

import faulthandler
import signal
import sys
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from types import FrameType
from typing import Any

from pli.kernel.executors import results_as_completed, shutting_down

PATIENCE = 20.0
JOBS = 3
FILES = ("threading.py", "concurrent/futures", "queue.py", "kernel/executors.py")


class Interrupting:
    """Presses Ctrl-C at the line number so-and-so of the library."""

    def __init__(self, at: int) -> None:
        self.lines = at

    def __call__(self, frame: FrameType, event: str, arg: Any) -> Any:
        if not any(each in frame.f_code.co_filename for each in FILES):
            return None
        if event == "line":
            self.lines -= 1
            if self.lines == 0:
                signal.raise_signal(signal.SIGINT)
        return self


def broken_off(pool: Executor, at: int) -> bool:
    """Whether it was, before all was done."""

    def submit(number: int) -> "Future[str]":
        return pool.submit(str, number)

    interrupting = Interrupting(at)
    found = []
    try:
        sys.settrace(interrupting)
        with shutting_down(pool):
            for each in results_as_completed(submit, range(JOBS), 2):
                found.append(each)
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(None)
    assert sorted(found) == [str(number) for number in range(JOBS)]
    return interrupting.lines <= 0


def main() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    at = 1
    faulthandler.dump_traceback_later(PATIENCE, exit=True)
    while broken_off(ThreadPoolExecutor(2), at):
        faulthandler.dump_traceback_later(PATIENCE, exit=True)
        at += 1
    print("done", at)


if __name__ == "__main__":
    main()
