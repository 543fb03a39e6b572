"""What a hand on a card causes: catches, thefts, errors, ties; and the flip of a card."""

from pli.games.twinit.rules.cards import (
    add_catch,
    in_pair,
    is_triple,
    lift_from,
    linked,
    older_catch,
    pair_head,
    put_under,
    remove_pair,
    shown,
    take,
    turn_over,
)
from pli.games.twinit.rules.flow import (
    finish,
    finish_if_nothing_is_open,
    makes_pair,
    next_with_cards,
    owner_of,
    restart,
)
from pli.games.twinit.rules.hands import (
    NO_HAND,
    free_hand,
    frozen,
    hand_of,
    is_taboo,
    lone_card,
    lone_hand,
)
from pli.games.twinit.state import (
    CARDS,
    COOP,
    NO_CARD,
    NO_SEAT,
    TEAMS,
    TEAMS_COUNT,
    TIE_CARDS,
    TOP,
    State,
)
from pli.kernel.bits import bit, without
from pli.kernel.contract import NEVER
from pli.kernel.rule import rule

# Touching


@rule
def touch(s: State, seat: int, card: int, time: int) -> None:
    other = lone_card(s, seat)
    hand = free_hand(s, seat)
    s.hands[hand] = card
    s.since[hand] = time
    if s.mode >= COOP:
        if other == NO_CARD and s.mode == COOP:
            other = twin_under_a_hand(s, seat, card)  # TW-23a
        if other != NO_CARD:
            catch(s, seat, card, other)
    elif other != NO_CARD:
        judge(s, seat, card, other, s.mode != TEAMS)  # TW-14c, TW-18
    else:
        other = card_of_mate(s, seat)
        if other != NO_CARD:
            judge(s, seat, card, other, True)
        else:
            tie_if_rivals_meet(s, seat, card, time)


@rule
def judge(s: State, seat: int, card: int, other: int, may_catch: bool) -> None:
    """TW-6, TW-15, TW-17: the two hands are a catch or an error."""
    allowed = may_catch and not is_taboo(s, seat, card) and not is_taboo(s, seat, other)
    if allowed and makes_pair(s, card, other):
        catch(s, seat, card, other)
    else:
        err(s, seat, card, other)


@rule
def card_of_mate(s: State, seat: int) -> int:
    """TW-18: the card under a team-mate's hand that is in no tie."""
    if s.mode == TEAMS:
        for mate in range(seat % TEAMS_COUNT, s.seats, TEAMS_COUNT):
            if mate != seat:
                card = lone_card(s, mate)
                if card != NO_CARD:
                    return card
    return NO_CARD


@rule
def twin_under_a_hand(s: State, seat: int, card: int) -> int:
    """Coop: another player's card that makes a pair with this one."""
    for other in range(s.seats):
        theirs = lone_card(s, other) if other != seat else NO_CARD
        if theirs != NO_CARD and makes_pair(s, card, theirs):
            return theirs
    return NO_CARD


@rule
def catch(s: State, seat: int, a: int, b: int) -> None:
    owner = owner_of(s, seat)
    lift_from(s, a)
    lift_from(s, b)
    if in_pair(s.spot[a]) or in_pair(s.spot[b]):
        steal(s, owner, a, b)
    else:
        third = third_copy(s, a, b) if s.mode < COOP else NO_CARD
        take(s, a)
        take(s, b)
        add_catch(s, owner, a, b, NO_CARD)
        if third != NO_CARD:
            turn_over(s, third)  # TW-12
    if s.mode >= COOP:
        return
    restart(s, seat)
    if s.catch_counts[owner] >= s.catches_to_win:  # TW-16, TW-21
        finish(s)
    else:
        finish_if_nothing_is_open(s)


@rule
def steal(s: State, owner: int, a: int, b: int) -> None:
    """TW-10: a pair won before and its third copy become a triple."""
    from_pair, third = (a, b) if in_pair(s.spot[a]) else (b, a)
    head = pair_head(s, from_pair)
    rest = linked(s, head)
    remove_pair(s, head)
    take(s, third)
    add_catch(s, owner, head, rest, third)


@rule
def third_copy(s: State, a: int, b: int) -> int:
    """TW-12: the third of three equal motifs that lie open; none of them is in a catch (TW-12a)."""
    motif = shown(s, a)
    for card in range(CARDS):
        if card == a or card == b or s.spot[card] < TOP or shown(s, card) != motif:
            continue
        if not in_pair(s.spot[card]) and not frozen(s, card):
            return card
    return NO_CARD


@rule
def err(s: State, seat: int, a: int, b: int) -> None:
    """TW-15: both hands are taken back, and the newest pair is lost that is in no tie (TW-14c)."""
    lift_from(s, a)
    lift_from(s, b)
    head = s.newest[owner_of(s, seat)]
    while head != NO_CARD and (is_triple(s.spot[head]) or tied_catch(s, head)):
        head = older_catch(s, head)
    if head != NO_CARD:
        rest = linked(s, head)
        lift_from(s, head)
        lift_from(s, rest)
        remove_pair(s, head)
        put_under(s, seat, head)
        put_under(s, seat, rest)
    restart(s, seat)


@rule
def tied_catch(s: State, head: int) -> bool:
    return frozen(s, head) or frozen(s, linked(s, head))


# Ties


@rule
def tie_if_rivals_meet(s: State, seat: int, card: int, time: int) -> None:
    """TW-14: a rival's single hand lies on the other card of a pair."""
    for rival in range(s.seats):
        if owner_of(s, rival) == owner_of(s, seat):
            continue
        hand = lone_hand(s, rival)
        if hand != NO_HAND and makes_pair(s, card, s.hands[hand]):
            tie(s, hand_of(s, seat, card), hand, time)
            return


@rule
def tie(s: State, first: int, second: int, time: int) -> None:
    a, b = s.hands[first], s.hands[second]
    third = NO_CARD
    if not in_pair(s.spot[a]) and not in_pair(s.spot[b]):
        third = third_copy(s, a, b)  # TW-12a
    low, high = min(a, b), max(a, b)
    slot = 0
    while s.tie_until[slot] != NEVER:
        slot += 1
    s.tie_until[slot] = time + s.count_ms
    # In order of number, in which they will be turned.
    if third == NO_CARD:
        low, third, high = low, high, NO_CARD
    else:
        middle = min(max(low, third), high)
        low, third, high = min(low, third), middle, max(high, third)
    s.tie_cards[TIE_CARDS * slot] = low
    s.tie_cards[TIE_CARDS * slot + 1] = third
    s.tie_cards[TIE_CARDS * slot + 2] = high
    s.tied_hands |= bit(first) | bit(second)
    s.ties += 1


@rule
def end_tie(s: State, slot: int) -> None:
    """TW-14: the cards are turned over together; a catch stays as it is (TW-14a)."""
    s.tie_until[slot] = NEVER
    s.ties -= 1
    for each in range(TIE_CARDS * slot, TIE_CARDS * (slot + 1)):
        card = s.tie_cards[each]
        s.tie_cards[each] = NO_CARD
        if card == NO_CARD:
            continue
        if in_pair(s.spot[card]):
            untie(s, card)
        else:
            turn_over(s, card)
    restart(s, s.turn)  # the turn stays (TW-14b), unless that seat's last card was turned
    finish_if_nothing_is_open(s)


@rule
def untie(s: State, card: int) -> None:
    """The hand on a catch stays: nothing happened to its card (TW-5a)."""
    for hand in range(2 * s.seats):
        if s.hands[hand] == card:
            s.tied_hands = without(s.tied_hands, hand)


# Flipping


@rule
def flip(s: State, seat: int) -> None:
    """TW-5; a hand on the card does not hold it up (TW-5a)."""
    turn_over(s, s.tops[seat])
    s.turn = next_with_cards(s, seat + 1)
    if s.turn == NO_SEAT:
        finish_if_nothing_is_open(s)
