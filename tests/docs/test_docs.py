"""What the pages of documentation show is so: their code runs, page by page from the first block to
the last; their commands exist, and those after `$` run; their links lead somewhere; all are in the
site."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer
import yaml

from pli.cli import app
from pli.scenario import Scenario
from tests.docs.pages import PAGES, ROOT, Block, blocks, write_files

LINK = re.compile(r"\]\(([^)\s]+)\)")

MKDOCS = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
NAV = MKDOCS.split("\nnav:")[1]

RULES = re.findall(r"^([a-z][a-z -]*):", (ROOT / "Makefile").read_text(), re.MULTILINE)
GOALS = {goal for rule in RULES for goal in rule.split()}


def pages_with(language: str) -> list[str]:
    return [
        name
        for name, page in PAGES.items()
        if name != "README.md" and any(each.language == language for each in untitled(page))
    ]


def untitled(page: Path) -> list[Block]:
    """The blocks that are no files."""
    return [block for block in blocks(page) if block.title is None]


def run(command: list[str], folder: Path) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=240,
        env=os.environ | {"PYTHONPATH": str(folder), "PLI_LANG": "en", "COLUMNS": "100"},
    )
    assert done.returncode == 0, f"{shlex.join(command)}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.mark.parametrize("name", pages_with("python"))
def test_the_python_of_a_page_runs_from_top_to_bottom(name: str, tmp_path: Path) -> None:
    write_files(PAGES[name], tmp_path)
    python = [block for block in untitled(PAGES[name]) if block.language == "python"]
    code = "".join(block.text for block in python)
    told = run([sys.executable, "-c", code], tmp_path)
    assert told or "print(" not in code


@pytest.mark.parametrize("name", pages_with("console"))
def test_the_commands_of_a_page_run(name: str, tmp_path: Path) -> None:
    write_files(PAGES[name], tmp_path)
    text = "".join(each.text for each in blocks(PAGES[name]) if each.language == "console")
    commands = re.findall(r"^\$ (.*)$", text, re.MULTILINE)
    assert commands
    for command in commands:
        program, *arguments = shlex.split(command)
        assert program == "pli"
        assert run([sys.executable, "-m", "pli", *arguments], tmp_path)


@pytest.mark.parametrize("name", pages_with("yaml"))
def test_the_scenarios_of_a_page_hold(name: str) -> None:
    for block in untitled(PAGES[name]):
        if block.language == "yaml":
            assert Scenario(block.text).run() is None


SHOWN = re.compile(r"(?:\$ )?(?:\S*/bin/)?((?:pli|make) (?![a-z]+ 1\b)[a-z-].*)")
"""A command; `pli record 1` is the first line of a record."""


def commands_of(page: Path) -> list[str]:
    """Every `pli` and `make` in a block or in code of a line."""
    text = page.read_text(encoding="utf-8")
    fenced = [each.text for each in blocks(page) if each.language in ("", "sh", "console")]
    indented = re.findall(r"^    (.*)$", text, re.MULTILINE)
    inline = re.findall(r"(?<!`)`([^`\n]+)`(?!`)", text)
    lines = [line for part in fenced for line in part.splitlines()] + indented + inline
    found = [SHOWN.match(line.strip()) for line in lines]
    return [re.split(r"   *#", each[1])[0] for each in found if each]


@pytest.mark.parametrize("name", [name for name, page in PAGES.items() if commands_of(page)])
def test_a_command_that_is_shown_exists(name: str) -> None:
    known = typer.main.get_command(app)
    for command in commands_of(PAGES[name]):
        program, *words = command.replace("`", "").split()
        if program == "make":
            assert words[0] in GOALS, command
            continue
        here = known
        if words[0] == "--games":  # before the name of a command
            del words[:2]
        while words and not words[0].startswith("-") and hasattr(here, "commands"):
            word = words.pop(0).rstrip(",.;")
            assert word in here.commands, command
            here = here.commands[word]
        options = {name for each in here.params for name in (*each.opts, *each.secondary_opts)}
        for word in words:
            if word.startswith("--"):
                assert re.split(r"[=,.;]", word)[0] in options | {"--help"}, command


@pytest.mark.parametrize("name", PAGES)
def test_a_link_leads_somewhere(name: str) -> None:
    page = PAGES[name]
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(), flags=re.DOTALL)
    for target in LINK.findall(text):
        assert not target.startswith("/"), target
        if "://" in target or target.startswith("mailto:"):
            continue
        path, _, anchor = target.partition("#")
        file = page if path == "" else page.parent / path
        assert file.exists(), f"{name}: {target}"
        if anchor and file.suffix == ".md":
            headings = re.findall(r"^#+ (.*)$", file.read_text(), re.MULTILINE)
            assert anchor in {_anchor(each) for each in headings}, f"{name}: {target}"


def _anchor(heading: str) -> str:
    return re.sub(r"[\s]+", "-", re.sub(r"[^\w\s-]", "", heading.lower()).strip())


def test_every_page_is_in_the_site() -> None:
    nav = set(re.findall(r"^ +- (?:[^:\n]+: )?([\w/-]+\.md)$", NAV, re.MULTILINE))
    docs = {name.removeprefix("docs/") for name in PAGES if name.startswith("docs/")}
    outside = {"CHANGELOG.md", "CONTRIBUTING.md"}
    outside |= {f"bench/{file.name}" for file in (ROOT / "bench").glob("*.md")}
    assert nav == docs | outside
    for name in outside:
        assert (ROOT / name).exists()
    yaml.compose(MKDOCS)


def test_the_game_of_the_tutorial_has_at_most_120_lines(tmp_path: Path) -> None:
    files = write_files(PAGES["docs/write-a-game.md"], tmp_path)
    lines = [len(text.splitlines()) for name, text in files.items() if name.startswith("promise/")]
    assert len(lines) == 2
    assert sum(lines) <= 120
