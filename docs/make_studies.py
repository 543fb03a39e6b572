"""Writes the reports of the studies that come with Pli into docs/studies: `make studies`."""

from pathlib import Path

from pli.study.shipped import shipped

LANGUAGE = "en"
"""That of the documentation; Pli writes them in all."""

FOLDER = Path(__file__).parent / "studies"


def pages() -> dict[str, str]:
    """Every file of the folder, from the results."""
    return {f"{name}.html": study.page(LANGUAGE) for name, study in shipped().items()}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
