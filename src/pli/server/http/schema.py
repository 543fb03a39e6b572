"""The protocol for others: JSON schema for the client's types, and the page docs/protocol.md.

    python -m pli.server.http.schema            the schema
    python -m pli.server.http.schema --page     the page, as Markdown
    python -m pli.server.http.schema --limits   the table of docs/hosting.md

Both are made from the messages and bodies themselves, and from the views and events of the games.
"""

import inspect
import sys
from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

import msgspec

from pli import games, motifs
from pli.game import AnyGame, Event
from pli.server.http.routes import ROUTES
from pli.server.limits import Limits
from pli.server.protocol import bodies, messages

TEMPLATE = "#/$defs/{name}"


def schema() -> dict[str, Any]:
    """All messages, bodies, views and events as one JSON schema with a definition for each."""
    named: dict[str, Any] = {"FromPage": messages.FromPage, "ToPage": messages.ToPage}
    for name in games.names():
        game = games.load(name)
        title = "".join(part.title() for part in name.split("_"))
        named[f"{title}View"] = view_of(game)
        named[f"{title}Event"] = _union(events_of(game))
        named[f"{title}Options"] = game.options
    bodies_used = [each for route in ROUTES for each in (route.takes, route.gives)]
    plain = [each for each in (*bodies_used, bodies.Wrong) if isinstance(each, type)]
    # Games name their own events alike: each has its definitions under its own name.
    defined: dict[str, Any] = {}
    for name, kind in named.items():
        (found,), components = msgspec.json.schema_components([kind], ref_template=TEMPLATE)
        if name.endswith("Event"):
            found, components = _prefixed(name.removesuffix("Event"), found, components)
        defined |= components
        if found != {"$ref": TEMPLATE.format(name=name)}:
            defined[name] = found
    _, components = msgspec.json.schema_components(plain, ref_template=TEMPLATE)
    defined |= components
    # Messages name what all events have in common, and carry those of their game.
    unions = [name for name in defined if name.endswith("Event") and name != "Event"]
    defined["Event"] = {
        "title": "Event",
        "description": _text(Event),
        "anyOf": [{"$ref": TEMPLATE.format(name=name)} for name in sorted(unions)],
    }
    # Numbers that a page must know to cut up pictures: a type of which there is one value.
    sizes = {"across": motifs.ACROSS, "size": motifs.SIZE, "strip": motifs.STRIP}
    defined["Sheet"] = {
        "title": "Sheet",
        "description": "Pictures a row, the pixels of their sides, and of the strip above them.",
        "type": "object",
        "properties": {name: {"const": value} for name, value in sizes.items()},
        "required": list(sizes),
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Pli",
        "$defs": dict(sorted(defined.items())),
    }


def view_of(game: AnyGame) -> Any:
    return get_type_hints(game.view)["return"]


def events_of(game: AnyGame) -> list[type[Event]]:
    """Everybody's events and the game's own."""
    ours = (f"pli.games.{game.name}.", "pli.events")
    found = [kind for kind in Event.__subclasses__() if kind.__module__.startswith(ours)]
    return sorted(found, key=lambda kind: (kind.__module__, kind.__name__))


def _union(kinds: list[type[Event]]) -> Any:
    union: Any = kinds[0]
    for kind in kinds[1:]:
        union |= kind
    return union


def _prefixed(prefix: str, found: Any, components: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    text = msgspec.json.encode([found, components]).decode()
    for name in components:
        text = text.replace(f'"#/$defs/{name}"', f'"#/$defs/{prefix}{name}"')
    found, components = msgspec.json.decode(text)
    return found, {prefix + name: each for name, each in components.items()}


def page() -> str:
    """What a writer of another client reads."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield "# The protocol"
    yield ""
    yield "This page is made from the sources by `python -m pli.server.http.schema --page`; as"
    yield "JSON schema, with all views and events of the games, by the same without `--page`."
    yield ""
    yield "Errors are `{code, text}` with the text in the language that `Accept-Language` asks for."
    yield f"A body or frame is at most {messages.LARGEST} bytes."
    yield ""
    yield "## Over HTTP"
    for route in ROUTES:
        path = (
            route.path.replace(":[a-z0-9]{10}", "")
            .replace(":[0-9]{1,6}", "")
            .replace(":[0-9a-f]{20}", "")
        )
        yield ""
        yield f"### `{route.method} {path}`"
        yield ""
        yield _text(route.handler)
        yield ""
        takes = f"Takes `{route.takes.__name__}`. " if route.takes is not None else ""
        gives = f"`{route.gives.__name__}`" if isinstance(route.gives, type) else route.gives
        yield f"{takes}Gives {gives}."
    yield ""
    yield "## Bodies"
    for _, body in inspect.getmembers(bodies, inspect.isclass):
        if issubclass(body, msgspec.Struct) and body.__module__ == bodies.__name__:
            yield from _struct(body)
    for title, union in (
        ("## Messages from a page", messages.FromPage),
        ("## Messages to a page", messages.ToPage),
    ):
        yield ""
        yield title
        yield ""
        yield "Each has a field `type` that names it."
        for kind in get_args(union):
            yield from _struct(kind)
    yield ""
    yield "## What is in them"
    for kind in (messages.TableInfo, messages.SeatInfo, messages.Settings):
        yield from _struct(kind)
    for kind in (messages.Happened, messages.Ranked):
        yield from _struct(kind)
    yield ""


def _struct(kind: type[msgspec.Struct]) -> Iterator[str]:
    tag = kind.__struct_config__.tag
    yield ""
    yield f"### {f'`{tag}`' if tag else kind.__name__}"
    yield ""
    yield _text(kind)
    notes = field_notes(kind)
    described = msgspec.inspect.type_info(kind)
    assert isinstance(described, msgspec.inspect.StructType)
    if described.fields:
        yield ""
        yield "| field | type | |"
        yield "| --- | --- | --- |"
    for field in described.fields:
        optional = "" if field.required else "optional. "
        yield f"| `{field.name}` | {_kind(field.type)} | {optional}{notes.get(field.name, '')} |"


def _kind(kind: msgspec.inspect.Type) -> str:
    """A type in a few words."""
    match kind:
        case msgspec.inspect.StructType():
            return f"`{kind.cls.__name__}`"
        case msgspec.inspect.UnionType():
            return " or ".join(_kind(each) for each in kind.types)
        case msgspec.inspect.ListType():
            return f"list of {_kind(kind.item_type)}"
        case msgspec.inspect.DictType():
            return "object"
        case msgspec.inspect.LiteralType():
            return ", ".join(f"`{value}`" for value in kind.values)
        case msgspec.inspect.IntType():
            return "number"
        case msgspec.inspect.FloatType():
            return "number"
        case msgspec.inspect.StrType():
            return "text"
        case msgspec.inspect.BoolType():
            return "true or false"
        case msgspec.inspect.NoneType():
            return "null"
    return "anything"


def limits() -> str:
    """All limits of a server, as a table."""
    notes, usual = field_notes(Limits), msgspec.structs.asdict(Limits())
    rows = [f"| `{name}` | {_limit(value)} | {notes[name]} |" for name, value in usual.items()]
    return "\n".join(["| limit | default | |", "| --- | --- | --- |", *rows]) + "\n"


def _limit(value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_limit, value))}]"
    return f"{value:,}".replace(",", "_")


def field_notes(kind: type) -> dict[str, str]:
    """The docstrings that stand below fields, which Python itself forgets."""
    notes: dict[str, str] = {}
    lines = iter(inspect.getsource(kind).splitlines()[1:])
    last = ""
    for line in lines:
        text = line.strip()
        name, colon, _ = text.partition(":")
        if text.startswith('"""'):
            while not (text.endswith('"""') and len(text) > 3):
                text += " " + next(lines).strip()
            if last:
                notes[last] = text.strip('"').strip()
        elif colon and name.isidentifier():
            last = name
    return notes


def _text(thing: Any) -> str:
    inherited = isinstance(thing, type) and vars(thing)["__doc__"] is None
    return "" if inherited else " ".join((inspect.getdoc(thing) or "").split())


if __name__ == "__main__":
    if "--page" in sys.argv:
        print(page(), end="")
    elif "--limits" in sys.argv:
        print(limits(), end="")
    else:
        print(msgspec.json.format(msgspec.json.encode(schema()), indent=2).decode())
