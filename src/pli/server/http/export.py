"""Prints the protocol for other programs and readers:

python -m pli.server.http.export             the JSON schema, for the client's types
python -m pli.server.http.export --openapi   the OpenAPI document
python -m pli.server.http.export --page      docs/protocol.md
python -m pli.server.http.export --limits    the table of limits in docs/hosting.md
"""

import sys
from typing import Any

import msgspec

from pli.server.http.markdown import limits_table, protocol_page
from pli.server.http.openapi import document
from pli.server.http.routes import ROUTES
from pli.server.protocol.json_schema import schema


def _formatted(data: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(data), indent=2).decode() + "\n"


if __name__ == "__main__":
    if "--openapi" in sys.argv:
        text = _formatted(document(ROUTES))
    elif "--page" in sys.argv:
        text = protocol_page(document(ROUTES))
    elif "--limits" in sys.argv:
        text = limits_table()
    else:
        text = _formatted(schema())
    print(text, end="")
