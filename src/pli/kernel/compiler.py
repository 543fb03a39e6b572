"""Compiles rules to machine code with Numba, and caches the result on disk.

Numba's own cache does not notice that a helper in another file has changed, so the cache folder is
named by a hash of all sources that are compiled, the Numba version and the CPU. A file lock lets
one process compile a game while others wait and then read the cache. If the folder is not writable,
nothing is cached.
"""

import hashlib
import os
import shutil
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, get_type_hints

from pli.kernel.contract import Rules
from pli.kernel.layout import Layout
from pli.kernel.rule import RULES

KEEP_DAYS = 30
"""Cache folders of other versions are removed when they were not used for so many days."""

_compiling = threading.RLock()
_registered: set[Callable[..., object]] = set()


Argument = str | type[tuple[Any, ...]]
"""The type of a compiled function's argument: Numba's name of it (`record` is a game's state,
`memory` what is remembered beside it), or a NamedTuple whose fields are annotated with such
names."""


class CompiledFunction:
    """A rule, or a driver made for a game, with one signature. It is compiled, or read from the
    cache, at the first call."""

    def __init__(
        self,
        rules: Rules[Any],
        function: Callable[..., Any],
        *arguments: Argument,
        memory: Layout[Any] | None = None,
    ) -> None:
        self._rules = rules
        self._function = function
        self._arguments = arguments
        self._memory = memory
        self._compiled: Any = None

    def __call__(self, *values: Any) -> Any:
        if self._compiled is None:
            self.ready()
        return self._compiled(*values)

    def ready(self) -> None:
        """Compiles it now. That may take seconds: never call it on an event loop."""
        with _compiling:
            if self._compiled is None:
                self._compiled = _build(self._rules, self._function, self._arguments, self._memory)


def _build(
    rules: Rules[Any],
    function: Callable[..., Any],
    arguments: tuple[Argument, ...],
    memory: Layout[Any] | None,
) -> Any:
    from numba import config, from_dtype, njit, types

    from pli.kernel import native

    _register_rules()
    known = {"record": from_dtype(rules.layout.dtype)}
    if memory is not None:
        known["memory"] = from_dtype(memory.dtype)

    def numba_type(argument: Argument) -> Any:
        if not isinstance(argument, str):
            hints = get_type_hints(argument, include_extras=True)
            fields = [numba_type(hint.__metadata__[0]) for hint in hints.values()]
            if len(set(fields)) == 1:  # Numba has a type of its own for these
                return types.NamedUniTuple(fields[0], len(fields), argument)
            return types.NamedTuple(fields, argument)
        single, _, shape = argument.partition("[")
        scalar = known.get(single) or getattr(types, single)
        return types.Array(scalar, shape.count(",") + 1, "C") if shape else scalar

    signature = tuple(map(numba_type, arguments))
    folder = _folder(rules.name, _outside(function))

    def compile_(cached: bool) -> Any:
        # Numba reads this setting when a function is decorated, and only then.
        before = config.CACHE_DIR
        config.CACHE_DIR = str(folder) if cached else before
        try:
            made = njit(nogil=True, cache=cached, **native.OPTIONS)(function)
        finally:
            config.CACHE_DIR = before
        made.compile(signature)
        made.disable_compile()
        return made

    if folder is None:
        return compile_(cached=False)
    with _locked(folder):
        try:
            return compile_(cached=True)
        except Exception:
            # A damaged cache file raises all kinds of errors. A real one is raised again without
            # it.
            shutil.rmtree(folder, ignore_errors=True)
            return compile_(cached=False)


def _register_rules() -> None:
    """Registers with Numba every function marked `@rule` since the last call."""
    from pli.kernel import native

    native.install()
    for function, hot in RULES.items():
        if function not in _registered:
            _registered.add(function)
            native.register(function, function, hot)


def _locked(folder: Path) -> AbstractContextManager[object]:
    from filelock import FileLock

    return FileLock(folder.with_suffix(".lock")) if folder.parent.is_dir() else nullcontext()


def _folder(game: str, sources: tuple[Path, ...]) -> Path | None:
    """The cache folder of this game's machine code; None if it is not writable."""
    home = cache_home()
    here = home / _fingerprint(sources) / game
    try:
        here.mkdir(parents=True, exist_ok=True)
        os.utime(here.parent)
        probe = here / f".{os.getpid()}-{threading.get_ident()}"
        probe.touch()
        probe.unlink()
    except OSError:
        return None
    _tidy(home)
    return here


def cache_home() -> Path:
    """The folder of all caches: `PLI_CACHE_DIR`, or the user's cache folder."""
    from platformdirs import user_cache_path

    named = os.environ.get("PLI_CACHE_DIR")
    return Path(named) if named else user_cache_path("pli", appauthor=False) / "kernels"


@cache
def _tidy(home: Path) -> None:
    """Removes what other versions left in the cache, once a process."""
    old = time.time() - KEEP_DAYS * 24 * 3600
    for folder in home.iterdir():
        if folder.is_dir() and folder.stat().st_mtime < old:
            shutil.rmtree(folder, ignore_errors=True)


def _outside(function: Callable[..., Any]) -> tuple[Path, ...]:
    """The sources of a game from outside of the package: all Python files of the folders in which
    rules stand that the function calls. Constants may stand in files without any."""
    package = Path(__file__).parent.parent
    known: set[int] = set()
    folders: set[Path] = set()
    waiting: list[Any] = [function]
    while waiting:
        each = waiting.pop()
        if not isinstance(each, FunctionType) or id(each) in known:
            continue
        known.add(id(each))
        folder = Path(each.__code__.co_filename).parent
        if package in folder.parents:
            waiting += [each.__globals__.get(name) for name in each.__code__.co_names]
        elif each in RULES:
            folders.add(folder)
            waiting += [each.__globals__.get(name) for name in each.__code__.co_names]
        waiting += [cell.cell_contents for cell in each.__closure__ or ()]
    found: set[Path] = set()
    for folder in folders:  # a package with all below it; other folders may hold anything
        found.update((folder.rglob if (folder / "__init__.py").exists() else folder.glob)("*.py"))
    return tuple(sorted(found))


@cache
def _fingerprint(outside: tuple[Path, ...] = ()) -> str:
    import llvmlite
    import numba
    from llvmlite import binding

    package = Path(__file__).parent.parent
    digest = hashlib.sha256()
    for part in (
        numba.__version__,
        llvmlite.__version__,
        binding.get_host_cpu_name(),
        binding.get_host_cpu_features().flatten(),
        str(numba.config.BOUNDSCHECK),
    ):
        digest.update(part.encode() + b"\0")
    for part_of_package in ("kernel", "tricks", "games", "batch"):
        for source in sorted((package / part_of_package).rglob("*.py")):
            digest.update(source.relative_to(package).as_posix().encode() + b"\0")
            digest.update(source.read_bytes() + b"\0")
    for source in outside:
        digest.update(source.as_posix().encode() + b"\0")
        digest.update(source.read_bytes() + b"\0")
    return digest.hexdigest()[:20]
