"""The lab of this server: who may run what in it. It is imported when somebody asks for a run."""

import asyncio
import secrets
from collections.abc import AsyncGenerator, Callable

import msgspec

from pli.errors import PliError
from pli.lab.pool import LabPool, LabRun
from pli.server.addresses import ConcurrencyLimit
from pli.server.limits import Limits
from pli.server.protocol import bodies as b
from pli.study.plan import Plan, cells, make_plan

IDLE = 60.0
"""Seconds after the last run until its process is ended."""

SEEDS = 1 << 31


def plan_of(question: b.LabQuestion, limits: Limits) -> Plan:
    """What is to be played, within the limits; with a seed drawn by lot."""
    most = max(1, limits.lab_games)
    if question.games > most:
        raise PliError("bad_option", name="games", value=question.games, allowed=f"1-{most}")
    plan = make_plan(
        question.game,
        question.over,
        [question.bots],
        question.options,
        games=question.games,
        seed=secrets.randbelow(SEEDS),
        detailed=0,
    )
    if len(cells(plan)) > limits.lab_cells:
        raise PliError("lab_cells", n=len(cells(plan)), most=limits.lab_cells)
    return plan


def question_of(plan: Plan, limits: Limits) -> b.LabQuestion | None:
    """A plan as the lab can play it, with one of its bots; None if it varies too much, or has none
    of the lab's."""
    bots = next((each for each in ("medium", "easy", "random") if each in plan.bots), None)
    try:
        question = msgspec.convert(
            {
                "game": plan.game,
                "over": plan.over,
                "options": plan.options,
                "bots": bots,
                "games": min(plan.games, limits.lab_games),
            },
            b.LabQuestion,
        )
        plan_of(question, limits)
    except (msgspec.ValidationError, PliError):
        return None
    return question


class Lab:
    """The runs and their processes, which are there only while they are of use."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._pool: LabPool | None = None
        self.running = 0
        """How many runs there are."""
        self._each = ConcurrencyLimit(limits.lab_each)
        self._resting: asyncio.TimerHandle | None = None
        self._ending: asyncio.Task[None] | None = None
        self._closed = False

    async def run(
        self, question: b.LabQuestion, address: str, wrong: Callable[[PliError], b.Wrong]
    ) -> AsyncGenerator[b.LabState, None]:
        """How far it is, whenever there is something new; the first at once. The run ends with the
        generator."""
        if self._closed or self.running >= self._limits.lab_runs:
            raise PliError("lab_busy", limit="lab_runs")
        if not self._each.acquire(address):
            raise PliError("lab_busy", limit="lab_each")
        self.running += 1
        try:
            # Looking a game up may mean to import it.
            plan = await asyncio.to_thread(plan_of, question, self._limits)
            states = self._states(plan, wrong)
            try:
                async for state in states:
                    yield state
            finally:
                await states.aclose()
        finally:
            self.running -= 1
            self._each.release(address)

    async def _states(
        self, plan: Plan, wrong: Callable[[PliError], b.Wrong]
    ) -> AsyncGenerator[b.LabState, None]:
        loop, news = asyncio.get_running_loop(), asyncio.Event()

        def heard(_: LabRun) -> None:
            loop.call_soon_threadsafe(news.set)

        wanted = plan.games * len(cells(plan))
        pool = self._opened()
        run = pool.begin(plan, self._limits.lab_seconds, heard)
        try:
            while True:
                news.clear()
                over = run.over
                yield state_of(run, over, wanted, wrong)
                if over:
                    return
                await news.wait()
        finally:
            pool.cancel(run)
            self._rest()

    async def close(self) -> None:
        self._closed = True
        if self._resting is not None:
            self._resting.cancel()
        await self._end()

    def _opened(self) -> LabPool:
        if self._resting is not None:
            self._resting.cancel()
        if self._pool is None:
            self._pool = LabPool(max(1, self._limits.lab_runs))
        return self._pool

    def _rest(self) -> None:
        """Ends the processes after a while without runs."""
        if not self._closed:
            self._resting = asyncio.get_running_loop().call_later(IDLE, self._end_if_idle)

    def _end_if_idle(self) -> None:
        if not self.running:
            self._ending = asyncio.create_task(self._end())

    async def _end(self) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            await asyncio.to_thread(pool.close)  # it waits for its processes


def state_of(
    run: LabRun, over: bool, wanted: int, wrong: Callable[[PliError], b.Wrong]
) -> b.LabState:
    found = run.cells
    return b.LabState(
        state="over" if over else "playing" if run.playing else "preparing",
        games=sum(each.games for each in found),
        wanted=wanted,
        cells=msgspec.convert(found, list[b.LabCell], from_attributes=True),
        problem=wrong(run.problem) if over and run.problem is not None else None,
    )
