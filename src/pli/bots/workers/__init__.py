"""Bots in worker processes, so that a server's event loop neither searches nor compiles."""

from pli.bots.workers.pending import PendingDecision, QueueKey, fallback
from pli.bots.workers.pool import BotPool
from pli.bots.workers.worker import DecisionRequest, Ranking

__all__ = ["BotPool", "DecisionRequest", "PendingDecision", "QueueKey", "Ranking", "fallback"]
