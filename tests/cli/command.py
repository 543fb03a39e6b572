"""The command `pli` as a process of its own: what it said, and how it ended."""

import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.cli.forking import ENGLISH, forked
from tests.processes import interrupt, interruptible

PATIENCE = 120
"""Seconds: a command may have to compile, on a busy machine."""


def pli(
    *arguments: object, typed: str = "", home: Path | None = None
) -> "subprocess.CompletedProcess[str]":
    """Runs a command to its end."""
    command = [*map(str, arguments)]
    variables = os.environ | ENGLISH | ({} if home is None else {"XDG_DATA_HOME": str(home)})
    with TemporaryDirectory() as folder:
        streams = [Path(folder) / name for name in ("in", "out", "err")]
        streams[0].write_text(typed, encoding="utf-8")
        code = forked(command, variables, streams, PATIENCE)
        _, out, err = (each.read_text(encoding="utf-8") for each in streams)
    return subprocess.CompletedProcess(command, code, out, err)


def complaint(*arguments: object) -> str:
    """What is said of bad input: one line, on the error stream, with a non-zero exit."""
    done = pli(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert "Traceback" not in done.stderr
    return done.stderr


def stopped(*arguments: object, at: str) -> tuple[int, str, str]:
    """A command that would take for ever, stopped by Ctrl-C as soon as its bar says that: how it
    ended, what it said, what the terminal showed."""
    command = [sys.executable, "-m", "pli", *map(str, arguments)]
    terminal = ENGLISH | {"FORCE_COLOR": "1", "TERM": "xterm"}
    with interruptible(command, stderr=subprocess.PIPE, env=os.environ | terminal) as process:
        assert process.stderr is not None
        shown = ""
        while not re.search(at, shown):
            more = os.read(process.stderr.fileno(), 65536)
            assert more, shown
            shown += more.decode(errors="replace")
        interrupt(process)
        out, err = process.communicate(timeout=PATIENCE)
        return process.returncode, out, shown + err
