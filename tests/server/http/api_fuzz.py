"""Requests that Schemathesis makes from the OpenAPI document, against a real server: no answer has
a status of 500 or more, and every status, header, content type and body is documented.

    python -m tests.server.http.api_fuzz --examples 200
"""

import argparse
import asyncio
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from pli import games
from pli.bots import LEVELS
from pli.server.http.openapi import document
from pli.server.http.routes import ROUTES
from pli.server.limits import UNLIMITED
from tests.server.client import Running, running
from tests.server.protocol.schemas import closed

LEFT_OUT = "positive_data_acceptance"
"""The one check of Schemathesis that does not apply: only a game can tell whether its options are
valid together, and only a table which seats it has."""

PATIENCE = "60"
"""Seconds for an answer, even on a busy machine."""

CASES = re.compile(r"(\d[\d,]*) generated")


async def fuzz(server: Running, folder: Path, examples: int, seed: int) -> tuple[int, str]:
    """How many requests were made, and what was wrong with the answers; empty: nothing."""
    file = folder / "openapi.json"
    file.write_bytes(msgspec.json.encode(with_values(await prepare(server))))
    options = {
        "--url": server.url,
        "--seed": str(seed),
        "--max-examples": str(examples),
        "--exclude-checks": LEFT_OUT,
        "--warnings": "off",
        "--request-timeout": PATIENCE,
        "--suppress-health-check": "all",  # of how quickly requests are generated
    }
    host = asyncio.create_task(wait_for_others(server))
    run = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "schemathesis.cli", "--no-color", "run", file),
        *(part for option in options.items() for part in option),
        "--continue-on-failure",
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        cwd=folder,
    )
    output = (await run.communicate())[0].decode()
    host.cancel()
    made = CASES.search(output)
    assert made is not None, output
    return int(made[1].replace(",", "")), output if run.returncode else ""


async def wait_for_others(server: Running) -> None:
    """At a public table, which is listed for as long as its host is there."""
    (page,) = await server.waiting("plingo", 3, people=1, public=True)
    async for _ in page.socket:
        pass  # pings are answered while it reads


async def prepare(server: Running) -> dict[str, list[str]]:
    """Values of path parameters: a table that waits, one that does not exist, and for each game one
    whose game is over; the last has pictures."""
    tables = [(await server.make("plingo"))["table"], "a" * 10]
    sheets = ["0" * 20]
    for name in games.names():
        page = await server.alone(name, 3, "easy")
        tables.append(page.table["id"])
        sheets += [sheet for each in page.told for sheet in each.get("sheets", [])][:2]
        await page.send("leave")
        await page.sees(lambda table: table["state"] == "over")
        await page.close()
    return {"table": tables, "number": ["1", "2", "0"], "sheet": sheets}


def with_values(values: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The document, in which objects have no other fields than those named, and strings that name
    something are mostly such names: any other is refused at once. Requests that break the schema
    are made as well, and have all others."""
    told = document(ROUTES)
    schemas = told["components"]["schemas"] = closed(told["components"]["schemas"])
    names = {"enum": ["seats", "target", "mode", "nonsense"]}
    new_table = schemas["NewTable"]["properties"]
    new_table["game"] = {"enum": [*games.names(), "nonsense"]}
    new_table["bots"] = {"enum": [*LEVELS, None, "nonsense"]}
    new_table["options"] |= {"maxProperties": 1, "propertyNames": names}
    for path, operations in told["paths"].items():
        for operation in operations.values():
            for each in operation.get("parameters", []):
                if each["name"] in values:
                    found = values[each["name"]]
                    with_pictures = each["name"] == "table" and "{sheet}" in path
                    each["schema"] = {"enum": found[-1:] if with_pictures else found}
    return told


async def _main(examples: int, seed: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        async with running(Path(folder), UNLIMITED) as server:
            cases, wrong = await fuzz(server, Path(folder), examples, seed)
    print(wrong or f"{cases:,} requests: all answers are as documented.")
    return 1 if wrong else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=200, help="at most, for each operation")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    sys.exit(asyncio.run(_main(arguments.examples, arguments.seed)))
