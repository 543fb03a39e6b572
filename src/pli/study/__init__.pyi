from pli.study.collection import Collection, create_collection, open_collection
from pli.study.plan import Cell, Plan, make_plan
from pli.study.report import Results, Texts, read_results, write_report
from pli.study.study import Study, create, open_study, sweep
from pli.study.study_file import read_study

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
