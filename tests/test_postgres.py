"""The PostgreSQL that tests use is a real one: it flushes, asks for passwords, and recovers."""

import subprocess

import pytest

from tests.postgres import NoPostgres, Postgres, binaries


def psql(server: Postgres, url: str, statement: str) -> "subprocess.CompletedProcess[str]":
    command = [str(server.programs / "psql"), url, "-X", "-A", "-t", "-c", statement]
    return subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)


def test_it_flushes_and_has_a_database_for_each_test(postgres: Postgres) -> None:
    first, second = postgres.new_database(), postgres.new_database()
    assert first != second
    for setting in ("fsync", "full_page_writes", "synchronous_commit"):
        assert psql(postgres, first, f"SHOW {setting}").stdout == "on\n"
    assert psql(postgres, first, "CREATE TABLE t (n int)").returncode == 0
    assert psql(postgres, second, "SELECT * FROM t").returncode != 0
    assert int(psql(postgres, first, "SHOW server_version_num").stdout) >= 150_000


def test_a_role_with_a_password_needs_it(postgres: Postgres) -> None:
    url = postgres.new_database(password="hush")
    assert psql(postgres, url, "SELECT 1").stdout == "1\n"
    refused = psql(postgres, url.replace("hush", "guess"), "SELECT 1")
    assert refused.returncode != 0
    assert "password authentication failed" in refused.stderr


def test_a_crash_loses_nothing_and_a_standby_may_only_be_read() -> None:
    try:
        binaries()
    except NoPostgres as missing:
        pytest.skip(str(missing))
    server = Postgres().start()
    try:
        server.sql("CREATE TABLE t AS SELECT 7 AS n")
        server.restart("immediate")
        assert server.sql("SELECT n FROM t") == "7"
        other = server.standby().start()
        try:
            assert other.sql("SELECT pg_is_in_recovery()") == "t"
            with pytest.raises(RuntimeError, match="read-only"):
                other.sql("INSERT INTO t VALUES (8)")
        finally:
            other.remove()
    finally:
        server.remove()
    assert server.pid is None
    assert not server.folder.exists()
