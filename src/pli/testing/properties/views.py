"""A view shows what its seat may know, and nothing else: it is the same wherever the cards lie that
the seat can't see."""

import msgspec

from pli.board import Board
from pli.game import Seat, View
from pli.testing.failure import Broken
from pli.testing.property import Moment, Property, disguised
from pli.testing.walks import blaming


def moment(at: Moment) -> None:
    game, match, state = at.game, at.match, at.match.state
    before = match.save()
    for seat in at.seats:
        with blaming(game, "view"):
            view = game.view(state, seat)
            msgspec.json.encode(view)
        if game.rules.layout.save(state) != before:
            raise Broken("changes_state", "view", seat)
        _hold_together(at, seat, view)
        with blaming(game, "board"):
            board: object = game.board(view)
        if not isinstance(board, Board) or len(board.rows) != match.seats:
            raise Broken("no_board", "board", seat, "pli.board.Board", board)
        if game.zones is None:
            continue
        other = disguised(at, seat)
        with blaming(game, "view"):
            _alike(view, game.view(other, seat), seat)
    with blaming(game, "own"):
        together = match.views(at.seats)
    for seat, view in zip(at.seats, together, strict=True):
        wanted = match.view(seat)
        if view != wanted:
            field = _different(wanted, view)
            raise Broken(
                "own_differs",
                "own",
                seat,
                getattr(wanted, field),
                getattr(view, field),
                field=field,
            )


def _alike(view: View, other: View, seat: Seat) -> None:
    if msgspec.json.encode(view) != msgspec.json.encode(other):
        field = _different(view, other)
        raise Broken(
            "view_leaks",
            "view",
            seat,
            expected=getattr(view, field),
            got=getattr(other, field),
            field=field,
        )


def _different(one: View, other: View) -> str:
    """A field in which two views differ."""
    names = one.__struct_fields__
    return next(name for name in names if getattr(one, name) != getattr(other, name))


def _hold_together(at: Moment, seat: Seat, view: View) -> None:
    """What a view says of itself."""
    match = at.match
    wanted = {"seat": seat, "seats": match.seats, "winners": match.winners}
    for name, value in wanted.items():
        if getattr(view, name) != value:
            raise Broken("view_field", "view", seat, value, getattr(view, name), field=name)
    if not set(view.awaited) <= set(match.actors):
        expected = f"{match.actors} at most"
        raise Broken("view_field", "view", seat, expected, view.awaited, field="awaited")


VIEWS = Property("views", moment=moment)
