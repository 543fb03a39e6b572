"""Commands that are forked from one process with all imports behind it: they take a command far
longer than most of what the tests ask of it."""

import atexit
import gc
import json
import os
import signal
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path

from typer.testing import CliRunner

ENGLISH = {"PLI_LANG": "en", "COLUMNS": "100"}

ROOT = Path(__file__).parents[2]


def forked(
    command: list[str], variables: dict[str, str], streams: list[Path], patience: int
) -> int:
    """Runs a command with files for its input, output and errors: its exit code."""
    asked = (command, variables, [*map(str, streams)], patience)
    server = _server()
    assert server.stdin is not None
    assert server.stdout is not None
    print(json.dumps(asked), file=server.stdin, flush=True)
    return int(server.stdout.readline())


@cache
def _server() -> "subprocess.Popen[str]":
    server = subprocess.Popen(
        [sys.executable, "-c", "from tests.cli.forking import serve; serve()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=os.environ | ENGLISH,
    )
    assert server.stdin is not None
    atexit.register(server.wait)
    atexit.register(server.stdin.close)  # with nothing more to read, it ends
    return server


def serve() -> None:
    """One command after the other, each in a process that goes on and ends like any other."""
    import_module("numba")
    CliRunner().invoke(import_module("pli.cli").app, ["rules", "chess"])  # some imports come late
    gc.freeze()  # or else each would go through all of that at its end
    for line in sys.stdin:
        command, variables, streams, patience = json.loads(line)
        process = os.fork()
        if process == 0:
            signal.alarm(patience)
            _become(command, variables, streams)
            return
        _, status = os.waitpid(process, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def _become(command: list[str], variables: dict[str, str], streams: list[str]) -> None:
    """As a shell does it: the variables, the three streams, and go."""
    from pli.__main__ import main

    os.environ.clear()
    os.environ.update(variables)
    for number, (path, mode) in enumerate(zip(streams, "rww", strict=True)):
        with open(path, mode) as file:
            os.dup2(file.fileno(), number)
    sys.stdin, sys.stdout, sys.stderr = (
        os.fdopen(number, mode, encoding="utf-8") for number, mode in enumerate("rww")
    )
    sys.argv = ["pli", *command]
    main()
