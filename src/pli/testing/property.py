"""What a property is: something that holds of every game, and how it is looked for."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pli.game import AnyGame, Seat, read_options
from pli.match import AnyMatch
from pli.testing.walks import Walk
from pli.zones import Zones, common, exchanged


@dataclass(frozen=True)
class Moment:
    """A point of a walk, at which properties are looked at."""

    walk: Walk
    rng: random.Random
    since: int = 0
    """The number of the first step that was not looked at yet."""

    @property
    def game(self) -> AnyGame:
        return self.walk.game

    @property
    def match(self) -> AnyMatch:
        """In play, and not to be changed: a copy may be."""
        return self.walk.match

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats, and a spectator."""
        return (*range(self.match.seats), None)


@dataclass(frozen=True)
class Trial:
    """A game with options and a seed, for properties that play by themselves."""

    game: AnyGame
    options: Any
    seed: int
    games: int
    """How many games may be played of it: what takes long plays fewer."""
    compiled: bool = True


@dataclass(frozen=True)
class Property:
    """Something that holds of every game. Its functions raise `Broken`."""

    name: str
    moment: Callable[[Moment], None] | None = None
    """Looks at a point of a walk."""
    ends: Callable[[Moment], None] | None = None
    """The same for what takes longer: looks at the ends of walks alone."""
    trial: Callable[[Trial], bool] | None = None
    """Plays by itself, once for each set of options; whether there was something to look at."""
    whole: Callable[[AnyGame, Sequence[Any]], None] | None = None
    """(game, sets of options): looks at the game without playing it."""
    skipped: Callable[[AnyGame], str | None] = field(default=lambda game: None)
    """Why it says nothing of a game: a key of the texts, `check.CODE`."""
    compiles: bool = False
    """Whether it says something of compiled rules alone."""


# What a seat can't see


def zones_of(game: AnyGame) -> Zones[Any]:
    assert game.zones is not None
    return game.zones


def disguise(game: AnyGame, s: Any, seat: Seat, rng: random.Random) -> None:
    """Changes at random all that a seat can't see."""
    zones = zones_of(game)
    zones.exchange(s, seat, exchanged(zones.unseen(s, seat), rng))
    if zones.secrets is not None:
        zones.secrets(s, seat, rng)


def disguise_both(game: AnyGame, before: Any, after: Any, seat: Seat, rng: random.Random) -> None:
    """Cards that the seat could neither see before nor after change places in both states."""
    zones = zones_of(game)
    other = exchanged(common(zones.unseen(before, seat), zones.unseen(after, seat)), rng)
    zones.exchange(before, seat, other)
    zones.exchange(after, seat, other)


def disguised(moment: Moment, seat: Seat) -> Any:
    """The state of a match, as it may be as well for all that a seat can see."""
    layout = moment.game.rules.layout
    s = layout.load(moment.match.save())
    disguise(moment.game, s, seat, moment.rng)
    return s


def shows_hands(game: AnyGame) -> bool:
    """Whether a seat sees more than a spectator does, beside its number: then there are secrets."""
    match = Walk(game, read_options(game, {}), 0).match
    return any(set(game.own(match.state, seat)) - {"seat"} for seat in range(match.seats))


def without_zones(game: AnyGame) -> str | None:
    """`skipped` of what needs zones. A game with secrets has to tell them: `zones` holds that."""
    return None if game.zones is not None else "no_zones"
