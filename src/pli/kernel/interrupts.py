"""Ctrl-C (SIGINT): deferred where an interruption would leave a lock taken, and blocked in child
processes, since a terminal sends it to all processes of its foreground group."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from types import FrameType


@contextmanager
def deferred_interrupt() -> Iterator[None]:
    """Raises a KeyboardInterrupt at the end of the block instead of within it; a second Ctrl-C
    raises at once."""
    in_main = threading.current_thread() is threading.main_thread()
    if not in_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield  # signals are not handled in this thread, or the program has a handler of its own
        return
    came = False

    def remember(number: int, frame: FrameType | None) -> None:
        nonlocal came
        if came:
            raise KeyboardInterrupt
        came = True

    signal.signal(signal.SIGINT, remember)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if came:
            raise KeyboardInterrupt


@contextmanager
def children_without_interrupts() -> Iterator[None]:
    """Processes started in this block have SIGINT blocked from their first instruction on."""
    before = block_interrupts()
    try:
        yield
    finally:
        if sys.platform != "win32":
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def block_interrupts() -> set[int]:
    """Blocks SIGINT in this thread, whose child processes inherit the mask. Returns the signals
    that were blocked before."""
    if sys.platform == "win32":
        return set()
    resource_tracker.ensure_running()  # starting it later would unblock the signal
    return {*signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})}
