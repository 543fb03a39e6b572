"""The days of use in the SQLite journal."""

import sqlite3

from pli.server.journal.days import DAY, warn_of_clock


def check_clock(connection: sqlite3.Connection, now: int, trusted: bool) -> None:
    """Warns if the clock is far from when the journal was last used. If it is `trusted`, the days
    between count as days of use."""
    last, today = last_day(connection), now // DAY
    if last is None:
        return
    if trusted:
        connection.execute("BEGIN IMMEDIATE")
        first = connection.execute("SELECT min(day) FROM days").fetchone()[0]
        seen = ((day,) for day in range(first, today + 1))
        connection.executemany("INSERT OR IGNORE INTO days VALUES (?)", seen)
        connection.execute("DELETE FROM days WHERE day > ?", (today,))
        connection.execute("UPDATE listings SET touched = ?1 WHERE touched > ?1", (now,))
        connection.execute("COMMIT")
    else:
        warn_of_clock(last, today)


def last_day(connection: sqlite3.Connection) -> int | None:
    day: int | None = connection.execute("SELECT max(day) FROM days").fetchone()[0]
    return day


def note_day(connection: sqlite3.Connection, now: int) -> None:
    connection.execute("INSERT OR IGNORE INTO days VALUES (?)", (now // DAY,))


DAYS_AGO = "SELECT day FROM days WHERE day <= ? ORDER BY day DESC LIMIT 1 OFFSET ?"
