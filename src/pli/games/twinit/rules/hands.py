"""Hands on cards: whose is where, which card is covered, frozen by a count, or taboo."""

from pli.games.twinit.rules.cards import in_pair, linked, pair_head
from pli.games.twinit.rules.flow import owner_of
from pli.games.twinit.state import (
    MOST_TIES,
    NO_CARD,
    PAIR_HEAD,
    PLAY,
    TABOO,
    TIE_CARDS,
    State,
)
from pli.kernel.bits import has
from pli.kernel.contract import NEVER
from pli.kernel.rule import rule

NO_HAND = -1


@rule
def free_hand(s: State, seat: int) -> int:
    if s.hands[2 * seat] == NO_CARD:
        return 2 * seat
    return 2 * seat + 1 if s.hands[2 * seat + 1] == NO_CARD else NO_HAND


@rule
def lone_hand(s: State, seat: int) -> int:
    """The seat's hand that lies somewhere and is in no tie: there is never a second one."""
    for hand in range(2 * seat, 2 * seat + 2):
        if s.hands[hand] != NO_CARD and not has(s.tied_hands, hand):
            return hand
    return NO_HAND


@rule
def lone_card(s: State, seat: int) -> int:
    """The card under that hand."""
    hand = lone_hand(s, seat)
    return NO_CARD if hand == NO_HAND else s.hands[hand]


@rule
def lifted_at(s: State, hand: int) -> int:
    """When a hand that lies alone has lain so long that it is lifted (`hand_ms`). Those in a tie
    are not alone; one that a tie has left on a catch is, since it came down."""
    if s.hands[hand] == NO_CARD or has(s.tied_hands, hand):
        return NEVER
    return s.since[hand] + s.hand_ms


@rule
def first_lifted(s: State) -> int:
    moment = NEVER
    if s.phase == PLAY:
        for hand in range(2 * s.seats):
            moment = min(moment, lifted_at(s, hand))
    return moment


@rule
def hand_of(s: State, seat: int, card: int) -> int:
    for hand in range(2 * seat, 2 * seat + 2):
        if s.hands[hand] == card:
            return hand
    return NO_HAND


@rule
def under_a_hand(s: State, card: int) -> bool:
    for hand in range(2 * s.seats):  # noqa: SIM110  compiled
        if s.hands[hand] == card:
            return True
    return False


@rule
def covered(s: State, card: int) -> bool:
    """TW-13: whether anybody's hand is there; a catch is one target (TW-7a)."""
    if not in_pair(s.spot[card]):
        return under_a_hand(s, card)
    head = pair_head(s, card)
    return under_a_hand(s, head) or under_a_hand(s, linked(s, head))


@rule
def frozen(s: State, card: int) -> bool:
    """TW-14b: whether a count is running on it."""
    if s.ties == 0:
        return False
    for tie in range(MOST_TIES):
        if s.tie_until[tie] != NEVER:
            for each in range(TIE_CARDS * tie, TIE_CARDS * (tie + 1)):
                if s.tie_cards[each] == card:
                    return True
    return False


@rule
def is_taboo(s: State, seat: int, card: int) -> bool:
    """TW-17, TW-20a: whether the card is taboo for the seat, or for its team."""
    spot = s.spot[card]
    return TABOO <= spot < PAIR_HEAD and owner_of(s, spot - TABOO) == owner_of(s, seat)
