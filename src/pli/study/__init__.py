"""The lab: what does a rule do? Sweeps over a game's options, the numbers that tell what a game is
like, and reports.

It needs the extra `study`; nothing that it takes to play imports it.
"""

from pli.study.collection import Collection, create_collection, open_collection, read_study
from pli.study.plan import Cell, Plan, make_plan
from pli.study.report import Results, Texts, read_results, write_report
from pli.study.study import Study, create, open_study, sweep

__all__ = [
    "Cell",
    "Collection",
    "Plan",
    "Results",
    "Study",
    "Texts",
    "create",
    "create_collection",
    "make_plan",
    "open_collection",
    "open_study",
    "read_results",
    "read_study",
    "sweep",
    "write_report",
]
