"""Sweeps: plans, cells, the same files again whatever happens meanwhile."""

import hashlib
import random
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

from pli.errors import BadOption, PliError
from pli.study import Study, create, make_plan, open_study, sweep
from pli.study.plan import cells, read, read_values, write
from tests.cli.command import complaint, pli
from tests.conftest import FUZZ

SMALL = {"over": {"seats": "2,3"}, "bots": "random,medium", "games": 12, "seed": 3}


def hashes(folder: Path) -> dict[str, str]:
    return {
        file.relative_to(folder).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def test_values_are_ranges_lists_and_words() -> None:
    assert read_values("seats", "2..5") == [2, 3, 4, 5]
    assert read_values("target", "15,20,30") == [15, 20, 30]
    assert read_values("teams", ["none", "pairs"]) == ["none", "pairs"]
    assert read_values("tricks", "book,2..3") == ["book", 2, 3]
    assert read_values("auction", [True, False]) == ["on", "off"]  # as YAML reads on and off
    for wrong in ("5..2", "", "2,2", "a..b"):
        with pytest.raises(BadOption):
            read_values("seats", wrong)


def test_every_option_can_be_varied_and_impossible_combinations_are_left_out() -> None:
    plan = make_plan("plingo", {"seats": "3..4", "teams": "none,pairs"}, "random,medium")
    varied = [tuple(cell.varied.values()) for cell in cells(plan)]
    assert (4, "pairs", "medium") in varied
    assert (3, "pairs", "random") not in varied
    assert len(varied) == 6
    with pytest.raises(BadOption):
        make_plan("plingo", {"seats": "3", "teams": "none,pairs"})
    with pytest.raises(BadOption):
        make_plan("plingo", {"colour": "1,2"})
    with pytest.raises(PliError, match="hard"):
        make_plan("plingo", bots="hard")
    make_plan("twinit", bots="hard")  # there it does not think for a time


def test_a_plan_is_a_yaml_file_and_back() -> None:
    plan = make_plan("plingo", {"auction": "on,off"}, options={"seats": 4}, question="Bid or not?")
    assert read(write(plan)) == plan
    assert read("game: plingo\nover: {seats: 2..4, auction: [on, off]}\nbots: random,medium") == (
        make_plan("plingo", {"seats": "2..4", "auction": ["on", "off"]}, "random,medium")
    )
    for wrong in ("[", "3", "game: plingo\nspeed: 3", "game: plingo\nover: 3", "game: nothing"):
        with pytest.raises(PliError):
            read(wrong)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return sweep("plingo", **SMALL, to=tmp_path_factory.mktemp("whole"), processes=1)  # type: ignore[arg-type]


def test_a_study_is_one_frame_with_its_options_in_front(whole: Study) -> None:
    frame = whole.frame()
    assert frame.columns[:3] == ["cell", "seats", "bots"]
    assert len(frame) == 4 * 12
    counts = frame.group_by("seats", "bots").len()
    assert counts["len"].to_list() == [12] * 4
    assert frame.filter(pl.col("seats") == 2)["won_2"].null_count() == 24
    for table in ("rounds", "decisions"):
        assert set(whole.frame(table)["cell"]) == {0, 1, 2, 3}
    assert open_study(whole.folder).plan == whole.plan


def test_the_same_seed_gives_the_same_bytes_on_any_number_of_processes(
    whole: Study, tmp_path: Path
) -> None:
    again = Study(whole.plan, tmp_path).run(processes=2)
    assert hashes(again.folder / "cells") == hashes(whole.folder / "cells")
    other = Study(make_plan("plingo", **{**SMALL, "seed": 4}), tmp_path / "other").run(1)  # type: ignore[arg-type]
    assert set(hashes(other.folder).values()).isdisjoint(hashes(whole.folder).values())


def test_a_sweep_that_is_killed_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    """Killed at moments drawn by lot, so that it dies between cells and in the middle of them."""
    plan = tmp_path / "plan.yaml"
    asked = make_plan("plingo", {"seats": "2..4"}, "random,medium", games=40 * FUZZ, seed=1)
    plan.write_text(write(asked))
    straight = create(asked, tmp_path / "straight").run(1)
    killed = tmp_path / "killed"
    command = [sys.executable, "-m", "pli", "study", plan, "--to", killed, "--resume"]
    command += ["--threads", "1"]
    rng, deaths = random.Random(5), 0
    for _ in range(2 * FUZZ):
        process = subprocess.Popen(list(map(str, command)), stderr=subprocess.DEVNULL)
        while not (killed / "cells").exists() and process.poll() is None:
            time.sleep(0.01)
        time.sleep(rng.uniform(0.0, 1.0))
        process.kill()
        deaths += process.wait() != 0
    assert deaths
    done = create(asked, killed, resume=True).run(1)
    assert done.complete
    assert hashes(killed / "cells") == hashes(straight.folder / "cells")


def test_a_study_is_never_mixed_with_another_one(whole: Study) -> None:
    folder = whole.folder
    assert "--resume" in complaint("study", "plingo", "--to", folder)
    assert "another" in complaint("study", "plingo", "--to", folder, "--resume")
    with pytest.raises(PliError):
        open_study(folder / "nothing")


def test_the_command_plays_a_plan_and_says_where_it_is(tmp_path: Path) -> None:
    done = pli("study", "plingo", "--over", "seats=2,3", "--games", 5, "--to", tmp_path / "s")
    assert done.returncode == 0, done.stderr
    assert "2 cells of 5 games" in done.stdout
    assert open_study(tmp_path / "s").complete
    assert "NAME=VALUE" in complaint("study", "plingo", "--over", "seats", "--to", tmp_path / "t")


def test_many_machines_need_an_extra(tmp_path: Path) -> None:
    code = """
import sys
sys.modules["ray"] = None  # as if it were not installed
from pli.cli import main
sys.argv = ["pli", "study", "plingo", "--to", sys.argv[1], "--lang", "en", "--ray", "auto"]
main()
"""
    command = [sys.executable, "-c", code, str(tmp_path / "study")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2, done.stderr
    (line,) = done.stderr.splitlines()
    assert "pip install 'pli[ray]'" in line


def test_playing_does_not_import_the_lab() -> None:
    """Neither does the command line, before somebody asks for a study."""
    code = """
import sys
import pli, pli.cli, pli.bots, pli.bots.arena, pli.batch, pli.record
lab = [name for name in sys.modules if name.startswith(("polars", "altair", "pli.study"))]
assert not lab, lab
sys.modules["polars"] = None  # as if it were not installed
from pli.cli import main
sys.argv = ["pli", "study", "plingo", "--to", "nowhere", "--lang", "en"]
main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 2, done.stderr
    (line,) = done.stderr.splitlines()
    assert "pip install 'pli[study]'" in line
