"""Ctrl-C: it reaches every process of a terminal though it is for one of them, and it comes at any
moment, also at one that leaves a lock taken for good."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from types import FrameType


@contextmanager
def undisturbed() -> Iterator[None]:
    """Ctrl-C is heard when this is done; whoever insists is heard at once."""
    here = threading.current_thread() is threading.main_thread()
    if not here or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield  # nobody hears it here, or somebody else has said what to do about it
        return
    came = False

    def hear(number: int, frame: FrameType | None) -> None:
        nonlocal came
        if came:
            raise KeyboardInterrupt
        came = True

    signal.signal(signal.SIGINT, hear)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if came:
            raise KeyboardInterrupt


@contextmanager
def deaf() -> Iterator[None]:
    """Processes that are started here do not hear Ctrl-C, from their first moment on."""
    before = deafen()
    try:
        yield
    finally:
        if sys.platform != "win32":
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def deafen() -> set[int]:
    """What this thread does not listen to, the processes that it starts don't either. Returns what
    it did not listen to before."""
    if sys.platform == "win32":
        return set()
    resource_tracker.ensure_running()  # whose start would let the signal through again
    return {*signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})}
