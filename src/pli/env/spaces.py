"""Observations and actions as spaces of Gymnasium."""

from typing import Any

import numpy as np

from pli.extras import with_extra
from pli.kernel.observation import MOST, Observation

try:
    from gymnasium import spaces
except ModuleNotFoundError as error:
    raise with_extra(error) from None


def observation_box(declared: Observation[Any], seats: int) -> spaces.Box:
    numbers: Any = np.dtype(declared.numbers)
    most = MOST if numbers == np.int8 else np.iinfo(numbers).max
    return spaces.Box(0, most, (declared.size(seats),), numbers)


def masked(declared: Observation[Any], seats: int) -> spaces.Dict:
    """An observation with the mask of actions beside it."""
    mask = spaces.Box(0, 1, (declared.actions,), np.int8)
    return spaces.Dict({"observation": observation_box(declared, seats), "action_mask": mask})
