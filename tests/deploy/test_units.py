"""The units of systemd: systemd itself reads them and finds nothing wrong."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deploy.proxies import DEPLOY

UNITS = ("pli.service", "pli@.service")
EXPOSED = 2.0
"""The exposure level that systemd computes, from 0 to 10: a service without any protection has
9.6."""

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed"
)


@pytest.fixture(params=UNITS)
def unit(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A unit whose program exists."""
    text = (DEPLOY / request.param).read_text()
    assert "/opt/pli/bin/pli" in text
    file = tmp_path / str(request.param)
    file.write_text(text.replace("/opt/pli/bin/pli ", f"{sys.executable} "))
    return file


@needs_systemd
def test_systemd_finds_nothing_wrong(unit: Path) -> None:
    command = ["systemd-analyze", "verify", "--man=no", str(unit)]
    done = subprocess.run(command, capture_output=True, text=True)
    said = [line for line in done.stderr.splitlines() if unit.name.split(".")[0] in line]
    assert (done.returncode, said) == (0, [])


@needs_systemd
def test_a_service_can_do_little_beside_serving(unit: Path) -> None:
    command = ["systemd-analyze", "security", "--offline=true", "--no-pager", str(unit)]
    done = subprocess.run(command, capture_output=True, text=True)
    found = re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
    assert found is not None, done.stderr
    assert float(found[1]) <= EXPOSED


@pytest.mark.parametrize("name", UNITS)
def test_a_unit_starts_the_server_with_options_that_exist(name: str) -> None:
    text = (DEPLOY / name).read_text()
    (line,) = re.findall(r"^ExecStart=\S+ serve (.*)$", text, re.MULTILINE)
    asked = subprocess.run(
        [sys.executable, "-m", "pli", "serve", "--help"],
        capture_output=True,
        text=True,
        env={"PATH": "", "COLUMNS": "200", "PYTHONPATH": ":".join(sys.path)},
    )
    for option in re.findall(r"--[a-z-]+", line):
        assert option in asked.stdout, option
