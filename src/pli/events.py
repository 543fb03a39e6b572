"""Events that several games share."""

from pli.game import Event


class StarterDrawn(Event, frozen=True, kw_only=True, tag="seated"):
    """The seat that deals, leads or begins first was drawn at random."""

    seat: int


class Dealt(Event, frozen=True, kw_only=True, tag="dealt"):
    """A round begins, with this seat; `hand` is what the viewer got."""

    seat: int
    round: int
    hand: list[str]


class Trumped(Event, frozen=True, kw_only=True, tag="trump"):
    """The seat has named a colour trump."""

    seat: int
    colour: str


class Played(Event, frozen=True, kw_only=True, tag="played"):
    seat: int
    card: str
