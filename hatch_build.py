"""A package without the web client would start a server that shows nothing, so none is built. An
editable installation, from which the client is then built, may do without."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class NeedsClient(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        page = Path(self.root) / "src" / "pli" / "server" / "static" / "index.html"
        if version != "editable" and not page.exists():
            raise FileNotFoundError(f"{page} is missing: run `make web` first")
