"""A contact sheet of all motifs, as one SVG: `python -m pli.motifs.contact_sheet > motifs.svg`."""

from pli.motifs import COUNT, svg

COLUMNS = 13
SIZE, GAP, FOOT, MARGIN = 100, 8, 12, 16


def contact_sheet() -> str:
    """All motifs in a grid of 13 by 10, each with its number under it."""
    rows = -(-COUNT // COLUMNS)
    width = 2 * MARGIN + COLUMNS * (SIZE + GAP) - GAP
    height = 2 * MARGIN + rows * (SIZE + FOOT + GAP) - GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for motif in range(COUNT):
        row, column = divmod(motif, COLUMNS)
        x, y = MARGIN + column * (SIZE + GAP), MARGIN + row * (SIZE + FOOT + GAP)
        place = f'<svg x="{x}" y="{y}" width="{SIZE}" height="{SIZE}" '
        parts.append(svg(motif).replace("<svg ", place, 1))
        parts.append(
            f'<text x="{x + SIZE / 2:g}" y="{y + SIZE + FOOT - 1}" font-size="10" fill="#444" '
            f'font-family="sans-serif" text-anchor="middle">{motif}</text>'
        )
    return "\n".join([*parts, "</svg>\n"])


if __name__ == "__main__":
    print(contact_sheet(), end="")
