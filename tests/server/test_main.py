"""`pli serve` as a process: it starts, says in one line why it can't, and stops on a signal."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import aiohttp
import pytest

from pli.cli import main
from tests.server.client import Page, running

LONG = 60.0
"""Seconds: for a process to start on a busy machine."""


def serve(*options: str) -> list[str]:
    return [sys.executable, "-m", "pli", "serve", "--log-level", "warning", *options]


@contextmanager
def serving(
    db: Path | str, *more: str, **environment: str
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A running server, and its address."""
    command = serve("--port", "0", "--db", str(db), *more)
    own = {**os.environ, **environment}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=own) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found is not None
            yield process, found[0].rstrip("/")
        finally:
            process.kill()


Complaint = Callable[..., str]


@pytest.fixture
def complaint(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Complaint:
    """What a server that can't start says: one line."""
    monkeypatch.setattr("pli.server.logs.set_up", lambda *_: None)

    def run(*options: str) -> str:
        monkeypatch.setattr(sys, "argv", ["pli", *serve(*options)[3:]])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == 2
        said = capsys.readouterr()
        assert said.out == ""
        (line,) = said.err.splitlines()
        assert line.startswith("pli: ")
        return line

    return run


@pytest.mark.skipif(os.name == "nt", reason="signals are sent another way there")
async def test_a_server_starts_tells_where_it_is_and_tells_its_pages_when_it_is_stopped(
    tmp_path: Path,
) -> None:
    with serving(tmp_path / "new" / "tables.db") as (process, url):
        async with aiohttp.ClientSession() as session:
            body = {"game": "plingo", "name": "Ann"}
            async with session.post(f"{url}/api/tables", json=body) as response:
                made = await response.json()
            page = Page(await session.ws_connect(f"{url}/api/tables/{made['table']}/play"))
            await page.send("hello", token=made["token"])
            await page.until("welcome")
            process.send_signal(signal.SIGTERM)
            assert (await page.until("closing"))["code"] == "restart"
        assert process.wait(LONG) == 0
    left = {each.name for each in (tmp_path / "new").iterdir()} - {"tables.db.lock"}
    assert left == {"tables.db"}


def test_a_process_that_can_not_start_says_so_in_one_line_and_ends_with_2(tmp_path: Path) -> None:
    (tmp_path / "diary.db").write_bytes(b"Dear diary, " * 100)
    command = serve("--port", "0", "--db", str(tmp_path / "diary.db"))
    done = subprocess.run(command, capture_output=True, text=True, timeout=LONG)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert "diary.db" in line


def test_a_port_in_use_is_told_before_anything_is_made(
    tmp_path: Path, complaint: Complaint
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert port in complaint("--port", port, "--db", str(tmp_path / "tables.db"))
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    "address", ["", "9420", ":9420", "localhost", "::1:9420", "[127.0.0.1]:9420", "a:65536", "a:-1"]
)
def test_an_internal_address_that_is_none_is_told_before_anything_is_made(
    tmp_path: Path, complaint: Complaint, address: str
) -> None:
    db = tmp_path / "tables.db"
    line = complaint("--port", "0", "--db", str(db), "--internal", address)
    assert f"“{address}”" in line
    assert "internal" in line
    assert not db.exists()


def test_an_internal_port_in_use_is_told_before_anything_is_made(
    tmp_path: Path, complaint: Complaint
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        where = f"127.0.0.1:{taken.getsockname()[1]}"
        assert where in complaint(
            "--port", "0", "--db", str(tmp_path / "tables.db"), "--internal", where
        )
    assert not [*tmp_path.iterdir()]


@pytest.mark.skipif(os.name == "nt", reason="signals are sent another way there")
async def test_the_internal_address_is_told_and_answers_until_the_server_has_stopped(
    tmp_path: Path,
) -> None:
    internal = ("--internal", "127.0.0.1:0")
    with serving(tmp_path / "tables.db", *internal) as (process, url):
        assert process.stdout is not None
        found = re.search(r"http://\S+/metrics", process.stdout.readline())
        assert found is not None
        operators = found[0].removesuffix("metrics")
        assert operators != f"{url}/"
        async with aiohttp.ClientSession() as session:
            for path in ("live", "ready", "metrics"):
                async with session.get(operators + path) as response:
                    assert response.status == 200, path
            # A page that does not answer the close handshake holds the stop up.
            async with session.post(
                f"{url}/api/tables", json={"game": "plingo", "name": "Ann"}
            ) as response:
                made = await response.json()
            play = f"{url}/api/tables/{made['table']}/play"
            async with session.ws_connect(play, autoclose=False) as page:
                await page.send_json({"type": "hello", "token": made["token"]})
                await page.receive()
                process.send_signal(signal.SIGTERM)
                async with asyncio.timeout(LONG):
                    while True:
                        async with session.get(f"{operators}ready") as response:
                            if response.status == 503:
                                assert (await response.json())["code"] == "stopping"
                                break
                async with session.get(f"{operators}live") as response:
                    assert response.status == 200
        assert process.wait(LONG) == 0


def test_a_bad_list_of_names_is_told_before_anything_is_made(
    tmp_path: Path, complaint: Complaint
) -> None:
    file, db = tmp_path / "names.txt", tmp_path / "tables.db"
    options = ("--port", "0", "--db", str(db), "--unwanted-names", str(file))
    assert "names.txt" in complaint(*options)
    file.write_text("admin\n*\n")
    assert "names.txt, line 2" in complaint(*options)
    assert not db.exists()


@pytest.mark.usefixtures("server")
async def test_a_journal_that_another_server_uses_is_told(
    tmp_path: Path, complaint: Complaint
) -> None:
    used = str(tmp_path / "tables.db")
    assert "tables.db" in await asyncio.to_thread(complaint, "--port", "0", "--db", used)


async def test_a_corrupt_file_is_told_and_left_as_it_is(
    tmp_path: Path, complaint: Complaint
) -> None:
    async with running(tmp_path) as server:
        for _ in range(20):
            await server.make("plingo")
    file = tmp_path / "tables.db"
    content = bytearray(file.read_bytes())
    content[4096:6144] = b"\xa5" * 2048
    file.write_bytes(content)
    assert "damaged" in await asyncio.to_thread(complaint, "--port", "0", "--db", str(file))
    assert file.read_bytes() == content


def test_what_is_no_journal_is_told_without_its_password(
    tmp_path: Path, complaint: Complaint
) -> None:
    assert str(tmp_path) in complaint("--port", "0", "--db", str(tmp_path))
    line = complaint("--port", "0", "--db", "postgresql://me:secret@there/db")
    assert "postgresql" in line
    assert "secret" not in line


@pytest.mark.parametrize(
    "options",
    [
        ("--port", "-1"),
        ("--port", "99999"),
        ("--host", "no.such.host.invalid"),
        ("--log-level", "loud"),
        ("--workers", "0"),
        ("--trusted-proxy", "everybody"),
        ("--hops", "0"),
    ],
)
def test_options_that_can_not_be_are_told(
    tmp_path: Path, complaint: Complaint, options: tuple[str, ...]
) -> None:
    complaint(*options, "--db", str(tmp_path / "tables.db"))
