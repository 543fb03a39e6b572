"""Opens the journal that a URL names, with the engine for it."""

from pathlib import Path

from pli.server.journal.api import Journal, NotOpened
from pli.server.journal.sqlite.journal import SqliteJournal


async def open_journal(url: str, trust_clock: bool = False) -> Journal:
    """Opens `sqlite:///FILE`, or simply FILE, and creates it and its folders if needed. With
    `trust_clock` the machine's clock is believed, however far from the last use of the journal."""
    return await SqliteJournal.open(journal_file(url), trust_clock=trust_clock)


def journal_file(url: str) -> Path:
    """The file that a URL of an embedded journal names."""
    scheme, found, rest = url.partition("://")
    if not found:
        return Path(url).expanduser()
    if scheme != "sqlite" or len(rest) < 2 or rest[0] != "/":
        # The rest of the URL may hold a password.
        raise NotOpened("journal_scheme", scheme=scheme)
    return Path(rest[1:]).expanduser()
