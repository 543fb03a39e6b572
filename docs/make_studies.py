"""Writes the reports of the studies that come with Pli into docs/studies: `make studies`."""

from pathlib import Path

from pli.study.shipped import shipped
from pli.texts import LANGUAGES

FOLDER = Path(__file__).parent / "studies"


def pages() -> dict[str, str]:
    """Every file of the folder, from the results."""
    return {
        f"{name}.{language}.html": study.page(language)
        for name, study in shipped().items()
        for language in LANGUAGES
    }


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
