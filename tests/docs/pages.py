"""The code of a page of documentation: what is a file, what is run, what is only shown."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]

FENCE = re.compile(r"^```(\w*)(?: ([^\n]*))?\n(.*?)^```", re.MULTILINE | re.DOTALL)

FILES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]

PAGES = {file.relative_to(ROOT).as_posix(): file for file in FILES}
"""By their places in the tree."""


@dataclass(frozen=True)
class Block:
    """A fenced block: `python` runs, unless its title says that it is a file; `console` has
    commands that run after `$`; `sh` shows commands that can't run here but exist; `yaml` is a
    scenario, unless it is a file."""

    language: str
    title: str | None
    text: str


def blocks(page: Path) -> list[Block]:
    found = []
    for language, attributes, text in FENCE.findall(page.read_text(encoding="utf-8")):
        title = re.search(r'title="([^"]+)"', attributes or "")
        found.append(Block(language, title[1] if title else None, text))
    return found


def write_files(page: Path, folder: Path) -> dict[str, str]:
    """Writes the files of a page into a folder: blocks of one title are its parts, two blank lines
    apart."""
    parts: dict[str, list[str]] = {}
    for block in blocks(page):
        if block.title is not None:
            parts.setdefault(block.title, []).append(block.text)
    files = {title: "\n\n".join(texts) for title, texts in parts.items()}
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return files
