"""The days on which a journal was in use. The age of a table is counted in these days and not by
the clock, which may be wrong by years.

A clock that is ahead adds one day, and so does a server that comes back after months: no table ages
by more days than the server ran. While the clock is behind, tables count as touched on the last day
of use.
"""

import logging

DAY = 24 * 60 * 60
WARN_DAYS = 7
"""Days between the last use and now from which on a warning is logged."""

_log = logging.getLogger(__name__)


def warn_of_clock(last: int, today: int) -> None:
    """Warns if the clock is far from the last day of use."""
    if today > last + WARN_DAYS:
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


def moment(day: int, now: int, days: int) -> int:
    """The time so many days of use ago, the first of which was `day`."""
    return min(now - days * DAY, (day + 1) * DAY)
