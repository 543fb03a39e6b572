"""The limits of a connection, a table, a client address and the server: rate limits, concurrency
limits, timeouts and sizes, all in one place. An operator changes them with `pli serve --limits
FILE` or `--limit NAME=VALUE`; the table in docs/hosting.md is generated from here.

An address is an IPv4 address, or the /64 prefix of an IPv6 one: what a household has.
"""

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import msgspec

from pli.errors import PliError, reason

Number = Annotated[float, msgspec.Meta(ge=0)]
Count = Annotated[int, msgspec.Meta(ge=0)]
Rate = tuple[Number, Number]
"""A token bucket: how much a second in the long run, and how much at once (the burst)."""

MEGA = 1_000_000


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A pair of numbers is a rate: so much a second, and so much at once."""

    # Asking
    messages: Rate = (20, 60)
    """Messages of one WebSocket: nobody taps faster for long."""
    address_messages: Rate = (200, 2_000)
    """Messages of all WebSockets of one address."""
    logs: Rate = (2, 120)
    """Logs of a game that is played asked for by one address."""
    requests: Rate = (10, 60)
    """Requests to the API by one address."""
    files: Rate = (50, 1_000)
    """Pages and their files asked for by one address: some thirty at a first visit."""
    refused_seconds: Number = 1
    """For which who is over such a rate waits for the refusal, whatever it sends meanwhile."""
    tables: Rate = (0.2, 20)
    """Tables made by one address."""
    seats: Rate = (0.05, 20)
    """Seats taken at one table by one address: who comes and goes there writes into its journal."""
    replays: Rate = (1, 60)
    """Replays, records and lists of moves asked for by one address."""
    pictures: Rate = (60, 1000)
    """Sheets of pictures asked for by one address: some thirty a game, for all behind a router."""

    # Connections
    sockets: Count = 200
    """Connections of one address at a time, of any kind: a browser opens six for its requests."""
    connections: Count = 60
    """WebSockets of one address at a time: a school behind one router plays too."""
    all_connections: Count = 20_000
    """WebSockets at a time."""
    request_seconds: Number = 10
    """In which a request, with its body, must have come in whole."""
    answer_seconds: Number = 60
    """In which an answer must have been taken whole."""
    hello_seconds: Number = 10
    """In which the page of a new WebSocket must have said who it is."""
    silent_seconds: Number = 15
    """Without a sign of life after which a WebSocket is given up."""

    # Tables
    all_tables: Count = 100_000
    """Unfinished tables; of these the ones that never began make room for new ones."""
    tables_each: Count = 1_000
    """The same that were made by one address, which makes room among its own."""
    abandoned_days: Count = 10
    """After which a game that was begun and left makes room too, if there is no other."""
    linger_seconds: Number = 60
    """That a table stays in memory after the last connection to it has closed."""
    unused_days: Count = 30
    """On which the server ran, after which a table that nobody touched is archived: its records
    stay."""
    spectators: Count = 50
    """At one table."""
    listed: Count = 50
    """Open tables in the public list."""
    listed_each: Count = 5
    """The same of hosts at one address."""

    # What is written
    slow_entries: Count = 100
    """Journal entries without a person's action after which bots play at a calm pace."""
    rest_entries: Count = 600
    """The same after which the table rests until somebody goes on."""
    table_entries: Count = 100_000
    """Journal entries of one table, after which it takes no new game."""
    table_bytes: Count = 16 * MEGA
    """The same in bytes."""
    address_bytes: Rate = (5_000, 20 * MEGA)
    """Bytes of journal written for one address: 430 MB a day."""
    server_bytes: Rate = (120_000, 2_000 * MEGA)
    """Bytes of journal written by the server: 10 GB a day."""

    # Telling finished games: replays, records, lists of moves
    history_waiting: Count = 256
    """Replays, records and lists of moves that may wait to be worked out."""
    history_each: Count = 32
    """The same for one address."""
    history_seconds: Number = 20
    """That working out one of them may take of the processor."""
    history_bytes: Count = 32 * MEGA
    """Bytes of these that are kept in memory for who asks next."""

    # Drawing
    drawing_waiting: Count = 4_000
    """Sheets of pictures that may wait to be drawn."""
    drawing_each: Count = 600
    """The same for one address."""
    drawing_seconds: Number = 8
    """In which a sheet must be drawn, once it is begun."""
    drawing_wait_seconds: Number = 120
    """After which a sheet that is still not drawn is refused."""
    drawing_bytes: Count = 45 * MEGA
    """Sheets kept in memory, of the tables that asked last."""

    # Remembering
    addresses: Count = 50_000
    """Addresses that are remembered for all of this."""


_MANY = 1 << 30
_ENDLESS = (1e12, 1e12)

UNLIMITED = Limits(
    messages=_ENDLESS,
    address_messages=_ENDLESS,
    logs=_ENDLESS,
    requests=_ENDLESS,
    files=_ENDLESS,
    tables=_ENDLESS,
    seats=_ENDLESS,
    replays=_ENDLESS,
    pictures=_ENDLESS,
    sockets=_MANY,
    connections=_MANY,
    all_connections=_MANY,
    all_tables=_MANY,
    tables_each=_MANY,
    slow_entries=_MANY,
    rest_entries=_MANY,
    table_entries=_MANY,
    table_bytes=1 << 50,
    address_bytes=_ENDLESS,
    server_bytes=_ENDLESS,
    history_waiting=_MANY,
    history_each=_MANY,
    drawing_waiting=_MANY,
    drawing_each=_MANY,
    drawing_wait_seconds=1e9,
)
"""For load tests: without the limits that many clients at one address would meet."""

MET = {
    "too_many_spectators": "spectators",
    "server_full": "all_tables",
    "table_used_up": "table_bytes",
    "address_used_up": "address_bytes",
    "server_used_up": "server_bytes",
}
"""Limits that follow from the code of an error."""


def limit_met(error: PliError) -> str | None:
    """The name of the limit that caused an error, if one did."""
    named = error.details.get("limit")
    return str(named) if named else MET.get(error.code)


def read_limits(
    file: Path | None, settings: Iterable[str] = (), base: Limits | None = None
) -> Limits:
    """The limits of a TOML file, overridden by those given as NAME=VALUE; the others as in
    `base`."""
    given: dict[str, Any] = msgspec.structs.asdict(base or Limits())
    if file is not None:
        try:
            given |= tomllib.loads(file.read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise PliError("bad_limits", file=file, why=reason(error)) from None
    for text in settings:
        name, _, value = text.partition("=")
        try:
            given[name.strip()] = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:
            raise PliError("bad_limit", why=text) from None
    try:
        return msgspec.convert(given, Limits)
    except msgspec.ValidationError as error:
        raise PliError("bad_limit", why=str(error)) from None
