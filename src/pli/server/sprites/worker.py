"""The worker process of the render pool: renders sprite sheets and link previews one by one.

Messages between the processes are pickled: both run the same code.
"""

import os
import traceback
from contextlib import suppress
from typing import Any

from pli.kernel.compiler import cache_home
from pli.server.sprites.preview import Preview, draw

# Messages of a worker.
PREPARING, READY, RENDERED, FAILED = "preparing", "ready", "rendered", "failed"

Task = tuple[list[int], str] | Preview
"""The motifs on a sheet, and the seed of its variations; or a link preview."""


def work(link: Any) -> None:
    """Runs until the pool sends None. At a lower priority than the server itself."""
    with suppress(AttributeError, OSError):
        os.nice(2)
    link.send((PREPARING, None))
    from pli.motifs.sprites import prepare, sheet

    home = cache_home()
    with suppress(Exception):  # the first sheet fails for the same reason, and is answered
        prepare(home)
    link.send((READY, None))
    while True:
        task: Task | None = link.recv()
        if task is None:
            return
        try:
            file = draw(task) if isinstance(task, Preview) else sheet(*task, home)
            message = (RENDERED, file)
        except Exception:
            message = (FAILED, traceback.format_exc().encode())
        link.send(message)
