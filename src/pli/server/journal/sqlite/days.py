"""The days on which the SQLite journal was in use. The age of a table is counted in these days and
not by the clock, which may be wrong by years.

A clock that is ahead adds one day, and so does a server that comes back after months: no table ages
by more days than the server ran. While the clock is behind, tables count as touched on the last day
of use.
"""

import logging
import sqlite3

DAY = 24 * 60 * 60
WARN_DAYS = 7
"""Days between the last use and now from which on a warning is logged."""

_log = logging.getLogger(__name__)


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
    elif today > last + WARN_DAYS:
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
    """The time so many days of use ago, the first of which was `day`."""
    return min(now - days * DAY, (day + 1) * DAY)
