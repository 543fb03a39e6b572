"""Twin It! for learning agents. What a face shows is among the numbers, as bots have it by their
`eyes`; and so is what the other side of a card showed, once it was seen."""

from dataclasses import dataclass
from typing import Annotated

from pli.games.twinit.rules.actions import check_flip
from pli.games.twinit.rules.cards import (
    in_pair,
    is_triple,
    linked,
    older_catch,
    on_table,
    owner_of_catch,
    pair_head,
)
from pli.games.twinit.rules.flow import owner_of, owners, points
from pli.games.twinit.rules.hands import NO_HAND, free_hand
from pli.games.twinit.state import (
    CARDS,
    COOP,
    FACES,
    FLIP,
    LIFT,
    LOWEST_MOTIF,
    MODES,
    MOST_TIES,
    NO_CARD,
    NO_SEAT,
    PAIR_HEAD,
    PLAY,
    RUSH,
    TABLE,
    TABOO,
    TIE_CARDS,
    TOP,
    TOUCH,
    TRIPLE_HEAD,
    TURN,
    State,
)
from pli.kernel.bits import has
from pli.kernel.contract import NEVER
from pli.kernel.layout import Int8, Layout
from pli.kernel.observation import (
    SEATS,
    WAIT,
    Field,
    Numbers,
    Observation,
    across,
    by_winners,
    count_ones,
    one_seen_from,
    same_rows,
    seen_from,
    write_at_least,
    write_number,
    write_row,
    write_set,
    write_zeros,
)
from pli.kernel.refusals import OK
from pli.kernel.rule import hot, rule

MODES_COUNT = len(MODES)
HANDS_EACH = 2

# Actions by number: cards keep their numbers through a game. Where a card is moved to tells nobody
# anything but people, so moves are none of them.
A_FLIP = WAIT + 1
A_LIFT = A_FLIP + 1
A_TOUCH = A_LIFT + HANDS_EACH
A_TURN = A_TOUCH + CARDS
ACTIONS = A_TURN + CARDS

ACTION_NAMES = [
    "wait",
    "flip",
    "lift the first hand",
    "lift the second hand",
    *(f"touch {card}" for card in range(CARDS)),
    *(f"turn {card}" for card in range(CARDS)),
]

# Where a card lies.
IN_PILE, ON_TABLE, ON_PILE, BESIDE, PAIR, TRIPLE = range(6)

FULL_POINTS = 100.0
"""The points that are worth as much as a win, where nobody wins: nearly all that can be had."""


@dataclass(slots=True)
class Memory:
    """What was seen and is not in the state, and what lies open in the form in which it is shown.
    Motifs are numbered from 1, 0 is none; bytes are signed here."""

    seen: Annotated[list[int], "i1", FACES]  # by face, once it has lain open
    face: Annotated[list[int], "i1", CARDS]  # that shows
    place: Annotated[list[int], "i1", CARDS]
    spot: Annotated[list[int], "i1", CARDS]  # in the state, as it was
    side: Annotated[list[int], "i1", CARDS]  # the same
    begun: Int8  # whether the last two are of a state at all


@hot
def as_byte(number: int) -> int:
    """A number up to 255 as the signed byte of the same bits."""
    return number - 256 if number > 127 else number


@rule
def after(s: State, m: Memory) -> None:
    if m.begun and same_rows(m.spot, s.spot, CARDS) and same_rows(m.side, s.side, CARDS):
        return
    for card in range(CARDS):
        spot, side = s.spot[card], s.side[card]
        if not m.begun or spot != m.spot[card] or side != m.side[card]:
            m.spot[card] = spot
            m.side[card] = side
            m.place[card] = place_of(spot)
            m.face[card] = 0
            if m.place[card] != IN_PILE:
                m.face[card] = as_byte(s.motif[2 * card + side] - LOWEST_MOTIF + 1)
                m.seen[2 * card + side] = m.face[card]
    m.begun = 1


@rule
def place_of(spot: int) -> int:
    if spot < TRIPLE_HEAD:
        return IN_PILE
    if on_table(spot):
        return ON_TABLE
    if in_pair(spot):
        return PAIR
    if is_triple(spot):
        return TRIPLE
    return ON_PILE if spot < TABOO else BESIDE


@rule
def look(s: State, m: Memory, seat: int, out: Numbers, at: int) -> int:
    seats = s.seats
    at = write_row(out, at, m.face, CARDS)
    at = write_row(out, at, m.seen, FACES)
    at = write_row(out, at, m.place, CARDS)
    end = write_zeros(out, at, CARDS)
    write_owners(s, seat, out, at)
    at = end
    end = write_zeros(out, at, CARDS)
    for hand in range(2 * seats):
        card = s.hands[hand]
        if card != NO_CARD:
            out[at + card] = 1 + seen_from(seat, hand >> 1, seats)
    at = end
    end = write_zeros(out, at, CARDS)
    if s.ties:
        for each in range(MOST_TIES * TIE_CARDS):
            card = s.tie_cards[each]
            if card != NO_CARD:
                out[at + card] = 1
    at = end
    for k in range(seats):
        other = across(seat, k, seats)
        out[at + k] = as_byte(s.pile_sizes[other])
        out[at + seats + k] = s.catch_counts[owner_of(s, other)]
        out[at + 2 * seats + k] = points(s, owner_of(s, other))
    at += 3 * seats
    mates = 0
    for k in range(seats):
        mates |= (owner_of(s, across(seat, k, seats)) == owner_of(s, seat)) << k
    mates |= one_seen_from(seat, s.turn, seats) << seats
    at = write_set(out, at, mates | 1 << (2 * seats + s.mode), 2 * seats + MODES_COUNT)
    return write_number(out, at, s.catches_to_win)


@rule
def write_owners(s: State, seat: int, out: Numbers, at: int) -> None:
    """Whose the cards on piles, beside them and in catches are."""
    seats = s.seats
    for k in range(seats):
        top = s.tops[across(seat, k, seats)]
        if top != NO_CARD:
            out[at + top] = 1 + k
    if s.taboo_seat != NO_SEAT:
        for card in range(CARDS):
            if TABOO <= s.spot[card] < PAIR_HEAD:
                out[at + card] = 1 + seen_from(seat, s.spot[card] - TABOO, seats)
    count, mine = owners(s), owner_of(s, seat)
    for owner in range(count):
        head = s.newest[owner]
        while head != NO_CARD:
            before = older_catch(s, head)
            card = head
            while card != before:
                out[at + card] = 1 + seen_from(mine, owner, count)
                card = linked(s, card)
            head = before


# Acting


@rule
def action(s: State, seat: int, number: int) -> int:
    if number >= A_TURN:
        return TURN + number - A_TURN
    if number >= A_TOUCH:
        return TOUCH + number - A_TOUCH
    if number >= A_LIFT:
        card = s.hands[2 * seat + number - A_LIFT]
        return -1 if card == NO_CARD else LIFT + card
    return FLIP


@rule
def mask(s: State, seat: int, out: Numbers, at: int) -> int:
    write_zeros(out, at, ACTIONS)
    out[at + WAIT] = 1
    if s.phase != PLAY:
        return 1
    if s.mode < COOP:
        out[at + A_FLIP] = int(check_flip(s, seat) == OK)
    for k in range(HANDS_EACH):
        hand = 2 * seat + k
        out[at + A_LIFT + k] = int(s.hands[hand] != NO_CARD and not has(s.tied_hands, hand))
    if free_hand(s, seat) != NO_HAND:
        write_at_least(out, at + A_TOUCH, s.spot, CARDS, TOP)
        uncover(s, out, at + A_TOUCH)
        if s.mode == RUSH:  # TW-25
            for card in range(CARDS):
                if in_pair(s.spot[card]) and owner_of_catch(s.spot[card]) != seat:
                    out[at + A_TOUCH + card] = 0
    if s.mode >= COOP:
        write_at_least(out, at + A_TURN, s.spot, CARDS, TABLE)
        uncover(s, out, at + A_TURN)
    return count_ones(out, at, ACTIONS)


@rule
def uncover(s: State, out: Numbers, at: int) -> None:
    """TW-13, TW-14b: no card under a hand, nor its pair's other card; none that is counted for."""
    for hand in range(2 * s.seats):
        card = s.hands[hand]
        if card != NO_CARD:
            out[at + card] = 0
            if in_pair(s.spot[card]):
                head = pair_head(s, card)
                out[at + head] = 0
                out[at + linked(s, head)] = 0
    if s.ties:
        for tie in range(MOST_TIES):
            if s.tie_until[tie] != NEVER:
                for each in range(TIE_CARDS * tie, TIE_CARDS * (tie + 1)):
                    if s.tie_cards[each] != NO_CARD:
                        out[at + s.tie_cards[each]] = 0


@rule
def worth(s: State, winners: int, seats: int, seat: int) -> float:
    """Together or alone nobody can lose: points count."""
    if s.mode == COOP or seats == 1:
        return points(s, owner_of(s, seat)) / FULL_POINTS
    return by_winners(s, winners, seats, seat)


OBSERVATION: Observation[State] = Observation(
    fields=(
        Field("face", (CARDS,), "by card 1 + the motif that it shows, 0 if it does not lie open"),
        Field("seen", (CARDS, 2), "the same of both its sides, from when they were first seen on"),
        Field(
            "place",
            (CARDS,),
            "0 in a pile, 1 on the table, 2 on a pile, 3 beside one as taboo, 4 in a pair, 5 in a "
            "triple",
        ),
        Field("owner", (CARDS,), "1 + whose pile, taboo card or catch that is; else 0"),
        Field("hand", (CARDS,), "1 + whose hand lies on it; else 0"),
        Field("counted", (CARDS,), "1 while a tie is counted for it"),
        Field("piles", (SEATS,), "how many cards each pile has"),
        Field("catches", (SEATS,), "how many catches each seat or its team has"),
        Field("points", (SEATS,), "how many points those are"),
        Field("mates", (SEATS,), "whose catches are the own ones as well, oneself included"),
        Field("turn", (SEATS,), "who is to flip"),
        Field("mode", (MODES_COUNT,), f"the mode: {', '.join(MODES)}"),
        Field("catches_to_win", (1,), "how many catches win"),
    ),
    names=ACTION_NAMES,
    numbers="u1",
    look=look,
    mask=mask,
    action=action,
    memory=Layout(Memory),
    after=after,
    worth=worth,
    slice_ms=250,
)
