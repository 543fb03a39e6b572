"""`pli serve`: the online table, for people and bots, in this one process."""

import webbrowser
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from pli import games
from pli.cli.common import Database, database, say, whole
from pli.errors import BadOption

LEVELS = ("debug", "info", "warning", "error")
PORT = 8420


def run(
    host: Annotated[str, typer.Option(metavar="HOST", help=say("cli.host"))] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(metavar="PORT", parser=whole("port", 0), help=say("cli.port"))
    ] = PORT,
    db: Database = None,
    origin: Annotated[
        list[str] | None, typer.Option(metavar="ORIGIN", help=say("cli.origin"))
    ] = None,
    behind_proxy: Annotated[
        bool, typer.Option("--behind-proxy", help=say("cli.behind_proxy"))
    ] = False,
    trusted_proxy: Annotated[
        list[str] | None, typer.Option(metavar="CIDR", help=say("cli.trusted_proxy"))
    ] = None,
    hops: Annotated[
        int, typer.Option(metavar="N", parser=whole("hops", 1), help=say("cli.hops"))
    ] = 1,
    workers: Annotated[
        int | None, typer.Option(metavar="N", parser=whole("workers", 1), help=say("cli.workers"))
    ] = None,
    limits: Annotated[Path | None, typer.Option(metavar="FILE", help=say("cli.limits"))] = None,
    limit: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help=say("cli.limit"))
    ] = None,
    no_limits: Annotated[bool, typer.Option("--no-limits", help=say("cli.no_limits"))] = False,
    unwanted_names: Annotated[
        Path | None, typer.Option(metavar="FILE", help=say("cli.unwanted_names"))
    ] = None,
    trust_clock: Annotated[
        bool, typer.Option("--trust-clock", help=say("cli.trust_clock"))
    ] = False,
    internal: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help=say("cli.internal"))
    ] = None,
    announce: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help=say("cli.announce"))
    ] = None,
    lease: Annotated[
        int | None, typer.Option(metavar="SECONDS", parser=whole("lease", 2), help=say("cli.lease"))
    ] = None,
    lab: Annotated[bool | None, typer.Option("--lab/--no-lab", help=say("cli.lab"))] = None,
    log_level: Annotated[str, typer.Option(metavar="LEVEL", help=say("cli.log_level"))] = "info",
    log_requests: Annotated[
        bool, typer.Option("--log-requests", help=say("cli.log_requests"))
    ] = False,
    open_page: Annotated[bool, typer.Option("--open", help=say("cli.open_page"))] = False,
) -> None:
    if log_level not in LEVELS:
        raise BadOption(name="log-level", value=log_level, allowed=", ".join(LEVELS))
    # The server's libraries are slow to import: not for every other command.
    from pli.server.addresses import LOOPBACK, host_port
    from pli.server.limits import UNLIMITED, read_limits
    from pli.server.logs import set_up
    from pli.server.main import ServerConfig
    from pli.server.main import run as serve
    from pli.server.rooms.nicknames import Unwanted, read_names

    games.load_outside()
    set_up(log_level, log_requests)
    out = Console(soft_wrap=True, highlight=False)

    def started(address: str, operators: str | None) -> None:
        out.print(say("server.started", address=address))
        if operators is not None:
            out.print(say("server.internal", address=operators))
        if open_page:
            webbrowser.open(address)

    serve(
        ServerConfig(
            host=host,
            port=port,
            db=database(db),
            origins=tuple(origin or ()),
            proxied=behind_proxy or trusted_proxy is not None,
            trusted=LOOPBACK if trusted_proxy is None else tuple(trusted_proxy),
            hops=hops,
            limits=read_limits(limits, limit or (), UNLIMITED if no_limits else None),
            unwanted=read_names(unwanted_names) if unwanted_names else Unwanted(),
            workers=workers,
            trust_clock=trust_clock,
            internal=host_port("internal", internal) if internal is not None else None,
            announce=host_port("announce", announce) if announce is not None else None,
            lab=lab,
            lease=lease,
        ),
        started,
    )
