"""Logs as lines of JSON: time, level, what happened, and its details. No secrets: tokens,
contributed randomness and bodies of messages are never given to the log, and a table, whose name is
the link to it, goes by a mark."""

import logging
import re
import sys
import time
from datetime import UTC, datetime
from hashlib import sha256

import msgspec

_OWN = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName"}

REQUESTS = logging.getLogger("pli.requests")
"""Who asked for what: nobody's business, unless a host asks for it."""
REQUESTS.setLevel(logging.WARNING)

_LINK = re.compile(r"(/(?:tables|pictures|t|r)/)([a-z0-9]{10})\b")


def mark(table: str) -> str:
    """What stands for a table in the log: who has its name finds its lines. So short that millions
    of names share it: who has the mark alone can't tell which of them it was."""
    return sha256(table.encode()).hexdigest()[:6]


class JsonLines(logging.Formatter):
    """What was given as `extra` becomes fields of the line."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "event": record.getMessage(),
        }
        line |= {name: value for name, value in vars(record).items() if name not in _OWN}
        if "table" in line:
            line["table"] = mark(str(line["table"]))
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return msgspec.json.encode(_writable(line), enc_hook=str).decode()


def _writable(line: dict[str, object]) -> dict[str, object]:
    """Text that came from outside need not be text that can be written, or be told."""
    return {
        name: _unlinked(value.encode(errors="backslashreplace").decode())
        if isinstance(value, str)
        else value
        for name, value in line.items()
    }


def _unlinked(text: str) -> str:
    return _LINK.sub(lambda found: found[1] + mark(found[2]), text)


class LogThrottle:
    """Says of each thing once in a while that it may be logged, and of so many things at most: who
    sends the same for ever must not fill the log."""

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
    """`requests`: they are logged too."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    if requests:
        REQUESTS.setLevel(logging.INFO)
