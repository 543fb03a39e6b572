"""Where Merci's cards are, and who can't see which: `pli.zones`. Backs are public."""

import random

from pli.game import Seat
from pli.games.merci.state import State
from pli.zones import card_zones


def secrets(s: State, seat: Seat, rng: random.Random) -> None:
    """Which of two equal cards in another hand came first, and whether a fault is open."""
    s.younger &= 0 if seat is None else s.hands[seat]
    if s.mover >= 0:
        s.fault = rng.randrange(4)
    if s.earlier_mover >= 0:
        s.older_fault, s.older_seat = rng.randrange(4), rng.randrange(s.seats)
        s.older_until = rng.randrange(60_000)


ZONES = card_zones(
    face_up=["laid", "tops"],
    face_down=["pile"],
    noted=["gift"],
    backs=lambda s, card: s.back[card],
    secrets=secrets,
)
