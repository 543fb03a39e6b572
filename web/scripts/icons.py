"""Draws the PNG icons of `public` from icon.svg: for installs, and for systems that take no SVG.

python web/scripts/icons.py
"""

from pathlib import Path

from resvg_py import svg_to_bytes

PUBLIC = Path(__file__).parent.parent / "public"
PAPER = "#f3e8d6"

ICONS = {
    "icon-192.png": (192, 1.0, None),
    "icon-512.png": (512, 1.0, None),
    "icon-maskable-512.png": (512, 0.62, PAPER),
    "apple-touch-icon.png": (180, 0.8, PAPER),
}
"""Width in pixels, how much of it the drawing takes, and the ground. What a system masks must lie
in the inner four fifths."""


def icon(drawing: str, width: int, part: float, ground: str | None) -> bytes:
    inner = drawing[drawing.index(">") + 1 : drawing.rindex("</svg>")]
    edge = 32 * (1 - part)
    rect = f'<rect width="64" height="64" fill="{ground}"/>' if ground else ""
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">{rect}'
        f'<g transform="translate({edge} {edge}) scale({part})">{inner}</g></svg>'
    )
    return bytes(svg_to_bytes(svg_string=svg, width=width, height=width, skip_system_fonts=True))


if __name__ == "__main__":
    drawing = (PUBLIC / "icon.svg").read_text()
    for name, wanted in ICONS.items():
        (PUBLIC / name).write_bytes(icon(drawing, *wanted))
