"""The rules of Merci; `actions` decides what is legal and carries it out."""

from pli.games.merci.rules.actions import RULES
from pli.games.merci.rules.flow import setup

__all__ = ["RULES", "setup"]
