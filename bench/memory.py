"""How much memory the server takes, and the processes that think for its bots.

    python bench/memory.py [--tables 1000]

A real server is started, tables are made over HTTP, and hard bots make decisions. Prints figures
in megabytes beside what they may be at most; ends with 1 if one is above. Linux only.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import aiohttp
from processes import Contestant, family, memory, serving

MEGABYTE = 1 << 20
OURS = Contestant(
    "Pli",
    "flushed",
    "memory",
    lambda port, folder: [
        *(sys.executable, "-m", "pli", "serve", "--no-limits", "--workers", "1"),
        *("--port", str(port), "--db", str(folder / "tables.db"), "--log-level", "error"),
    ],
)
GAMES = {"marshmallow": {"first_dealer": 1}, "merci": {"first_player": 1}}
"""Games that are searched, so that the first seat after the person's decides first."""

DECISIONS = 4


async def make(session: aiohttp.ClientSession, **wanted: object) -> dict[str, str]:
    async with session.post("/api/tables", json={"name": "Ann", **wanted}) as response:
        made: dict[str, str] = await response.json()
        return made


async def hard_decisions(session: aiohttp.ClientSession, game: str, number: int) -> None:
    """Somebody deals, and lets hard bots play; then watches what they do."""
    made = await make(
        session, game=game, bots="hard", options={"seats": 4, **GAMES[game]},
        settings={"clock": 1, "pace": "instant"},
    )  # fmt: skip
    async with session.ws_connect(f"/api/tables/{made['table']}/play") as socket:
        await socket.send_json({"type": "hello", "token": made["token"]})
        await socket.send_json({"type": "random", "hex": "00" * 16})
        await socket.send_json({"type": "begin"})
        seen = 0
        async for frame in socket:
            told = frame.json()
            seen += told["type"] == "update" and bool(told["events"])
            if seen > number:
                return


def workers(pid: int) -> list[int]:
    """Those that think; beside them there is one that only watches over what is shared."""
    return [each for each in family(pid)[1:] if "spawn_main" in command(each)]


def command(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")


async def measure(url: str, pid: int, tables: int) -> list[tuple[str, float, float]]:
    """What was measured, and how much it may be, in megabytes."""
    figures = []
    async with aiohttp.ClientSession(url) as session:
        async with session.get("/api/games") as response:  # loads all four
            await response.read()
        idle = memory(pid)
        figures.append(("server, idle", idle / MEGABYTE, 180.0))
        for number in range(0, tables, 50):
            games = [["marshmallow", "plingo", "merci", "twinit"][n % 4] for n in range(50)]
            await asyncio.gather(*(make(session, game=game) for game in games[: tables - number]))
        more = (memory(pid) - idle) / MEGABYTE
        figures.append((f"{tables:,} idle tables more", more, 50.0))
        for game in GAMES:
            await hard_decisions(session, game, DECISIONS)
            for worker in workers(pid):
                figures.append((f"bot worker after {game}", memory(worker) / MEGABYTE, 220.0))
        figures.append(("server, after that", memory(pid) / MEGABYTE, 180.0 + 50.0))
    return figures


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1000)
    wanted = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder, serving(OURS, Path(folder) / "data") as server:
        figures = asyncio.run(measure(server.url, server.pid, wanted.tables))
    write = sys.stdout.write
    write("| memory | MB | at most |\n| --- | --- | --- |\n")
    for name, found, most in figures:
        write(f"| {name} | {found:.0f} | {most:.0f} |\n")
    return 0 if all(found <= most for _, found, most in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
