"""What is only there with one of pip's extras: nothing else needs it, and its absence is told in
one line."""

import subprocess
import sys

import pytest

PACKAGES = ("gymnasium", "pettingzoo", "pyspiel", "open_spiel", "jax", "torch")

WITHOUT = """
import sys
for name in {hidden}:
    sys.modules[name] = None
try:
    import {module}
except ModuleNotFoundError as error:
    print(type(error).__name__, error, error.__suppress_context__)
"""


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_pli_imports_none_of_it() -> None:
    code = f"import sys, pli, pli.env; print([n for n in {PACKAGES} if n in sys.modules])"
    assert run(code) == "[]"


@pytest.mark.parametrize(
    ("module", "hidden", "extra"),
    [
        ("pli.env.pettingzoo", "pettingzoo", "agents"),
        ("pli.env.pettingzoo", "gymnasium", "agents"),
        ("pli.env.gymnasium", "gymnasium", "agents"),
        ("pli.env.openspiel", "pyspiel", "openspiel"),
    ],
)
def test_a_missing_extra_is_told_in_one_line(module: str, hidden: str, extra: str) -> None:
    said = run(WITHOUT.format(module=module, hidden=[hidden]))
    told = f"This needs packages that are not installed ({hidden}): pip install 'pli[{extra}]'"
    assert said == f"MissingExtra {told} True"
