"""Contests between bots: duplicate deals with rotated seats, and their results.

A line-up names a bot for every seat. A deal is played once with each rotation of the line-up, so
that every bot has had every seat and its cards: that is a block. Each game follows from the seed,
its deal and its rotation alone, so results depend neither on the number of processes nor on the
order of completion (except for bots with a time budget instead of a number of iterations).
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
from pli.bots.api import Bot, Moment, Plan
from pli.bots.arena.recording import rows
from pli.bots.arena.simulation import new_bots, new_match
from pli.bots.arena.stats import (
    MARGIN,
    Estimate,
    Numbers,
    SequentialTest,
    Verdict,
    elo,
    mean,
    win_share,
)
from pli.bots.factory import known_bot
from pli.bots.live import Live
from pli.errors import PliError
from pli.game import AnyGame, read_options
from pli.kernel.recording import Log
from pli.processes import check_cancelled, map_unordered

WARM_UP_STEPS = 200
"""Steps at most of the game that does not count."""


@dataclass(frozen=True)
class LineUp:
    """A game with a bot for each seat. Bots of the same name are of one kind."""

    game: str
    options: Any
    bots: tuple[str, ...]
    seed: object = 0

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.bots))

    @property
    def rotations(self) -> list[tuple[str, ...]]:
        """All distinct rotations: the bots by seat, each time one seat on."""
        turned = (self.bots[-n:] + self.bots[:-n] for n in range(len(self.bots)))
        return list(dict.fromkeys(turned))

    def even(self, kind: str) -> float:
        """The kind's part of all wins if all bots are equally strong."""
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
class GameResult:
    """The outcome of one game, by kind of bot."""

    number: int
    parts: tuple[float, ...]
    """Each kind's part of the win; a shared win is divided, and a game without a winner is shared
    by all."""
    actions: int
    time: int
    """ms of play."""
    finished: bool
    seconds: tuple[float, ...]
    """The computing time of each kind."""
    decisions: tuple[int, ...]
    by_seat: tuple[float, ...]
    """Each seat's part of the win, shared like those of the kinds."""
    rounds: int
    winners: tuple[int, ...]
    """None, if it came to no end."""
    log: Log | None = None
    """Its rows, if they were wanted."""


class TimedBot:
    """A bot with a stopwatch. All calls are timed, since some bots compute while they watch; an
    answer counts as a decision if there was more than one action."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self.seconds = 0.0
        self.decisions = 0

    @property
    def watches(self) -> bool:
        return self._bot.watches

    def choose(self, moment: Moment[Any]) -> str | Plan | None:
        started = perf_counter()
        answer = self._bot.choose(moment)
        self.seconds += perf_counter() - started
        self.decisions += answer is not None and len(moment.actions) > 1
        return answer

    def __getattr__(self, name: str) -> Any:
        """All other attributes are the bot's, such as its policy."""
        return getattr(self._bot, name)


def play(line: LineUp, number: int, recording: bool = False) -> GameResult:
    """One game; they are numbered block by block, and in each by rotation."""
    _warm_up(line)
    block, turn = divmod(number, len(line.rotations))
    live, bots = _begin(line, block, turn)
    match = live.match
    finished = _play_out(live)
    winners = (match.winners if finished else []) or list(range(match.seats))
    seats = list(zip(line.rotations[turn], bots, strict=True))
    return GameResult(
        number,
        tuple(
            sum(seats[seat][0] == kind for seat in winners) / len(winners) for kind in line.kinds
        ),
        sum(live.accepted.values()),
        match.now,
        finished,
        tuple(sum(bot.seconds for name, bot in seats if name == kind) for kind in line.kinds),
        tuple(sum(bot.decisions for name, bot in seats if name == kind) for kind in line.kinds),
        tuple((seat in winners) / len(winners) for seat in range(match.seats)),
        match.game.rules.rounds(match.state),
        tuple(match.winners) if finished else (),
        rows(match, number) if recording else None,
    )


def _begin(line: LineUp, block: object, turn: int) -> tuple[Live, list[TimedBot]]:
    match = new_match(line.game, line.options, f"{line.seed} {block}")
    # Hashed, so that a bot can't derive the deal's seed from its own.
    secret = hashlib.sha256(f"bots {line.seed} {block} {turn}".encode()).hexdigest()
    bots = [TimedBot(bot) for bot in new_bots(match, line.rotations[turn], secret)]
    return Live(match, bots, secret), bots


def _play_out(live: Live) -> bool:
    """Plays to the end; False if there is none, as may happen in random play."""
    patience = live.match.game.rules.patience
    try:
        while not live.match.over:
            if patience and len(live.match.steps) > patience:
                return False
            check_cancelled()
            live.step()
    except PliError as error:
        if error.code != "unending":
            raise
        return False
    return True


@cache
def _warm_up(line: LineUp) -> None:
    """Plays a game that does not count until every kind has decided once: the first decision
    compiles or loads code, which is not to be timed."""
    live, bots = _begin(line, "warming up", 0)
    for _ in range(WARM_UP_STEPS):
        if live.match.over or all(bot.decisions for bot in bots):
            break
        check_cancelled()
        live.step()


def blocks(
    line: LineUp,
    count: int,
    processes: int = 1,
    on_game: Callable[[], None] | None = None,
    recording: bool = False,
) -> Generator[list[GameResult], None, None]:
    """A number of blocks, in order; `on_game` is called after every game."""
    size = len(line.rotations)
    early: dict[int, GameResult] = {}
    block: list[GameResult] = []
    following = 0
    with closing(
        map_unordered(partial(play, line, recording=recording), count * size, processes)
    ) as done:
        for played in done:
            if on_game is not None:
                on_game()
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
    """The results of one kind of bot."""

    bot: str
    seats: int
    """How many seats it had in every game."""
    games: int
    wins: float
    """Of all its seats together; shared wins are divided."""
    share: Estimate
    """Its part of the wins, for each of its seats."""
    even: float
    """The share if all bots were equally strong."""
    elo: Estimate | None
    """Relative to the second kind; None for that one."""
    ms: float | None
    """Computing time of a decision, on average."""
    decisions: int
    by_seat: tuple[Estimate, ...]
    """Its share at each seat, where all bots of all seats together have 1."""


@dataclass(frozen=True)
class Results:
    """The results of a contest, from whole blocks only."""

    blocks: int
    games: int
    unfinished: int
    actions: float
    """A game, on average."""
    minutes: float
    """Of play, a game, on average."""
    length: Estimate
    """Actions a game."""
    rounds: Estimate | None
    """Rounds a game, in games that have rounds."""
    time: Estimate
    """Minutes a game."""
    kinds: tuple[KindResult, ...]
    decided: Verdict | None
    """The sequential test's verdict on the first kind, if it was wanted and there is one."""
    anytime: Estimate | None
    """The first kind's share for each seat, with an interval that is valid at any stopping time; if
    a sequential test was wanted."""


class Contest:
    """Blocks of one line-up, up to a number of games or the verdict of a sequential test."""

    def __init__(
        self,
        line: LineUp,
        games: int,
        processes: int = 1,
        until_decided: bool = False,
        margin: float = MARGIN,
        recording: bool = False,
    ) -> None:
        """With `recording` every game is kept, with its rows."""
        if until_decided and len(line.kinds) < 2:
            raise PliError("one_kind", bot=line.bots[0])
        self.line = line
        self.size = len(line.rotations)
        self.most = -(-games // self.size)
        """Blocks at most."""
        self._processes = processes
        self._test = SequentialTest(line.even(line.kinds[0]), margin) if until_decided else None
        self._parts: list[Numbers] = []
        self._by_seat: list[Numbers] = []
        """By block, kind and seat."""
        self._means: list[Numbers] = []
        """By block the actions, rounds and minutes of a game."""
        self._recording = recording
        self.games: list[GameResult] = []
        self._first = 0.0
        self._unfinished = self._actions = self._time = 0
        self._seconds = np.zeros(len(line.kinds))
        self._decisions = np.zeros(len(line.kinds), np.int64)

    def run(self, on_game: Callable[[], None] | None = None) -> Results:
        """Plays all games. After an interruption `results` has what was played so far."""
        with closing(
            blocks(self.line, self.most, self._processes, on_game, self._recording)
        ) as played:
            for block in played:
                self._add(block)
                if self._test is not None and self._test.verdict is not None:
                    break
        return self.results()

    def _add(self, block: list[GameResult]) -> None:
        parts = np.mean([game.parts for game in block], axis=0)
        self._parts.append(parts)
        self._first += float(parts[0])
        self._by_seat.append(self._seats_of(block))
        self._means.append(
            np.mean([(game.actions, game.rounds, game.time / 60_000) for game in block], axis=0)
        )
        if self._recording:
            self.games += block
        for game in block:
            self._unfinished += not game.finished
            self._actions += game.actions
            self._time += game.time
            self._seconds += game.seconds
            self._decisions += game.decisions
        if self._test is not None:
            self._test.add(float(parts[0]))

    def _seats_of(self, block: list[GameResult]) -> Numbers:
        """By kind and seat the part of the wins, in those of a block's games in which the kind sat
        there."""
        kinds, rotations = self.line.kinds, self.line.rotations
        found = np.zeros((len(kinds), len(self.line.bots)))
        for row, kind in enumerate(kinds):
            for seat in range(len(self.line.bots)):
                turns = [turn for turn, bots in enumerate(rotations) if bots[seat] == kind]
                found[row, seat] = np.mean([block[turn].by_seat[seat] for turn in turns])
        return found

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
        means = np.array(self._means).reshape(-1, 3)
        return Results(
            blocks=len(self._parts),
            games=games,
            unfinished=self._unfinished,
            actions=self._actions / max(1, games),
            minutes=self._time / 60_000 / max(1, games),
            length=mean(means[:, 0]),
            rounds=mean(means[:, 1]) if means[:, 1].any() else None,
            time=mean(means[:, 2]),
            kinds=tuple(self._kind(index) for index in range(len(self.line.kinds))),
            decided=test.verdict if test else None,
            anytime=test.interval().divided(seats) if test else None,
        )

    def _kind(self, index: int) -> KindResult:
        kinds, bots = self.line.kinds, self.line.bots
        parts = np.array(self._parts).reshape(-1, len(kinds))
        seats, even = bots.count(kinds[index]), 1 / len(bots)
        found = win_share(parts[:, index]).divided(seats)
        above = None
        if len(kinds) == 1:  # every win is its own
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
            by_seat=tuple(
                win_share([block[index, seat] for block in self._by_seat])
                for seat in range(len(bots))
            ),
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
    """A contest in one call: `compare(GAME, "search:5000,random", seats=4).kinds[0].share`. With
    several processes a script needs `if __name__ == "__main__":` around it."""
    chosen = library.load(game)
    names = bots.split(",") if isinstance(bots, str) else bots
    line = line_up(chosen, read_options(chosen, options), names, seed)
    return Contest(line, games, processes, until_decided, margin).run()
