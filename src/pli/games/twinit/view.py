"""What can be seen of a game of Twin It!, the same for all. Faces have names such as 57a: which
motif they show is for the eyes, and since cards are numbered anew in each game a name tells nothing
of it."""

from typing import Any

import msgspec

from pli.game import MotifLookup, Seat, View, shown_seat
from pli.games.twinit.rules.cards import DECK, is_triple, linked, older_catch, seats_with_cards
from pli.games.twinit.rules.flow import owner_of, owners, points
from pli.games.twinit.state import (
    CARDS,
    COOP,
    LEVELS,
    LEVELS_UP_TO,
    LOWEST_MOTIF,
    MINUTE,
    MODES,
    MOST_TIES,
    NO_CARD,
    NO_SEAT,
    PHASES,
    PLAY,
    TABLE,
    TABOO,
    TIE_CARDS,
    TRIPLE_HEAD,
    State,
)
from pli.kernel.bits import has, to_list
from pli.kernel.contract import NEVER

SIDES = "ab"

SPRITES = sorted(motif - LOWEST_MOTIF for motif in DECK)
"""The motifs on the sprites of a game: one sprite for each face."""

FIRST_SPRITE = {motif: SPRITES.index(motif) for motif in SPRITES}


class Lying(msgspec.Struct, frozen=True, kw_only=True):
    """A card on the table: cards keep their places, and places are used again."""

    face: str
    place: int


class Hand(msgspec.Struct, frozen=True, kw_only=True):
    card: int
    since: int
    tied: bool


class Count(msgspec.Struct, frozen=True, kw_only=True):
    """A tie: these cards are turned over at that time."""

    cards: list[int]
    until: int


class TwinitView(View, frozen=True, kw_only=True):
    mode: str
    catches_to_win: int
    count_ms: int
    minute_ms: int
    hand_ms: int
    """After so long a hand is lifted that lies alone; 0: never."""
    minute_ends: int | None
    piles: list[int]
    tops: list[str | None]
    table: list[Lying]
    """In the order in which they came."""
    owners: list[int]
    """Whose a seat's catches are: its own, its team's, or everybody's."""
    catches: list[list[list[str]]]
    """By owner, oldest first."""
    taboo: list[list[str]]
    """By owner."""
    hands: list[list[Hand]]
    counts: list[Count]
    points: list[int]
    """By owner: a point a pair, two a triple."""
    level: str | None
    """In coop, of a minute."""


def face_name(card: int, side: int) -> str:
    return f"{card}{SIDES[side]}"


def face_of(s: State, card: int) -> str:
    return face_name(card, s.side[card])


def own(s: State, seat: int) -> dict[str, Any]:
    """What a seat knows beside what all can see."""
    return {"seat": seat}


def view(s: State, seat: Seat) -> TwinitView:
    seats = range(s.seats)
    shown = TwinitView(
        seat=None,
        seats=s.seats,
        phase=PHASES[s.phase],
        turn=shown_seat(s.turn),
        awaited=awaited(s),
        winners=to_list(s.winning_seats),
        mode=MODES[s.mode],
        catches_to_win=s.catches_to_win,
        count_ms=s.count_ms,
        minute_ms=s.minute_ms,
        hand_ms=s.hand_ms,
        minute_ends=None if s.minute_ends == NEVER else s.minute_ends,
        piles=s.pile_sizes[: s.seats],
        tops=[None if s.tops[each] == NO_CARD else face_of(s, s.tops[each]) for each in seats],
        table=[Lying(face=face_of(s, card), place=place_of(s, card)) for card in table(s)],
        owners=[owner_of(s, each) for each in seats],
        catches=[
            [[face_of(s, card) for card in each] for each in catches(s, owner)]
            for owner in range(owners(s))
        ],
        taboo=[[face_of(s, card) for card in taboo_cards(s, owner)] for owner in range(owners(s))],
        hands=[
            [
                Hand(card=s.hands[hand], since=s.since[hand], tied=has(s.tied_hands, hand))
                for hand in (2 * each, 2 * each + 1)
                if s.hands[hand] != NO_CARD
            ]
            for each in seats
        ],
        counts=[
            Count(cards=tie_cards(s, tie), until=s.tie_until[tie])
            for tie in range(MOST_TIES)
            if s.tie_until[tie] != NEVER
        ],
        points=[points(s, owner) for owner in range(owners(s))],
        level=level(s),
    )
    return shown if seat is None else msgspec.structs.replace(shown, **own(s, seat))


def awaited(s: State) -> list[int]:
    """Who is to flip; in teams after an interruption anyone who can."""
    if s.phase != PLAY or s.mode >= COOP:
        return []
    return to_list(seats_with_cards(s)) if s.turn == NO_SEAT else [s.turn]


def table(s: State) -> list[int]:
    cards = []
    card = s.oldest_on_table
    while card != NO_CARD:
        cards.append(card)
        card = linked(s, card)
    return cards


def place_of(s: State, card: int) -> int:
    """Of a card on the table."""
    return s.spot[card] - TABLE


def catches(s: State, owner: int) -> list[list[int]]:
    """Oldest first."""
    found = []
    head = s.newest[owner]
    while head != NO_CARD:
        cards = [head, linked(s, head)]
        if is_triple(s.spot[head]):
            cards.append(linked(s, cards[1]))
        found.append(cards)
        head = older_catch(s, head)
    return found[::-1]


def taboo_cards(s: State, owner: int) -> list[int]:
    spots = [TABOO + seat for seat in range(s.seats) if owner_of(s, seat) == owner]
    return [card for card in range(CARDS) if s.spot[card] in spots]


def tie_cards(s: State, tie: int) -> list[int]:
    cards = s.tie_cards[TIE_CARDS * tie : TIE_CARDS * (tie + 1)]
    return [card for card in cards if card != NO_CARD]


def level(s: State) -> str | None:
    """TW-24: of coop, for the minute alone."""
    if s.mode != COOP or s.minute_ms != MINUTE:
        return None
    scored = points(s, 0)
    return LEVELS[sum(scored > most for most in LEVELS_UP_TO[s.seats])]


def lies_open(s: State, card: int) -> bool:
    """Whether a card's face is seen: also in triples, which can't be touched."""
    return s.spot[card] >= TRIPLE_HEAD


def motif_lookup(s: State) -> MotifLookup:
    """Which motif a face shows that lies open."""
    motifs = {
        face_of(s, card): s.motif[2 * card + s.side[card]] - LOWEST_MOTIF
        for card in range(CARDS)
        if lies_open(s, card)
    }
    return motifs.__getitem__


def visible_sprites(s: State) -> dict[str, int]:
    """The sprite of every face that lies open: of equal faces each has its own."""
    following = dict(FIRST_SPRITE)
    numbers: dict[str, int] = {}
    for face, motif in enumerate(s.motif):
        number = following[motif - LOWEST_MOTIF]
        following[motif - LOWEST_MOTIF] += 1
        card, side = divmod(face, 2)
        if s.side[card] == side and lies_open(s, card):
            numbers[face_name(card, side)] = number
    return numbers
