"""Between two rounds bots wait while pages show how the last one ended, and nobody holds the others
up."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from pli.events import Dealt, Played
from pli.server.protocol.messages import Pace
from pli.server.rooms import round_pause
from pli.server.rooms.round_pause import RoundPause
from pli.server.rooms.scheduler import Scheduler
from pli.server.rooms.transaction import Commit, RoomAccess
from tests.server.client import Running, deal


def dealt(number: int) -> Commit:
    return Commit([], {None: [Dealt(seat=0, round=number, hand=[])]}, None)


PLAYED = Commit([], {None: [Played(seat=0, card="B1")]}, None)


class Pause:
    """A pause of a table at which these seats' players are connected."""

    def __init__(self, *people: int) -> None:
        audience = SimpleNamespace(people={*people})
        access = SimpleNamespace(audience=audience, scheduler=Scheduler())
        self.ended = 0
        self.pause = RoundPause(cast(RoomAccess, access), self._count)

    def _count(self) -> None:
        self.ended += 1

    def recorded(self, commit: Commit, pace: Pace = "calm") -> bool:
        self.pause.recorded(commit, pace)
        return self.waits

    @property
    def waits(self) -> bool:
        return self.pause.seconds_left > 0


async def test_it_is_made_before_every_round_but_the_first_at_the_table_s_pace() -> None:
    table = Pause(0, 1)
    assert not table.recorded(dealt(1))
    assert not table.recorded(PLAYED)
    assert table.recorded(dealt(2))
    assert table.pause.seconds_left > 5
    assert table.recorded(dealt(3), "brisk")
    assert table.pause.seconds_left < 5
    assert not table.recorded(dealt(4), "instant")


async def test_it_ends_when_all_who_are_there_have_gone_on_and_one_alone_can_not_end_it() -> None:
    table = Pause(0, 2)
    table.recorded(dealt(2))
    waiting = asyncio.create_task(table.pause.wait())
    for _ in range(50):
        table.pause.go_on(2)
    await asyncio.sleep(0)
    assert table.waits
    assert not waiting.done()
    table.pause.go_on(0)
    await asyncio.wait_for(waiting, 5)
    assert not table.waits
    assert table.ended == 1
    table.pause.go_on(0)
    assert table.ended == 1


async def test_it_ends_when_somebody_acts_and_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Pause(0, 1)
    table.recorded(dealt(2))
    assert not table.recorded(PLAYED)
    monkeypatch.setitem(cast(Any, round_pause.SECONDS), "calm", 0.01)
    table.recorded(dealt(3))
    await asyncio.wait_for(table.pause.wait(), 5)
    assert table.ended == 1


async def test_bots_wait_for_a_player_who_looks_and_begin_when_the_player_goes_on(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(cast(Any, round_pause.SECONDS), "instant", 600.0)
    options = {"seats": 3, "target": 20, "tricks_to_go_out": 1, "first_dealer": 0}
    (page,) = await server.waiting(
        "marshmallow", 3, 1, options=options, settings={"pace": "instant"}
    )
    for seat in (1, 2):
        await page.send("fill", seat=seat, level="easy")
    await deal([page])
    begins = False
    while not begins:  # a bot, after the first round
        if page.view["awaited"] == [0]:
            await page.do(page.legal[0], page.n)
        update = await page.until("update")
        deals = [each["round"] for each in update["events"] if each["event"] == "dealt"]
        begins = max(deals, default=1) > 1 and page.view["awaited"] != [0]
    round_number = page.view["round"]
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(page.until("update"), 0.3)
    await page.send("go_on")
    await page.until("update")
    assert page.view["round"] == round_number
    assert page.view["trick"] or page.view["phase"] != "trump"
