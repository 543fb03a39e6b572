"""All attacks, by name. Each does for some seconds what one address may do, and more than that."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from pli.server.limits import Limits
from tests.server.attack.attacker import Attacker
from tests.server.attack.drawing import kill_drawers, many_sheets, stop_drawers
from tests.server.attack.history import logs, no_such_game, no_such_game_and_gone, replays
from tests.server.attack.messages import (
    configure_and_fill,
    fill_a_guest,
    hints_and_whys,
    phrases_and_hellos,
    sit_and_leave,
    spectators,
)
from tests.server.attack.requests import garbage, never_begun, public_tables, static_files
from tests.server.attack.sockets import frames, reconnects, slow_requests
from tests.server.attack.writing import bots_alone, hard_bots, scripted_play

SPENT = (f"address_bytes=[{Limits().address_bytes[0]}, 100000]",)
"""An address may save much at once and little in the long run. Here it has nearly used up the
former, so that a few seconds show the latter."""

WIDE = (
    "tables=[1000000, 1000000]",
    "requests=[1000000, 1000000]",
    "address_bytes=[1e12, 1e12]",
)
"""A server without a limit on tables of one address."""


@dataclass(frozen=True)
class Attack:
    run: Callable[[Attacker], Awaitable[None]]
    about: str
    limits: Sequence[str] = ()
    """Of the server, other than by default."""
    seconds: float = 1.0
    """How many times as long as others it takes."""
    wide: bool = False
    """The host has opened limits wide: how long people wait and what is saved is told, but not
    judged."""
    patience: float = 5.0
    """Seconds in which a log, a bot, a new table and its pictures must come."""


ATTACKS: dict[str, Attack] = {
    "no-such-game": Attack(no_such_game, "records, replays, moves, pictures of game 999"),
    "gone-at-once": Attack(no_such_game_and_gone, "the same, the sockets closed at once"),
    "replays": Attack(replays, "long finished games, by the hundred"),
    "logs": Attack(logs, "40 spectators of a long game ask for its log"),
    "sheets": Attack(many_sheets, "the pictures of 18 tables at once"),
    "drawers-killed": Attack(kill_drawers, "20 times a process that draws is killed", patience=15),
    "drawers-stopped": Attack(
        stop_drawers, "processes that draw are stopped", seconds=2.5, patience=29
    ),
    "slow-requests": Attack(slow_requests, "2,000 slow heads and bodies", seconds=2.2),
    "frames": Attack(frames, "pings, pongs, fragments, large and unmasked frames"),
    "reconnects": Attack(reconnects, "60 lines come and go"),
    "static-files": Attack(static_files, "pages, files and the list of games at full rate"),
    "garbage": Attack(garbage, "requests that are none"),
    "spectators": Attack(spectators, "60 of them at the victims' tables"),
    "public-tables": Attack(public_tables, "51 dead public tables, of three addresses"),
    "never-begun": Attack(never_begun, "tables as fast as one may make them"),
    "fill-a-guest": Attack(fill_a_guest, "a host lets a bot play for who is there", seconds=0.3),
    "phrases": Attack(phrases_and_hellos, "phrases and hellos on 60 lines"),
    "hints": Attack(hints_and_whys, "hints and whys at 18 tables"),
    "hard-bots": Attack(hard_bots, "18 tables of hard bots think"),
    "bots-alone": Attack(bots_alone, "18 tables of bots, and again for ever", SPENT),
    "scripted-play": Attack(scripted_play, "18 tables played as fast as may be", SPENT),
    "configure-fill": Attack(configure_and_fill, "20 hosts change their tables", SPENT),
    "sit-leave": Attack(sit_and_leave, "20 tables where people come and go", SPENT),
    "endless-tables": Attack(
        never_begun, "never-begun tables without a limit", WIDE, seconds=2, wide=True
    ),
}
