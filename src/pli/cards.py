"""How cards are written: a colour letter and a number, `B7`. Blue, green, yellow, pink, orange."""

COLOURS = "BGYPO"


class Deck:
    """Every colour with the numbers 1 .. highest; card i is the i-th, colour by colour."""

    def __init__(self, colours: int, highest: int) -> None:
        self.colours = COLOURS[:colours]
        self.highest = highest
        self.names = [f"{c}{n}" for c in self.colours for n in range(1, highest + 1)]
        self._numbers = {name: i for i, name in enumerate(self.names)}
        # A set is listed byte by byte, since views list every hand after every action.
        self._listed = [
            [
                [name for i, name in enumerate(self.names[at : at + 8]) if byte >> i & 1]
                for byte in range(256)
            ]
            for at in range(0, len(self.names), 8)
        ]

    def __len__(self) -> int:
        return len(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self._numbers

    def number(self, name: str) -> int:
        return self._numbers[name]

    def listed(self, cards: int) -> list[str]:
        """The names of a set of cards, in order."""
        names: list[str] = []
        for listed, byte in zip(self._listed, cards.to_bytes(8, "little"), strict=False):
            names += listed[byte]
        return names
