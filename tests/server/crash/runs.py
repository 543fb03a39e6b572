"""What a crash test is made of: which tables play, and when their server is killed."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from typer.testing import CliRunner

from pli.cli import app
from pli.kernel.machine import Engine
from tests.server.crash.clients import Plan
from tests.server.crash.crash import Crash
from tests.server.crash.trial import Report, Tell

MOMENTS = ("play", "told", "loading", "burst", "starting", "told", "idle", "leaving", "loading")
"""When the server is killed: at any time; as soon as somebody hears of an action; while tables are
read again; while all act at once; before it listens; while nobody does anything; while it takes its
leave."""

QUICK = (
    Plan("marshmallow", {"seats": 2, "target": 8}, 2),
    Plan("plingo", {"seats": 2}, 2, watched=True),
    Plan("marshmallow", {"seats": 3, "target": 5}, 3, settings={"grace": 1}),
    Plan("plingo", {"seats": 3}, 3, settings={"clock": 2}),
    Plan("merci", {"seats": 3, "fault_window_ms": 150}, 3, watched=True),
    Plan("twinit", {"seats": 2, "mode": "coop", "minute_ms": 4000}, 2, settings={"grace": 1}),
    Plan("marshmallow", {"seats": 4, "target": 5}, 2),
    Plan("plingo", {"seats": 4}, 3),
)
"""Tables of which the last game is soon over."""

SLOW = (
    Plan("merci", {"seats": 4, "fault_window_ms": 100, "rules": "full"}, 3),
    Plan("twinit", {"seats": 3, "mode": "race", "catches": 2, "count_ms": 500}, 2),
)
"""Where bots take the time that people take."""

THINKING = Plan("plingo", {"seats": 3}, 2, level="hard")
"""Where bots think in processes of their own, which must not outlive the server."""


async def crash(
    folder: Path,
    plans: Sequence[Plan],
    moments: Sequence[str],
    seed: object,
    pause: float = 2.0,
    patience: float = 120.0,
    engine: Engine = "plain",
    tell: Tell = lambda what, done, of: None,
) -> Report:
    """Kills a server at such moments, with at most so many seconds of play before each, and then
    lets all games end, for which there is some patience."""
    return await Crash(folder, plans, seed, pause, tell).run(moments, patience, engine)


def proved(records: Iterable[Path]) -> list[str]:
    """What `pli verify` says of those that it does not prove."""
    told = [(each, CliRunner().invoke(app, ["verify", str(each)])) for each in records]
    return [f"{each.name}: {result.output}" for each, result in told if result.exit_code]
