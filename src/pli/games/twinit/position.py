"""Positions of Twin It! as scenarios write them."""

import re
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from pli import position as read
from pli.games.twinit.rules.cards import add_catch, lay_on_table, put_under
from pli.games.twinit.rules.flow import clear, next_with_cards, owners
from pli.games.twinit.state import (
    CARDS,
    COOP,
    LEVELS,
    LOWEST_MOTIF,
    NO_CARD,
    NO_SEAT,
    PHASES,
    PLACES,
    TABOO,
    TEAMS,
    TEAMS_COUNT,
    State,
)
from pli.games.twinit.view import SIDES, catches, face_name, place_of, table, view

MOST_MOTIFS = 256
FACE = re.compile(r"(\d{1,3})([ab])")


class Catches:
    """Catches by owner. In coop they are everybody's: there it does not matter under whose name
    they are written."""

    def __init__(self, rows: list[list[list[int]]], shared: bool = False) -> None:
        self.rows = rows
        self.shared = shared

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Catches):
            return False
        if self.shared or other.shared:
            return sorted(chain.from_iterable(self.rows)) == sorted(chain.from_iterable(other.rows))
        return self.rows == other.rows

    def __str__(self) -> str:
        return str(self.rows)


def face(value: Any, seats: int) -> str:
    found = FACE.fullmatch(str(value))
    if found is None or int(found[1]) >= CARDS:
        raise read.Malformed("face", face=value)
    return f"{int(found[1])}{found[2]}"


def faces(value: Any, seats: int) -> list[str]:
    """Cards such as 7a, in their order."""
    words = value.split() if isinstance(value, str) else value
    if words is None:
        return []
    if not isinstance(words, list):
        raise read.Malformed("list")
    return [face(each, seats) for each in words]


def face_or_none(value: Any, seats: int) -> str | None:
    return None if value in (None, "none") else face(value, seats)


def card(value: Any, seats: int) -> int:
    return int(read.number(0, CARDS - 1)(value, seats))


def rows(of: read.Reader) -> read.Reader:
    """An entry for each seat or team; how many there are is known when the mode is."""

    def read_all(value: Any, seats: int) -> list[Any]:
        if not isinstance(value, list):
            raise read.Malformed("list")
        return [of(each, seats) for each in value]

    return read_all


def one_catch(value: Any, seats: int) -> list[int]:
    cards = rows(card)(value, seats)
    if len(cards) not in (2, 3) or len(set(cards)) < len(cards):
        raise read.Malformed("catch")
    return sorted(cards)


def all_catches(value: Any, seats: int) -> Catches:
    return Catches(rows(rows(one_catch))(value, seats))


def motifs(value: Any, seats: int) -> list[list[str]]:
    """The two motifs of each card, by names."""
    if not isinstance(value, list) or not 1 <= len(value) <= CARDS:
        raise read.Malformed("motifs")
    for each in value:
        if (
            not isinstance(each, list)
            or len(each) != 2
            or any(isinstance(name, (list, dict)) for name in each)
        ):
            raise read.Malformed("motifs")
    named = [[str(name) for name in each] for each in value]
    if len({name for each in named for name in each}) > MOST_MOTIFS:
        raise read.Malformed("motifs")
    return named


def face_set(value: Any, seats: int) -> frozenset[str]:
    return frozenset(faces(value, seats))


class Places(dict[int, int]):
    """Where some cards lie. A scenario writes a few of 135: it is equal to any
    larger mapping that contains it."""

    __hash__ = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, dict) and self.items() <= other.items()

    def __ne__(self, other: object) -> bool:
        return not self == other


def places(value: Any, seats: int) -> Places:
    """As `{57: 12}`."""
    if not isinstance(value, dict):
        raise read.Malformed("places")
    place = read.number(0, PLACES - 1)
    return Places({card(each, seats): place(at, seats) for each, at in value.items()})


PLACED: dict[str, read.Reader] = {
    "cards": motifs,
    "piles": read.by_seat(faces),
    "table": faces,
    "catches": all_catches,
    "taboo": rows(faces),
    "turn": read.seat,
}

EXPECTED: dict[str, read.Reader] = {
    "table": faces,
    "tops": read.by_seat(face_or_none),
    "catches": all_catches,
    "taboo": rows(face_set),
    "turn": read.seat_or_none,
    "phase": read.one_of(*PHASES[2:]),
    "hands": read.by_seat(read.a_set(card)),
    "points": rows(read.number()),
    "level": read.one_of(*LEVELS, "none"),
    "winners": read.a_set(read.seat),
    "places": places,
}


def place(s: State, given: Mapping[str, Any]) -> None:
    """Sets up a position on a state that was just dealt. Cards that are not named are out of play;
    where only motifs are named, coop and rush spread all cards."""
    if set(given) - {"turn"}:
        minute_ends = s.minute_ends
        clear(s)
        s.minute_ends = minute_ends
        _name_motifs(s, given.get("cards"))
        _Setter(s, len(given.get("cards", [0] * CARDS))).all(given)
    s.turn = given.get("turn", s.turn)
    if s.mode >= COOP:
        s.turn = NO_SEAT
    elif s.turn != NO_SEAT:
        s.turn = next_with_cards(s, s.turn)


def _name_motifs(s: State, cards: Sequence[Sequence[str]] | None) -> None:
    if cards is None:
        return
    numbers: dict[str, int] = {}
    for i, each in enumerate(cards):
        for side, name in enumerate(each):
            number = numbers.setdefault(name, len(numbers))
            s.motif[2 * i + side] = number + LOWEST_MOTIF


def named_faces(given: Mapping[str, Any]) -> dict[str, str]:
    """The motif of each face, by the names of a position."""
    return {
        face_name(i, side): name
        for i, each in enumerate(given.get("cards", []))
        for side, name in enumerate(each)
    }


class _Setter:
    """Puts cards where a position says, each once."""

    def __init__(self, s: State, count: int) -> None:
        self.s = s
        self.count = count
        self.used: set[int] = set()

    def all(self, given: Mapping[str, Any]) -> None:
        s = self.s
        named = set(given) - {"turn", "cards"}
        if s.mode >= COOP and not named:
            for each in range(self.count):
                lay_on_table(s, each)
        for seat, pile in enumerate(given.get("piles", [])):
            for name in pile:
                put_under(s, seat, self.card(name, "piles"))
        for name in given.get("table", []):
            lay_on_table(s, self.card(name, "table"))
        for owner, names in enumerate(self.by_owner(given.get("taboo", []), "taboo")):
            for name in names:
                s.spot[self.card(name, "taboo")] = TABOO + owner
        written = given.get("catches", Catches([])).rows
        for owner, each in enumerate(self.by_owner(written, "catches")):
            for cards in each:
                self.catch(0 if s.mode == COOP else owner, cards)

    def by_owner(self, value: list[Any], key: str) -> list[Any]:
        """An entry for each seat, or for each team; in coop also one for all."""
        s = self.s
        wanted = TEAMS_COUNT if s.mode == TEAMS else s.seats
        if value and len(value) != wanted and not (s.mode == COOP and len(value) == 1):
            raise read.Malformed("by_seat", key, seats=wanted)
        return value

    def card(self, name: str, key: str) -> int:
        number = int(name[:-1])
        self.use(number, key)
        self.s.side[number] = SIDES.index(name[-1])
        return number

    def use(self, number: int, key: str) -> None:
        if number >= self.count:
            raise read.Malformed("number", key, least=0, most=self.count - 1)
        if number in self.used:
            raise read.Malformed("card_twice", key, card=number)
        self.used.add(number)

    def catch(self, owner: int, cards: list[int]) -> None:
        """Each card shows the motif that all have."""
        s = self.s
        for number in cards:
            self.use(number, "catches")
        sides = [set(s.motif[2 * number : 2 * number + 2]) for number in cards]
        first = s.motif[2 * cards[0] : 2 * cards[0] + 2]
        common = [motif for motif in first if all(motif in each for each in sides)]
        if not common:
            raise read.Malformed("one_motif", "catches")
        for number in cards:
            s.side[number] = 0 if s.motif[2 * number] == common[0] else 1
        add_catch(s, owner, cards[0], cards[1], cards[2] if len(cards) > 2 else NO_CARD)


def facts(s: State) -> dict[str, Any]:
    seen = view(s, None)
    shared = s.mode == COOP
    winners = seen.winners
    return {
        "table": [lying.face for lying in seen.table],
        "tops": seen.tops,
        "catches": Catches([catches(s, owner) for owner in range(owners(s))], shared),
        "taboo": [frozenset(each) for each in seen.taboo],
        "turn": seen.turn,
        "phase": seen.phase,
        "hands": [frozenset(hand.card for hand in each) for each in seen.hands],
        "points": seen.points,
        "level": seen.level or "none",
        "winners": frozenset(w % TEAMS_COUNT for w in winners)
        if s.mode == TEAMS
        else frozenset(winners),
        "places": {each: place_of(s, each) for each in table(s)},
    }
