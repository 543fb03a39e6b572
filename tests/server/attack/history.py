"""The past as a weapon: games that are not there, long ones that are, and their logs."""

import asyncio
import itertools
import secrets

from tests.server.attack.attacker import Attacker, request
from tests.server.attack.prepared import FINISHED, LONG, SEATS

GAMES = f"/api/tables/{LONG}/games"


def _absent() -> list[str]:
    """Addresses of what is not there; pictures may be asked for most often."""
    pictures = [f"/pictures/{LONG}/999/{secrets.token_hex(10)}" for _ in range(7)]
    return [f"{GAMES}/999/record", f"{GAMES}/999/replay", f"{GAMES}/999/moves", *pictures]


async def no_such_game(attacker: Attacker) -> None:
    paths = itertools.cycle(_absent())
    await attacker.ready()
    await attacker.rush(60, lambda _: attacker.get(next(paths)))


async def no_such_game_and_gone(attacker: Attacker) -> None:
    paths = itertools.cycle(_absent())

    async def ask(_: int) -> None:
        _reader, writer = await attacker.raw(request(next(paths)))
        await asyncio.sleep(0.02)
        writer.transport.abort()
        attacker.counts["asked"] += 1

    await attacker.ready()
    await attacker.rush(30, ask)


async def replays(attacker: Attacker) -> None:
    """More than an address may ask for, of all seats and games."""
    seats = ("", *(f"?seat={seat}" for seat in range(SEATS)))
    numbers = range(1, FINISHED + 1)
    paths = [f"{GAMES}/{n}/replay{seat}" for n in numbers for seat in seats]
    paths += [f"{GAMES}/{n}/{kind}" for n in numbers for kind in ("record", "moves")]
    asked = itertools.cycle(paths)
    await attacker.ready()
    await attacker.rush(40, lambda _: attacker.get(next(asked)))


async def logs(attacker: Attacker) -> None:
    pages = [await attacker.enter(LONG) for _ in range(40)]
    await attacker.ready()

    async def ask(number: int) -> None:
        pages[number] = await attacker.back(pages[number])
        await attacker.speak(pages[number], lambda page: page.send("log"))

    await attacker.rush(len(pages), ask)
