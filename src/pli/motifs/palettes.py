"""The colours of the motifs: bold palettes of six, each from dark to light.

The six places mean the same in every palette, so that a motif can change its palette and still
have its contrasts: 0 ink, 1 deep, 2 loud, 3 middle, 4 bright, 5 paper. As the lightness climbs
from place to place, shapes stay apart for colour-blind eyes and in grey.
"""

Palette = tuple[str, str, str, str, str, str]

PALETTES: dict[str, Palette] = {
    "fiesta": ("#20174a", "#0b6f92", "#e5174f", "#ff8a1f", "#ffd23f", "#fff4dc"),
    "lagoon": ("#0b2545", "#0f6a9c", "#ef4b56", "#12a894", "#93e5d1", "#fdf6e3"),
    "orchard": ("#1d2f18", "#33782e", "#d7263d", "#f2952f", "#c9e265", "#fff8e1"),
    "velvet": ("#2d0b45", "#6f1fa8", "#dd1f87", "#ff7460", "#ffbfd9", "#fff1f1"),
    "desert": ("#3b1712", "#a83a1c", "#1f8f8a", "#ee7a33", "#f7c368", "#fcf1da"),
    "arctic": ("#0a1f4d", "#2454dc", "#f5365f", "#27b0f0", "#bde8ff", "#ffffff"),
    "jungle": ("#062b22", "#0b7d56", "#f0467f", "#ffab0a", "#b2e55f", "#fdf6d9"),
    "poster": ("#16161a", "#1c4fc4", "#e3261b", "#f08a24", "#ffcc0a", "#f8f3e6"),
    "seventies": ("#3a1b12", "#8b2f14", "#de4f1b", "#3f9a87", "#f4ad2b", "#f8e6bb"),
    "candy": ("#34145c", "#5a50d8", "#ff3580", "#1fbdb8", "#ffd364", "#fff4fa"),
}
