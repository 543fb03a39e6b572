"""What CONTRIBUTING says about places in the tree is true."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "CONTRIBUTING.md").read_text()
PLACES = re.findall(r"`((?:src|web|tests)/[\w/.-]+\.\w+)`(?:, `(\w+)`)?", TEXT)


def test_places_are_found() -> None:
    assert len(PLACES) > 15


@pytest.mark.parametrize(("file", "name"), PLACES)
def test_a_named_place_is_there(file: str, name: str) -> None:
    text = (ROOT / file.replace("/GAME/", "/plingo/")).read_text()
    declared = rf"^\s*(?:(?:async )?def|class|const|export const) {name}\b|^{name}\b.*="
    assert not name or re.search(declared, text, re.MULTILINE), name
