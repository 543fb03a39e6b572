"""The protocol as JSON schema: all messages, all bodies, and the views, events and options of the
games. The client's types and the OpenAPI document are made from it."""

import inspect
from typing import Any, get_type_hints

import msgspec

from pli import games, motifs
from pli.game import AnyGame, Event
from pli.server.protocol import bodies, messages

TEMPLATE = "#/$defs/{name}"


def schema() -> dict[str, Any]:
    """One JSON schema with a definition of each."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Pli",
        "$defs": definitions(),
    }


def definitions(template: str = TEMPLATE) -> dict[str, Any]:
    """All definitions by name; they refer to each other by the template."""
    named: dict[str, Any] = {"FromPage": messages.FromPage, "ToPage": messages.ToPage}
    for name in games.names():
        game = games.load(name)
        title = "".join(part.title() for part in name.split("_"))
        named[f"{title}View"] = view_of(game)
        named[f"{title}Event"] = _union(games.events_of(game))
        named[f"{title}Options"] = game.options
    # Games name their own events alike: each has its definitions under its own name.
    defined: dict[str, Any] = {}
    for name, kind in named.items():
        (found,), components = msgspec.json.schema_components([kind], ref_template=template)
        if name.endswith("Event"):
            prefix = name.removesuffix("Event")
            found, components = _prefixed(prefix, found, components, template)
        defined |= components
        if found != {"$ref": template.format(name=name)}:
            defined[name] = found
    _, components = msgspec.json.schema_components(body_types(), ref_template=template)
    defined |= components
    # Messages name what all events have in common, and carry those of their game.
    unions = [name for name in defined if name.endswith("Event") and name != "Event"]
    defined["Event"] = {
        "title": "Event",
        "description": Event.__doc__ or "",
        "anyOf": [{"$ref": template.format(name=name)} for name in sorted(unions)],
    }
    # Numbers that a page needs to cut up sprite sheets: a type with a single value.
    sizes = {"across": motifs.ACROSS, "size": motifs.SIZE, "strip": motifs.STRIP}
    defined["Sheet"] = {
        "title": "Sheet",
        "description": "Pictures a row, the pixels of their sides, and of the strip above them.",
        "type": "object",
        "properties": {name: {"const": value} for name, value in sizes.items()},
        "required": list(sizes),
    }
    for each in defined.values():
        if "description" in each:
            each["description"] = inspect.cleandoc(each["description"])
    return dict(sorted(defined.items()))


def body_types() -> list[type[msgspec.Struct]]:
    """All that is declared in `bodies`."""
    found = [each for _, each in inspect.getmembers(bodies, inspect.isclass)]
    return [
        each
        for each in found
        if issubclass(each, msgspec.Struct) and each.__module__ == bodies.__name__
    ]


def view_of(game: AnyGame) -> Any:
    return get_type_hints(game.view)["return"]


def _union(kinds: list[type[Event]]) -> Any:
    union: Any = kinds[0]
    for kind in kinds[1:]:
        union |= kind
    return union


def _prefixed(
    prefix: str, found: Any, components: dict[str, Any], template: str
) -> tuple[Any, dict[str, Any]]:
    text = msgspec.json.encode([found, components]).decode()
    for name in components:
        old, new = template.format(name=name), template.format(name=prefix + name)
        text = text.replace(f'"{old}"', f'"{new}"')
    found, components = msgspec.json.decode(text)
    return found, {prefix + name: each for name, each in components.items()}
