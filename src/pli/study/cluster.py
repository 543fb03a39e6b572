"""Cells on a Ray cluster, each a task of one processor: the same job, the same bytes.

Files come back through Ray's object store to the process that asks, which alone writes into the
study's folder: nodes share no file system, and a node that dies leaves nothing half-written. Its
tasks are begun anew on other nodes.

A node gets plain data, and a function that is sent as code: so one without this package, or with
another version of it, can say so.
"""

import logging
import os
import socket
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from pli import games
from pli.errors import PliError
from pli.extras import must_have
from pli.games import finding
from pli.games.packing import pack
from pli.kernel.interrupts import deferred_interrupt
from pli.study.installation import installation
from pli.study.job import TELL
from pli.study.plan import Cell, Plan, write

RETRIES = 10
"""How often a cell is begun anew whose process or node has died."""

AHEAD = 1000
"""Cells that are with the cluster at a time: enough for it to ask for more machines."""

ANSWER = 5.0
"""Seconds in which the machine at an address must answer."""


@dataclass(frozen=True)
class Played:
    """Something was played: a cell whose files are here, or only more games."""

    running: int
    """Games in the cells that are not finished."""
    cell: Cell | None = None
    files: Mapping[str, bytes] = field(default_factory=dict)


def play(address: str, plan: Plan, wanted: Sequence[Cell]) -> Generator[Played, None, None]:
    """The cells in the order of their completion, and now and then how far the others are."""
    with _connected(address) as ray:
        request = {
            "installation": installation(),
            "plan": write(plan),
            "game": plan.game,
            "installed": finding.is_installed(plan.game),
        }
        game = ray.put(pack(plan.game)) if games.is_outside(plan.game) else None
        counter = _counter(ray)
        job = ray.remote(num_cpus=1, max_retries=RETRIES)(_job())
        rest = iter(wanted)
        pending: dict[Any, Cell] = {}
        try:
            while True:
                for cell in islice(rest, AHEAD - len(pending)):
                    task = job.remote({**request, "cell": cell.number}, game, counter)
                    pending[task] = cell
                if not pending:
                    return
                done, _ = ray.wait([*pending], timeout=TELL)
                for task in done:
                    cell = pending.pop(task)
                    files = _files(ray, cell, task)
                    yield Played(_running(ray, counter, pending.values()), cell, files)
                if not done:
                    yield Played(_running(ray, counter, pending.values()))
        finally:
            # Unfinished tasks notice, where a script goes on being connected. To cancel one that is
            # just being completed would abort this process (ray 2.60).
            with deferred_interrupt():
                ray.kill(counter)


def _job() -> Callable[..., dict[str, Any]]:
    """What a node runs. It stands within a function so that Ray sends its code, not its name."""

    def job(request: dict[str, Any], game: Any, counter: Any) -> dict[str, Any]:
        import ray

        told: list[Any] = []

        def tell(played: int) -> None:
            # Raises if the counter is gone, and with it who wanted to know. Without waiting for it,
            # since a task that waits gives its processor away.
            if told and ray.wait(told, timeout=0)[0]:
                ray.get(told.pop())
            told[:] = [counter.told.remote(request["cell"], played)]

        try:
            from pli.study.node import answer
        except ImportError as error:
            found = {"error": "node_without", "details": {"why": str(error)}}
        else:
            found = answer(request, game, tell)
        return found | {"node": ray.util.get_node_ip_address()}

    return job


def _counter(ray: Any) -> Any:
    """An actor that knows how many games of each cell have been played, on the node of this
    process, with which it lives and dies. It is sent as code too."""

    class Counter:
        def __init__(self) -> None:
            self._played: dict[int, int] = {}

        def told(self, number: int, played: int) -> None:
            self._played[number] = played

        def played(self) -> dict[int, int]:
            return self._played

    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
    return ray.remote(num_cpus=0, scheduling_strategy=here)(Counter).remote()


def _running(ray: Any, counter: Any, pending: Iterable[Cell]) -> int:
    """How many games of unfinished cells have been played, as far as is known."""
    with suppress(ray.exceptions.RayError):
        played = ray.get(counter.played.remote(), timeout=TELL)
        return sum(played.get(cell.number, 0) for cell in pending)
    return 0


def _files(ray: Any, cell: Cell, task: Any) -> Mapping[str, bytes]:
    try:
        found = ray.get(task)
    except ray.exceptions.RayTaskError:
        raise  # an error in our own code
    except ray.exceptions.RayError as error:
        raise PliError("cell_lost", cell=cell.name, why=_line(error)) from None
    if "error" in found:
        raise PliError(found["error"], **{"node": found["node"], **found["details"]})
    files: Mapping[str, bytes] = found["files"]
    return files


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    """Ray, connected for as long as it is needed; a script may have connected itself."""
    must_have("ray")
    os.environ.setdefault("RAY_NUM_REDIS_GET_RETRIES", "1")  # else it tries for ten minutes
    import ray

    if ray.is_initialized():
        yield ray
        return
    try:
        _knock(address)
        ray.init(address, logging_level=logging.ERROR, log_to_driver=False)
    except (ray.exceptions.RayError, OSError, RuntimeError, ValueError, ImportError) as error:
        raise PliError("no_ray", address=address, why=_line(error)) from None
    try:
        yield ray
    finally:
        with deferred_interrupt():
            ray.shutdown()


def _knock(address: str) -> None:
    """Raises an OSError if there is nobody at HOST:PORT. Ray would go on trying, and log that."""
    host, colon, port = address.rpartition(":")
    if colon and port.isdecimal() and "/" not in host:
        socket.create_connection((host.strip("[]"), int(port)), ANSWER).close()


def _line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
