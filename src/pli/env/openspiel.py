"""The trick games as games of OpenSpiel: `register()`, then `pyspiel.load_game("pli_...")`.

Every option of a game is a parameter; where its values are words or numbers, -1 stands for the
first word. There are two more. `deal` is `sampled`, where a deal is one chance node with one
outcome, from random numbers that each new state and its copies carry with them, of `seed` if one is
given; or `explicit`, a chance node for each card, for algorithms that go through all outcomes.

States run on compiled rules. An information state as text has perfect recall: all that the seat
has observed, a line for each time that something changed. As a tensor it is the observation, which
has what was seen in this round.
"""

from collections.abc import Callable, Mapping
from functools import cache, partial
from itertools import product
from typing import Any

import msgspec
import numpy as np

from pli import games
from pli.batch.driver import declared
from pli.batch.table import Table
from pli.extras import with_extra
from pli.game import AnyGame, Described, read_options, seat_counts
from pli.kernel.stream import advance, start
from pli.texts import words

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise with_extra(error) from None

Array = np.ndarray[Any, Any]

PREFIX = "pli_"

SAMPLED, EXPLICIT = "sampled", "explicit"

NO_SEED = -1

WORD = -1
"""The first word among values of which others are numbers."""

LONGEST = 100_000
"""Actions of a game, where its rules set no limit to random play."""

DEAL_OUTCOME = 0
"""The only outcome of a chance node that draws a deal itself."""


def register() -> list[str]:
    """Registers all games in which one seat is awaited; returns their names in OpenSpiel. To be
    called in each process; a second call does nothing."""
    return [_register(name) for name in games.names() if _fits(games.load(name))]


def _fits(game: AnyGame) -> bool:
    return game.observation is not None and game.rules.by_set


@cache
def _register(name: str) -> str:
    game = games.load(name)
    kind = _type(game)
    # A class: OpenSpiel frees what it was given after Python has ended, and a class never goes.
    pyspiel.register_game(kind, type(f"Spiel_{name}", (SpielGame,), {"pli": game, "kind": kind}))
    return str(kind.short_name)


def _type(game: AnyGame) -> Any:
    counts = seat_counts(game)
    return pyspiel.GameType(
        short_name=PREFIX + game.name,
        long_name=words("en", game.name)("name"),
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        # OpenSpiel can't save and load sampled chance of games in Python.
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        min_num_players=counts[0],
        max_num_players=counts[-1],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=_parameters(game),
    )


def _parameters(game: AnyGame) -> dict[str, int | str]:
    defaults = {each.name: _default(each) for each in game.described}
    return {**defaults, "deal": SAMPLED, "seed": NO_SEED}


def _default(option: Described) -> int | str:
    """OpenSpiel's parameters have one type."""
    if _word(option) is not None:
        return WORD
    return option.default if isinstance(option.default, int) else str(option.default)


def _word(option: Described) -> str | None:
    """The first word among the values of an option that may also be a number."""
    words = [each for each in option.kinds if isinstance(each, msgspec.inspect.LiteralType)]
    return str(words[0].values[0]) if words and len(option.kinds) > 1 else None


def _options(game: AnyGame, given: Mapping[str, Any]) -> Any:
    words = {each.name: _word(each) for each in game.described}
    return read_options(
        game, {name: words[name] if given[name] == WORD else given[name] for name in words}
    )


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its options."""

    pli: AnyGame
    kind: Any

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**_parameters(self.pli), **(params or {})}
        self.deal = given.pop("deal")
        if self.deal not in (SAMPLED, EXPLICIT):
            raise ValueError(f"deal is {SAMPLED} or {EXPLICIT}")
        self.seed = int(given.pop("seed"))
        self.options = _options(self.pli, given)
        self.started = 0
        """How many states were begun: each has random numbers of its own."""
        if self.seed == NO_SEED:
            self.seed = int(np.random.default_rng().integers(1 << 62))
        self.new_table = partial(Table.new(self.pli, self.options).copy)
        declaration, deck = declared(self.pli), self.pli.rules.deck
        info = pyspiel.GameInfo(
            num_distinct_actions=declaration.actions,
            max_chance_outcomes=1 if self.deal == SAMPLED else deck,
            num_players=self.options.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.pli.rules.patience or LONGEST,
        )
        super().__init__(self.kind, info, params or {})

    def __reduce__(self) -> tuple[Any, ...]:
        return _load_game, (str(self),)

    def new_initial_state(self, *given: Any) -> "SpielState":
        if given:
            raise ValueError("a game begins with its deal")
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Each deal is followed by an action at least, but for the lot that begins a game."""
        nodes = 1 if self.deal == SAMPLED else self.pli.rules.deck
        return int((self.max_game_length() + 1) * nodes)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> "Observer | None":
        if params:
            raise ValueError("observations have no parameters")
        kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None  # as OpenSpiel expects it: what is observed is what one seat may know
        return Observer(self.pli, self.options.seats, kind.perfect_recall)


class Play:
    """All that a state has beside OpenSpiel's own, in one object: OpenSpiel copies and pickles the
    attributes of a state one by one."""

    __slots__ = ("chosen", "past", "stream", "table")

    def __init__(self, table: Table, stream: int) -> None:
        self.table = table
        self.stream = stream
        self.chosen: list[int] = []
        """The first things of the shuffle that is being chosen, one by one."""
        self.past: dict[int, str] = {}
        """What seats knew before the table begins, where it begins in the middle."""

    def copy(self) -> "Play":
        twin = Play(self.table.copy(), self.stream)
        twin.chosen = self.chosen[:]
        twin.past = self.past
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> "Play":
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.table, self.stream, self.chosen, self.past)


def _restored(table: Table, stream: int, chosen: list[int], past: dict[int, str]) -> Play:
    play = Play(table, stream)
    play.chosen, play.past = chosen, past
    return play


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state, or the node of a deal."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        game.started += 1
        self._play = Play(game.new_table(), start(game.seed, game.started))

    def __reduce__(self) -> tuple[Any, ...]:
        return _load_state, (pyspiel.serialize_game_and_state(self.get_game(), self),)

    # What OpenSpiel asks

    def current_player(self) -> int:
        table = self._play.table
        if table.over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if table.needs else table.seat

    def is_terminal(self) -> bool:
        return self._play.table.over

    def returns(self) -> list[float]:
        return self._play.table.returns()

    def _legal_actions(self, player: int) -> list[int]:
        return self._play.table.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        if self._sampled():
            return [(DEAL_OUTCOME, 1.0)]
        play = self._play
        left = [each for each in range(play.table.needs) if each not in play.chosen]
        return [(each, 1.0 / len(left)) for each in left]

    def _apply_action(self, action: int) -> None:
        play = self._play
        table = play.table
        if not table.needs:
            table.act(action)
        elif self._sampled():
            play.stream = table.draw(play.stream)
        else:
            play.chosen.append(action)
            if len(play.chosen) == table.dealt:
                rest = [each for each in range(table.needs) if each not in play.chosen]
                table.give(play.chosen + rest)
                play.chosen = []

    def _sampled(self) -> bool:
        return bool(self.get_game().deal == SAMPLED)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return "deal" if self._sampled() else f"deal {action}"
        return declared(self._play.table.game).names[action]

    def __str__(self) -> str:
        """The inputs, a line each."""
        play = self._play
        names = declared(play.table.game).names
        lines = [*play.past.values()]
        for each in [*play.table.inputs, tuple(play.chosen)]:
            if isinstance(each, int):
                lines.append(names[each])
            elif each:
                lines.append(f"deal {' '.join(map(str, each))}")
        return "\n".join(lines)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "SpielState":
        """A state that the seat can't tell from this one; `sampler` gives numbers from 0 to 1."""
        play, game = self._play, self.get_game()
        stream = start(int(sampler() * (1 << 53)), 0)
        table = play.table.guessed(game.options, player, stream)
        other: SpielState = self.clone()
        other._play = Play(table, advance(stream))
        other._play.past = {
            seat: story(play, seat)
            if seat == player
            else f"{seat}: {told(table.look(seat), table)}"
            for seat in range(table.seats)
        }
        return other


def _load_game(text: str) -> Any:
    """A pickled game may be the first that a process hears of it."""
    register()
    return pyspiel.load_game(text)


def _load_state(text: str) -> Any:
    register()
    return pyspiel.deserialize_game_and_state(text)[1]


class Observer:
    """What a seat observes, or its information state, as tensor and as text."""

    def __init__(self, game: AnyGame, seats: int, recalls: bool) -> None:
        self._recalls = recalls
        name = "information_state" if recalls else "observation"
        self.tensor = np.zeros(declared(game).size(seats), np.float32)
        self.dict = {name: self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        self.tensor[:] = state._play.table.look(player)

    def string_from(self, state: SpielState, player: int) -> str:
        play = state._play
        if self._recalls:
            return story(play, player)
        return f"{player}: {told(play.table.look(player), play.table)}"


def told(row: Array, table: Table) -> str:
    """The numbers of an observation that are not 0, with their names."""
    names = number_names(table.game, table.seats)
    return " ".join(_told(names[i], int(row[i])) for i in np.flatnonzero(row))


def story(play: Play, seat: int) -> str:
    """All that a seat has observed, as what has changed each time."""
    table = play.table
    rows, names = table.recall(seat), number_names(table.game, table.seats)
    if seat in play.past:
        lines = [play.past[seat]]
    else:
        lines = [f"{seat}: {told(rows[0], table)}"]
    changes = rows[1:] != rows[:-1]
    values = rows[1:]
    line: list[str] = []
    last = -1
    for k, i in zip(*np.nonzero(changes), strict=True):
        if k != last and line:
            lines.append(" ".join(line))
            line = []
        last = k
        line.append(_told(names[i], int(values[k, i])))
    if line:
        lines.append(" ".join(line))
    return "\n".join(lines)


def _told(name: str, value: int) -> str:
    return name if value == 1 else f"{name}={value}"


@cache
def number_names(game: AnyGame, seats: int) -> list[str]:
    """Of each number of an observation: its field and its place in it."""
    return [
        ".".join(map(str, (each.name, *place)))
        for each in declared(game).fields
        for place in product(*map(range, each.sizes(seats)))
    ]
