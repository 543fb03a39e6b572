"""The reference has every public name, and every public name says what it is."""

import inspect
import re

import pytest

import pli
from tests.docs.pages import ROOT

PAGES = sorted((ROOT / "docs" / "reference").glob("*.md"))
TEXT = "\n".join(page.read_text() for page in PAGES)
SHOWN = re.findall(r"^::: (\S+)$", TEXT, re.MULTILINE)
CLASSES = [name for name in pli.__all__ if inspect.isclass(getattr(pli, name))]


def test_the_reference_has_every_public_name_once() -> None:
    ours = [name for name in SHOWN if re.fullmatch(r"pli\.\w+", name)]
    assert sorted(ours) == sorted(f"pli.{name}" for name in pli.__all__)


def test_all_public_names_are_there() -> None:
    assert sorted(pli.__all__) == sorted({*pli.__all__})
    for name in pli.__all__:
        assert hasattr(pli, name)


@pytest.mark.parametrize("name", CLASSES)
def test_a_public_class_says_what_it_and_its_methods_are(name: str) -> None:
    found = getattr(pli, name)
    assert found.__doc__
    for method, value in vars(found).items():
        if not method.startswith("_") and (callable(value) or isinstance(value, property)):
            assert value.__doc__, f"{name}.{method}"
