"""A mapping that was read from a file and knows the line of each of its keys."""

from typing import Any


class Located(dict[Any, Any]):
    """A mapping of the file that remembers the line of each of its keys."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[Any, int] = {}
