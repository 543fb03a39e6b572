"""Holds what travels against the JSON schema that the server exports: all that schema uses of JSON
schema, and nothing else. A field that it does not name is wrong here too."""

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from pli.server.http.schema import schema

Check = Callable[[Any, str], None]
"""(value, where): complains if the value is not as it has to be."""

KINDS: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
SILENT = {"title", "description", "default", "discriminator", "$defs", "$schema", "format"}


class Wrong(AssertionError):
    """Not what the schema says."""


@cache
def _definitions() -> dict[str, Any]:
    definitions: dict[str, Any] = schema()["$defs"]
    return definitions


@cache
def checker(name: str) -> Check:
    """For the definition of that name."""
    return _made(_definitions()[name])


def check_message(
    message: dict[str, Any], game: str | None, before: dict[str, Any] | None = None
) -> None:
    """A message to a page, with the events of its game, and the view that it makes of the one
    before."""
    checker("ToPage")(message, message["type"])
    title = "".join(part.title() for part in (game or "").split("_"))
    if message.get("view") is not None:
        changed = before if message["type"] == "change" else None
        checker(f"{title}View")({**(changed or {}), **message["view"]}, "view")
    for event in message.get("events", []):
        checker(f"{title}Event")(event["event"] if message["type"] == "log" else event, "event")


def _made(given: dict[str, Any]) -> Check:
    if "$ref" in given:
        name = given["$ref"].rpartition("/")[2]
        return lambda value, where: checker(name)(value, where)
    if "anyOf" in given:
        return _any_of(given)
    checks = [_keyword(each, given) for each in given if each not in SILENT]

    def check(value: Any, where: str) -> None:
        for each in checks:
            each(value, where)

    return check


def _any_of(given: dict[str, Any]) -> Check:
    if "discriminator" in given:
        field = given["discriminator"]["propertyName"]
        named = {k: _made({"$ref": v}) for k, v in given["discriminator"]["mapping"].items()}

        def by_name(value: Any, where: str) -> None:
            if not isinstance(value, dict) or value.get(field) not in named:
                raise Wrong(f"{where}: {value!r} is none of {[*named]}")
            named[value[field]](value, where)

        return by_name
    choices = [_made(each) for each in given["anyOf"]]

    def one_of(value: Any, where: str) -> None:
        wrong = []
        for each in choices:
            try:
                return each(value, where)
            except Wrong as error:
                wrong.append(str(error))
        raise Wrong(" / ".join(wrong))

    return one_of


def _keyword(name: str, given: dict[str, Any]) -> Check:
    wanted = given[name]
    if name == "type":
        return _simple(lambda value: _is(value, wanted), f"not {wanted}")
    if name == "enum":
        return _simple(lambda value: value in wanted, f"not in {wanted}")
    if name == "required":
        return _simple(lambda value: set(wanted) <= set(value), f"lacks some of {wanted}")
    if name == "minimum":
        return _simple(lambda value: value >= wanted, f"below {wanted}")
    if name == "maximum":
        return _simple(lambda value: value <= wanted, f"above {wanted}")
    if name in ("minLength", "minItems"):
        return _simple(lambda value: len(value) >= wanted, f"shorter than {wanted}")
    if name in ("maxLength", "maxItems"):
        return _simple(lambda value: len(value) <= wanted, f"longer than {wanted}")
    if name == "pattern":
        return _simple(lambda value: re.search(wanted, value) is not None, f"not like {wanted}")
    if name == "items":
        return _items(wanted)
    if name == "properties":
        return _properties(wanted)
    if name == "additionalProperties":
        return _rest(wanted, given.get("properties", {}))
    if name == "propertyNames":
        names = _items(wanted)
        return lambda value, where: names([*value], where)
    raise NotImplementedError(name)


def _simple(holds: Callable[[Any], bool], why: str) -> Check:
    def check(value: Any, where: str) -> None:
        if not holds(value):
            raise Wrong(f"{where}: {value!r} is {why}")

    return check


def _is(value: Any, kind: str) -> bool:
    """True and false are no numbers."""
    return isinstance(value, KINDS[kind]) and (kind == "boolean" or not isinstance(value, bool))


def _items(wanted: Any) -> Check:
    if wanted is False:
        return lambda value, where: None
    item = _made(wanted)

    def check(value: Any, where: str) -> None:
        for number, each in enumerate(value):
            item(each, f"{where}[{number}]")

    return check


def _properties(wanted: dict[str, Any]) -> Check:
    known = {name: _made(each) for name, each in wanted.items()}

    def check(value: Any, where: str) -> None:
        for name, each in value.items():
            if name not in known:
                raise Wrong(f"{where}: nothing is said of {name}")
            known[name](each, f"{where}.{name}")

    return check


def _rest(wanted: Any, named: dict[str, Any]) -> Check:
    rest = _made(wanted) if isinstance(wanted, dict) else None

    def check(value: Any, where: str) -> None:
        for name in set(value) - set(named):
            if rest is None:
                raise Wrong(f"{where}: nothing is said of {name}")
            rest(value[name], f"{where}.{name}")

    return check
