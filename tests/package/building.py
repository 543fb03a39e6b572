"""Builds the wheel and the sdist, and says what a wheel holds."""

import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]

PAGE = ROOT / "src" / "pli" / "server" / "static" / "index.html"
"""The built client, without which there is no package."""


def build(source: Path, target: str, into: Path) -> Path:
    """The file of a target, `wheel` or `sdist`, built from a tree of sources."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", target, "-d", str(into)]
    subprocess.run(command, cwd=source, check=True, capture_output=True, text=True)
    (made,) = into.glob("*.whl" if target == "wheel" else "*.tar.gz")
    return made


def contents(wheel: Path) -> dict[str, int]:
    """The check sums of a wheel's files, by their names."""
    with zipfile.ZipFile(wheel) as archive:
        return {each.filename: each.CRC for each in archive.infolist()}
