"""`pli admin`: looks after the tables of a journal."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime
from typing import Annotated, Any, Literal, get_args

import msgspec
import typer
from rich.table import Table
from rich.text import Text

from pli.cli.common import (
    DEFAULT_LANGUAGE,
    Database,
    Json,
    Language,
    complain,
    database,
    one_line,
    progress,
    say,
    whole,
)
from pli.cli.table import console
from pli.errors import BadOption
from pli.texts import Words, words

FOUND = 1
"""The exit status if something is wrong with a journal, or two differ."""

SHOWN_FAULTS = 50
"""Of a kind, before only their number is told."""

TableName = Annotated[str, typer.Argument(metavar="NAME", help=say("cli.table_name"))]
Yes = Annotated[bool, typer.Option("--yes", "-y", help=say("cli.yes"))]

app = typer.Typer(
    help=say("cli.admin"),
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
)


@app.command(help=say("cli.admin_tables"))
def tables(
    state: Annotated[str | None, typer.Option(metavar="STATE", help=say("cli.admin_state"))] = None,
    game: Annotated[str | None, typer.Option(metavar="GAME", help=say("cli.admin_game"))] = None,
    most: Annotated[
        int, typer.Option(metavar="N", parser=whole("most", 1), help=say("cli.admin_most"))
    ] = 50,
    db: Database = None,
    json: Json = False,
    lang: Language = DEFAULT_LANGUAGE,
) -> None:
    from pli.server.admin.overview import listed_tables
    from pli.server.journal.api import State

    if state is not None and state not in get_args(State):
        raise BadOption(name="state", value=state, allowed=", ".join(get_args(State)))

    async def look() -> list[Any]:
        async with _opened(db) as journal:
            return await listed_tables(journal, most, state, game)  # type: ignore[arg-type]  # looked up above

    found = asyncio.run(look())
    if json:
        _print_json(found)
        return
    told = words(lang)
    names = ("id", "game", "state", "people", "entries", "touched", "server")
    owned = any(each.owner for each in found)
    shown = Table(box=None, pad_edge=False)
    for name in names if owned else names[:-1]:
        end: Literal["left", "right"] = "right" if name == "entries" else "left"
        shown.add_column(told(f"admin.{name}"), justify=end, overflow="fold")
    for each in found:
        cells = [
            each.id,
            each.game,
            told(f"admin.{each.state}"),
            _people(each.names, each.free if each.state == "waiting" else 0, told),
            str(each.entries),
            _time(each.touched),
            each.owner or "",
        ]
        shown.add_row(*(Text(one_line(cell)) for cell in (cells if owned else cells[:-1])))
    console().print(shown)


@app.command(help=say("cli.admin_table"))
def table(
    name: TableName, db: Database = None, json: Json = False, lang: Language = DEFAULT_LANGUAGE
) -> None:
    from pli.server.admin.overview import shown_table

    async def look() -> Any:
        async with _opened(db) as journal:
            return await shown_table(journal, name)

    found = asyncio.run(look())
    if json:
        _print_json(found)
        return
    shown = Table(box=None, show_header=False, pad_edge=False)
    shown.add_column(style="bold")
    shown.add_column(overflow="fold")
    for key, value in _lines(found, words(lang)):
        shown.add_row(key, Text(one_line(value)))
    console().print(shown)


def _lines(found: Any, told: Words) -> Iterator[tuple[str, str]]:
    """What is shown of one table."""
    yield told("admin.id"), found.id
    yield told("admin.game"), told("admin.rules", game=found.game, version=found.version)
    state = told(f"admin.{found.state}")
    yield told("admin.state"), f"{state}, {told('admin.outdated')}" if found.outdated else state
    for key, values in (("options", found.options), ("settings", found.settings)):
        if values:
            plain = msgspec.to_builtins(values)
            yield told(f"admin.{key}"), ", ".join(f"{k}={v}" for k, v in plain.items())
    if found.seats is None:
        yield told("admin.people"), _people(found.names, 0, told)
    for number, seat in enumerate(found.seats or ()):
        marks = [
            told(f"admin.{mark}")
            for mark, is_so in (
                ("host", number == found.host),
                ("absent", seat.absent),
                ("left", seat.left),
            )
            if is_so
        ]
        who = seat.name or told(f"admin.{seat.kind}")
        level = [seat.level] if seat.level else []
        yield told("seats.other", seat=number), ", ".join([who, *level, *marks])
    yield told("admin.finished"), str(found.finished)
    for number, winners in enumerate(found.results or (), 1):
        result = told("admin.won", seats=", ".join(map(str, winners)))
        yield told("admin.game_number", n=number), result if winners else told("admin.abandoned")
    kinds = ", ".join(f"{kind} {count}" for kind, count in found.kinds.items())
    yield told("admin.entries"), f"{found.entries}  {kinds}".rstrip()
    yield told("admin.size"), told("admin.bytes", n=found.size)
    records = ", ".join(
        f"{each.number} ({told('admin.bytes', n=each.size)})" for each in found.records
    )
    yield told("admin.records"), records or "0"
    yield told("admin.created"), _time(found.created)
    yield told("admin.touched"), _time(found.touched)
    if found.owner:
        yield told("admin.server"), found.owner


@app.command(help=say("cli.admin_end"))
def end(
    name: TableName, db: Database = None, yes: Yes = False, lang: Language = DEFAULT_LANGUAGE
) -> None:
    from pli.server.admin.ending import end_game

    told = words(lang)
    _confirm(told("admin.confirm_end", table=name), yes)

    async def work() -> int:
        async with _opened(db, write=True) as journal:
            return await end_game(journal, name)

    _say(told("admin.ended", table=name, n=asyncio.run(work())))


@app.command(help=say("cli.admin_delete"))
def delete(
    name: TableName, db: Database = None, yes: Yes = False, lang: Language = DEFAULT_LANGUAGE
) -> None:
    from pli.server.admin.deleting import delete_table

    told = words(lang)
    _confirm(told("admin.confirm_delete", table=name), yes)

    async def work() -> None:
        async with _opened(db, write=True) as journal:
            await delete_table(journal, name)

    asyncio.run(work())
    _say(told("admin.deleted", table=name))


@app.command(help=say("cli.admin_forget"))
def forget(
    nickname: Annotated[str, typer.Argument(metavar="NICKNAME", help=say("cli.admin_nickname"))],
    table: Annotated[
        str | None, typer.Option(metavar="NAME", help=say("cli.admin_only_table"))
    ] = None,
    db: Database = None,
    yes: Yes = False,
    lang: Language = DEFAULT_LANGUAGE,
) -> None:
    from pli.server.admin.forgetting import NEUTRAL
    from pli.server.admin.forgetting import forget as forget_name

    told = words(lang)
    _confirm(told("admin.confirm_forget", name=nickname, neutral=NEUTRAL), yes)

    async def work() -> Any:
        async with _opened(db, write=True) as journal:
            with _bar(told("admin.searching"), 1 if table else await journal.count()) as advance:
                return await forget_name(journal, nickname, table, advance)

    done = asyncio.run(work())
    _say(told("admin.forgotten", name=nickname, n=done.tables))
    _say(
        told(
            "admin.forgotten_where",
            entries=done.entries,
            listings=done.listings,
            records=done.records,
        )
    )
    for each in done.unread:
        complain(told("admin.unread", table=each))
    if done.unread:
        raise typer.Exit(FOUND)


@app.command(help=say("cli.admin_copy"))
def copy(
    source: Annotated[str, typer.Argument(metavar="FROM", help=say("cli.admin_from"))],
    target: Annotated[str, typer.Argument(metavar="TO", help=say("cli.admin_to"))],
    resume: Annotated[bool, typer.Option("--resume", help=say("cli.admin_resume"))] = False,
    lang: Language = DEFAULT_LANGUAGE,
) -> None:
    from pli.server.admin import copying

    told = words(lang)
    compared = copying.Compared()

    async def work() -> None:
        async with (
            _opened(source, write=True) as first,
            _opened(target, write=True, create=True) as second,
        ):
            with _bar(told("backup.copying"), await first.count()) as advance:
                await copying.copy(first, second, resume, advance)
            with _bar(told("admin.comparing"), await first.count()) as advance:
                async for each in copying.compare(first, second, compared, advance):
                    if compared.differences <= SHOWN_FAULTS:
                        number = "" if each.number is None else str(each.number)
                        where = f"{each.table} {each.what} {number}"
                        complain(told("admin.differs", where=" ".join(where.split())))

    asyncio.run(work())
    _say(
        told(
            "admin.copied",
            tables=compared.tables,
            entries=compared.entries,
            records=compared.records,
            days=compared.days,
        )
    )
    _say(f"sha256 {compared.digest}")
    if compared.differences:
        complain(told("admin.differences", n=compared.differences))
        raise typer.Exit(FOUND)
    _say(told("admin.same"))


@app.command(help=say("cli.admin_check"))
def check(db: Database = None, json: Json = False, lang: Language = DEFAULT_LANGUAGE) -> None:
    from pli.server.admin import checking

    told = words(lang)
    tally = checking.Tally()
    found: list[dict[str, object]] = []

    async def work() -> None:
        async with _opened(db) as journal:
            with _bar(told("admin.checking"), await journal.count()) as advance:
                async for fault in checking.check(journal, tally, advance):
                    why = fault.problem.text(lang)
                    found.append({"table": fault.table, "code": fault.problem.code, "text": why})
                    if not json:
                        complain(f"{fault.table}: {why}" if fault.table else why)

    asyncio.run(work())
    if json:
        _print_json({**msgspec.to_builtins(tally), "faults": found})
    else:
        counts = msgspec.to_builtins(tally)
        _say(told("admin.checked", **counts))
        if tally.outdated:
            _say(told("admin.not_replayed", n=tally.outdated))
        _say(told("admin.faults", n=len(found)) if found else told("admin.sound"))
    if found:
        raise typer.Exit(FOUND)


# What they share


@asynccontextmanager
async def _opened(url: str | None, write: bool = False, create: bool = False) -> AsyncIterator[Any]:
    # The server's libraries are slow to import: not for every other command.
    from pli.server.journal.open import open_maintenance

    journal = await open_maintenance(database(url), write, create)
    try:
        yield journal
    finally:
        await journal.close()


def _confirm(question: str, yes: bool) -> None:
    if not yes:
        typer.confirm(question, abort=True)


@contextmanager
def _bar(title: str, total: int) -> Iterator[Callable[[int], None]]:
    bar = progress()
    if not bar.console.is_terminal:
        yield lambda done: None
        return
    with bar:
        task = bar.add_task(title, total=total)
        yield lambda done: bar.advance(task, done)


def _people(names: list[str], free: int, told: Words) -> str:
    return ", ".join([*names, told("admin.free", n=free)] if free else names)


def _time(seconds: int) -> str:
    return datetime.fromtimestamp(seconds).astimezone().strftime("%Y-%m-%d %H:%M")


def _say(line: str) -> None:
    console().print(one_line(line), markup=False, highlight=False, soft_wrap=True)


def _print_json(value: object) -> None:
    text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    console().print(text, markup=False, highlight=False, soft_wrap=True)
