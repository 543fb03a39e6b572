"""The lab: what does a rule do? Sweeps over a game's options, the numbers that tell what a game is
like, and reports.

It needs the extra `study`; nothing that it takes to play imports it.
"""

from pli.study.plan import Cell, Plan, make_plan
from pli.study.study import Study, create, open_study, sweep

__all__ = ["Cell", "Plan", "Study", "create", "make_plan", "open_study", "sweep"]
