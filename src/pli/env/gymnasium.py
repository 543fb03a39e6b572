"""One seat of a game as an environment of Gymnasium, the others played by bots: `OneSeat`, and
`OneSeatVector` of many games at once.

Opponents are bots by name, as `pli play` knows them, one for all or one for each other seat
clockwise. Against `random` alone the games are those of a batch, and quick. A step is the seat's
turn, in games of any moment a slice of time.

The actions that may be chosen are `info["action_mask"]`. An illegal one ends the game, with -1.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, cast

import msgspec
import numpy as np

from pli import games
from pli.batch.driver import declared
from pli.env.opponents import opposed
from pli.extras import with_extra
from pli.game import AnyGame, read_options

try:
    import gymnasium
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

    from pli.env.spaces import observation_box
except ModuleNotFoundError as error:
    raise with_extra(error) from None

Array = np.ndarray[Any, Any]
Info = dict[str, Any]

MODES = ["ansi"]


class OneSeat(gymnasium.Env[Array, int]):
    """A game from one seat's side."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": MODES, "render_fps": 4}  # type: ignore[misc]

    def __init__(
        self,
        game: str | AnyGame,
        seat: int = 0,
        opponents: str | Sequence[str] = "medium",
        *,
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        if render_mode not in (None, *MODES):
            raise ValueError(f"render_mode is one of {', '.join(MODES)}")
        self.render_mode = render_mode
        self.game = games.load(game) if isinstance(game, str) else game
        self._games = opposed(self.game, 1, seat, opponents, options)
        seats = read_options(self.game, options).seats
        self.observation_space = observation_box(declared(self.game), seats)
        self.action_space = cast(
            gymnasium.Space[int], gymnasium.spaces.Discrete(declared(self.game).actions)
        )
        self._going = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, Info]:
        super().reset(seed=seed)
        self._games.reset(int(self.np_random.integers(1 << 62)))
        self._going = True
        return self._seen()

    def step(self, action: int) -> tuple[Array, float, bool, bool, Info]:
        if not self._going:
            raise ValueError("the game is over, or has not begun: call reset")
        self._games.step(np.array([action], np.int64))
        done, cut = bool(self._games.done[0]), bool(self._games.cut[0])
        self._going = not done
        observation, info = self._seen()
        return observation, float(self._games.reward[0]), done and not cut, cut, info

    def action_masks(self) -> Array:
        """The same mask, as sb3-contrib asks for it."""
        mask: Array = self._games.mask[0].copy()
        return mask

    def render(self) -> str | None:
        """What the seat sees, as text."""
        if self.render_mode is None:
            return None
        fields = msgspec.structs.asdict(self._games.view()).items()
        return "\n".join(f"{name}: {msgspec.to_builtins(value)}" for name, value in fields)

    def _seen(self) -> tuple[Array, Info]:
        mask = self._games.mask[0].astype(np.int8)
        return self._games.observation[0].copy(), {"action_mask": mask}


class OneSeatVector(VectorEnv[Array, Array, Array]):
    """Many games from one seat's side. A game that ends begins anew: with the next step, which
    ignores its action, or with the same one, whose `info` then has the last observation."""

    def __init__(
        self,
        game: str | AnyGame,
        num_envs: int = 1,
        seat: int = 0,
        opponents: str | Sequence[str] = "medium",
        *,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        **options: object,
    ) -> None:
        """`threads` are for games against random opponents."""
        self.game = games.load(game) if isinstance(game, str) else game
        self.num_envs = num_envs
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode}
        self._games = opposed(self.game, num_envs, seat, opponents, options, threads)
        declaration, seats = declared(self.game), read_options(self.game, options).seats
        self.single_observation_space = observation_box(declaration, seats)
        self.single_action_space = gymnasium.spaces.Discrete(declaration.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._begun = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, Info]:
        """`options={"reset_mask": ...}` begins only these games anew."""
        super().reset(seed=seed)
        which = (options or {}).get("reset_mask")
        if which is not None and self._begun:
            self._games.renew(which)
        else:
            self._games.reset(int(self.np_random.integers(1 << 62)))
        self._begun = True
        return self._games.observation.copy(), self._info()

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, Info]:
        if not self._begun:
            raise ValueError("the games have not begun: call reset")
        played, ended = self._games, self._games.done.copy()
        if self.autoreset_mode == AutoresetMode.DISABLED and ended.any():
            raise ValueError("games are over: reset them with options={'reset_mask': ...}")
        played.step(np.asarray(actions, np.int64))
        if ended.any():
            played.renew(ended)
        rewards = played.reward.astype(np.float64)
        rewards[ended] = 0.0
        truncations = played.cut.copy()
        terminations = played.done & ~truncations
        info: Info = {}
        if self.autoreset_mode == AutoresetMode.SAME_STEP and played.done.any():
            info = self._final()
            played.renew(played.done.copy())
        return played.observation.copy(), rewards, terminations, truncations, info | self._info()

    def _info(self) -> Info:
        mask = self._games.mask.astype(np.int8)
        return {"action_mask": mask, "_action_mask": np.ones(self.num_envs, np.bool_)}

    def _final(self) -> Info:
        """The last observations of the games that have just ended, in Gymnasium's form."""
        played = self._games
        done = played.done.copy()
        last = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(done):
            last[i] = played.observation[i].copy()
        mask = played.mask.astype(np.int8)
        return {
            "final_obs": last,
            "_final_obs": done,
            "final_info": {"action_mask": mask, "_action_mask": done.copy()},
            "_final_info": done.copy(),
        }


gymnasium.register(
    "pli/OneSeat-v1",
    entry_point="pli.env.gymnasium:OneSeat",
    vector_entry_point="pli.env.gymnasium:OneSeatVector",
)
