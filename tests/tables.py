"""Every game with every choice that changes its rules, and what tests must know of its cards."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pli import games
from pli.game import AnyGame, Notation, read_options
from pli.games.twinit.state import INSIDE, LINK, NO_LINK, OUT, PAIR_HEAD, PLAY, TABOO
from pli.kernel.bits import from_list, size, to_list
from pli.match import AnyMatch, Match
from pli.scenario import refusal
from pli.shuffling import seeded
from tests.race import RACE


@dataclass(frozen=True)
class Table:
    """A game with its options; `zones` and `disguise` are what a property needs to know of it."""

    game: AnyGame
    options: Any
    zones: Callable[[Any], list[int]]
    """Where cards can be, as sets: every card of the game is in exactly one of them."""
    disguise: Callable[[Any, int | None, random.Random], None]
    """Changes at random all that a seat can't see."""

    def __str__(self) -> str:
        names = ("seats", "edition", "rules", "mode", "teams", "auction")
        chosen = [str(getattr(self.options, n)) for n in names if hasattr(self.options, n)]
        house = [f"{n}={getattr(self.options, n)}" for n in self.options.departures()]
        return "-".join([self.game.name, *chosen, *house])

    def match(self, seed: object, engine: Any = "plain") -> AnyMatch:
        return Match(self.game, self.options, seeded(seed), engine)


def redeal(sets: list[int], rng: random.Random) -> list[int]:
    """The same cards in sets of the same sizes."""
    cards = [card for each in sets for card in to_list(each)]
    rng.shuffle(cards)
    dealt = []
    for each in sets:
        dealt.append(from_list(cards[: size(each)]))
        cards = cards[size(each) :]
    return dealt


def disguise_hands(s: Any, seat: int | None, rng: random.Random) -> None:
    """The trick games' secret: others' hands and what was never shown."""
    others = [each for each in range(s.seats) if each != seat]
    *hands, s.hidden = redeal([s.hands[each] for each in others] + [s.hidden], rng)
    for each, hand in zip(others, hands, strict=True):
        s.hands[each] = hand


def disguise_race(s: Any, seat: int | None, rng: random.Random) -> None:
    """The race's secrets: others' hands, the pile, and whether a seat is at fault."""
    others = [each for each in range(3) if each != seat]
    pile = s.pile[: s.pile_size]
    *hands, stock = redeal([s.hands[each] for each in others] + [from_list(pile)], rng)
    for each, hand in zip(others, hands, strict=True):
        s.hands[each] = hand
    pile = to_list(stock)
    rng.shuffle(pile)
    s.pile[: s.pile_size] = pile
    s.culprit = rng.choice([-1, *others])
    s.fault_until = rng.randrange(60_000)


def disguise_merci(s: Any, seat: int | None, rng: random.Random) -> None:
    """Merci's secrets: the fronts in others' hands and in the pile, and whether a fault is open.
    Backs are public, so cards change places only with cards of the same back."""
    others = [each for each in range(s.seats) if each != seat]
    inside = s.pile[: s.pile_size]
    for back in range(4):
        unseen = from_list(card for card in range(50) if s.back[card] == back)
        piled = [i for i, card in enumerate(inside) if s.back[card] == back]
        *hands, pile = redeal(
            [s.hands[each] & unseen for each in others] + [from_list(inside[i] for i in piled)], rng
        )
        for each, hand in zip(others, hands, strict=True):
            s.hands[each] = (s.hands[each] & ~unseen) | hand
        cards = to_list(pile)
        rng.shuffle(cards)
        for i, card in zip(piled, cards, strict=True):
            s.pile[i] = card
    s.younger = 0
    s.gift = (
        rng.choice([card for card in range(50) if s.back[card] == s.back[s.gift]])
        if s.gift >= 0 and s.speaker != seat
        else s.gift
    )
    if s.mover >= 0:
        s.fault = rng.randrange(4)
    if s.earlier_mover >= 0:
        s.older_fault, s.older_seat = rng.randrange(4), rng.randrange(s.seats)
        s.older_until = rng.randrange(60_000)


def hidden_faces(s: Any) -> list[int]:
    """Twin It!: both faces inside a pile, and what lies face down."""
    faces = []
    for card in range(135):
        if s.spot[card] == INSIDE:
            faces += [2 * card, 2 * card + 1]
        elif s.spot[card] != OUT:
            faces.append(2 * card + 1 - s.side[card])
    return faces


def disguise_twinit(s: Any, seat: int | None, rng: random.Random) -> None:
    """Twin It!'s secrets, the same for all: the motifs on hidden faces."""
    permute_motifs(hidden_faces(s), rng, s)


def permute_motifs(faces: list[int], rng: random.Random, *states: Any) -> None:
    other = dict(zip(faces, rng.sample(faces, len(faces)), strict=True))
    for s in states:
        s.motif[:] = [s.motif[other.get(face, face)] for face in range(len(s.motif))]


def twinit_zones(s: Any) -> list[int]:
    def chain(card: int) -> list[int]:
        cards = []
        while card >= 0:
            cards.append(card)
            card = -1 if s.link[card] == NO_LINK else s.link[card] + LINK
        return cards

    starts = [s.oldest_on_table, *s.tops, *s.newest]
    taboo = [card for card in range(135) if TABOO <= s.spot[card] < PAIR_HEAD]
    undealt = list(range(135)) if s.phase < PLAY else []
    return [*(from_list(chain(start)) for start in starts), from_list(taboo), from_list(undealt)]


def unseen(s: Any, seat: int | None) -> set[int]:
    """The cards whose fronts a seat can't see: others' hands, the pile, what lies aside."""
    hidden = [hand for each, hand in enumerate(s.hands) if each != seat]
    cards = {card for each in [*hidden, getattr(s, "hidden", 0)] for card in to_list(each)}
    return cards | set(s.pile[: s.pile_size] if hasattr(s, "pile") else ())


def relabelled(s: Any, other: dict[int, int]) -> None:
    """Puts other cards in the places of some that a seat can't see."""
    s.hands[:] = [from_list(other.get(c, c) for c in to_list(hand)) for hand in s.hands]
    if hasattr(s, "hidden"):
        s.hidden = from_list(other.get(c, c) for c in to_list(s.hidden))
    if hasattr(s, "pile"):
        s.pile[: s.pile_size] = [other.get(c, c) for c in s.pile[: s.pile_size]]
    if hasattr(s, "gift"):
        s.gift = other.get(s.gift, s.gift)


def shuffled_unseen(before: Any, after: Any, seat: int | None, rng: random.Random) -> None:
    """The same cards, unseen before and after, change places with each other in both states; with
    a card of the same back where backs are public."""
    if hasattr(after, "motif"):
        hidden = sorted(set(hidden_faces(before)) & set(hidden_faces(after)))
        permute_motifs(hidden, rng, before, after)
        return
    cards = sorted(unseen(before, seat) & unseen(after, seat))
    backs = getattr(after, "back", [0] * 64)
    other: dict[int, int] = {}
    for back in set(backs):
        alike = [card for card in cards if backs[card] == back]
        other |= dict(zip(alike, rng.sample(alike, len(alike)), strict=True))
    relabelled(before, other)
    relabelled(after, other)


ZONES: dict[str, Callable[[Any], list[int]]] = {
    "marshmallow": lambda s: [*s.hands, s.played, s.hidden],
    "plingo": lambda s: [*s.hands, *s.taken, s.table, s.cancelled, s.hidden],
    "merci": lambda s: [*s.hands, s.laid, from_list(s.tops), from_list(s.pile[: s.pile_size])],
    "twinit": twinit_zones,
    "race": lambda s: [*s.hands, s.laid, from_list(s.pile[: s.pile_size])],
}


def _table(game: AnyGame, **options: object) -> Table:
    disguises = {"race": disguise_race, "merci": disguise_merci, "twinit": disguise_twinit}
    disguise = disguises.get(game.name, disguise_hands)
    return Table(game, read_options(game, options), ZONES[game.name], disguise)


TABLES = [
    *(
        _table(games.load("marshmallow"), seats=seats, edition=edition)
        for seats in (2, 3, 4, 5)
        for edition in ("en", "fr")
    ),
    _table(games.load("marshmallow"), seats=4, tricks_to_go_out=1),
    _table(games.load("marshmallow"), seats=3, tricks_to_go_out=7, target=2),
    *(_table(games.load("plingo"), seats=seats) for seats in (2, 3, 4, 5, 6)),
    _table(games.load("plingo"), seats=3, auction="on", joker="may"),
    _table(games.load("plingo"), seats=4, teams="pairs", auction="on"),
    _table(games.load("plingo"), seats=6, teams="halves"),
    *(
        _table(games.load("merci"), seats=seats, rules=rules, false_denounce=false_denounce)
        for seats, rules, false_denounce in (
            (3, "start", "free"),
            (4, "full", "free"),
            (5, "start", "draw"),
            (6, "full", "draw"),
        )
    ),
    *(
        _table(games.load("merci"), **chosen)
        for chosen in (
            {"seats": 4, "rules": "start", "fault_ends": "time", "interception": "on"},
            {"seats": 3, "rules": "full", "fault_ends": "time"},
            {"seats": 5, "rules": "full", "malpoli": "off", "interception": "off"},
        )
    ),
    *(
        _table(games.load("twinit"), seats=seats, mode=mode, **more)
        for seats, mode, more in (
            (2, "race", {}),
            (3, "race", {"taboo_seat": 1, "first_player": 2}),
            (6, "race", {"catches": 2}),
            (4, "teams", {"hand_ms": 1500, "count_ms": 1000}),
            (5, "teams", {"taboo_team": 0}),
            (1, "coop", {}),
            (3, "coop", {"hand_ms": 700}),
            (2, "rush", {}),
        )
    ),
    _table(RACE),
]


def any_action(notation: Notation, rng: random.Random, pairs: float = 0.25) -> int:
    """The number of an action, whatever it is. Those with two things would be nearly all."""
    many = len(notation) - notation.single
    if many and rng.random() < pairs:
        return notation.single + rng.randrange(many)
    return rng.randrange(notation.single)


def many_actions(notation: Notation, rng: random.Random, pairs: int = 400) -> list[int]:
    """All numbers of actions and those beside them; of those with two things some."""
    two = range(notation.single, len(notation))
    few = rng.sample(two, min(pairs, len(two)))
    return [-1, *range(notation.single), *few, len(notation) - 1, len(notation)]


def step(match: AnyMatch, rng: random.Random, wild: float = 0.0) -> str:
    """One action by a random seat: legal, or (`wild`) anything at all. Says what came of it. What
    is not listed is tried now and then."""
    at = match.now + rng.randrange(2_000)
    notation, unlisted = match.game.notation, match.game.rules.unlisted
    if rng.random() < wild:
        seat = rng.randrange(-1, match.seats + 1)
        action = notation.show(any_action(notation, rng))
        text = rng.choice([action, action, action, action + "x", ""])
    else:
        seat = rng.choice(match.actors or [0])
        text = rng.choice(match.legal(seat) or [""])
        if unlisted < len(notation) and rng.random() < 0.1:
            text = notation.show(rng.randrange(unlisted, len(notation)))
    return refusal(match, seat, text, at)
