"""Once only bots are left in a round, a player who is out has them play it to its end at once;
while another player is in, nothing changes for that one."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from pli.server.rooms import bots
from pli.server.rooms.fast_forward import FastForward
from pli.server.rooms.transaction import RoomAccess
from tests.server.client import Page, Running, deal

TRIES = 40
"""Deals, of which one lets the first seat win the first trick."""

FOR_EVER = (1000.0, 1000.0)
"""Seconds that a bot pauses: longer than any test."""


def winner(view: dict[str, Any]) -> str | None:
    """A card that wins the trick, as its last one, if the hand has one."""
    led = [each["card"] for each in view["trick"]]
    highest = max(int(card[1:]) for card in led if card[0] == led[0][0])
    own = [card for card in view["hand"] if card[0] == led[0][0] and int(card[1:]) > highest]
    return own[0] if own else None


async def goes_out(
    server: Running, monkeypatch: pytest.MonkeyPatch, people: int
) -> tuple[list[Page], int]:
    """Pages at a table of three where the first seat, which plays last, goes out with its first
    trick; from then on bots pause for ever. Returns them, and the entry with which it went out."""
    options = {"tricks_to_go_out": 1, "first_dealer": 1}
    for _ in range(TRIES):
        pages = await server.waiting(
            "marshmallow", 3, people, options=options, settings={"pace": "instant"}
        )
        for seat in range(people, 3):
            await pages[0].send("fill", seat=seat, level="easy")
        await deal(pages)
        while not pages[0].legal:
            for page in pages[1:]:
                if page.legal:
                    await page.do(page.first_action)
                    await page.until("update", lambda told: not told["legal"])
            await pages[0].until("update")
        if card := winner(pages[0].view):
            monkeypatch.setitem(bots.PAUSES, "instant", FOR_EVER)
            await pages[0].do(f"play {card}")
            out = await pages[0].until("update", lambda told: 0 in told["view"]["out"])
            return pages, int(out["n"])
        for page in pages:
            await page.close()
    raise AssertionError("no deal in which the first trick can be won")


async def test_bots_play_a_round_to_its_end_for_players_who_are_all_out(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ann,), _ = await goes_out(server, monkeypatch, people=1)
    await ann.send("go_on")
    async with asyncio.timeout(20):
        await ann.until("update", lambda told: told["view"]["round"] == 2)


async def test_who_is_out_hurries_nobody_who_is_in(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ann, bob), n = await goes_out(server, monkeypatch, people=2)
    for _ in range(20):
        await ann.send("go_on")
    await bob.until("update", lambda told: told["n"] >= n)
    if bob.legal:  # it leads, and the bot thinks about its answer
        await bob.do(bob.first_action)
        await bob.until("update", lambda told: told["n"] > n)
    before = bob.n
    for _ in range(20):
        await ann.send("go_on")
        await ann.send("ping")
        await ann.until("pong")
    assert bob.n == before
    assert ann.view["awaited"] == [2]
    assert len(ann.view["trick"]) <= 1


async def test_a_player_who_comes_back_to_a_bot_s_seat_is_hurried_no_longer() -> None:
    chairs = [SimpleNamespace(bot=None), SimpleNamespace(bot="medium")]
    played = SimpleNamespace(view=lambda _: SimpleNamespace(out=[0]))
    table = SimpleNamespace(chairs=chairs, played=played)
    audience = SimpleNamespace(people={0})
    forward = FastForward(cast(RoomAccess, SimpleNamespace(table=table, audience=audience)))
    forward.wish(0)
    forward.changed()
    await asyncio.wait_for(forward.pause(1000), 5)
    chairs[1].bot = None
    forward.changed()
    pausing = asyncio.create_task(forward.pause(1000))
    forward.wish(0)  # which changes nothing for who is back
    for _ in range(5):
        await asyncio.sleep(0)
    assert not pausing.done()
    pausing.cancel()
