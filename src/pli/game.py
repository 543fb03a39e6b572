"""The contract of a game: all that bots, records and the server know of it. Imports no game."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any, ClassVar, Generic, Literal, Protocol, TypeVar

import msgspec

from pli.board import Board, simple_board
from pli.cards import Deck
from pli.errors import BadOption, WrongSyntax
from pli.kernel.contract import Rules
from pli.kernel.dealing import Unseen
from pli.kernel.observation import Observation
from pli.kernel.search import SearchModel
from pli.zones import Zones

S = TypeVar("S")
"""A game's state."""

Seat = int | None
"""A seat's number, clockwise from 0; None is a spectator."""

NO_SEAT = -1
"""In a state, where there is no seat."""


def shown_seat(number: int) -> Seat:
    """A seat of a state, as views show it."""
    return None if number == NO_SEAT else number


def seat_number(seat: Seat) -> int:
    """A seat of a view, as states hold it."""
    return NO_SEAT if seat is None else seat


FirstSeat = Literal["random"] | Annotated[int, msgspec.Meta(ge=0)]
"""An option that names a seat, or leaves it to chance."""


class Shuffle(msgspec.Struct, frozen=True, tag="shuffle"):
    """A shuffle for a state that needs one."""

    order: tuple[int, ...]


class Act(msgspec.Struct, frozen=True, tag="act"):
    """A seat's action at a time, in milliseconds since the game began."""

    seat: int
    action: int
    time: int


class Tick(msgspec.Struct, frozen=True, tag="tick"):
    """A timer that has run out."""

    time: int


Input = Shuffle | Act | Tick
"""All that can happen to a game: the same inputs give the same bytes on any machine."""


HOUSE = {"house": True}
"""Marks an option, in `msgspec.Meta(extra=...)`, that stands among the house rules: the printed
rules leave it open."""

PRINTED = {"house": True, "printed": True}
"""Marks one of which the printed rules give the default: any other value departs from them."""

PROPOSAL = {**PRINTED, "proposal": True}
"""Marks one that is in no rulebook: a proposal of this project, labelled as such everywhere."""


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a host may choose. Each game derives its own."""

    bound: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Options that depend on others, by name: when one of the others changes, they fall back to
    their defaults."""

    seats: int

    @property
    def sides(self) -> int:
        """How many sides there are: one a seat, or one a team. Seats that are so far apart, or a
        multiple of it, are partners."""
        return self.seats

    def departures(self) -> list[str]:
        """The names of the options by which this game departs from the printed rules, in order of
        the alphabet. A game in which that depends on other options has its own."""
        printed = [each for each in described_options(type(self)) if each.marks.get("printed")]
        return sorted(each.name for each in printed if getattr(self, each.name) != each.default)


@dataclass(frozen=True)
class Described:
    """An option as its game declares it."""

    name: str
    default: Any
    marks: Mapping[str, Any]
    """As in `HOUSE`, `PRINTED` and `PROPOSAL`."""
    kinds: tuple[msgspec.inspect.Type, ...]
    """What its values can be: words, numbers, or either."""


@cache
def described_options(options: type[Options]) -> list[Described]:
    """All options of a game, in their order."""
    struct = msgspec.inspect.type_info(options)
    assert isinstance(struct, msgspec.inspect.StructType)
    return [Described(each.name, each.default, *_described(each.type)) for each in struct.fields]


def _described(
    kind: msgspec.inspect.Type,
) -> tuple[Mapping[str, Any], tuple[msgspec.inspect.Type, ...]]:
    marks: Mapping[str, Any] = {}
    if isinstance(kind, msgspec.inspect.Metadata):
        marks, kind = kind.extra or {}, kind.type
    return marks, kind.types if isinstance(kind, msgspec.inspect.UnionType) else (kind,)


class View(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat may know, built up from nothing. Each game derives its own."""

    seat: Seat
    seats: int
    phase: str
    turn: Seat
    awaited: list[int]
    """The seats that play waits for; in some games others may act as well."""
    winners: list[int]


V = TypeVar("V", bound=View)
"""A game's view."""

S_co = TypeVar("S_co", covariant=True)
V_contra = TypeVar("V_contra", bound=View, contravariant=True)


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag=str.lower):
    """Something that just happened, as a seat may see it. Each game derives its own."""

    told: ClassVar[bool] = True
    """Whether there are words for it; what a page shows by itself needs none."""


MotifLookup = Callable[[str], int]
"""The number of the motif that a face shows: for bots alone, behind their reaction times, and only
for faces that are visible now. People are sent a sprite."""


@dataclass(frozen=True, eq=False)
class Sprites(Generic[S]):
    """The pictures of a game whose faces can be compared by eye only: views name faces by tokens
    that tell nothing of what they show."""

    motifs: Sequence[int]
    """The motif on each sprite, the same in every game: known before the deal, so that pages can
    load them in advance."""
    visible: Callable[[S], Mapping[str, int]]
    """Every face that lies open, by its name, with the number of its sprite."""


Heuristic = Callable[[V, Sequence[str]], str]
"""(view, actions): a sound choice among the actions, without looking ahead."""

Plausible = Callable[[V, Sequence[str]], Sequence[str]]
"""(view, actions): the actions that a distracted player might choose from."""


class Cue(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a player may notice and react to, in games in which time matters."""

    key: str
    """The same cue keeps its key as long as it is there: its reaction time is drawn once."""
    kind: Literal["turn", "reply", "match", "search", "judge"]
    """Which reaction times apply. turn: my decision is awaited; reply: a fixed answer is asked of
    me; match: something in plain sight fits my own cards; search: two equal faces among many;
    judge: another player's mistake."""
    actions: tuple[str, ...] = ()
    """To do one after the other; none: the bot's decider chooses among the legal actions."""
    items: int = 0
    """How many things are to be looked through, or weighed up."""
    similar: float = 0.0
    """0 to 1: how much lookalikes distract."""
    real: bool = True
    """False: a false alarm, reacted to as often as people are mistaken."""
    forgetful: tuple[str, ...] = ()
    """What is done instead when the word that goes with it is forgotten; of a decision: the one of
    these that is the chosen action but for its first word."""


class Attention(Protocol[V_contra]):
    """What one seat can notice, from what it sees."""

    def look(
        self,
        view: V_contra,
        actions: Sequence[str],
        events: Sequence[Event],
        motif_of: MotifLookup | None,
    ) -> Sequence[Cue]:
        """All cues that there are now. It may remember what it saw in events."""
        ...


class Memory(Protocol[V]):
    """What one seat remembers beside what it sees, for heuristic bots."""

    def see(self, events: Sequence[Event], view: V) -> None:
        """What the seat saw since the last call, and what it sees now."""
        ...

    def recall(self, view: V) -> V:
        """The view with what the seat remembers of what it no longer shows."""
        ...


class Belief(Protocol[S_co, V_contra]):
    """What one seat can say about the cards that it can't see, for bots that search."""

    def see(self, events: Sequence[Event], view: V_contra) -> None:
        """What the seat saw since the last call, and what it sees now."""
        ...

    def infer(self, view: V_contra) -> tuple[S_co, Unseen]:
        """The state as far as the seat knows it, and the unseen cards, to be dealt to it."""
        ...


class Pairs:
    """Actions of a verb with two things, each of the first with each of the second, as in
    `move 57 to 12`. There may be thousands, so their texts are made when they are asked for."""

    def __init__(self, verb: str, first: Sequence[str], link: str, second: Sequence[str]) -> None:
        self._verb, self._first, self._link, self._second = verb, first, link, second
        self._numbers = tuple({w: n for n, w in enumerate(words)} for words in (first, second))

    def __len__(self) -> int:
        return len(self._first) * len(self._second)

    def parse(self, text: str) -> int:
        """The number of the action among these; KeyError or ValueError: it is none of them."""
        verb, first, link, second = text.split(" ")
        if (verb, link) != (self._verb, self._link):
            raise KeyError(text)
        return self._numbers[0][first] * len(self._second) + self._numbers[1][second]

    def show(self, number: int) -> str:
        first, second = divmod(number, len(self._second))
        return f"{self._verb} {self._first[first]} {self._link} {self._second[second]}"


class Notation:
    """A game's actions as text. Every action has one text and every text one action."""

    def __init__(self, *phrases: tuple[str, Sequence[str]], pairs: Pairs | None = None) -> None:
        """Phrases are a verb (or none) and the words after it; actions are numbered through, those
        with two things last."""
        texts = [f"{verb} {word}".strip() for verb, said_of in phrases for word in said_of]
        self._texts = texts
        self._actions = {text: action for action, text in enumerate(texts)}
        self._pairs = pairs

    def __len__(self) -> int:
        return self.single + len(self._pairs or ())

    @property
    def single(self) -> int:
        """How many actions there are before those with two things."""
        return len(self._texts)

    def parse(self, text: str) -> int:
        try:
            found = self._actions.get(text)
            if found is None and self._pairs is not None:
                return self.single + self._pairs.parse(text)
            return self._actions[text]
        except (KeyError, ValueError):
            raise WrongSyntax(text=text) from None

    def show(self, action: int) -> str:
        if self._pairs is not None and action >= self.single:
            return self._pairs.show(action - self.single)
        return self._texts[action]


@dataclass(frozen=True, eq=False)
class Game(Generic[S, V]):
    """A game: its rules and all that makes them a game for people."""

    rules: Rules[S]
    version: int
    """Raised when behaviour changes: a record names it, and is never replayed under other rules."""
    options: type[Options]
    setup: Callable[[Any], S]
    """(options): a new game, asking for its first shuffle."""
    notation: Notation
    shuffled: Callable[[S], Sequence[str]]
    """The names of what the state wants shuffled, in their order before it."""
    view: Callable[[S, Seat], V]
    own: Callable[[S, int], dict[str, Any]]
    """What a seat's view has beside a spectator's: the only fields in which they differ."""
    events: Callable[[S, Input, S, Seat], Sequence[Event]]
    """(before, input, after, seat): what happened, as the seat may see it."""
    place: Callable[[S, Mapping[str, Any]], None]
    """(state, values): sets up a position on a dealt state; raises Malformed."""
    placed: Mapping[str, Callable[[Any, int], Any]]
    """How a position's values are read, by key: (value, seats)."""
    expected: Mapping[str, Callable[[Any, int], Any]]
    """The same for what a scenario expects; `legal` belongs to every game."""
    facts: Callable[[S], dict[str, Any]]
    """The actual values under the keys of `expected`."""
    board: Callable[[V], Board] = simple_board
    """(view): the table, for drawing in a terminal."""
    event_types: tuple[type[Event], ...] = ()
    """Of the events that games share, those that it tells of; none: all of `pli.events`. Its own
    are those of the modules in its folder."""
    deck: Deck | None = None
    """Of games with cards of colours and ranks."""
    zones: Zones[S] | None = None
    """Where its cards are and who can't see them, for `pli.testing`: see `pli.zones`."""
    heuristic: Heuristic[V] | None = None
    """How a bot decides that doesn't look ahead."""
    memory: Callable[[], Memory[V]] | None = None
    """What such a bot remembers, where the view alone is not enough."""
    plausible: Plausible[V] | None = None
    """What a bot may do while distracted, where that is not every legal action."""
    attention: Callable[[], Attention[V]] | None = None
    """Of games in which time matters: what one seat can notice, from the game's start on."""
    belief: Callable[[], Belief[S, V]] | None = None
    """Of games that can be searched: what one seat knows of unseen cards, from the start on."""
    rollout: SearchModel[S] | None = None
    """Of games that can be searched: which actions to consider, how to play on below the tree, and
    what the end of a round is worth."""
    observation: Observation[S] | None = None
    """The game for learning agents: what a seat may know as numbers, and its actions by number."""
    motif_lookup: Callable[[S], MotifLookup] | None = None
    """Of games in which the view does not say what a face shows."""
    sprites: Sprites[S] | None = None
    """Of the same games: the pictures by which people see it."""
    named_faces: Callable[[Mapping[str, Any]], dict[str, str]] | None = None
    """Of the same games: what each face shows in a position, as the position names it."""
    private: tuple[type[Shuffle | Act | Tick], ...] = (Shuffle, Act, Tick)
    """Inputs of which seats may see different things; all see the others alike."""
    is_stale: Callable[[S, S, int, int], bool] | None = None
    """(then, now, seat, action): whether an action, meant for the table as it was then, came too
    late because others were quicker. The server refuses it: the rules know nothing of latency."""
    rematch: Callable[[Any, Sequence[int]], Mapping[str, Any]] | None = None
    """(options, winners): how the same players may play again, as options by name; None: only as
    before."""
    by_language: Mapping[str, Mapping[str, int | str]] = field(default_factory=dict)
    """Options that follow the player's language until one is chosen: by name, for each language the
    value. The option's default is for programs, which have no language."""

    @property
    def name(self) -> str:
        """That of its folder: `marshmallow`."""
        return self.rules.name

    @property
    def described(self) -> list[Described]:
        """All options, in their order."""
        return described_options(self.options)

    @property
    def live(self) -> bool:
        """Whether any seat may act at any moment, so that the time of an action matters."""
        return self.attention is not None


AnyGame = Game[Any, Any]
"""Where code handles all games alike."""


def read_options(game: AnyGame, given: Mapping[str, object]) -> Any:
    """The game's options from names and values as typed or written in a file."""
    fields = {f.name: f for f in msgspec.structs.fields(game.options)}
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name not in fields:
            raise BadOption("unknown_option", name=name, known=", ".join(fields))
        kind = fields[name].type
        try:
            values[name] = _converted(value, kind)
        except msgspec.ValidationError:
            raise BadOption(name=name, value=value, allowed=_allowed(kind)) from None
    options = game.options(**values)
    for name in first_seats(game.options):
        seat = getattr(options, name)
        if seat != "random" and seat >= options.seats:
            allowed = f"random, 0-{options.seats - 1}"
            raise BadOption(name=name, value=seat, allowed=allowed)
    return options


def first_seats(options: type[Options]) -> list[str]:
    """The options that name a seat, or leave it to chance."""
    return [f.name for f in msgspec.structs.fields(options) if f.type == FirstSeat]


def still_possible(game: AnyGame, given: Mapping[str, object]) -> Any:
    """The options of a game under an older version, as far as they can be under this one: what is
    no option any more, or no value of it, is left to its default."""
    kept = dict(given)
    while True:
        try:
            return read_options(game, kept)
        except BadOption as error:
            if error.key not in kept:
                raise
            del kept[error.key]


def in_language(game: AnyGame, language: str) -> dict[str, int | str]:
    """The options that follow the player's language."""
    found = ((name, values.get(language)) for name, values in game.by_language.items())
    return {name: value for name, value in found if value is not None}


def change_options(game: AnyGame, before: Mapping[str, object], given: Mapping[str, object]) -> Any:
    """The options with some of them changed; those that depend on a changed one are reset."""
    after = {**before, **given}
    changed = {name for name in given if str(given[name]) != str(before.get(name))}
    for name, others in game.options.bound.items():
        if name not in given and changed & set(others):
            after.pop(name, None)
    if "seats" in changed:
        for name in first_seats(game.options):
            if name not in given:
                after.pop(name, None)  # the seat that was named may not be there any more
    return read_options(game, after)


def seat_counts(game: AnyGame) -> list[int]:
    """Every number of seats that the game takes."""
    return seat_counts_of(game.options)


def seat_counts_of(options: type[Options]) -> list[int]:
    """The same by its options."""
    (seats,) = next(each.kinds for each in described_options(options) if each.name == "seats")
    assert isinstance(seats, msgspec.inspect.IntType)
    assert seats.ge is not None
    assert seats.le is not None
    return list(range(seats.ge, seats.le + 1))


def _converted(value: object, kind: Any) -> Any:
    """A number may come as text. YAML reads a bare `on` and `off` as true and false, which are no
    numbers here but the words again."""
    if isinstance(value, bool):
        value = "on" if value else "off"
    if isinstance(value, str):
        with suppress(ValueError):
            value = int(value)
    return msgspec.convert(value, kind, strict=True)


def _allowed(kind: Any) -> str:
    """The values that an option takes, in words short enough for an error."""
    _, kinds = _described(msgspec.inspect.type_info(kind))
    parts: list[str] = []
    for each in kinds:
        if isinstance(each, msgspec.inspect.LiteralType):
            parts += [str(value) for value in each.values]
        elif isinstance(each, msgspec.inspect.IntType):
            parts.append(f"≥ {each.ge}" if each.le is None else f"{each.ge}-{each.le}")
    return ", ".join(parts)
