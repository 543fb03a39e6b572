"""What happens in a process that draws: it takes sheets one by one.

All that crosses between the processes is pickled: both run the same code.
"""

import os
import traceback
from contextlib import suppress
from typing import Any

from pli.kernel.compiler import cache_home

# What a process tells.
PREPARING, READY, DRAWN, FAILED = "preparing", "ready", "drawn", "failed"

Task = tuple[list[int], str]
"""What is on a sheet, and the seed by which it is drawn."""


def work(link: Any) -> None:
    """A process's life. It ends when the other end of the link says so. Who plays goes first."""
    with suppress(AttributeError, OSError):
        os.nice(2)
    link.send((PREPARING, None))
    from pli.motifs.sprites import prepare, sheet

    home = cache_home()
    with suppress(Exception):  # what is wrong the first sheet will tell
        prepare(home)
    link.send((READY, None))
    while True:
        task: Task | None = link.recv()
        if task is None:
            return
        try:
            said = (DRAWN, sheet(*task, home))
        except Exception:
            said = (FAILED, traceback.format_exc().encode())
        link.send(said)
