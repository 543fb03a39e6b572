"""Checks a journal: reads and replays every table, and holds its listing and records against it."""

from collections.abc import AsyncIterator, Iterator

import msgspec

from pli import games
from pli.errors import NotProved, PliError, Say
from pli.record import read_record
from pli.record.transcript import read_transcript
from pli.record.verification import verify
from pli.server.admin.overview import summary
from pli.server.journal.api import KeptRecord, Listing
from pli.server.journal.maintenance import Contents, Maintenance, Progress, pages_of_names
from pli.server.protocol.messages import TableInfo
from pli.server.tables import entries as e
from pli.server.tables.listing import listing, open_table
from pli.server.tables.table import Table, new_table

DAMAGE = (msgspec.DecodeError, PliError, LookupError, ValueError)
"""What an entry raises that can't be read, or can't have happened."""

_about = msgspec.json.Decoder(TableInfo).decode


class Fault(msgspec.Struct, frozen=True):
    """Something that is wrong."""

    table: str
    """Empty: the storage itself."""
    problem: PliError


class Tally(msgspec.Struct):
    """What was checked."""

    tables: int = 0
    entries: int = 0
    records: int = 0
    outdated: int = 0
    """Games and records of other versions of the rules, which can't be replayed."""


async def check(
    journal: Maintenance, tally: Tally, progress: Progress = lambda n: None
) -> AsyncIterator[Fault]:
    for why in await journal.faults():
        yield Fault("", PliError("check_storage", why=why))
    async for names in pages_of_names(journal):
        for name in names:
            contents = await journal.contents(name)
            tally.tables += 1
            tally.entries += len(contents.entries)
            tally.records += len(contents.records)
            for problem in faults(contents, tally):
                yield Fault(name, problem)
            progress(1)


def faults(contents: Contents, tally: Tally) -> Iterator[PliError]:
    """What is wrong with one table."""
    known = contents.listing
    if known is None:
        yield PliError("check_unlisted")
    elif known.state == "archived" and contents.entries:
        yield PliError("check_archived", n=len(contents.entries))
    elif known.state != "archived" and not contents.entries:
        yield PliError("check_no_entries")
    if contents.missing is not None:
        yield PliError("check_missing", n=contents.missing)
    elif contents.entries:
        try:
            table = _replayed(contents)
        except _BadEntry as bad:
            yield PliError("check_entry", n=bad.number, why=bad.why)
        else:
            tally.outdated += table.outdated
            if known is not None:
                yield from _listing_faults(known, table)
    for number, record in contents.records.items():
        try:
            tally.outdated += _check_record(record, f"{contents.table}-{number}")
        except DAMAGE as error:
            yield PliError("check_record", number=number, why=_why(error))


class _BadEntry(Exception):
    def __init__(self, number: int, why: object) -> None:
        super().__init__(number)
        self.number = number
        self.why = why


def _replayed(contents: Contents) -> Table:
    """All its games are played through, not only the last one."""
    data = [*contents.entries.values()]
    number = 0
    try:
        table = new_table(contents.table, data)
        for number in range(1, len(data)):
            table.apply(e.decode(data[number]))
    except DAMAGE as error:
        raise _BadEntry(number, _why(error)) from error
    return table


def _why(error: Exception) -> object:
    if isinstance(error, PliError):
        return Say(f"errors.{error.code}", **error.details)
    return str(error) or type(error).__name__


def _listing_faults(known: Listing, table: Table) -> Iterator[PliError]:
    wanted = listing(table)
    shown = summary(known.summary)
    compared = [
        ("game", known.game, wanted.game),
        ("version", known.version, wanted.version),
        ("state", known.state, wanted.state),
        ("finished", known.finished, wanted.finished),
        ("names", shown.names if shown is not None else None, open_table(table).names),
    ]
    for field, found, follows in compared:
        if found != follows:
            yield PliError("check_listing", field=field, found=found, wanted=follows)


def _check_record(record: KeptRecord, game_id: str) -> bool:
    """Whether it is of another version of the rules, so that only its check sums hold."""
    written = read_transcript(record.text)
    outdated = written.version != games.load(written.game.name).version
    if not outdated:
        read = read_record(record.text)
        verify(read)
        if read.proof is not None and read.proof.game_id != game_id:
            raise NotProved("check_other_game", id=read.proof.game_id)
    if record.about is not None:
        _about(record.about)
    return outdated
