"""Sessions that an earlier server recorded: this one sends the same bytes, writes the same
journal, and goes on with theirs."""

import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from pli import games
from tests.server.client import running
from tests.server.sessions.session import FOLDER, JOURNAL, repeat

every_game = pytest.mark.parametrize("game", games.names())


def recorded(game: str) -> list[str]:
    return (FOLDER / f"{game}.txt").read_text().splitlines()


@every_game
def test_a_recorded_session_gives_the_same_bytes(game: str, tmp_path: Path) -> None:
    lines = recorded(game)
    for number, (now, then) in enumerate(zip(repeat(game, lines, tmp_path), lines, strict=True), 1):
        assert now == then, f"line {number}"


@every_game
async def test_a_table_of_the_earlier_server_goes_on(game: str, tmp_path: Path) -> None:
    lines = recorded(game)
    host = msgspec.json.decode(lines[1].partition(" {")[2].join("{ ").strip())
    entries = [line for line in lines if line.startswith("#")]
    with closing(sqlite3.connect(tmp_path / "tables.db")) as database:
        database.executescript(JOURNAL.read_text())
    async with running(tmp_path) as server:
        page = await server.page(host["table"], host["token"])
        assert page.n == len(entries) - 1
        asked = next(line for line in lines if line.endswith("/games/1/record"))
        status, text = lines[lines.index(asked) + 1][2:].split(" ", 1)
        answer = await server.get(asked.split()[-1])
        assert answer[0] == int(status)
        if answer[0] == 200:
            assert answer[1].decode() == msgspec.json.decode(text)
        while not page.legal:
            await page.next()
        number = await page.do(page.first_action)
        await page.until("update", lambda update: update["did"] == number)
