"""The games as environments of PettingZoo: `env(game, **options)` of those in which one seat is
awaited (AEC), `parallel_env(game, **options)` of all.

An observation is a dictionary of `observation` and `action_mask`. An illegal action ends the game:
its agent gets -1, the others nothing. In the parallel form of a game in which one seat is awaited,
what the others do is ignored: their masks allow everything, and `info["acts"]` is false. All arrays
are the receiver's to keep.
"""

from typing import Any, ClassVar

import msgspec
import numpy as np

from pli.batch import Batch
from pli.extras import with_extra
from pli.game import AnyGame

try:
    from pettingzoo.utils.env import AECEnv, ParallelEnv

    from pli.env.spaces import masked
except ModuleNotFoundError as error:
    raise with_extra(error) from None

import gymnasium

Array = np.ndarray[Any, Any]
Observed = dict[str, Array]
Info = dict[str, Any]

VERSION = 1
"""Raised when the same actions lead elsewhere."""


def env(game: str | AnyGame, render_mode: str | None = None, **options: object) -> "TurnsEnv":
    """A game in which one seat is awaited, agent by agent."""
    return TurnsEnv(game, render_mode, **options)


def parallel_env(
    game: str | AnyGame, render_mode: str | None = None, **options: object
) -> "SlicesEnv":
    """A game in which all agents act at the same time, or wait."""
    return SlicesEnv(game, render_mode, **options)


class Seats:
    """What both forms have in common: a batch of one game, and an agent for each of its seats."""

    metadata: dict[str, Any]
    _MODES: ClassVar[list[str]] = ["ansi"]

    def __init__(
        self, game: str | AnyGame, render_mode: str | None = None, **options: object
    ) -> None:
        if render_mode not in (None, *self._MODES):
            raise ValueError(f"render_mode is one of {', '.join(self._MODES)}")
        fresh = int(np.random.default_rng().integers(1 << 62))
        self.batch = Batch(game, 1, fresh, autoreset=False, forfeits=True, **options)  # type: ignore[arg-type]
        self.render_mode = render_mode
        self.metadata = {
            "name": f"pli_{self.batch.game.name}_v{VERSION}",
            "render_modes": self._MODES,
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self.batch.seats)]
        self.agents: list[str] = []
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        # Spaces of their own: each agent's is seeded by itself.
        declared, actions = self.batch.declared, self.batch.actions
        seats = self.batch.seats
        self.observation_spaces = {each: masked(declared, seats) for each in self.possible_agents}
        self.action_spaces = {
            each: gymnasium.spaces.Discrete(actions) for each in self.possible_agents
        }
        observed = self.observation_spaces[self.possible_agents[0]]["observation"]
        assert isinstance(observed, gymnasium.spaces.Box)
        most, size = observed.high[0], self.batch.size * seats
        self.state_space = gymnasium.spaces.Box(0, most, (size,), observed.dtype.type)
        self._nothing = np.zeros(actions, np.int8)

    def observation_space(self, agent: str) -> gymnasium.spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Discrete:
        return self.action_spaces[agent]

    def state(self) -> Array:
        """All that all seats observe together, one after the other."""
        return np.concatenate([self.batch.look(0, seat) for seat in range(self.batch.seats)])

    def render(self) -> str | None:
        """The table as a spectator sees it, as text."""
        if self.render_mode is None:
            return None
        game = self.batch.game
        view = game.view(game.rules.layout.load(self.batch.states()), None)
        fields = msgspec.structs.asdict(view).items()
        return "\n".join(f"{name}: {msgspec.to_builtins(value)}" for name, value in fields)

    def close(self) -> None:
        """Nothing is held open."""

    @property
    def _acting(self) -> int:
        """The seat whose turn it is."""
        return int(self.batch.seat[0])

    def _begin(self, seed: int | None) -> None:
        """A seed is always the same games; without one another game follows."""
        if seed is None:
            self.batch.renew(np.ones(1, np.bool_))
        else:
            self.batch.reset(seed)
        self.agents = self.possible_agents[:]


class TurnsEnv(Seats, AECEnv[str, Observed, int]):  # type: ignore[misc]
    """One agent after the other."""

    def __init__(
        self, game: str | AnyGame, render_mode: str | None = None, **options: object
    ) -> None:
        super().__init__(game, render_mode, **options)
        if self.batch.game.live:
            raise ValueError(f"{self.batch.game.name}: all seats act at once: use parallel_env")
        self._action = np.zeros(1, np.int64)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Info] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._turn()

    def _turn(self) -> None:
        self.agent_selection = self.possible_agents[self._acting]

    def observe(self, agent: str) -> Observed:
        batch, seat = self.batch, self._seat_of[agent]
        done = batch.done[0]
        if seat == self._acting and not done:
            mask = batch.mask[0].view(np.int8).copy()
            return {"observation": batch.observation[0].copy(), "action_mask": mask}
        mask = self._nothing.copy()
        mask[:] = done
        return {"observation": batch.look(0, seat), "action_mask": mask}

    def step(self, action: int | None) -> None:
        if not self.agents:
            raise ValueError("the game is over, or has not begun: call reset")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is to act")
        self._cumulative_rewards[agent] = 0.0
        self._action[0] = action
        batch = self.batch
        batch.step(self._action)
        if batch.done[0]:
            ends = self.truncations if batch.cut[0] else self.terminations
            for each, reward in zip(self.agents, batch.rewards[0].tolist(), strict=True):
                self.rewards[each] = reward
                self._cumulative_rewards[each] += reward
                ends[each] = True
            self.agent_selection = self.agents[0]
        else:
            self._turn()


class SlicesEnv(Seats, ParallelEnv[str, Observed, int]):  # type: ignore[misc]
    """All agents at once."""

    def __init__(
        self, game: str | AnyGame, render_mode: str | None = None, **options: object
    ) -> None:
        super().__init__(game, render_mode, **options)
        self._actions = np.zeros(self.batch.mask.shape[:-1], np.int64)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observed], dict[str, Info]]:
        self._begin(seed)
        return self._observed(), self._infos()

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Observed],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, Info],
    ]:
        if not self.agents:
            raise ValueError("the game is over, or has not begun: call reset")
        batch = self.batch
        if batch.game.live:
            for seat, agent in enumerate(self.possible_agents):
                self._actions[0, seat] = actions[agent]
        else:
            self._actions[0] = actions[self.possible_agents[self._acting]]
        batch.step(self._actions)
        done, cut = bool(batch.done[0]), bool(batch.cut[0])
        agents = self.agents
        rewards = dict(zip(agents, batch.rewards[0].tolist(), strict=True))
        observed, infos = self._observed(), self._infos()
        if done:
            self.agents = []
        return (
            observed,
            rewards,
            dict.fromkeys(agents, done and not cut),
            dict.fromkeys(agents, cut),
            infos,
        )

    def _observed(self) -> dict[str, Observed]:
        batch = self.batch
        if batch.game.live:
            seen, masks = batch.observation[0].copy(), batch.mask[0].view(np.int8).copy()
        else:
            seen = np.stack([batch.look(0, seat) for seat in range(batch.seats)])
            masks = np.ones((batch.seats, batch.actions), np.int8)
            if not batch.done[0]:
                masks[self._acting] = batch.mask[0]
        return {
            agent: {"observation": seen[seat], "action_mask": masks[seat]}
            for seat, agent in enumerate(self.possible_agents)
        }

    def _infos(self) -> dict[str, Info]:
        batch = self.batch
        going, acting = not batch.done[0], self._acting
        return {
            agent: {"acts": bool(going and (batch.game.live or seat == acting))}
            for seat, agent in enumerate(self.possible_agents)
        }
