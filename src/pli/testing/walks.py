"""Walks: matches of random actions, some of them legal and some wild, which can be taken again, cut
short, and stopped where a game would never come to an end."""

import copy
import random
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pli.errors import PliError, Refused, WrongSyntax
from pli.folders import folder_of
from pli.game import Act, AnyGame, Notation, Tick
from pli.match import LONGEST, AnyMatch, Match
from pli.shuffling import seeded
from pli.testing.failure import Broken, Move, relative

PACE = 2_000
"""Milliseconds between two actions at most."""

PATIENT = 0.05
"""How often somebody waits for the next timer, or nearly, if that is not too long."""

LONG = 24 * 60 * 60 * 1000

WILD = (0.0, 0.0, 0.1, 0.2)
"""What part of the actions is anything at all, by turns."""

UNLISTED = 0.1
"""How often an action is tried that is not listed, where there are such."""

PAIRS = 0.25
"""How often a wild action has two things: they would be nearly all."""

ENDLESS = 2_000
"""Timers or shuffles without an action between them, after which a game is taken to be stuck."""

SHRINKING = 5.0
"""Seconds that looking for a shorter way may take."""


class _Shuffler:
    """The shuffles of a seed, as long as somebody acts in between."""

    def __init__(self, seed: int) -> None:
        self._shuffler = seeded(seed)
        self.given = 0

    def __call__(self, k: int, n: int) -> list[int]:
        self.given += 1
        if self.given > ENDLESS:
            raise Broken("shuffles_endless", "rules.give", n=n)
        return self._shuffler(k, n)


class Walk:
    """A match, and the moves that were tried in it."""

    def __init__(self, game: AnyGame, options: Any, seed: int, moves: Iterable[Move] = ()) -> None:
        self.game = game
        self.options = options
        self.seed = seed
        self.moves: list[Move] = []
        self._shuffler = _Shuffler(seed)
        with blaming(game, "setup"):
            self.match: AnyMatch = Match(game, options, self._shuffler)
        for move in moves:
            self.take(move)

    def take(self, move: Move) -> bool:
        """Tries a move; whether it was carried out. Timers that are due go first."""
        match = self.match
        self.moves.append(move)
        self._shuffler.given = 0
        with blaming(self.game, "rules.tick"):
            self._wait(max(move.at, match.now))
        with blaming(self.game, "rules.act"):
            action = move.action
            try:
                if isinstance(action, str):
                    action = self.game.notation.parse(action)
                code = self.game.rules.check(match.state, move.seat, action, match.now)
                if not 0 <= code < len(self.game.rules.codes):
                    raise Broken("no_code", "rules.refusals", move.seat, got=code)
                match.feed(Act(move.seat, action, match.now))
            except (WrongSyntax, Refused):
                return False
        return True

    def upto(self, length: int) -> "Walk":
        """The first moves of it."""
        return Walk(self.game, self.options, self.seed, self.moves[:length])

    def copy(self) -> "Walk":
        """A walk that goes on by itself, with the same shuffles to come."""
        twin = copy.copy(self)
        twin.match, twin.moves = self.match.copy(), [*self.moves]
        return twin

    def _wait(self, until: int) -> None:
        match, ticks = self.match, 0
        while not match.over and match.due <= until <= LONGEST:
            due, before = match.due, match.save()
            match.feed(Tick(max(match.now, due)))
            ticks += 1
            if match.save() == before or ticks > ENDLESS:
                raise Broken("timer_stuck", "rules.tick", expected=f"> {due}", got=match.due)
        match.wait(until)

    def random_move(self, rng: random.Random, wild: float) -> Move:
        """A legal action by a random seat or, as often as `wild` says, anything at all."""
        match, notation = self.match, self.game.notation
        at = match.now + rng.randrange(PACE)
        if rng.random() < PATIENT and match.due < match.now + LONG:
            at = max(match.now, match.due + rng.choice((-1, 0, 1)))
        if rng.random() < wild:
            seat = rng.randrange(-1, match.seats + 1)
            return Move(seat, wild_text(notation, rng), at)
        with blaming(self.game, "rules.legal"):
            seat = rng.choice(match.actors or [0])
            text = rng.choice(match.legal(seat) or [""])
        unlisted = self.game.rules.unlisted
        if unlisted < len(notation) and rng.random() < UNLISTED:
            text = notation.show(rng.randrange(unlisted, len(notation)))
        return Move(seat, text, at)


def wild_text(notation: Notation, rng: random.Random) -> str:
    """Mostly an action, whoever may do it."""
    action = notation.show(any_action(notation, rng))
    return rng.choice([action, action, action, action + "x", ""])


def any_action(notation: Notation, rng: random.Random, pairs: float = PAIRS) -> int:
    """The number of an action, whatever it is."""
    many = len(notation) - notation.single
    if many and rng.random() < pairs:
        return notation.single + rng.randrange(many)
    return rng.randrange(notation.single)


def many_actions(notation: Notation, rng: random.Random, pairs: int = 400) -> list[int]:
    """All numbers of actions and those beside them; of those with two things some."""
    two = range(notation.single, len(notation))
    few = rng.sample(two, min(pairs, len(two)))
    return [-1, *range(notation.single), *few, len(notation) - 1, len(notation)]


@contextmanager
def blaming(game: AnyGame, look: str) -> Iterator[None]:
    """An exception out of a game's code is a fault of the game, told with its file and line."""
    try:
        yield
    except Broken:
        raise
    except Exception as error:
        raise raised(game, error, look) from error


def raised(game: AnyGame, error: Exception, look: str) -> Broken:
    """What is said of an exception."""
    where = ""
    for frame in traceback.extract_tb(error.__traceback__):
        if Path(frame.filename).is_relative_to(folder_of(game.name)):
            where = f"{relative(Path(frame.filename))}:{frame.lineno}"
    why = error.code if isinstance(error, PliError) else str(error)
    code = "raises_at" if where else "raises"
    return Broken(code, look, why=f"{type(error).__name__}: {why}", where=where)


Check = Callable[[Walk], None]
"""Raises Broken if a property does not hold of a walk as it stands."""


def shortened(walk: Walk, check: Check, broken: Broken) -> tuple[Walk, Broken]:
    """The shortest walk found in which the same is broken, and how it is broken there."""
    found = walk, broken
    stop = time.monotonic() + SHRINKING

    def still(moves: Sequence[Move], always: bool) -> bool:
        """Whether the same is broken after these, or (`always`) after the first of them."""
        nonlocal found
        taken: Walk | None = None
        try:
            taken = Walk(walk.game, walk.options, walk.seed)
            for move in moves:
                if always:
                    check(taken)
                taken.take(move)
            check(taken)
        except Broken as error:
            if error.code == broken.code:
                found = taken or walk, error
                return True
        return False

    still(walk.moves, always=True)
    size = len(found[0].moves)
    while size and time.monotonic() < stop:
        at = 0
        while at < len(found[0].moves) and time.monotonic() < stop:
            moves = found[0].moves
            if not still([*moves[:at], *moves[at + size :]], always=False):
                at += size
        size //= 2
    still([Move(each.seat, each.action, 0) for each in found[0].moves], always=False)
    return found
