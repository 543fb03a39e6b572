"""Opens the journal that a URL names, with the engine for it."""

from pathlib import Path

from pli.extras import must_have
from pli.server.journal.api import Journal, NotOpened
from pli.server.journal.maintenance import Maintenance
from pli.server.journal.sqlite.journal import SqliteJournal
from pli.server.journal.sqlite.maintenance import SqliteMaintenance

POSTGRES = ("postgresql", "postgres")


async def open_journal(
    url: str,
    trust_clock: bool = False,
    *,
    address: str = "",
    version: str = "",
    lease: float | None = None,
) -> Journal:
    """Opens `sqlite:///FILE`, or simply FILE, and creates it and its folders if needed; or a
    database of PostgreSQL. With `trust_clock` the clock is believed, however far from the last use
    of the journal. Other servers of the same database are told `address`, where they reach this
    one, and `version`; `lease` is how long they wait for it, in seconds."""
    if url.partition("://")[0] not in POSTGRES:
        return await SqliteJournal.open(journal_file(url), trust_clock=trust_clock)
    must_have("asyncpg")
    from pli.server.journal.postgres.journal import PostgresJournal
    from pli.server.journal.postgres.registry import LEASE

    return await PostgresJournal.open(url, trust_clock, address, version, lease or LEASE)


async def open_maintenance(url: str, write: bool = False, create: bool = False) -> Maintenance:
    """Opens the same for administration. To read works beside servers that run. To write needs a
    file for itself (NotOpened with `journal_in_use`); on PostgreSQL servers go on. With `create` it
    is created if needed."""
    if url.partition("://")[0] not in POSTGRES:
        return await SqliteMaintenance.open(journal_file(url), write, create)
    must_have("asyncpg")
    from pli.server.journal.postgres.maintenance import PostgresMaintenance

    return await PostgresMaintenance.open(url, write, create)


def journal_file(url: str) -> Path:
    """The file that a URL of an embedded journal names."""
    scheme, found, rest = url.partition("://")
    if not found:
        return Path(url).expanduser()
    if scheme in POSTGRES:
        raise NotOpened("journal_no_file")
    if scheme != "sqlite" or len(rest) < 2 or rest[0] != "/":
        # The rest of the URL may hold a password.
        raise NotOpened("journal_scheme", scheme=scheme)
    return Path(rest[1:]).expanduser()
