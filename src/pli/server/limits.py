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
from msgspec import Meta

from pli.errors import PliError, reason

Number = Annotated[float, Meta(ge=0)]
Count = Annotated[int, Meta(ge=0)]
Rate = tuple[Number, Number]
"""A token bucket: how much a second in the long run, and how much at once (the burst)."""

MEGA = 1_000_000


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All limits, with their defaults. A pair is a rate limit (a token bucket): so much a second in
    the long run, and so much at once."""

    # Rate limits
    messages: Annotated[
        Rate, Meta(description="Messages of one WebSocket. No player taps faster for long.")
    ] = (20, 60)
    address_messages: Annotated[
        Rate, Meta(description="Messages of all WebSockets of one address.")
    ] = (200, 2_000)
    logs: Annotated[Rate, Meta(description="Logs of running games, per address.")] = (2, 120)
    requests: Annotated[Rate, Meta(description="Requests to the API, per address.")] = (10, 60)
    files: Annotated[
        Rate,
        Meta(description="Pages and their files, per address. A first visit takes some thirty."),
    ] = (50, 1_000)
    refused_seconds: Annotated[
        Number,
        Meta(description="Seconds by which the refusal of a request over a rate limit is delayed."),
    ] = 1
    tables: Annotated[Rate, Meta(description="Tables made, per address.")] = (0.2, 20)
    seats: Annotated[
        Rate, Meta(description="Seats taken at one table, per address. Each is a journal entry.")
    ] = (0.05, 20)
    replays: Annotated[
        Rate, Meta(description="Replays, records and lists of moves, per address.")
    ] = (1, 60)
    pictures: Annotated[
        Rate,
        Meta(description="Sprite sheets, per address. Each player of a game needs some thirty."),
    ] = (60, 1_000)

    # Connections
    sockets: Annotated[
        Count, Meta(description="Open connections of any kind, per address. A browser opens six.")
    ] = 200
    connections: Annotated[
        Count,
        Meta(description="Open WebSockets, per address. A school behind one router plays too."),
    ] = 60
    all_connections: Annotated[Count, Meta(description="Open WebSockets in all.")] = 20_000
    request_seconds: Annotated[
        Number, Meta(description="Seconds in which a request must have arrived, with its body.")
    ] = 10
    answer_seconds: Annotated[
        Number, Meta(description="Seconds in which the client must have read a response.")
    ] = 60
    hello_seconds: Annotated[
        Number, Meta(description="Seconds in which a new WebSocket must have sent `hello`.")
    ] = 10
    silent_seconds: Annotated[
        Number,
        Meta(description="Keep-alive: seconds without a frame after which a WebSocket is closed."),
    ] = 15

    # Tables
    all_tables: Annotated[
        Count,
        Meta(
            description="Unfinished tables in all. Those that never began make room for new ones."
        ),
    ] = 100_000
    tables_each: Annotated[
        Count,
        Meta(description="Unfinished tables made by one address, which makes room among its own."),
    ] = 1_000
    abandoned_days: Annotated[
        Count, Meta(description="Days after which an unfinished game that was left makes room too.")
    ] = 10
    linger_seconds: Annotated[
        Number, Meta(description="Seconds a table stays in memory after its last page has gone.")
    ] = 60
    unused_days: Annotated[
        Count,
        Meta(
            description="Days of running after which an unused table is archived (not its records)."
        ),
    ] = 30
    record_days: Annotated[
        Count,
        Meta(
            description="Days of running after which a finished table and its records are deleted; "
            "0: never."
        ),
    ] = 0
    spectators: Annotated[Count, Meta(description="Spectators at one table.")] = 50
    listed: Annotated[Count, Meta(description="Open tables in the public list.")] = 50
    listed_each: Annotated[Count, Meta(description="The same, per address of their hosts.")] = 5

    # Writing to the journal
    slow_entries: Annotated[
        Count,
        Meta(description="Journal entries without a player's action after which bots slow down."),
    ] = 100
    rest_entries: Annotated[
        Count,
        Meta(description="Journal entries without a player's action after which the table rests."),
    ] = 600
    table_entries: Annotated[
        Count, Meta(description="Journal entries of one table after which it starts no new game.")
    ] = 100_000
    table_bytes: Annotated[
        Count, Meta(description="Journal bytes of one table after which it starts no new game.")
    ] = 16 * MEGA
    address_bytes: Annotated[
        Rate, Meta(description="Journal bytes written for one address: 430 MB a day.")
    ] = (5_000, 20 * MEGA)
    server_bytes: Annotated[
        Rate, Meta(description="Journal bytes written by the server: 10 GB a day.")
    ] = (120_000, 2_000 * MEGA)

    # Finished games: replays, records, lists of moves
    history_waiting: Annotated[
        Count, Meta(description="Replays, records and lists of moves that may wait to be computed.")
    ] = 256
    history_each: Annotated[Count, Meta(description="The same, per address.")] = 32
    history_seconds: Annotated[
        Number, Meta(description="Seconds of processor time that computing one of them may take.")
    ] = 20
    history_bytes: Annotated[
        Count, Meta(description="Bytes of them that are cached in memory.")
    ] = 32 * MEGA

    # Drawing sprite sheets
    drawing_waiting: Annotated[
        Count, Meta(description="Sprite sheets that may wait to be drawn.")
    ] = 4_000
    drawing_each: Annotated[Count, Meta(description="The same, per address.")] = 600
    drawing_seconds: Annotated[
        Number, Meta(description="Seconds that drawing one sheet may take.")
    ] = 8
    drawing_wait_seconds: Annotated[
        Number,
        Meta(description="Seconds after which a request for a sheet that still waits is refused."),
    ] = 120
    drawing_bytes: Annotated[
        Count, Meta(description="Bytes of sheets that are cached in memory.")
    ] = 45 * MEGA

    # The lab, where it is on
    lab: Annotated[Rate, Meta(description="Runs of the lab, per address.")] = (0.1, 20)
    lab_runs: Annotated[
        Count, Meta(description="Runs of the lab at a time, each on one processor at low priority.")
    ] = 2
    lab_each: Annotated[Count, Meta(description="The same, per address.")] = 1
    lab_games: Annotated[Count, Meta(description="Games in each cell of a run.")] = 100_000
    lab_cells: Annotated[Count, Meta(description="Cells of a run.")] = 24
    lab_seconds: Annotated[Number, Meta(description="Seconds of play after which a run ends.")] = 60

    # Memory of addresses
    addresses: Annotated[Count, Meta(description="Addresses for which rates are remembered.")] = (
        50_000
    )


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
    lab=_ENDLESS,
    lab_each=_MANY,
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
