"""The Markdown that is made from declarations: docs/protocol.md from the OpenAPI document, and the
table of limits in docs/hosting.md."""

from collections.abc import Iterator
from typing import Any

import msgspec

from pli.server.limits import Limits

BAR = "\\|"


def protocol_page(document: dict[str, Any]) -> str:
    """The page for authors of clients."""
    return "\n".join(_Page(document).lines()) + "\n"


class _Page:
    def __init__(self, document: dict[str, Any]) -> None:
        self._document = document
        self._schemas: dict[str, Any] = document["components"]["schemas"]
        self._operations = [
            (method.upper(), path, operation)
            for path, methods in document["paths"].items()
            for method, operation in methods.items()
        ]
        self._shown: set[str] = set()
        """Schemas that the page has a section for."""

    def lines(self) -> Iterator[str]:
        yield "# The protocol"
        yield ""
        yield "<!-- Made by `python -m pli.server.http.export --page`. Not to be edited. -->"
        yield ""
        yield from self._document["info"]["description"].splitlines()
        yield ""
        yield "This page is made from the OpenAPI 3.1 document that a server has at"
        yield "`/api/openapi.json` (`python -m pli.server.http.export --openapi` prints it). The"
        yield "document also has the views, events and options of all games."
        (socket,) = [each for each in self._operations if "x-messages" in each[2]]
        yield ""
        yield "## HTTP"
        yield ""
        yield "Every `GET` but that of the WebSocket is answered to `HEAD` too. All routes have"
        yield "these errors:"
        yield ""
        yield from self._shared_errors()
        for tag in self._document["tags"]:
            if tag["name"] in socket[2]["tags"]:
                continue
            yield ""
            yield f"### {tag['name'].capitalize()}"
            yield ""
            yield from tag["description"].splitlines()
            for method, path, operation in self._operations:
                if tag["name"] in operation["tags"] and method != "HEAD":
                    yield from self._operation(method, path, operation)
        yield from self._socket(*socket)
        yield from self._objects()

    # HTTP

    def _operation(self, method: str, path: str, operation: dict[str, Any]) -> Iterator[str]:
        yield ""
        yield f"#### `{method} {path}`"
        yield ""
        yield operation["description"]
        parameters = operation.get("parameters", [])
        if parameters:
            yield ""
            yield from _table("parameter", "type", "")
            for each in parameters:
                optional = "" if each["required"] else "Optional. "
                yield _row(
                    f"`{each['name']}`", self._kind(each["schema"]), optional + each["description"]
                )
        yield ""
        if "requestBody" in operation:
            (kind,) = operation["requestBody"]["content"].values()
            yield f"Request body: {self._kind(kind['schema'])}."
            yield ""
        yield from _table("status", "body", "")
        for status, response in operation["responses"].items():
            if "$ref" not in response:
                yield _row(status, *self._response(response))

    def _response(self, response: dict[str, Any]) -> tuple[str, str]:
        bodies, codes = [], []
        for media_type, content in response.get("content", {}).items():
            for each in content["schema"].get("anyOf", [content["schema"]]):
                if "properties" in each:
                    codes += _codes(each["properties"]["code"])
                elif media_type == "application/json" and "$ref" in each:
                    bodies.append(self._kind(each))
                else:
                    bodies.append(media_type)
        if not codes:
            notes = [f"`{n}`: {h['description']}" for n, h in response.get("headers", {}).items()]
            told = [] if response["description"] == "Success." else [response["description"]]
            return ", ".join(bodies), " ".join([*told, *notes])
        return ", ".join([*bodies, self._link("Wrong")]), ", ".join(codes)

    def _shared_errors(self) -> Iterator[str]:
        statuses = {
            each["$ref"].rpartition("/")[2]: status
            for _, _, operation in self._operations
            for status, each in operation["responses"].items()
            if "$ref" in each
        }
        yield from _table("status", "codes", "")
        for name, response in self._document["components"]["responses"].items():
            _, codes = self._response(response)
            yield _row(statuses[name], codes, response["description"])

    # The WebSocket

    def _socket(self, method: str, path: str, operation: dict[str, Any]) -> Iterator[str]:
        (tag,) = [t for t in self._document["tags"] if t["name"] in operation["tags"]]
        yield ""
        yield "## WebSocket"
        yield ""
        yield from tag["description"].splitlines()
        yield from self._operation(method, path, operation)
        yield ""
        yield "### Close codes"
        yield ""
        yield from _table("code", "reason", "")
        for reason, each in operation["x-close-codes"].items():
            yield _row(str(each["code"]), f"`{reason}`", each["description"])
        for title, whose in (
            ("Messages of the client", "client"),
            ("Messages of the server", "server"),
        ):
            yield ""
            yield f"### {title}"
            union = self._schemas[_name(operation["x-messages"][whose])]
            for tag_value, reference in union["discriminator"]["mapping"].items():
                yield from self._struct(_name({"$ref": reference}), f"`{tag_value}`")

    # Objects

    def _objects(self) -> Iterator[str]:
        """All that requests, responses and messages are made of, but for the games' own."""
        yield ""
        yield "## Objects"
        found = {"FromPage", "ToPage", "Event", *self._shown}
        waiting = _references(self._document["paths"])
        waiting |= {each for name in self._shown for each in _references(self._schemas[name])}
        objects = []
        while waiting := waiting - found:
            name = waiting.pop()
            found.add(name)
            if name in self._schemas:
                objects.append(name)
                waiting |= _references(self._schemas[name])
        for name in sorted(objects):
            yield from self._struct(name, name)

    def _struct(self, name: str, title: str) -> Iterator[str]:
        schema = self._schemas[name]
        self._shown.add(name)
        yield ""
        yield f"#### {title}"
        yield ""
        yield " ".join(schema.get("description", "").split())
        required = schema.get("required", [])
        fields = {**schema["properties"]}
        if title != name:
            del fields["type"]  # which is the title
        if not fields:
            return
        yield ""
        yield from _table("field", "type", "")
        for field, each in fields.items():
            default = "" if field in required else f"Default: `{_default(each)}`. "
            yield _row(f"`{field}`", self._kind(each), default + each.get("description", ""))

    def _link(self, name: str) -> str:
        return f"[`{name}`](#{name.lower()})"

    def _kind(self, schema: dict[str, Any]) -> str:
        """A type in a few words."""
        if "$ref" in schema:
            name = _name(schema)
            return "`Event`" if name == "Event" else self._link(name)
        if "anyOf" in schema:
            return " or ".join(self._kind(each) for each in schema["anyOf"])
        if "enum" in schema:
            return ", ".join(f"`{each}`" for each in schema["enum"])
        if schema.get("type") == "array":
            return f"list of {self._kind(schema['items'])}"
        if schema.get("type") == "object":
            values = schema.get("additionalProperties")
            return (
                f"map of {self._kind(values)}" if isinstance(values, dict) and values else "object"
            )
        return f"{schema.get('type', 'any')}{_bounds(schema)}"


def limits_table() -> str:
    """All limits of a server, with their defaults."""
    fields = msgspec.json.schema(Limits)["$defs"]["Limits"]["properties"]
    usual = msgspec.structs.asdict(Limits())
    rows = [_row(f"`{n}`", _limit(value), fields[n]["description"]) for n, value in usual.items()]
    return "\n".join([*_table("limit", "default", ""), *rows]) + "\n"


def _limit(value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_limit, value))}]"
    return f"{value:,}".replace(",", "_")


def _bounds(schema: dict[str, Any]) -> str:
    if "minimum" in schema:
        most = f" to {schema['maximum']:,}" if "maximum" in schema else " or more"
        return f" ({schema['minimum']:,}{most})".replace(",", "_")
    if "maxLength" in schema:
        least = f"{schema['minLength']} to " if "minLength" in schema else "up to "
        return f" ({least}{schema['maxLength']} characters)"
    if "pattern" in schema:
        return f" `{schema['pattern'].strip('^$')}`"
    return ""


def _codes(schema: dict[str, Any]) -> list[str]:
    found = []
    for each in schema.get("anyOf", [schema]):
        found += [f"`{code}`" for code in each.get("enum", [])]
        if "pattern" in each:
            found.append(f"`{each['pattern'].strip('^')}*`")
    return found


def _default(schema: dict[str, Any]) -> str:
    value = schema.get("default")
    return msgspec.json.encode(value).decode() if not isinstance(value, str) else value


def _references(schema: Any) -> set[str]:
    """The names of all schemas that something refers to."""
    if isinstance(schema, list):
        return set().union(*map(_references, schema))
    if not isinstance(schema, dict):
        return set()
    found = {_name(schema)} if "$ref" in schema else set()
    return found.union(*map(_references, schema.values()))


def _name(reference: dict[str, Any]) -> str:
    return str(reference["$ref"].rpartition("/")[2])


def _table(*titles: str) -> list[str]:
    return [_row(*titles), _row(*("---" for _ in titles))]


def _row(*cells: str) -> str:
    return f"| {' | '.join(each.replace('|', BAR) for each in cells)} |"
