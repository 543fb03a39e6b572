"""Settings for all tests, and the ledger: `pytest --ledger` fails on a rule without a test."""

import asyncio
import functools
import inspect
import os
import re
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.postgres import NoPostgres, Postgres, shared

ROOT = Path(__file__).parent.parent
LEDGER = ROOT / "docs" / "rules"

FUZZ = int(os.environ.get("PLI_FUZZ", "1"))
"""How many times their usual length the random tests run."""

ASYNC_SECONDS = 180.0 * FUZZ
"""After which a test that is a coroutine is cancelled, and says where it hung."""

settings.register_profile(
    "pli",
    max_examples=10 if FUZZ == 1 else 60 * FUZZ,
    deadline=None,
    derandomize=FUZZ == 1,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("pli")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--ledger", action="store_true", help="list rules without a test, and stop")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """More than there are cores: many tests wait, for a browser, a clock or another process."""
    return (os.cpu_count() or 1) + 2


def pytest_itemcollected(item: pytest.Item) -> None:
    if isinstance(item, pytest.Function) and inspect.iscoroutinefunction(item.obj):
        item.obj = _with_timeout(item.obj)


def _with_timeout(
    test: Callable[..., Coroutine[Any, Any, None]],
) -> Callable[..., Coroutine[Any, Any, None]]:
    @functools.wraps(test)
    async def run(*args: Any, **kwargs: Any) -> None:
        async with asyncio.timeout(ASYNC_SECONDS):
            await test(*args, **kwargs)

    return run


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--ledger"):
        return
    known = set(ledger_ids())
    tested = {rule for item in items for mark in item.iter_markers("rule") for rule in mark.args}
    lines = [f"no test: {rule}" for rule in sorted(known - tested)]
    lines += [f"not in the ledger: {rule}" for rule in sorted(tested - known)]
    lines.append(f"ledger: {len(known)} rules, {len(known & tested)} with a test")
    pytest.exit("\n".join(lines), returncode=1 if len(lines) > 1 else 0)


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """A PostgreSQL server, one for all processes of this run. Nobody stops it: a test that does
    starts its own."""
    base = tmp_path_factory.getbasetemp()
    try:
        with shared(base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) as server:
            yield server
    except NoPostgres as missing:
        pytest.skip(str(missing))


@pytest.fixture
def postgres_url(postgres: Postgres) -> str:
    """The URL of an empty database."""
    return postgres.new_database()


def ledger_ids() -> Iterator[str]:
    """Every id of the ledger: the first column of its tables."""
    for file in LEDGER.glob("*.md"):
        yield from re.findall(r"^\| ([A-Z]{2}-\d+[a-z]?) \|", file.read_text(), re.MULTILINE)
