"""The days on which the embedded journal was in use, from which it is told how long a table was
unused: a clock says what day it is, and may be wrong by years.

A clock that is ahead adds one day, whichever it is, and so does a server that comes back after
months: no table gets older by more than was seen. With a clock that is behind nothing is said to be
touched earlier than on the last day that was seen.
"""

import logging
import sqlite3

DAY = 24 * 60 * 60
FAR = 7
"""Days between the last use and now that are told to the host."""

_log = logging.getLogger(__name__)


def check_clock(connection: sqlite3.Connection, now: int, trusted: bool) -> None:
    """Tells the host if the clock is far from when the journal was last used; or, if it is to be
    trusted, takes its word for the days between."""
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
    elif today > last + FAR:
        _log.warning(
            "the journal was last used %d days ago by this machine's clock: unused tables are kept "
            "until the server has run for so many days; if the clock is right, "
            "`pli serve --trust-clock` archives them now",
            today - last,
        )
    elif today < last - 1:
        _log.warning(
            "the journal was last used %d days from now by this machine's clock: until then no "
            "table counts as unused; if the clock is right, start with `pli serve --trust-clock`",
            last - today,
        )


def last_day(connection: sqlite3.Connection) -> int | None:
    day: int | None = connection.execute("SELECT max(day) FROM days").fetchone()[0]
    return day


def note_day(connection: sqlite3.Connection, now: int) -> None:
    connection.execute("INSERT OR IGNORE INTO days VALUES (?)", (now // DAY,))


DAYS_AGO = "SELECT day FROM days WHERE day <= ? ORDER BY day DESC LIMIT 1 OFFSET ?"


def moment(day: int, now: int, days: int) -> int:
    """When so many days ago was, of which that day was the first."""
    return min(now - days * DAY, (day + 1) * DAY)
