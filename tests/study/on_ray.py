"""Studies on a Ray cluster: a real one of three nodes on this machine, one of which is killed
(`make test-ray`)."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
import ray

import pli as package
from pli.errors import PliError
from pli.study import Study, create, make_plan, open_study, sweep
from pli.study.cluster import play
from pli.study.plan import cells
from tests.cli.command import PATIENCE, complaint, pli, stopped
from tests.outside import SWITCH
from tests.study.test_sweep import hashes

MEMORY = 80 * 1024 * 1024
"""Of an object store: the least that Ray allows is 75 MB."""

SMALL = {"num_cpus": 1, "object_store_memory": MEMORY}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A head that plays nothing, and two nodes of one processor."""
    from ray.cluster_utils import Cluster

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    head = {"num_cpus": 0, "object_store_memory": MEMORY, "include_dashboard": False}
    found = Cluster(initialize_head=True, head_node_args=head)
    for _ in range(2):
        found.add_node(**SMALL)
    yield found
    found.shutdown()


@contextmanager
def node_with(cluster: Any, package: Path) -> Iterator[None]:
    """One more node, on which `pli` is what stands there."""
    node = cluster.add_node(**SMALL, env_vars={"PYTHONPATH": str(package)})
    try:
        yield
    finally:
        cluster.remove_node(node, allow_graceful=False)


def playing(node: Any) -> bool:
    """Whether a process of the node has a cell."""
    (raylet,) = node.all_processes["raylet"]
    children: set[str] = set()
    for thread in Path(f"/proc/{raylet.process.pid}/task").iterdir():
        children.update((thread / "children").read_text().split())
    commands = [Path(f"/proc/{pid}/cmdline") for pid in children]
    return any(b"ray::job" in each.read_bytes() for each in commands if each.exists())


def test_a_node_that_is_killed_costs_its_cells_alone(cluster: Any, tmp_path: Path) -> None:
    plan = make_plan("plingo", {"seats": "2..6"}, "random,medium", games=60, seed=1, detailed=20)
    straight = create(plan, tmp_path / "here").run()
    victim = cluster.add_node(**SMALL)
    there = create(plan, tmp_path / "there")
    command = [sys.executable, "-m", "pli", "study", tmp_path / "there" / "study.yaml"]
    command += ["--to", there.folder, "--resume", "--ray", cluster.address]
    with subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, text=True) as process:
        until = monotonic() + PATIENCE
        while not (there.finished and playing(victim)):
            assert process.poll() is None, "it was over before a node could be killed"
            assert monotonic() < until
            sleep(0.01)
        cluster.remove_node(victim, allow_graceful=False)  # SIGKILL for all its processes
        assert not there.complete
        out, _ = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, out
    assert there.complete
    assert hashes(there.folder / "cells") == hashes(straight.folder / "cells")


def test_a_game_from_outside_is_sent_along(cluster: Any, tmp_path: Path) -> None:
    folder = shutil.copytree(SWITCH, tmp_path / "games" / "switch")
    asked = ("--games", folder, "study", "switch", "--bots", "random,easy", "--games", 8)
    for place, more in (("here", ()), ("there", ("--ray", cluster.address))):
        done = pli(*asked, "--to", tmp_path / place, *more)
        assert done.returncode == 0, done.stderr
    assert hashes(tmp_path / "there") == hashes(tmp_path / "here")


@pytest.mark.parametrize("there", ["another version", "nothing"])
def test_a_node_with_another_version_plays_nothing(
    cluster: Any, tmp_path: Path, there: str
) -> None:
    other = tmp_path / "pli"
    if there == "nothing":
        other.mkdir()
        (other / "__init__.py").touch()
    else:
        aside = shutil.ignore_patterns("static", "__pycache__")
        shutil.copytree(Path(package.__file__).parent, other, ignore=aside)
        with (other / "bots" / "live.py").open("a") as file:
            file.write("\nMORE = 1\n")
    with node_with(cluster, tmp_path):
        said = complaint(
            *("study", "plingo", "--over", "seats=2..6", "--bots", "easy,medium", "--games", 60),
            *("--to", tmp_path / "study", "--ray", cluster.address),
        )
    assert "The node" in said
    assert f"pli {package.__version__} (" in said if there != "nothing" else "pli[ray]" in said


def test_a_stopped_study_goes_on(cluster: Any, tmp_path: Path) -> None:
    folder = tmp_path / "study"
    asked = ("study", "plingo", "--over", "seats=2..4", "--bots", "medium", "--games", 150)
    # Its bar counts games of cells that are not finished.
    code, _, shown = stopped(
        *(*asked, "--to", folder, "--ray", cluster.address), at=r"(?<!\d)(?!0/|150/|300/)\d+/450"
    )
    assert code == 130, (code, shown[-6000:])
    assert "Traceback" not in shown
    study = open_study(folder)
    assert not study.complete
    study.run(ray=cluster.address)
    straight = create(study.plan, tmp_path / "straight").run()
    assert hashes(folder) == hashes(straight.folder)


def test_a_script_may_have_connected_itself(cluster: Any, tmp_path: Path) -> None:
    ray.init(cluster.address, log_to_driver=False)
    try:
        study: Study = sweep("plingo", {"seats": "2,3"}, games=5, to=tmp_path, ray="auto")
        assert study.complete
        assert ray.is_initialized()
        # Nobody wants to know any more: the tasks end.
        endless = make_plan("plingo", {"seats": "2,3"}, "medium", games=1_000_000)
        with closing(play("auto", endless, cells(endless))) as played:
            assert any(found.running for found in played)
        until = monotonic() + PATIENCE
        while ray.available_resources().get("CPU") != ray.cluster_resources()["CPU"]:
            assert monotonic() < until
            sleep(0.1)
    finally:
        ray.shutdown()


def test_nobody_at_the_address_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(PliError, match="No Ray cluster"):
        sweep("plingo", games=5, to=tmp_path, ray="127.0.0.1:9")
