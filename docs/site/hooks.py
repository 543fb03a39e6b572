"""What MkDocs is told beside mkdocs.yml: pages and pictures that have their place elsewhere in the
tree, and links to files that are no pages."""

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]

PAGES = (
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    *(f"bench/{file.name}" for file in sorted((ROOT / "bench").glob("*.md"))),
)
"""Pages of the site that do not stand in docs/."""

ASSETS = {
    "assets/emblem.svg": "web/public/icon.svg",
    "assets/weave.svg": "web/src/styles/weave.svg",
    "assets/display.woff2": "web/generated/fonts/display.woff2",
    "assets/plain.woff2": "web/generated/fonts/plain.woff2",
}
"""What the site looks like is what the table looks like."""

LINK = re.compile(r"\[([^\]\[]*)\]\(([^)\s#:]+)(#[^)\s]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for name in PAGES:
        files.append(File.generated(config, name, abs_src_path=str(ROOT / name)))
    for name, source in ASSETS.items():
        files.append(File.generated(config, name, abs_src_path=str(ROOT / source)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Links are written for those who read the tree: here they lead to pages of the site, and what
    is none is only named."""
    inside = page.file.src_uri not in PAGES
    folder = posixpath.dirname(f"docs/{page.file.src_uri}" if inside else page.file.src_uri)

    def led(link: re.Match[str]) -> str:
        text, target, anchor = link[1], link[2], link[3] or ""
        place = posixpath.normpath(posixpath.join(folder, target))
        uri = place.removeprefix("docs/")
        if uri in files.src_uris:
            here = posixpath.dirname(page.file.src_uri) or "."
            return f"[{text}]({posixpath.relpath(uri, here)}{anchor})"
        return text if (ROOT / place).exists() else link[0]

    return LINK.sub(led, markdown)
