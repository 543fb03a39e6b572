"""Structured logs: JSON lines with time, level, event and details. They hold no secrets: tokens,
contributed randomness and bodies of messages are never logged, and a table, whose name is the link
to it, is logged as a hash."""

import logging
import re
import sys
import time
from datetime import UTC, datetime
from hashlib import sha256

import msgspec

_OWN = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName"}

REQUESTS = logging.getLogger("pli.requests")
"""The access log: personal data, so it is off unless the operator turns it on."""
REQUESTS.setLevel(logging.WARNING)

_LINK = re.compile(r"(/(?:tables|pictures|t|r)/)([a-z0-9]{10})\b")


def table_hash(table: str) -> str:
    """What stands for a table in the log. With the table's name its lines can be found; the hash is
    so short that millions of names share it, so that the name can't be found from the log."""
    return sha256(table.encode()).hexdigest()[:6]


class JsonLines(logging.Formatter):
    """Fields given as `extra` become fields of the line."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "event": record.getMessage(),
        }
        line |= {name: value for name, value in vars(record).items() if name not in _OWN}
        if "table" in line:
            line["table"] = table_hash(str(line["table"]))
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return msgspec.json.encode(_encodable(line), enc_hook=str).decode()


def _encodable(line: dict[str, object]) -> dict[str, object]:
    """Text from clients may hold surrogates that can't be encoded, and links to tables."""
    return {
        name: _without_links(value.encode(errors="backslashreplace").decode())
        if isinstance(value, str)
        else value
        for name, value in line.items()
    }


def _without_links(text: str) -> str:
    return _LINK.sub(lambda found: found[1] + table_hash(found[2]), text)


class LogThrottle:
    """Rate-limits log lines: each thing once in so many seconds, and at most so many different
    things, so that a client can't fill the log."""

    def __init__(self, seconds: float, most: int = 200) -> None:
        self._seconds = seconds
        self._most = most
        self._since = time.monotonic()
        self._seen: set[object] = set()

    def allows(self, thing: object) -> bool:
        now = time.monotonic()
        if now - self._since > self._seconds:
            self._since = now
            self._seen.clear()
        if thing in self._seen or len(self._seen) >= self._most:
            return False
        self._seen.add(thing)
        return True


def set_up(level: str, requests: bool = False) -> None:
    """`requests` turns the access log on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    if requests:
        REQUESTS.setLevel(logging.INFO)
