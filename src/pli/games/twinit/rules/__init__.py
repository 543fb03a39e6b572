"""The rules of Twin It!; `actions` decides what is legal and carries it out."""

from pli.games.twinit.rules.actions import RULES
from pli.games.twinit.rules.flow import setup

__all__ = ["RULES", "setup"]
