"""Many games of one kind that go on side by side, for learning agents (docs/agents.md)."""

from pli.batch.batch import Batch, IllegalAction
from pli.batch.observe import observe

__all__ = ["Batch", "IllegalAction", "observe"]
