"""Merci for learning agents.

Which backs others hold is plain to see, so a card laid from a hand shows both its sides, and a
card's back never changes within a game (ME-1a): that is remembered, and which cards came to a hand
with their fronts in sight.
"""

from dataclasses import dataclass
from typing import Annotated

from pli.games.merci.rules.actions import awaited, check_choose
from pli.games.merci.rules.cards import equals, front, with_back
from pli.games.merci.rules.faults import may_accuse
from pli.games.merci.rules.laying import layable, listed_words
from pli.games.merci.state import (
    BACKS,
    CARD_NAMES,
    CHOOSE_SEAT,
    DEALING,
    DENOUNCE,
    DRAW,
    FRONT_NUMBERS,
    FRONTS,
    GIVE,
    GIVE_CARD,
    LAY,
    MOST_SEATS,
    NAMES,
    NO_CARD,
    NO_SEAT,
    OVER,
    SIOUPLAIT,
    STACKS,
    THANK,
    THANKS,
    THANKS_WORDS,
    TURN,
    WORDS,
    State,
)
from pli.kernel.bits import bit, has, lowest, size, without
from pli.kernel.contract import NEVER
from pli.kernel.layout import Int8, Int32, Int64, Layout
from pli.kernel.observation import (
    SEATS,
    WAIT,
    Field,
    Numbers,
    Observation,
    across,
    one_seen_from,
    seen_from,
    write_number,
    write_one,
    write_set,
    write_zeros,
)
from pli.kernel.refusals import OK
from pli.kernel.rule import hot, rule

KINDS = len(BACKS)
THANKS_COUNT = len(THANKS_WORDS)
DEEDS = len(WORDS) + THANKS_COUNT
PHASES = OVER - TURN
NO_DEED = 0

PAIRS = FRONTS * KINDS
HALF = PAIRS // 2
"""What sides go together is remembered in two sets, each of a half of all pairs."""

# Actions by number. Seats are counted from the one that acts. A card is named by its front: of two
# with the same front the one held longest is meant.
A_DRAW = WAIT + 1
A_THANK = A_DRAW + 1
A_DENOUNCE = A_THANK + THANKS_COUNT
A_CHOOSE = A_DENOUNCE + 1
OTHERS = MOST_SEATS - 1
A_GIVE = A_CHOOSE + MOST_SEATS
A_LAY = A_GIVE + FRONTS * OTHERS
ACTIONS = A_LAY + len(WORDS) * STACKS * FRONTS

ACTION_NAMES = [
    "wait",
    "draw",
    *THANKS_WORDS,
    "denounce",
    *(f"choose +{k}" for k in range(MOST_SEATS)),
    *(f"give {card} to +{k}" for card in FRONT_NUMBERS for k in range(1, MOST_SEATS)),
    *(
        f"{word} {card} on {stack + 1}"
        for word in WORDS
        for stack in range(STACKS)
        for card in FRONT_NUMBERS
    ),
]


@dataclass(slots=True)
class Memory:
    """What was seen and is not in the state. Whoever observes is called an eye here."""

    known: Annotated[list[int], "i8", MOST_SEATS * MOST_SEATS]  # by eye and holder: cards in hands
    pairs: Annotated[list[int], "i8", MOST_SEATS * 2]  # by eye: fronts and backs that go together
    hands: Annotated[list[int], "i8", MOST_SEATS]  # as they were
    open_cards: Int64  # on the stacks, as they were
    rebuilt: Int64  # of these the pile was last made anew
    round_number: Int32
    deed_seat: Int8  # who laid or thanked last
    deed: Int8  # 1 + the word, words of thanks after those with a card; 0: none in this round
    deed_in_turn: Int8
    deed_stack: Int8
    deed_top: Int8  # the front that was covered
    denounced: Int8  # while a denunciation is carried out


# Remembering


@rule
def before(s: State, m: Memory, seat: int, action: int) -> None:
    m.denounced = int(action == DENOUNCE)
    if action < DRAW:
        stack = action // CARD_NAMES % STACKS
        m.deed_seat = seat
        m.deed = 1 + action // (CARD_NAMES * STACKS)
        m.deed_in_turn = int(s.phase == TURN and seat == s.turn)
        m.deed_stack = stack
        m.deed_top = front(s.tops[stack])
    elif THANK <= action < DENOUNCE:
        m.deed_seat = seat
        m.deed = 1 + len(WORDS) + action - THANK
    elif action == DENOUNCE:
        m.deed = NO_DEED


@rule
def after(s: State, m: Memory) -> None:
    if s.phase <= DEALING:
        return
    if s.round_number != m.round_number:
        begin_round(s, m)
    open_cards = s.laid | bit(s.tops[0]) | bit(s.tops[1]) | bit(s.tops[2])
    for seat in range(s.seats):
        if s.hands[seat] != m.hands[seat]:
            see_hand(s, m, seat, open_cards)
    gone = m.open_cards & ~open_cards
    if gone and not m.denounced:  # ME-20
        m.rebuilt = gone
    for seat in range(s.seats):
        m.hands[seat] = s.hands[seat]
    m.open_cards = open_cards
    m.denounced = 0


@rule
def begin_round(s: State, m: Memory) -> None:
    m.round_number = s.round_number
    for i in range(MOST_SEATS * MOST_SEATS):
        m.known[i] = 0
    for seat in range(MOST_SEATS):
        m.hands[seat] = 0
    m.open_cards = 0
    m.rebuilt = 0
    m.deed = NO_DEED


@rule
def see_hand(s: State, m: Memory, seat: int, open_cards: int) -> None:
    """What has come to a hand, and what has left it."""
    came = s.hands[seat] & ~m.hands[seat]
    while came:
        card = lowest(came)
        came = without(came, card)
        pair_up(s, m, seat, card)
        if m.denounced and has(m.open_cards, card):  # ME-19, ME-28b: taken back, in plain sight
            for eye in range(s.seats):
                m.known[eye * MOST_SEATS + seat] |= bit(card)
    went = m.hands[seat] & ~s.hands[seat]
    while went:
        card = lowest(went)
        went = without(went, card)
        if has(open_cards, card):
            see_laid(s, m, seat, card)
        else:
            see_given(s, m, seat, card)


@rule
def pair_up(s: State, m: Memory, eye: int, card: int) -> None:
    """An eye sees both sides of a card."""
    pair = front(card) * KINDS + s.back[card]
    m.pairs[2 * eye + pair // HALF] |= bit(pair % HALF)


@rule
def see_laid(s: State, m: Memory, seat: int, card: int) -> None:
    """A card that was known in the hand may be the one that has left it, if it looks the same."""
    alike = with_back(s, equals(card), s.back[card])
    for eye in range(s.seats):
        pair_up(s, m, eye, card)
        m.known[eye * MOST_SEATS + seat] &= ~alike


@rule
def see_given(s: State, m: Memory, giver: int, card: int) -> None:
    """ME-12: the two seats know which card it was. The others see its back, and so know whether it
    is one that they know only if the giver had no other with that back."""
    to = giver
    for seat in range(s.seats):
        if has(s.hands[seat], card):
            to = seat
    back = s.back[card]
    only = with_back(s, m.hands[giver], back) == bit(card)
    for eye in range(s.seats):
        place = eye * MOST_SEATS + giver
        if eye == giver or eye == to:
            m.known[place] = without(m.known[place], card)
        else:
            known = has(m.known[place], card) and only
            m.known[place] &= ~with_back(s, m.known[place], back)
            if known:
                m.known[eye * MOST_SEATS + to] |= bit(card)
    m.known[giver * MOST_SEATS + to] |= bit(card)


# Writing


@rule
def write_fronts(out: Numbers, at: int, cards: int) -> int:
    """How many of the cards have each front."""
    end = write_zeros(out, at, FRONTS)
    while cards:
        card = lowest(cards)
        cards = without(cards, card)
        out[at + front(card)] += 1
    return end


@rule
def look(s: State, m: Memory, seat: int, out: Numbers, at: int) -> int:
    seats = s.seats
    hand = at
    at = write_zeros(out, at, PAIRS)
    cards = s.hands[seat]
    while cards:
        card = lowest(cards)
        cards = without(cards, card)
        out[hand + front(card) * KINDS + s.back[card]] += 1
    for stack in range(STACKS):
        top = s.tops[stack]
        at = write_one(out, at, NO_CARD if top == NO_CARD else front(top), FRONTS)
    at = write_fronts(out, at, s.laid)
    at = write_fronts(out, at, m.rebuilt)
    for k in range(seats):
        other = across(seat, k, seats)
        known = s.hands[seat] if k == 0 else m.known[seat * MOST_SEATS + other]
        at = write_fronts(out, at, known)
    at = write_set(out, at, m.pairs[2 * seat], HALF)
    at = write_set(out, at, m.pairs[2 * seat + 1], HALF)
    at = write_backs(s, seat, out, at)
    at = write_one(out, at, s.back[s.pile[s.pile_size - 1]] if s.pile_size else NO_CARD, KINDS)
    at = write_one(out, at, NO_CARD if s.gift == NO_CARD else s.back[s.gift], KINDS)
    at = write_one(out, at, s.phase - TURN if TURN <= s.phase < OVER else NO_CARD, PHASES)
    places = one_seen_from(seat, s.turn, seats)
    places |= one_seen_from(seat, s.speaker, seats) << seats
    places |= one_seen_from(seat, s.owes, seats) << (2 * seats)
    done = NO_SEAT if m.deed == NO_DEED else m.deed_seat
    places |= one_seen_from(seat, done, seats) << (3 * seats)
    at = write_set(out, at, places, 4 * seats)
    at = write_one(out, at, m.deed - 1, DEEDS)
    laid = NO_DEED < m.deed <= len(WORDS)
    at = write_number(out, at, int(laid and m.deed_in_turn == 1))
    at = write_one(out, at, m.deed_stack if laid else NO_CARD, STACKS)
    at = write_one(out, at, m.deed_top if laid else NO_CARD, FRONTS)
    for k in range(seats):
        other = across(seat, k, seats)
        out[at + k] = s.hearts[other]
        out[at + seats + k] = size(s.hands[other])
    at = write_number(out, at + 2 * seats, s.pile_size)
    at = write_number(out, at, s.owed if s.speaker != NO_SEAT else 0)
    at = write_number(out, at, int(s.ending_seat != NO_SEAT))
    at = write_number(out, at, s.hearts_to_win)
    variants = s.malpoli | s.interception << 1 | s.last_card_wait << 2
    return write_set(out, at, variants | s.faults_last << 3 | s.false_draw << 4, 5)


@rule
def write_backs(s: State, seat: int, out: Numbers, at: int) -> int:
    """ME-1a: the backs in all hands."""
    seats = s.seats
    end = write_zeros(out, at, KINDS * seats)
    for k in range(seats):
        cards = s.hands[across(seat, k, seats)]
        while cards:
            card = lowest(cards)
            cards = without(cards, card)
            out[at + KINDS * k + s.back[card]] += 1
    return end


# Acting


@rule
def action(s: State, seat: int, number: int) -> int:
    if number >= A_LAY:
        place, card = (number - A_LAY) // FRONTS, (number - A_LAY) % FRONTS
        return LAY + place * CARD_NAMES + card * NAMES
    if number >= A_GIVE:
        card, k = (number - A_GIVE) // OTHERS, (number - A_GIVE) % OTHERS + 1
        if k >= s.seats:
            return -1
        return GIVE_CARD + card * NAMES * MOST_SEATS + across(seat, k, s.seats)
    if number >= A_CHOOSE:
        k = number - A_CHOOSE
        return CHOOSE_SEAT + across(seat, k, s.seats) if k < s.seats else -1
    if number == A_DENOUNCE:
        return DENOUNCE
    return DRAW if number == A_DRAW else THANK + number - A_THANK


@rule
def mask(s: State, seat: int, out: Numbers, at: int) -> int:
    write_zeros(out, at, ACTIONS)
    out[at + WAIT] = 1
    n = 1
    if s.phase < TURN or s.phase == OVER or s.rebuilding:
        return n
    if may_accuse(s, seat):  # ME-28d
        out[at + A_DENOUNCE] = 1
        n += 1
    if s.ending_at != NEVER:
        return n
    n += mask_lays(s, seat, out, at + A_LAY)
    if seat != awaited(s):
        return n
    if s.phase == TURN:
        out[at + A_DRAW] = 1
        return n + 1
    if s.phase == THANKS:
        write_set(out, at + A_THANK, 7, THANKS_COUNT)
        return n + THANKS_COUNT
    if s.phase == GIVE:
        return n + mask_gifts(s, seat, out, at + A_GIVE)
    for chosen in range(s.seats):
        if check_choose(s, chosen) == OK:
            out[at + A_CHOOSE + seen_from(seat, chosen, s.seats)] = 1
            n += 1
    return n


@hot
def mask_lays(s: State, seat: int, out: Numbers, at: int) -> int:
    n = 0
    if s.ending_seat != NO_SEAT:
        return n
    on_same = listed_words(s, seat, True)
    on_other = listed_words(s, seat, False) or bit(SIOUPLAIT)  # without one: an interception
    for stack in range(STACKS):
        equal = equals(s.tops[stack])
        left = layable(s, seat, stack) & ~s.younger
        while left:
            card = lowest(left)
            left = without(left, card)
            words = on_same if has(equal, card) else on_other
            while words:
                word = lowest(words)
                words = without(words, word)
                out[at + (word * STACKS + stack) * FRONTS + front(card)] = 1
                n += 1
    return n


@rule
def mask_gifts(s: State, seat: int, out: Numbers, at: int) -> int:
    n = 0
    left = s.hands[seat] & ~s.younger
    while left:
        card = lowest(left)
        left = without(left, card)
        for k in range(s.seats - 1):
            out[at + front(card) * OTHERS + k] = 1
            n += 1
    return n


OBSERVATION: Observation[State] = Observation(
    fields=(
        Field("hand", (FRONTS, KINDS), "how many of the own cards have each front and back"),
        Field("tops", (STACKS, FRONTS), "the front on each stack"),
        Field("laid", (FRONTS,), "how many cards of each front lie under the tops"),
        Field("rebuilt", (FRONTS,), "how many of each were shuffled when the pile was last made"),
        Field("known", (SEATS, FRONTS), "how many of each a seat is known to hold"),
        Field("pairs", (FRONTS, KINDS), "fronts and backs seen on one card, in this game"),
        Field("backs", (SEATS, KINDS), "how many cards of each back a seat holds"),
        Field("pile_back", (KINDS,), "the back that shows on the pile"),
        Field("gift_back", (KINDS,), "the back of the card that is being given"),
        Field("phase", (PHASES,), "turn, a heart's seat, a seat, a gift, or thanks are awaited"),
        Field("turn", (SEATS,), "whose turn it is"),
        Field("speaker", (SEATS,), "whose SIOUPLAIT is being settled"),
        Field("owes", (SEATS,), "who owes thanks"),
        Field("deed_seat", (SEATS,), "who laid a card or took some last"),
        Field("deed", (DEEDS,), "with which word, of those with a card and of thanks"),
        Field("deed_in_turn", (1,), "1 if the card was laid in turn"),
        Field("deed_stack", (STACKS,), "on which stack"),
        Field("deed_top", (FRONTS,), "on which front"),
        Field("hearts", (SEATS,), "how many hearts each seat has"),
        Field("cards", (SEATS,), "how many cards each seat holds"),
        Field("pile", (1,), "how many cards the pile has"),
        Field("owed", (1,), "for how many cards thanks are owed"),
        Field("ending", (1,), "1 while the round is about to end"),
        Field("hearts_to_win", (1,), "how many hearts win"),
        Field(
            "variants",
            (5,),
            "malpoli, interception, the wait for the last card, faults that only time ends, false "
            "denunciations that cost a card",
        ),
    ),
    names=ACTION_NAMES,
    look=look,
    mask=mask,
    action=action,
    numbered=lambda text: "/" not in text,  # the younger of two equal cards, by its back
    memory=Layout(Memory),
    before=before,
    after=after,
    slice_ms=250,
)
