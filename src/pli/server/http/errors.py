"""Which HTTP status goes with which error code."""

from pli.errors import PliError, UnknownGame
from pli.server.context import HttpError
from pli.server.journal.api import JournalProblem

BAD_REQUEST = 400
"""The status of every code that is not named below."""

CODES: dict[int, tuple[str, ...]] = {
    403: ("lab_off", "not_over", "wrong_origin", "no_host"),
    404: ("no_such_table", "no_such_game", "unknown_game", "unknown_language", "no_such_page"),
    405: ("not_that_way",),
    408: ("request_late",),
    409: (
        "seat_taken",
        "table_full",
        "table_used_up",
        "game_over",
        "already_begun",
        "outdated_game",
    ),
    413: ("too_large",),
    429: ("too_many_requests", "too_many_connections", "too_many_tables", "address_used_up"),
    503: (
        "server_full",
        "server_used_up",
        "server_fault",
        "journal_damaged",
        "record_damaged",
        "too_busy",
        "lab_busy",
        "unreachable",
        "owned_elsewhere",
        "not_owner",
    ),
}
JOURNAL_CODES = "^journal_"
"""Codes of a journal that can't be read or written: their status is 503 too."""

_STATUS = {code: status for status, codes in CODES.items() for code in codes}


def status_of_code(code: str) -> int:
    return _STATUS.get(code, BAD_REQUEST)


def status_of(error: PliError) -> int:
    if isinstance(error, HttpError):
        return error.status
    if isinstance(error, UnknownGame):
        return 404
    if isinstance(error, JournalProblem):
        return 503
    return status_of_code(error.code)
