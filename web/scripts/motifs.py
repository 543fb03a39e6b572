"""Draws the motifs that the rules of Twin It! are shown with into `generated/motifs`; which ones
stands in the game's `how-to-play.json`.

python web/scripts/motifs.py
"""

import json
from pathlib import Path

from pli import motifs

WEB = Path(__file__).parent.parent
SHOWN = WEB / "src" / "games" / "twinit" / "how-to-play.json"
OUT = WEB / "generated" / "motifs"

if __name__ == "__main__":
    OUT.mkdir(parents=True, exist_ok=True)
    for name, motif in json.loads(SHOWN.read_text())["motifs"].items():
        (OUT / f"{name}.svg").write_text(motifs.svg(motif))
