"""The picture of a link preview: a game's cloth and the picture of its box, which the client's
build has drawn, with the game's name and one line beside it. It tells nothing of any table."""

import io
import re
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

SIZE = 1200, 630
"""What messengers and networks ask for."""

LEFT, WIDE = 600, 530
"""Where words begin, and how wide they may be."""
NAME, LINE, LEADING = 104, 46, 1.16
"""The size of the game's name and of the line; the distance of their baselines."""
WEIGHTS = {NAME: 700, LINE: 550}
QUALITY = 88


class Preview(NamedTuple):
    """What is drawn."""

    ground: str
    """SVG; its `color` is that of the words."""
    font: str
    """A file."""
    name: str
    line: str


def draw(preview: Preview) -> bytes:
    """A JPEG file."""
    from resvg_py import svg_to_bytes

    width, height = SIZE
    drawn = svg_to_bytes(
        svg_string=preview.ground, width=width, height=height, skip_system_fonts=True
    )
    picture = Image.open(io.BytesIO(bytes(drawn))).convert("RGB")
    pen = ImageDraw.Draw(picture)
    ink = re.search(r'color="(#\w+)"', preview.ground)
    rows = [
        (row, font)
        for text, size in ((preview.name, NAME), (preview.line, LINE))
        for row, font in _rows(text, preview.font, size)
    ]
    gap = LINE * 0.7
    total = sum(font.size * LEADING for _, font in rows) + gap
    top = (height - total) / 2
    before = 0.0
    for row, font in rows:
        if before and font.size < before and before > LINE:
            top += gap
        pen.text((LEFT, top), row, fill=ink[1] if ink else "#fffaf0", font=font)
        top += font.size * LEADING
        before = font.size
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=QUALITY, optimize=True)
    return file.getvalue()


def _rows(text: str, file: str, size: int) -> list[tuple[str, ImageFont.FreeTypeFont]]:
    """The text in rows that fit; a word that is too long makes all of them smaller."""
    font = ImageFont.truetype(file, size)
    font.set_variation_by_axes([WEIGHTS[size]])
    words = text.split()
    longest = max(font.getlength(word) for word in words)
    if longest > WIDE:
        font = ImageFont.truetype(file, int(size * WIDE / longest))
        font.set_variation_by_axes([WEIGHTS[size]])
    wide = WIDE
    while (narrow := wide - size // 2) > 0 and len(_wrapped(words, font, narrow)) == len(
        _wrapped(words, font, WIDE)
    ):
        wide = narrow  # rows of about the same length
    return [(row, font) for row in _wrapped(words, font, wide)]


def _wrapped(words: list[str], font: ImageFont.FreeTypeFont, wide: int) -> list[str]:
    rows: list[str] = []
    for word in words:
        if rows and font.getlength(f"{rows[-1]} {word}") <= wide:
            rows[-1] += f" {word}"
        else:
            rows.append(word)
    return rows
