"""The package's extras (`pip install 'pli[serve]'`): which modules come with which.

Whatever needs one of them imports it where it is used; if it is missing, the command line says in
one line what to install.
"""

from importlib.util import find_spec

from pli.errors import PliError

MODULES = {
    "aiohttp": "serve",
    "prometheus_client": "serve",
    "uvloop": "serve",
    "PIL": "serve",
    "resvg_py": "serve",
    "asyncpg": "postgres",
    "gymnasium": "agents",
    "pettingzoo": "agents",
    "pyspiel": "openspiel",
    "open_spiel": "openspiel",
    "jax": "train",
    "polars": "study",
    "ray": "ray",
}
"""By the name under which a module is imported, the extra that it comes with."""


class MissingExtra(PliError, ModuleNotFoundError):
    """A module that is not installed, of an extra that would bring it."""

    code = "missing_extra"

    def __init__(self, module: str) -> None:
        super().__init__(module=module, extra=MODULES[module])
        self.name = module


def missing(error: ModuleNotFoundError) -> MissingExtra | None:
    """What to say of a module that was not found; None: it belongs to no extra."""
    module = (error.name or "").partition(".")[0]
    return MissingExtra(module) if module in MODULES else None


def with_extra(error: ModuleNotFoundError) -> ModuleNotFoundError:
    """What a module of ours raises, `from None`, that can't be imported without an extra."""
    return missing(error) or error


def must_have(module: str) -> None:
    """Raises MissingExtra if a module of an extra is not installed. It is not imported."""
    try:
        found = find_spec(module) is not None
    except ValueError:  # how Python says that imports of it are forbidden
        found = False
    if not found:
        raise MissingExtra(module)
