"""Bots: players that get their seat's view, its legal actions and the events it saw, never the
state.

This is their public API. What is slow to import has its own modules: `pli.bots.mcts` and
`pli.bots.hints` (compiled search), `pli.bots.workers` (bots in worker processes), `pli.bots.arena`
(bots against each other, with statistics).
"""

from pli.bots.api import Bot, Moment, Plan, Policy, PolicyBot, ask, ask_seat
from pli.bots.factory import (
    DEFAULT_BOT,
    LEVELS,
    bots_for,
    known_bot,
    make_bot,
    make_policy,
    policy_name,
)
from pli.bots.heuristic import HeuristicPolicy, RandomBot
from pli.bots.human.player import HumanlikeBot
from pli.bots.human.reflexes import ADULT, CHILD, FAST, ExGaussian, Reflexes
from pli.bots.live import Live

__all__ = [
    "ADULT",
    "CHILD",
    "DEFAULT_BOT",
    "FAST",
    "LEVELS",
    "Bot",
    "ExGaussian",
    "HeuristicPolicy",
    "HumanlikeBot",
    "Live",
    "Moment",
    "Plan",
    "Policy",
    "PolicyBot",
    "RandomBot",
    "Reflexes",
    "ask",
    "ask_seat",
    "bots_for",
    "known_bot",
    "make_bot",
    "make_policy",
    "policy_name",
]
