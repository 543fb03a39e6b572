"""Logs as lines of JSON: time, level, what happened, and its details. No secrets: tokens,
contributed randomness and bodies of messages are never given to the log."""

import logging
import sys
from datetime import UTC, datetime

import msgspec

_OWN = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName"}


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
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return msgspec.json.encode(_writable(line), enc_hook=str).decode()


def _writable(line: dict[str, object]) -> dict[str, object]:
    """Text that came from outside need not be text that can be written."""
    return {
        name: value.encode(errors="backslashreplace").decode() if isinstance(value, str) else value
        for name, value in line.items()
    }


def set_up(level: str) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    # Who asked for which path is nobody's business unless something is looked for.
    logging.getLogger("aiohttp.access").setLevel("DEBUG" if level == "debug" else "WARNING")
