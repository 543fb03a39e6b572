"""The lab: what does a rule do? Sweeps over a game's options, the numbers that tell what a game is
like, and reports.

It needs the extra `study`; nothing that it takes to play imports it. Plans alone (`pli.study.plan`)
need no extra, so what is here is imported when it is used; `__init__.pyi` tells its types.
"""

from importlib import import_module
from typing import Any

_MODULES = {
    "Cell": "plan",
    "Collection": "collection",
    "Plan": "plan",
    "Results": "report",
    "Study": "study",
    "Texts": "report",
    "create": "study",
    "create_collection": "collection",
    "make_plan": "plan",
    "open_collection": "collection",
    "open_study": "study",
    "read_results": "report",
    "read_study": "study_file",
    "sweep": "study",
    "write_report": "report",
}

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


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
