"""Bots against each other, fairly: the same deals with seats rotated, and what that shows.

A line-up names a bot for every seat. A deal is played once with each of its rotations, so that
everybody has had everybody's cards and place: that is a block. Each game follows from the seed, its
deal and its rotation alone, so it does not matter how many processes play, nor who is done first
(but bots that think for a time, not for a number of iterations, play as the machine lets them).
"""

import hashlib
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache, partial
from time import perf_counter
from typing import Any

import numpy as np

from pli import games as library
from pli.bots import Bot, Moment, Plan, known_bot, make_bot
from pli.bots.live import Live
from pli.bots.many import go_on, spread
from pli.bots.rating import MARGIN, Estimate, Numbers, Sequential, Verdict, elo, share
from pli.errors import PliError
from pli.game import AnyGame, read_options
from pli.match import Match
from pli.shuffling import seeded

WARMING = 200
"""So many steps at most of a game that does not count."""


@dataclass(frozen=True)
class LineUp:
    """Who plays what: a bot for each seat. Bots that are named alike are of one kind."""

    game: str
    options: Any
    bots: tuple[str, ...]
    seed: object = 0

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.bots))

    @property
    def rotations(self) -> list[tuple[str, ...]]:
        """All that differ: the bots by seat, each time one seat on."""
        turned = (self.bots[-n:] + self.bots[:-n] for n in range(len(self.bots)))
        return list(dict.fromkeys(turned))

    def even(self, kind: str) -> float:
        """The part of all wins that is the kind's if everybody is equally good."""
        return self.bots.count(kind) / len(self.bots)


def line_up(game: AnyGame, options: Any, names: Sequence[str], seed: object = 0) -> LineUp:
    """A bot for each seat; the last one named fills up."""
    if len(names) > options.seats:
        raise PliError("too_many_bots", n=len(names), seats=options.seats)
    bots = [known_bot(name.strip(), game) for name in names]
    bots += bots[-1:] * (options.seats - len(bots))
    return LineUp(game.name, options, tuple(bots), seed)


# Playing


@dataclass(frozen=True)
class Played:
    """One game, by what it says of the kinds of bots."""

    number: int
    parts: tuple[float, ...]
    """Of the win; a shared one is divided, and one that nobody has belongs to all."""
    actions: int
    time: int
    """ms of play."""
    finished: bool
    seconds: tuple[float, ...]
    """How long each kind thought."""
    decisions: tuple[int, ...]


class Timed:
    """A bot, and how long it thinks. All its time counts, since some think while they watch; as a
    decision counts an answer where there was a choice."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self.seconds = 0.0
        self.decisions = 0

    @property
    def watches(self) -> bool:
        return self._bot.watches

    def choose(self, moment: Moment) -> str | Plan | None:
        started = perf_counter()
        answer = self._bot.choose(moment)
        self.seconds += perf_counter() - started
        self.decisions += answer is not None and len(moment.actions) > 1
        return answer

    def __getattr__(self, name: str) -> Any:
        """Whatever else is asked of a bot: whether it cheats, for one."""
        return getattr(self._bot, name)


def play(line: LineUp, number: int) -> Played:
    """Game number so-and-so: block after block, and in each the rotations in order."""
    _warm(line)
    block, turn = divmod(number, len(line.rotations))
    live, bots = _seated(line, block, turn)
    match = live.match
    finished = _to_the_end(live)
    winners = (match.winners if finished else []) or list(range(match.seats))
    seats = list(zip(line.rotations[turn], bots, strict=True))
    return Played(
        number,
        tuple(
            sum(seats[seat][0] == kind for seat in winners) / len(winners) for kind in line.kinds
        ),
        sum(live.accepted.values()),
        match.now,
        finished,
        tuple(sum(bot.seconds for name, bot in seats if name == kind) for kind in line.kinds),
        tuple(sum(bot.decisions for name, bot in seats if name == kind) for kind in line.kinds),
    )


def _seated(line: LineUp, block: object, turn: int) -> tuple[Live, list[Timed]]:
    game = library.load(line.game)
    match = Match(game, line.options, seeded(f"{line.seed} {block}"))
    # Nobody could find out the cards from this; a bot might be anybody's.
    secret = hashlib.sha256(f"bots {line.seed} {block} {turn}".encode()).hexdigest()
    names = line.rotations[turn]
    bots = [Timed(make_bot(name, game, seat, secret)) for seat, name in enumerate(names)]
    return Live(match, bots, secret), bots


def _to_the_end(live: Live) -> bool:
    """Whether it came to one: random play need not."""
    patience = live.match.game.rules.patience
    try:
        while not live.match.over:
            if patience and len(live.match.steps) > patience:
                return False
            go_on()
            live.step()
    except PliError as error:
        if error.code != "unending":
            raise
        return False
    return True


@cache
def _warm(line: LineUp) -> None:
    """Every kind decides once in a game that does not count: the first time code is compiled or
    loaded, which is no thinking."""
    live, bots = _seated(line, "warming up", 0)
    for _ in range(WARMING):
        if live.match.over or all(bot.decisions for bot in bots):
            break
        go_on()
        live.step()


def blocks(
    line: LineUp, count: int, processes: int = 1, heard: Callable[[], None] | None = None
) -> Generator[list[Played], None, None]:
    """So many blocks, in order; games that are done are told at once to who listens."""
    size = len(line.rotations)
    early: dict[int, Played] = {}
    block: list[Played] = []
    following = 0
    with closing(spread(partial(play, line), count * size, processes)) as done:
        for played in done:
            if heard is not None:
                heard()
            early[played.number] = played
            while following in early:
                block.append(early.pop(following))
                following += 1
                if len(block) == size:
                    yield block
                    block = []


# Results


@dataclass(frozen=True)
class KindResult:
    """What was found of one kind of bot."""

    bot: str
    seats: int
    """How many it had in every game."""
    games: int
    wins: float
    """Of all its seats together; shared wins are divided."""
    share: Estimate
    """Of the wins, for each of its seats."""
    even: float
    """What that would be if everybody were equally good."""
    elo: Estimate | None
    """Above the first other kind; None for that one."""
    ms: float | None
    """For a decision, on average."""
    decisions: int


@dataclass(frozen=True)
class Results:
    """What was found, from whole blocks only."""

    blocks: int
    games: int
    unfinished: int
    actions: float
    """A game, on average."""
    minutes: float
    """Of play, a game, on average."""
    kinds: tuple[KindResult, ...]
    decided: Verdict | None
    """Of the first kind, where a decision was wanted and is there."""
    anytime: Estimate | None
    """The first kind's share for each seat, with an interval that holds whenever one stops; where
    a decision was wanted."""


class Contest:
    """Blocks of one line-up, up to a number of games or a decision, and what they show so far."""

    def __init__(
        self,
        line: LineUp,
        games: int,
        processes: int = 1,
        until_decided: bool = False,
        margin: float = MARGIN,
    ) -> None:
        if until_decided and len(line.kinds) < 2:
            raise PliError("one_kind", bot=line.bots[0])
        self.line = line
        self.size = len(line.rotations)
        self.most = -(-games // self.size)
        """Blocks, so that they are whole."""
        self._processes = processes
        self._test = Sequential(line.even(line.kinds[0]), margin) if until_decided else None
        self._parts: list[Numbers] = []
        self._first = 0.0
        self._unfinished = self._actions = self._time = 0
        self._seconds = np.zeros(len(line.kinds))
        self._decisions = np.zeros(len(line.kinds), np.int64)

    def run(self, heard: Callable[[], None] | None = None) -> Results:
        """Plays on, telling of every game; if it is interrupted, `results` are there."""
        with closing(blocks(self.line, self.most, self._processes, heard)) as played:
            for block in played:
                self._add(block)
                if self._test is not None and self._test.verdict is not None:
                    break
        return self.results()

    def _add(self, block: list[Played]) -> None:
        parts = np.mean([game.parts for game in block], axis=0)
        self._parts.append(parts)
        self._first += float(parts[0])
        for game in block:
            self._unfinished += not game.finished
            self._actions += game.actions
            self._time += game.time
            self._seconds += game.seconds
            self._decisions += game.decisions
        if self._test is not None:
            self._test.add(float(parts[0]))

    @property
    def leading(self) -> float | None:
        """The first kind's share so far, for each of its seats."""
        if not self._parts:
            return None
        return self._first / len(self._parts) / self.line.bots.count(self.line.kinds[0])

    def results(self) -> Results:
        games = len(self._parts) * self.size
        test = self._test
        seats = self.line.bots.count(self.line.kinds[0])
        return Results(
            blocks=len(self._parts),
            games=games,
            unfinished=self._unfinished,
            actions=self._actions / max(1, games),
            minutes=self._time / 60_000 / max(1, games),
            kinds=tuple(self._kind(index) for index in range(len(self.line.kinds))),
            decided=test.verdict if test else None,
            anytime=test.interval().divided(seats) if test else None,
        )

    def _kind(self, index: int) -> KindResult:
        kinds, bots = self.line.kinds, self.line.bots
        parts = np.array(self._parts).reshape(-1, len(kinds))
        seats, even = bots.count(kinds[index]), 1 / len(bots)
        found = share(parts[:, index]).divided(seats)
        above = None
        if len(kinds) == 1:  # it has won whatever happens
            found = Estimate(even, even, even)
        elif index != 1:
            above = elo(parts[:, index], parts[:, 1], seats, bots.count(kinds[1]))
        decisions = int(self._decisions[index])
        return KindResult(
            bot=kinds[index],
            seats=seats,
            games=len(parts) * self.size,
            wins=float(parts[:, index].sum()) * self.size,
            share=found,
            even=even,
            elo=above,
            ms=float(self._seconds[index]) * 1000 / decisions if decisions else None,
            decisions=decisions,
        )


def compare(
    game: str,
    bots: str | Sequence[str],
    games: int = 200,
    seed: object = 0,
    processes: int = 1,
    until_decided: bool = False,
    margin: float = MARGIN,
    **options: object,
) -> Results:
    """A match-up in one call: `compare(GAME, "search:5000,random", seats=4).kinds[0].share`. With
    several processes a script needs `if __name__ == "__main__":` around it."""
    chosen = library.load(game)
    names = bots.split(",") if isinstance(bots, str) else bots
    line = line_up(chosen, read_options(chosen, options), names, seed)
    return Contest(line, games, processes, until_decided, margin).run()
