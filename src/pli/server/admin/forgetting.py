"""Replaces a person's nickname by a neutral one, wherever a journal has it: in entries, listings,
and what is kept beside records. Records themselves hold no names, so their proofs are untouched."""

import re
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec.structs import replace

from pli.errors import PliError
from pli.server.journal.api import KeptRecord
from pli.server.journal.maintenance import Contents, Maintenance, Progress, pages_of_names
from pli.server.protocol.messages import LONGEST_NAME
from pli.server.rooms.nicknames import nickname, told_apart

NEUTRAL = "Player"

_WITH_NAMES = (b'{"e":"sat"', b'{"e":"named"')
"""How the entries begin that hold a nickname."""

_NUMBERED = re.compile(r".* ([2-9]|[1-9][0-9]+)", re.DOTALL)


@dataclass
class Forgotten:
    """What was changed."""

    tables: int = 0
    entries: int = 0
    listings: int = 0
    records: int = 0
    unread: list[str] = field(default_factory=list)
    """Tables that hold something like the name where it can't be read."""


async def forget(
    journal: Maintenance, name: str, only: str | None = None, progress: Progress = lambda n: None
) -> Forgotten:
    """In all tables, or only in one; each in a transaction of its own."""
    wanted = nickname(name)
    done = Forgotten()
    if only is not None:
        if await journal.row(only) is None:
            raise PliError("no_such_table")
        await _forget_at(journal, only, wanted, done)
        progress(1)
        await journal.purge()
        return done
    after = ""
    async for names in pages_of_names(journal):
        found = await journal.mentioning(_start(wanted), after, names[-1])
        for table in found:
            await _forget_at(journal, table, wanted, done)
        after = names[-1]
        progress(len(names))
    await journal.purge()
    return done


def _start(name: str) -> bytes:
    """How it is encoded, up to where it may be cut for a number behind it."""
    return msgspec.json.encode(name[: LONGEST_NAME - 4].rstrip())[:-1]


async def _forget_at(journal: Maintenance, table: str, name: str, done: Forgotten) -> None:
    renaming = _Renaming(name)

    def edit(contents: Contents) -> Contents:
        nonlocal renaming
        renaming = _Renaming(name)
        return renaming.edit(contents)

    if await journal.rewrite(table, edit):
        done.tables += 1
        done.entries += renaming.entries
        done.listings += renaming.listings
        done.records += renaming.records
    if renaming.unread:
        done.unread.append(table)


class _Renaming:
    """Of one table: a name is replaced by the same one everywhere."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._new: dict[str, str] = {}
        self.entries = self.listings = self.records = 0
        self.unread = False

    def edit(self, contents: Contents) -> Contents:
        entries = {
            number: self._decoded(entry)
            for number, entry in contents.entries.items()
            if entry.startswith(_WITH_NAMES)
        }
        summary = self._decoded(contents.listing.summary) if contents.listing is not None else None
        abouts = {
            number: self._decoded(record.about)
            for number, record in contents.records.items()
            if record.about is not None
        }
        sat = [str(each.get("name")) for each in entries.values() if each is not None]
        shown = list(summary.get("names", ())) if summary is not None else []
        known = {
            *sat,
            *shown,
            *(seat.get("name") or "" for each in abouts.values() for seat in _seats(each)),
        } - {""}
        theirs = sorted(each for each in known if self._is_theirs(each))
        others = known.difference(theirs)
        for each in theirs:
            self._new[each] = told_apart(NEUTRAL, others)
            others.add(self._new[each])
        return self._renamed(contents, entries, summary, abouts)

    def _renamed(
        self,
        contents: Contents,
        entries: dict[int, dict[str, Any] | None],
        summary: dict[str, Any] | None,
        abouts: dict[int, dict[str, Any] | None],
    ) -> Contents:
        changed: dict[int, bytes] = {}
        for number, sat in entries.items():
            if sat is not None and sat.get("name") in self._new:
                changed[number] = msgspec.json.encode({**sat, "name": self._new[sat["name"]]})
                self.entries += 1
        listing = contents.listing
        names = summary.get("names", ()) if summary is not None else ()
        if listing is not None and not self._new.keys().isdisjoint(names):
            new = {**(summary or {}), "names": [self._new.get(each, each) for each in names]}
            listing = replace(listing, summary=msgspec.json.encode(new))
            self.listings += 1
        records: dict[int, KeptRecord] = {}
        for number, about in abouts.items():
            mine = [seat for seat in _seats(about) if seat.get("name") in self._new]
            for seat in mine:
                seat["name"] = self._new[seat["name"]]
            if mine:
                encoded = msgspec.json.encode(about)
                records[number] = replace(contents.records[number], about=encoded)
                self.records += 1
        return replace(
            contents,
            entries={**contents.entries, **changed},
            listing=listing,
            records={**contents.records, **records},
        )

    def _is_theirs(self, name: str) -> bool:
        """Also with the number by which people with alike names are told apart."""
        found = _NUMBERED.fullmatch(name)
        suffix = f" {found[1]}" if found is not None else ""
        kept = self._name[: LONGEST_NAME - len(suffix)].rstrip()
        return name in (self._name, kept + suffix)

    def _decoded(self, data: bytes) -> dict[str, Any] | None:
        """With all its fields, also such as this version does not know."""
        try:
            return msgspec.json.decode(data, type=dict[str, Any])
        except msgspec.DecodeError:
            self.unread = True
            return None


def _seats(about: dict[str, Any] | None) -> list[dict[str, Any]]:
    return list(about.get("seats", ())) if about is not None else []
