"""What a seat may know, worked out without any view: from the table's journal, the state as it was
after each entry, and which cards lay where the seat could see them. Frames are held against it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from pli import games
from pli.game import Act, Seat
from pli.games.merci.rules.cards import front
from pli.games.merci.state import BACKS, CARDS, front_name
from pli.games.plingo.rules import CHOOSING
from pli.games.twinit.state import CARDS as TWINIT_CARDS
from pli.games.twinit.state import INSIDE, OUT
from pli.kernel.bits import to_list
from pli.kernel.machine import Plain
from pli.match import Step
from pli.server.tables import entries as e
from pli.server.tables.table import Table, hashed
from pli.tricks import OVER
from tests.server.client import whole

CARD = re.compile(r"\b[BGYPO][0-9]{1,2}(?:/[a-z]+)?\b")
FACE = re.compile(r"\b[0-9]{1,3}[ab]\b")
HEX = re.compile(r"[0-9a-f]{32,}")


# What lies open


def trick_cards(s: Any, seat: Seat) -> set[int]:
    """On the table now, in the last trick, and in one's own hand."""
    cards = {card for card in (*s.trick, *s.last_trick) if card >= 0}
    return cards if seat is None else cards | set(to_list(s.hands[seat]))


def marshmallow(s: Any, seat: Seat) -> set[str]:
    names = games.load("marshmallow").notation.show
    return {names(card).partition(" ")[2] for card in trick_cards(s, seat)}


def plingo(s: Any, seat: Seat) -> set[str]:
    """Also what one took oneself; at the reveal what everyone took."""
    cards = trick_cards(s, seat)
    revealed = s.phase in (CHOOSING, OVER)
    for each in range(s.seats):
        if each == seat or revealed:
            cards |= set(to_list(s.taken[each]))
    names = games.load("plingo").notation.show
    return {names(card).partition(" ")[2] for card in cards}


def merci(s: Any, seat: Seat) -> set[str]:
    """The fronts of the tops; of one's own cards both sides. As a card can be named by its front
    alone, that is known of both."""
    seen = {front_name(front(card)) for card in s.tops if card >= 0}
    if seat is not None:
        for card in to_list(s.hands[seat]):
            name = front_name(front(card))
            seen |= {name, f"{name}/{BACKS[s.back[card]]}"}
    return seen


def twinit(s: Any, seat: Seat) -> set[str]:
    """The faces that are turned up and not inside a pile: the same for all."""
    lying = (card for card in range(TWINIT_CARDS) if s.spot[card] not in (INSIDE, OUT))
    return {f"{card}{'ab'[s.side[card]]}" for card in lying}


OPEN = {"marshmallow": marshmallow, "plingo": plingo, "merci": merci, "twinit": twinit}


def shown_by(game: str, step: Step, before: Any, after: Any, seat: Seat) -> set[str]:
    """What a step itself shows, beside what lies open before and after it."""
    given = step.given
    if not isinstance(given, Act):
        return set()
    words = games.load(game).notation.show(given.action).split()
    if game in ("marshmallow", "plingo") and words[0] == "play":
        # The trick that it completes may have been cleared away by the next deal.
        return {words[1]} | OPEN[game](before, seat) | revealed(game, before, words[1])
    if game == "merci" and seat is not None and seat == before.speaker and before.gift >= 0:
        # Who gives a card knows what it gave.
        name = front_name(front(before.gift))
        return {f"{name}/{BACKS[before.back[before.gift]]}", name}
    return set()


def revealed(game: str, before: Any, last: str) -> set[str]:
    """Plingo: the last card of a round shows what everybody took."""
    if game != "plingo" or sum(len(to_list(hand)) for hand in before.hands) > 1:
        return set()
    names = games.load("plingo").notation.show
    taken = {card for each in range(before.seats) for card in to_list(before.taken[each])}
    return {names(card).partition(" ")[2] for card in taken} | {last}


def all_names(game: str) -> set[str]:
    """Whatever would be the name of something hidden."""
    if game == "twinit":
        return {f"{card}{side}" for card in range(TWINIT_CARDS) for side in "ab"}
    if game == "merci":
        fronts = {front_name(front(card)) for card in range(CARDS)}
        return fronts | {f"{name}/{back}" for name in fronts for back in BACKS}
    show = games.load(game).notation.show
    texts = [show(action) for action in range(len(games.load(game).notation))]
    return {text.partition(" ")[2] for text in texts if text.startswith("play ")}


# What happened


@dataclass
class Moment:
    """A table after one entry."""

    state: str
    number: int
    save: bytes | None
    """The state of the game, if there is one."""
    steps: Sequence[Step]
    """What the entry did to it."""


@dataclass
class Truth:
    """All that ever was at a table, from its journal."""

    name: str
    data: Sequence[bytes]
    moments: list[Moment] = field(default_factory=list)
    secrets: dict[int, str] = field(default_factory=dict)
    """By the number of the game."""
    hidden: set[str] = field(default_factory=set)
    """What no client is ever told: hashes of tokens, seeds."""

    def __post_init__(self) -> None:
        made = e.decode(self.data[0])
        assert isinstance(made, e.Made)
        table = Table(self.name, made, keep=True)
        self.game = table.game
        self._plain = Plain(self.game.rules)
        self._loaded: dict[bytes, Any] = {}
        before: tuple[object, int] = (None, 0)
        self.moments.append(Moment(table.state, table.number, None, ()))
        for body in self.data[1:]:
            entry = e.decode(body)
            table.apply(entry)
            if isinstance(entry, e.Committed):
                self.secrets[entry.number] = entry.secret
            if isinstance(entry, e.Sat):
                self.hidden.add(entry.token)
            if isinstance(entry, e.Begun):
                labels = ["hands", *(f"bot {seat}" for seat in range(table.seats))]
                self.hidden |= {table.seed(label) for label in labels}
            match = table.match
            known = before[1] if match is before[0] else 0
            steps = match.steps[known:] if match is not None else []
            before = (match, len(match.steps) if match is not None else 0)
            save = match.save() if match is not None else None
            self.moments.append(Moment(table.state, table.number, save, steps))

    def load(self, save: bytes) -> Any:
        if save not in self._loaded:
            self._loaded[save] = self.game.rules.layout.load(save)
        return self._loaded[save]

    def view(self, n: int, seat: Seat) -> Any:
        save = self.moments[n].save
        return None if save is None else plain(self.game.view(self.load(save), seat))

    def legal(self, n: int, seat: Seat) -> list[str]:
        save = self.moments[n].save
        if save is None or seat is None:
            return []
        actions = self._plain.legal(self.load(save), seat)
        return [self.game.notation.show(action) for action in actions]

    def steps(self, since: int, until: int) -> list[Step]:
        """Of all entries after the one, up to the other."""
        return [step for moment in self.moments[since + 1 : until + 1] for step in moment.steps]

    def events(self, since: int, until: int, seat: Seat) -> Any:
        return plain(
            [
                event
                for step in self.steps(since, until)
                for event in self.game.events(
                    self.load(step.before), step.given, self.load(step.after), seat
                )
            ]
        )

    def known(self, n: int, seat: Seat) -> set[str]:
        """The names of what lies open to a seat after an entry."""
        save = self.moments[n].save
        return set() if save is None else OPEN[self.game.name](self.load(save), seat)

    def shown(self, since: int, until: int, seat: Seat) -> set[str]:
        """The names of what was open to a seat at any time between."""
        names = set()
        for step in self.steps(since, until):
            before, after = self.load(step.before), self.load(step.after)
            for state in (before, after):
                names |= OPEN[self.game.name](state, seat)
            names |= shown_by(self.game.name, step, before, after, seat)
        return names

    def named(self, text: str) -> set[str]:
        """The names of cards that occur in a text."""
        return set((FACE if self.game.name == "twinit" else CARD).findall(text))


def plain(thing: Any) -> Any:
    """As it is on the wire."""
    return msgspec.json.decode(msgspec.json.encode(thing))


# Frames


class Audit:
    """Holds all that a page was told against the truth."""

    def __init__(self, truth: Truth, tokens: Iterable[str]) -> None:
        self.truth = truth
        self._all = all_names(truth.game.name)
        self.never = truth.hidden | set(tokens) | {hashed(token) for token in tokens}
        self.frames = 0
        self.hidden = 0
        """Cards that a page could not see when it was told something, all frames together."""

    def hold(self, frames: Sequence[bytes], sent: Sequence[str] = ()) -> list[int]:
        """All frames of one connection, in order, with what the page itself sent. Tells the
        numbers of its updates."""
        told: list[int] = []
        echoed = self.truth.named(" ".join(sent))
        seat: Seat = None
        n = 0
        known: dict[str, Any] = {}
        for raw in frames:
            text = raw.decode()
            message = msgspec.json.decode(raw)
            kind = message["type"]
            if kind == "welcome":
                seat, n = message["seat"], message["n"]
                allowed = self._welcome(message, seat, n)
            elif kind in ("update", "change"):
                if kind == "change":
                    message = whole(known["view"], known["legal"], message)
                allowed = self._update(message, seat, n)
                n = message["n"]
                told.append(n)
            elif kind == "log":
                allowed = self._log(message, seat)
            elif kind == "pictures":
                allowed = self._pictures(message, seat)
            elif kind == "hints":
                allowed = self._hints(message, seat)
            elif kind in ("refused", "verdict", "problem", "done"):
                allowed = echoed
            else:
                allowed = set()
            if kind in ("welcome", "update", "change"):
                known = message
            self._names(text, allowed, (kind, seat, n))
            self.frames += 1
            self.secrets(text, message.get("table"))
        return told

    def _beginning(self, n: int) -> int:
        """The entry before the game began that is played at entry n."""
        while n > 0 and self.truth.moments[n].save is not None:
            n -= 1
        return n

    def _welcome(self, message: dict[str, Any], seat: Seat, n: int) -> set[str]:
        assert message["view"] == self.truth.view(n, seat)
        assert message["legal"] == self.truth.legal(n, seat)
        return self.truth.known(n, seat)

    def _update(self, message: dict[str, Any], seat: Seat, since: int) -> set[str]:
        n = message["n"]
        assert message["view"] == self.truth.view(n, seat)
        assert sorted(message["legal"]) == sorted(self.truth.legal(n, seat))
        assert message["events"] == self.truth.events(since, n, seat)
        view = msgspec.json.encode([message["view"], message["legal"]]).decode()
        self._names(view, self.truth.known(n, seat), ("view", seat, n))
        return self.truth.known(n, seat) | self.truth.shown(since, n, seat)

    def _log(self, message: dict[str, Any], seat: Seat) -> set[str]:
        """Worked out aside, it may come late: when another game is played already."""
        n = message["n"]
        since = self._beginning(n)
        told = [each["event"] for each in message["events"]]
        assert told == self.truth.events(since, n, seat)
        return self.truth.shown(since, n, seat)

    def _hints(self, message: dict[str, Any], seat: Seat) -> set[str]:
        n = message["n"]
        assert {each["action"] for each in message["actions"]} <= {*self.truth.legal(n, seat)}
        return self.truth.known(n, seat)

    def _pictures(self, message: dict[str, Any], seat: Seat) -> set[str]:
        """Of faces that lie open, or did in this game."""
        n = message["n"]
        assert len(set(message["faces"].values())) == len(message["faces"])
        return self.truth.known(n, seat) | self.truth.shown(self._beginning(n), n, seat)

    def _names(self, text: str, allowed: set[str], where: object) -> None:
        found = self.truth.named(text)
        assert found <= allowed, (where, sorted(found - allowed))
        self.hidden += len(self._all - allowed)

    def secrets(self, text: str, table: dict[str, Any] | None = None) -> None:
        """Tokens and what follows from them are in nothing; a secret is where its game is over."""
        for secret in self.never:
            assert secret not in text
        for number, secret in self.truth.secrets.items():
            if secret in text:
                assert table is not None
                assert table["state"] == "over"
                assert table["number"] == number
                assert table["secret"] == secret
        if table is not None:
            # All that looks like a key is one of those that everybody is shown.
            shown = {table["commitment"], table["secret"], *table["contributions"].values()}
            assert set(HEX.findall(text)) <= shown
