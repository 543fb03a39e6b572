"""Tests that failed are run once more, alone."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.again import FAILED, MOST, again


def run(root: Path, source: str) -> int:
    """Runs tests of their own, then those that failed once more."""
    (root / "pytest.ini").write_text("[pytest]\n")
    (root / "test_these.py").write_text(source)
    first = subprocess.run(
        [sys.executable, "-m", "pytest", "-q"], cwd=root, capture_output=True, check=False
    )
    return again(first.returncode, root)


def test_what_fails_once_is_named_and_passes(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    once = "from pathlib import Path\ndef test_once():\n    here = Path('ran')\n"
    once += "    before = here.exists()\n    here.touch()\n    assert before\n"
    assert run(tmp_path, once + "def test_sound():\n    pass\n") == 0
    told = capfd.readouterr().out
    assert "passed alone: ***\n  test_these.py::test_once\n" in told
    assert "test_sound" not in told


def test_what_is_wrong_fails_the_run(tmp_path: Path) -> None:
    assert run(tmp_path, "def test_wrong():\n    assert not 'wrong'\n") == FAILED


def test_many_failures_and_other_endings_stay_as_they_are(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    many = "".join(f"def test_{i}():\n    assert not {i + 1}\n" for i in range(MOST + 1))
    assert run(tmp_path, many) == FAILED
    assert run(tmp_path, "syntax error") == 2
    assert "Once more" not in capfd.readouterr().out
