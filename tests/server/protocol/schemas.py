"""Checks messages, bodies, views and events against the JSON schema that the server exports. Fields
that the schema does not name are wrong here too, so that nothing is sent that is not documented."""

from collections.abc import Callable
from functools import cache
from typing import Any

from jsonschema_rs import Draft202012Validator, ValidationError

from pli.server.protocol.json_schema import definitions

Check = Callable[[Any, str], None]
"""(value, where): raises `Wrong` if the value is not as the schema says."""


class Wrong(AssertionError):
    """Not what the schema says."""


def closed(schemas: dict[str, Any]) -> dict[str, Any]:
    """The same schemas, in which an object has no fields but those that are named."""
    return {
        name: {"additionalProperties": False, **schema} if "properties" in schema else schema
        for name, schema in schemas.items()
    }


@cache
def _definitions() -> dict[str, Any]:
    return closed(definitions())


@cache
def checker(name: str) -> Check:
    """For the definition of that name. Compiled once: every message of every test is checked."""
    validator = Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": _definitions()})

    def check(value: Any, where: str) -> None:
        try:
            validator.validate(value)
        except ValidationError as error:
            path = "".join(f".{part}" for part in error.instance_path)
            raise Wrong(f"{where}{path}: {error.message}") from None

    return check


def forget() -> None:
    """Games have come or gone since the schema was made."""
    _definitions.cache_clear()
    checker.cache_clear()


def check_message(
    message: dict[str, Any], game: str | None, before: dict[str, Any] | None = None
) -> None:
    """A message to a page, with the events of its game, and the view that results from applying it
    to the one before."""
    checker("ToPage")(message, message["type"])
    title = "".join(part.title() for part in (game or "").split("_"))
    if message.get("view") is not None:
        changed = before if message["type"] == "change" else None
        checker(f"{title}View")({**(changed or {}), **message["view"]}, "view")
    for event in message.get("events", []):
        checker(f"{title}Event")(event["event"] if message["type"] == "log" else event, "event")
