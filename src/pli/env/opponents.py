"""Games in which one seat learns and others play the other seats: random ones, many at once in a
batch, or bots, each game a match of its own."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from pli.batch import Batch, observe
from pli.batch.batch import LONGEST
from pli.batch.driver import FORFEIT, declared
from pli.bots import Bot, Live, Moment, Plan, known_bot, make_bot
from pli.game import AnyGame, read_options
from pli.match import Match
from pli.shuffling import seeded

Array = np.ndarray[Any, Any]

RANDOM = "random"


class Opposed(Protocol):
    """n games from one seat's side. After `reset`, `renew` and `step` the arrays have what the seat
    observes and may do, and what the step was worth to it; they are written over by the next."""

    observation: Array
    mask: Array
    reward: Array
    done: Array
    cut: Array

    def reset(self, seed: int) -> None:
        """Begins all games anew."""
        ...

    def renew(self, which: Array) -> None:
        """Begins anew the games that are true in `which`."""
        ...

    def step(self, actions: Array) -> None:
        """Plays an action in each game that is not over, and on to the seat's next turn, or in
        games of any moment to the end of a slice of time. An illegal action ends its game."""
        ...

    def view(self) -> Any:
        """What the seat of the first game sees."""
        ...


def opposed(
    game: AnyGame,
    n: int,
    seat: int,
    opponents: str | Sequence[str],
    options: dict[str, object],
    threads: int = 1,
) -> Opposed:
    chosen = read_options(game, options)
    if not 0 <= seat < chosen.seats:
        raise ValueError(f"seats are 0-{chosen.seats - 1}")
    names = [opponents] * (chosen.seats - 1) if isinstance(opponents, str) else [*opponents]
    if len(names) != chosen.seats - 1:
        raise ValueError(f"{chosen.seats - 1} opponents, one for each other seat clockwise")
    for name in names:
        known_bot(name, game)
    if set(names) <= {RANDOM}:
        return AgainstRandom(game, n, seat, options, threads)
    return AgainstBots(game, n, seat, names, chosen)


class AgainstRandom:
    """A batch in which the others' actions are drawn."""

    def __init__(
        self, game: AnyGame, n: int, seat: int, options: dict[str, object], threads: int
    ) -> None:
        only = None if game.live else seat
        settings: dict[str, Any] = {**options, "threads": threads, "only": only}
        self._batch = Batch(game, n, autoreset=False, forfeits=True, **settings)
        self._seat = seat
        batch, mine = self._batch, np.s_[:, seat]
        self.observation = batch.observation[mine] if game.live else batch.observation
        self.mask = batch.mask[mine] if game.live else batch.mask
        self.reward = batch.rewards[mine]
        self.done, self.cut = batch.done, batch.cut

    def reset(self, seed: int) -> None:
        self._batch.reset(seed)

    def renew(self, which: Array) -> None:
        self._batch.renew(which)

    def step(self, actions: Array) -> None:
        given = actions
        if self._batch.game.live:
            given = self._batch.random_actions()
            # A number too high for the type would come out as another.
            given[:, self._seat] = actions.clip(-1, self._batch.actions)
        self._batch.step(given)

    def view(self) -> Any:
        game = self._batch.game
        state = game.rules.layout.load(self._batch.states()[: game.rules.layout.size])
        return game.view(state, self._seat)


class Puppet:
    """The bot of the seat that learns: does what it is told to."""

    watches = True

    def __init__(self) -> None:
        self.plan: Plan | None = None

    def choose(self, moment: Moment[Any]) -> Plan | None:
        if moment.did is not None:
            self.plan = None
        return self.plan


class Opponents:
    """One match against bots, up to the turn of the seat that learns."""

    def __init__(
        self, game: AnyGame, options: Any, seat: int, names: Sequence[str], seed: str
    ) -> None:
        self.match = Match(game, options, seeded(seed))
        self._seat = seat
        self._puppet = Puppet()
        self._declared = declared(game)
        others = [(seat + k) % options.seats for k in range(1, options.seats)]
        bots: dict[int, Bot] = {seat: self._puppet}
        for other, name in zip(others, names, strict=True):
            bots[other] = make_bot(name, game, other, seed)
        self._live = Live(self.match, [bots[each] for each in range(options.seats)], seed)
        self._play_on(0)

    def act(self, number: int) -> None:
        """Carries out a legal action by number, and plays on."""
        match = self.match
        at = match.now + self._declared.slice_ms
        text = match.action(self._seat, number)
        self._puppet.plan = None if text is None else Plan(text, at)
        self._live.ask(self._seat)
        self._play_on(at)
        self._puppet.plan = None

    def _play_on(self, until: int) -> None:
        match = self.match
        if match.game.live:
            self._live.play_until(until)
            return
        while not match.over and (self._puppet.plan or self._seat not in match.actors):
            self._live.step()


class AgainstBots:
    """Matches against bots by name, one after the other."""

    def __init__(
        self, game: AnyGame, n: int, seat: int, names: Sequence[str], options: Any
    ) -> None:
        declaration = declared(game)
        self._game, self._seat, self._names, self._options = game, seat, names, options
        self._seed = 0
        self._limit = LONGEST if game.live else game.rules.patience
        self._tables: list[Opponents] = []
        self._begun = np.zeros(n, np.int64)
        self._steps = np.zeros(n, np.int64)
        self.observation = np.zeros((n, declaration.size(options.seats)), declaration.numbers)
        self.mask = np.zeros((n, declaration.actions), np.bool_)
        self.reward = np.zeros(n, np.float32)
        self.done, self.cut = np.zeros(n, np.bool_), np.zeros(n, np.bool_)

    def reset(self, seed: int) -> None:
        self._seed = seed
        self._begun[:] = 0
        self._tables = [self._begin(i) for i in range(len(self.done))]

    def renew(self, which: Array) -> None:
        for i in np.flatnonzero(which):
            self._tables[i] = self._begin(int(i))

    def _begin(self, i: int) -> Opponents:
        seed = f"{self._seed} {i} {self._begun[i]}"
        self._begun[i] += 1
        self._steps[i] = 0
        self.done[i] = self.cut[i] = False
        self.reward[i] = 0.0
        table = Opponents(self._game, self._options, self._seat, self._names, seed)
        self._show(i, table)
        return table

    def step(self, actions: Array) -> None:
        for i, (action, table) in enumerate(zip(actions.tolist(), self._tables, strict=True)):
            self.reward[i] = 0.0
            if self.done[i]:
                continue
            if not (0 <= action < self.mask.shape[1] and self.mask[i, action]):
                self.done[i], self.reward[i] = True, FORFEIT
                self.mask[i] = True
                continue
            table.act(action)
            self._steps[i] += 1
            over = table.match.over
            self.cut[i] = not over and 0 < self._limit <= self._steps[i]
            self.done[i] = over or self.cut[i]
            self.reward[i] = table.match.returns()[self._seat]
            self._show(i, table)

    def _show(self, i: int, table: Opponents) -> None:
        self.observation[i] = observe(table.match, self._seat)
        self.mask[i] = True if self.done[i] else table.match.mask(self._seat)

    def view(self) -> Any:
        return self._tables[0].match.view(self._seat)
