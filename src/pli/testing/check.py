"""Checks a game: plays random walks of it, and looks at every property along them."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from pli import games as library
from pli.errors import PliError
from pli.game import AnyGame, read_options
from pli.testing.failure import Broken, CheckFailed, Failure, Move
from pli.testing.option_sets import option_sets
from pli.testing.properties.bots import BELIEFS, BOTS
from pli.testing.properties.cards import CARDS
from pli.testing.properties.compiled import COMPILED
from pli.testing.properties.events import EVENTS
from pli.testing.properties.fuzz import FUZZ
from pli.testing.properties.legal import LEGAL
from pli.testing.properties.notation import NOTATION
from pli.testing.properties.observations import BATCHES, OBSERVATIONS
from pli.testing.properties.options import OPTIONS
from pli.testing.properties.play import PLAY
from pli.testing.properties.positions import POSITIONS
from pli.testing.properties.records import RECORDS
from pli.testing.properties.refusals import REFUSALS
from pli.testing.properties.saving import SAVING
from pli.testing.properties.texts import TEXTS
from pli.testing.properties.timers import TIMERS
from pli.testing.properties.views import VIEWS
from pli.testing.property import Moment, Property, Trial
from pli.testing.walks import WILD, Walk, blaming, raised, shortened

PROPERTIES = (
    *(NOTATION, TEXTS, OPTIONS),
    *(PLAY, CARDS, REFUSALS, LEGAL, TIMERS, VIEWS, EVENTS, RECORDS, SAVING),
    *(COMPILED, OBSERVATIONS, BATCHES, BELIEFS, BOTS, POSITIONS, FUZZ),
)
"""In the order in which they are told: what is broken first is often why what follows is."""

NAMES = tuple(each.name for each in PROPERTIES)

GAMES = 10
"""For each set of options."""

ACTIONS = 250
"""The most of a game."""

Progress = Callable[[int, int], None]
"""(done, all): called as the check goes on."""


@dataclass(frozen=True)
class Result:
    """What became of one property."""

    name: str
    failure: Failure | None = None
    skipped: str | None = None
    """Why nothing was looked at: a key of the texts, `check.CODE`."""

    @property
    def holds(self) -> bool:
        return self.failure is None


def check_game(
    game: str | Path | AnyGame,
    *,
    properties: Sequence[str] | None = None,
    options: Mapping[str, object] | None = None,
    games: int = GAMES,
    actions: int = ACTIONS,
    seed: int = 0,
    compiled: bool = True,
    progress: Progress | None = None,
) -> list[Result]:
    """Checks that a game is as every game must be: of a game by its name, of a `Game`, or of the
    game in a folder. CheckFailed tells what is not so, with the shortest actions that show it.

    Each set of options plays `games` random games of at most `actions` actions from the seed on;
    without `options` there are as many sets as it takes for every value of every option. With
    `compiled=False` nothing is compiled, which is much quicker the first time. `properties` names
    some of `pli.testing.NAMES`; otherwise all are looked at. Returns what became of each.
    """
    results = examine(
        game,
        properties=properties,
        options=options,
        games=games,
        actions=actions,
        seed=seed,
        compiled=compiled,
        progress=progress,
    )
    failures = [each.failure for each in results if each.failure is not None]
    if failures:
        raise CheckFailed(failures)
    return results


def examine(
    game: str | Path | AnyGame,
    *,
    properties: Sequence[str] | None = None,
    options: Mapping[str, object] | None = None,
    games: int = GAMES,
    actions: int = ACTIONS,
    seed: int = 0,
    compiled: bool = True,
    progress: Progress | None = None,
) -> list[Result]:
    """The same, without raising: what became of each property."""
    found = find_game(game)
    wanted = named_properties(properties)
    return _Check(found, wanted, options, games, actions, seed, compiled, progress).run()


def named_properties(names: Sequence[str] | None) -> list[Property]:
    """All properties, or some by their names."""
    for name in names or ():
        if name not in NAMES:
            raise PliError("unknown_property", name=name, known=", ".join(NAMES))
    return [each for each in PROPERTIES if names is None or each.name in names]


def find_game(game: str | Path | AnyGame) -> AnyGame:
    """A game by its name, or the one in a folder."""
    if not isinstance(game, str | Path):
        return game
    folder = Path(game)
    if isinstance(game, Path) or (game not in library.names() and folder.is_dir()):
        names = library.add(folder)
        if len(names) != 1:
            raise PliError("many_games", folder=folder, known=", ".join(names))
        return library.load(names[0])
    return library.load(game)


@dataclass
class _Check:
    """One check of a game, under way."""

    game: AnyGame
    properties: Sequence[Property]
    options: Mapping[str, object] | None
    games: int
    actions: int
    seed: int
    compiled: bool
    progress: Progress | None
    failures: dict[str, Failure] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    """The properties that play by themselves, and found something to look at."""

    def run(self) -> list[Result]:
        for each in self.properties:
            why = "not_compiled" if each.compiles and not self.compiled else self._skips(each)
            if why is not None:
                self.skipped[each.name] = why
        try:
            sets = self._option_sets()
        except PliError:
            raise
        except Exception as error:
            self._fails(OPTIONS, raised(self.game, error, "options"))
            sets = []
        for each in self._open("whole"):
            assert each.whole is not None
            try:
                with blaming(self.game, each.name):
                    each.whole(self.game, sets)
            except Broken as broken:
                self._fails(each, broken)
        tasks = [*self._tasks(sets)]
        for done, task in enumerate(tasks):
            if self.progress is not None:
                self.progress(done, len(tasks))
            task()
        if self.progress is not None:
            self.progress(len(tasks), len(tasks))
        for each in self._open("trial"):
            if each.name not in self.seen and each.moment is each.ends is None:
                self.skipped[each.name] = "nothing_found"
        return [
            Result(each.name, self.failures.get(each.name), self.skipped.get(each.name))
            for each in PROPERTIES
            if each in self.properties or each.name in self.failures
        ]

    def _skips(self, each: Property) -> str | None:
        try:
            return each.skipped(self.game)
        except Broken:
            return None  # what is wrong will be told of what it says

    def _option_sets(self) -> list[Any]:
        if self.options is not None:
            return [read_options(self.game, self.options)]
        return option_sets(self.game)

    def _open(self, kind: str) -> Iterator[Property]:
        """The properties of a kind that are still to be looked at."""
        for each in self.properties:
            known = each.name in self.failures or each.name in self.skipped
            if not known and getattr(each, kind) is not None:
                yield each

    def _tasks(self, sets: Sequence[Any]) -> Iterator[Callable[[], None]]:
        for options in sets:
            for seed in range(self.seed, self.seed + self.games):
                yield partial(self._walk, options, seed)
            yield partial(self._trials, options)

    def _trials(self, options: Any) -> None:
        for each in self._open("trial"):
            assert each.trial is not None
            try:
                with blaming(self.game, each.name):
                    of = Trial(self.game, options, self.seed, self.games, self.compiled)
                    if each.trial(of):
                        self.seen.add(each.name)
            except Broken as broken:
                self._fails(each, broken, options, self.seed)

    def _walk(self, options: Any, seed: int) -> None:
        """One random game: all that holds of it is looked at in its middle and at its end."""
        if not any(True for kind in ("moment", "ends") for _ in self._open(kind)):
            return
        rng = random.Random(seed)
        wild, length = WILD[seed % len(WILD)], rng.randint(0, self.actions)
        middle = rng.randint(0, length)
        try:
            walk = Walk(self.game, options, seed)
        except Broken as broken:
            if PLAY.name not in self.failures:
                self._fails(PLAY, broken, options, seed)
            return
        looked = 0
        for number in range(length + 1):
            if number == middle:
                self._look("moment", walk, looked)
                looked = len(walk.match.steps)
            if number == length or walk.match.over:
                break
            try:
                walk.take(walk.random_move(rng, wild))
            except Broken as broken:
                self._stopped(broken, walk)
                return
        self._look("moment", walk, looked)
        self._look("ends", walk, 0)
        if walk.match.over:  # where there is little to be seen any more
            self._look("ends", walk.upto(rng.randrange(len(walk.moves) or 1)), 0)

    def _stopped(self, broken: Broken, walk: Walk) -> None:
        """A walk that can't go on is a game that can't be played, whatever is looked for."""
        if PLAY.name not in self.failures:
            self._fails_at(PLAY, "moment", broken, walk)

    def _look(self, kind: str, walk: Walk, since: int) -> None:
        for each in self._open(kind):
            try:
                self._at(each, kind, walk, since)
            except Broken as broken:
                self._fails_at(each, kind, broken, walk)

    def _fails_at(self, each: Property, kind: str, broken: Broken, walk: Walk) -> None:
        """Looks for a shorter way to it."""

        def check(other: Walk) -> None:
            self._at(each, kind, other, 0)

        shorter, shown = shortened(walk, check, broken)
        self._fails(each, shown, walk.options, walk.seed, shorter.moves, shorter)

    def _at(self, each: Property, kind: str, walk: Walk, since: int) -> None:
        rng = random.Random(f"{walk.seed} {each.name}")
        with blaming(self.game, each.name):
            getattr(each, kind)(Moment(walk, rng, since))

    def _fails(
        self,
        each: Property,
        broken: Broken,
        options: Any = None,
        seed: int | None = None,
        moves: Sequence[Move] = (),
        walk: Walk | None = None,
    ) -> None:
        self.failures[each.name] = Failure(
            self.game,
            each.name,
            broken.code,
            broken.look,
            broken.details,
            options,
            seed,
            tuple(moves),
            broken.seat,
            broken.expected,
            broken.got,
            None if walk is None else walk.match,
        )
