"""How a game begins: when the cards are dealt, and how the same people play again."""

from typing import TYPE_CHECKING

from pli.proof import new_secret
from pli.server import entries as e
from pli.server.table import STAND_IN

if TYPE_CHECKING:
    from pli.server.keeper import Keeper

WAITING = 1.5
"""Seconds that a deal waits for the randomness of pages that have not given theirs."""

DRAWING = 6.0
"""The same where pages give it when they have the pictures: nobody searches for what only others
see, and of a minute that runs nothing is lost to blank cards."""


def prepare(keeper: "Keeper") -> None:
    """Deals as soon as all pages that are there have added their randomness, or after a moment."""
    keeper.beginning = True
    if not deal_if_ready(keeper):
        game = keeper.table.game_id

        def late() -> None:
            if keeper.table.game_id == game:
                deal_anyway(keeper)

        patience = WAITING if keeper.table.sheets is None else DRAWING
        keeper.loop.call_later(patience, lambda: keeper.submit(late))


def deal_if_ready(keeper: "Keeper") -> bool:
    if there(keeper) <= set(keeper.table.contributions):
        deal_anyway(keeper)
    return not keeper.beginning


def deal_anyway(keeper: "Keeper") -> None:
    if keeper.beginning and keeper.table.state == "waiting":
        keeper.beginning = False
        if any(chair.free for chair in keeper.table.chairs):
            return  # somebody left at the last moment
        keeper.attendance.wants.clear()
        keeper.enter(e.Begun(version=keeper.table.game.version))


def play_again(keeper: "Keeper") -> bool:
    """A rematch, of the kind that most want, if all who are there want one. Who is not there is
    kept its seat, and bots fill the others."""
    table, wants = keeper.table, keeper.attendance.wants
    present = there(keeper)
    if table.state != "over" or not present or not present <= set(wants):
        return False
    kinds = table.rematches()
    wanted = [*wants.values()]
    kind = max(dict.fromkeys(wanted), key=wanted.count)
    keeper.enter(e.Rematch(options=kinds[kind]))
    keeper.enter(e.Committed(number=table.number + 1, secret=new_secret()))
    wants.clear()
    for absent in sorted(set(table.people) - present):
        keeper.enter(e.Absent(seat=absent))
    for free in [each for each, chair in enumerate(table.chairs) if chair.free]:
        keeper.enter(e.Filled(seat=free, level=STAND_IN))
    prepare(keeper)
    return True


def there(keeper: "Keeper") -> set[int]:
    """The seats whose people are at the table."""
    return {viewer.seat for viewer in keeper.viewers if viewer.seat is not None}
