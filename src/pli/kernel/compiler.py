"""Plain rules to machine code by Numba, with a cache on disk that can be trusted.

Numba does not notice when a helper in another file changes, so the cache's folder is named by a
hash of all kernel and game sources, of Numba and of the processor. One process at a time compiles a
game; the others wait and read what it wrote. Where the folder can't be written nothing is cached.
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
from typing import Any

from pli.kernel.contract import Rules
from pli.kernel.rule import RULES

KEEP_DAYS = 30
"""Folders of other versions that nobody used for so long are removed."""

_one_at_a_time = threading.RLock()
_known: set[Callable[..., object]] = set()


class Entry:
    """A function of a game, or a driver made for it, with one signature: compiled, or read from the
    cache, when first called. Arguments are Numba's names of types, and `record` for a state."""

    def __init__(self, rules: Rules[Any], function: Callable[..., Any], *arguments: str) -> None:
        self._rules = rules
        self._function = function
        self._arguments = arguments
        self._compiled: Any = None

    def __call__(self, *values: Any) -> Any:
        if self._compiled is None:
            self.ready()
        return self._compiled(*values)

    def ready(self) -> None:
        """Compiles it now. Takes seconds the first time: never call it where others wait."""
        with _one_at_a_time:
            if self._compiled is None:
                self._compiled = _build(self._rules, self._function, self._arguments)


def _build(rules: Rules[Any], function: Callable[..., Any], arguments: tuple[str, ...]) -> Any:
    from numba import config, from_dtype, njit, types

    from pli.kernel import native

    _teach()
    known = {"record": from_dtype(rules.layout.dtype)}

    def numba_type(name: str) -> Any:
        single, _, shape = name.partition("[")
        scalar = known.get(single) or getattr(types, single)
        return types.Array(scalar, shape.count(",") + 1, "C") if shape else scalar

    signature = tuple(numba_type(name) for name in arguments)
    folder = _folder(rules.name)

    def compile_(cached: bool) -> Any:
        # Numba looks at this setting when a function is decorated, and only then.
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
    with _alone(folder):
        try:
            return compile_(cached=True)
        except Exception:
            # A damaged cache file raises all kinds of errors. Without it, a real error comes again.
            shutil.rmtree(folder, ignore_errors=True)
            return compile_(cached=False)


def _teach() -> None:
    """Lets compiled code call every function marked as a rule since the last time."""
    from pli.kernel import native

    native.install()
    for function, hot in RULES.items():
        if function not in _known:
            _known.add(function)
            native.teach(function, function, hot)


def _alone(folder: Path) -> AbstractContextManager[object]:
    from filelock import FileLock

    return FileLock(folder.with_suffix(".lock")) if folder.parent.is_dir() else nullcontext()


def _folder(game: str) -> Path | None:
    """Where this game's machine code is kept, or None if that can't be written."""
    home = cache_home()
    here = home / _fingerprint() / game
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
    old = time.time() - KEEP_DAYS * 24 * 3600
    for folder in home.iterdir():
        if folder.is_dir() and folder.stat().st_mtime < old:
            shutil.rmtree(folder, ignore_errors=True)


@cache
def _fingerprint() -> str:
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
    for room in ("kernel", "games"):
        for source in sorted((package / room).rglob("*.py")):
            digest.update(source.relative_to(package).as_posix().encode() + b"\0")
            digest.update(source.read_bytes() + b"\0")
    return digest.hexdigest()[:20]
