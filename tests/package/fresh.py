"""Builds the package into `dist/` and installs it into empty environments: `make package`.

The wheel alone, with its server, and the sdist: each in a virtual environment of its own, with the
versions of constraints.txt, from another folder than this tree. Prints what each weighs.
"""

import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.package.building import ROOT, build

PLAYS = """
import pli, sys
assert "site-packages" in pli.__file__, pli.__file__
for name in pli.games.names():
    match = pli.new(name, seed=1)
    pli.Live(match, [pli.make_bot("medium", match.game, each) for each in range(match.seats)]).run()
played = pli.Playouts(pli.games.load("plingo").rules).play(pli.new("plingo").state, 1000, seed=1)
assert played.lengths.min() > 0
"""


def main() -> None:
    dist = ROOT / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    wheel, sdist = build(ROOT, "wheel", dist), build(ROOT, "sdist", dist)
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")
    print(f"{sdist.name}: {sdist.stat().st_size / 1e6:.1f} MB")
    with installed(f"{wheel}", "pli") as pli:
        assert "pip install 'pli[serve]'" in said(pli, "serve", code=2)
    with installed(f"{wheel}[serve]", "pli[serve]") as pli:
        serves(pli)
    with installed(f"{wheel}[all]", "pli[all]") as pli:
        nowhere = "postgresql://nobody@127.0.0.1:1/none"
        assert "The database can" in said(pli, "serve", "--db", nowhere, code=2)
    with installed(f"{sdist}[serve]", "the sdist") as pli:
        serves(pli)


@contextmanager
def installed(what: str, name: str) -> Iterator[Path]:
    """The command `pli` of an environment in which a package was installed, once it has played."""
    with TemporaryDirectory() as folder:
        begun = time.monotonic()
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        python = Path(folder) / "bin" / "python"
        empty = weight(folder)
        constraints = ["--constraint", str(ROOT / "constraints.txt")]
        pip = [str(python), "-m", "pip", "install", "--quiet", "--no-compile", *constraints, what]
        subprocess.run(pip, check=True, cwd=folder)
        seconds = time.monotonic() - begun
        print(f"{name}: {seconds:.0f} s, {(weight(folder) - empty) / 1e6:.0f} MB", flush=True)
        subprocess.run([str(python), "-c", PLAYS], check=True, cwd=folder)
        pli = python.with_name("pli")
        assert said(pli, "--version").startswith("pli ")
        yield pli


def weight(folder: str) -> int:
    """The bytes of all files in a folder."""
    files = (file for file in Path(folder).rglob("*") if file.is_file() and not file.is_symlink())
    return sum(file.stat().st_size for file in files)


def said(pli: Path, *arguments: str, code: int = 0) -> str:
    """What a command says, which ends as expected."""
    command = [str(pli), *arguments]
    english = os.environ | {"PLI_LANG": "en"}
    done = subprocess.run(command, capture_output=True, text=True, env=english, cwd=pli.parent)
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


def serves(pli: Path) -> None:
    """The server starts and gives its page."""
    journal = pli.parent / "tables.db"
    command = [str(pli), "serve", "--port", "0", "--db", f"sqlite:///{journal}"]
    english = os.environ | {"PLI_LANG": "en"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=english)
    try:
        assert process.stdout is not None
        address = next(word for word in process.stdout.readline().split() if "://" in word)
        with urllib.request.urlopen(address, timeout=30) as answer:
            assert b"<title>" in answer.read()
    finally:
        process.terminate()
        process.wait(30)


if __name__ == "__main__":
    main()
