"""What pages are told of a commit, each seat as it may see it: whole updates, or deltas to pages
that asked for them."""

import msgspec

from pli.game import Seat
from pli.match import AnyMatch
from pli.server.protocol import messages as m
from pli.server.rooms.dealer import Dealer
from pli.server.rooms.faces import Faces
from pli.server.rooms.idle import Idle
from pli.server.rooms.presence import Presence
from pli.server.rooms.start import Start
from pli.server.rooms.transaction import Commit, Listener, RoomAccess
from pli.server.rooms.viewer import Viewer, encode


class Broadcast(Listener):
    """Of one table. Messages are encoded while the commit is being written, and sent when it is
    durable."""

    def __init__(
        self, access: RoomAccess, presence: Presence, dealer: Dealer, idle: Idle, start: Start
    ) -> None:
        super().__init__(access)
        self._presence = presence
        self._dealer = dealer
        self._idle = idle
        self._start = start
        self._faces = Faces(access.table, lambda: start.holds)
        self._messages: list[tuple[Viewer, bytes]] = []

    # Outside of commits

    def info(self) -> m.TableInfo:
        return self._table.info(
            self._audience.people,
            self._dealer.wants,
            self._audience.spectators,
            self._idle.on,
            self._audience.spectator_names,
        )

    def table(self, but: Viewer | None = None) -> None:
        """For what is not in the journal: who is connected, who wants a rematch, whether the table
        rests."""
        data = encode(m.Table(table=self.info()))
        for viewer in self._audience:
            if viewer is not but:
                viewer.tell(data)

    def welcome(self, viewer: Viewer) -> None:
        """All that a page may know. Where nobody may watch, a page without a seat is closed. Only
        while no commit is under way."""
        table, seat = self._table, viewer.seat
        if seat is None and not table.settings.spectators:
            viewer.close("no_spectators")
            return
        match = table.match
        pictures = self._faces.all()
        if pictures is not None:
            viewer.tell(encode(pictures))
        start = self._start.message() if viewer.starts else None
        if start is not None:
            viewer.tell(encode(start))
        told = m.Welcome(
            seat=seat,
            table=self.info(),
            n=table.n,
            time=self._clock.now(),
            acted=table.chairs[seat].acted if seat is not None else 0,
            view=match.view(seat) if match is not None else None,
            legal=match.legal(seat) if match and seat is not None and viewer.lists else [],
            clock=self._presence.deadline,
        )
        viewer.told = told if viewer.changes else None
        viewer.tell(encode(told))

    def begin(self) -> None:
        """The time of play begins: all faces that lie open are shown. Pages that know nothing of
        the start are welcomed anew, so that they have the time."""
        pictures = self._faces.news()
        data = encode(pictures) if pictures is not None else None
        for viewer in [*self._audience]:
            if not viewer.starts:
                self.welcome(viewer)
            elif data is not None:
                viewer.tell(data)

    # Commits

    def recorded(self, commit: Commit) -> None:
        table = self._table
        messages: list[tuple[Viewer, bytes]] = []
        if not commit.quiet or table.sheets is not None:
            messages = self._to_all(commit)
        if table.match is not None and commit.moves:
            messages += self._updates(commit, table.match)
        self._messages = messages

    def committed(self, commit: Commit) -> None:
        messages, self._messages = self._messages, []
        for viewer, data in messages:
            viewer.tell(data)

    def reset(self) -> None:
        self._messages = []

    def _to_all(self, commit: Commit) -> list[tuple[Viewer, bytes]]:
        """To every page alike: pictures, and the table around the game."""
        news: list[m.ToPage] = []
        pictures = self._faces.news()
        if pictures is not None:
            news.append(pictures)
        if not commit.quiet:
            news.append(m.Table(table=self.info()))
        encoded = [encode(each) for each in news]
        return [(viewer, data) for data in encoded for viewer in self._audience]

    def _updates(self, commit: Commit, match: AnyMatch) -> list[tuple[Viewer, bytes]]:
        """To every page what happened in the game, as its seat may see it."""
        table, viewers = self._table, self._audience.viewers
        deadline, now = self._presence.deadline, self._clock.now()
        author, number = (commit.author.seat, commit.author.id) if commit.author else (None, 0)
        listed = self._audience.listing.intersection(match.actors)
        seats = list(self._audience.seats)
        updates = {
            seat: m.Update(
                n=table.n,
                time=now,
                events=commit.events.get(seat, []),
                view=view,
                legal=match.legal(seat) if seat is not None and seat in listed else [],
                did=number if seat == author else 0,
                clock=deadline,
            )
            for seat, view in zip(seats, match.views(seats), strict=True)
        }
        return _encoded(viewers, updates)


def _encoded(viewers: list[Viewer], updates: dict[Seat, m.Update]) -> list[tuple[Viewer, bytes]]:
    """Each distinct message is encoded once."""
    encoded: dict[tuple[Seat, int], bytes] = {}
    out: list[tuple[Viewer, bytes]] = []
    for viewer in viewers:
        update, before = updates[viewer.seat], viewer.told
        key = (viewer.seat, id(before))
        if key not in encoded:
            encoded[key] = encode(update if before is None else delta(before, update))
        if viewer.changes:
            viewer.told = update
        out.append((viewer, encoded[key]))
    return out


def delta(before: m.Welcome | m.Update, now: m.Update) -> m.Update | m.Change:
    """The fields of a view, and the legal actions, that are not as they were."""
    if before.view is None:
        return now
    had, has = set(before.legal), set(now.legal)
    return m.Change(
        n=now.n,
        time=now.time,
        events=now.events,
        view={
            name: value
            for name, value in msgspec.structs.asdict(now.view).items()
            if value != getattr(before.view, name)
        },
        gone=[each for each in before.legal if each not in has],
        more=[each for each in now.legal if each not in had],
        did=now.did,
        clock=now.clock,
    )
