"""Processes that Ctrl-C reaches as in a terminal: with all that they have started."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any


@contextmanager
def interruptible(command: list[str], **more: Any) -> Iterator["subprocess.Popen[str]"]:
    """A process with a group of its own, of which nothing is left in the end."""
    # A shell's background job ignores Ctrl-C, and all that it starts would inherit that.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, start_new_session=True, **more
        )
    finally:
        signal.signal(signal.SIGINT, before)
    with process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def interrupt(process: "subprocess.Popen[str]") -> None:
    """Ctrl-C goes to every process that the terminal started."""
    os.killpg(process.pid, signal.SIGINT)


def workers() -> list[int]:
    """Python processes that this one has started and that have not ended."""
    found = []
    for thread in Path("/proc/self/task").iterdir():
        with suppress(OSError):  # it is over
            found += [int(pid) for pid in (thread / "children").read_text().split()]
    return [pid for pid in found if b"spawn_main" in _command(pid)]


def _command(pid: int) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""
