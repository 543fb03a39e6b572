"""Twin It!'s cards: deck, piles, the table, catches, and cards that are turned over or taken."""

from pli.games.twinit.state import (
    CARDS,
    COPIES,
    IN_WORD,
    INSIDE,
    LINK,
    LOWEST_MOTIF,
    NO_CARD,
    NO_LINK,
    OWNERS,
    PAIR_HEAD,
    PAIR_REST,
    TABLE,
    TABOO,
    TOP,
    TRIPLE_HEAD,
    TRIPLE_REST,
    WORDS,
    State,
)
from pli.kernel.bits import bit, full, has, lowest, without
from pli.kernel.rule import hot, rule
from pli.kernel.stream import advance, below, start

SEED = 135


def drawn(seed: int) -> list[int]:
    """The motifs of the faces, two by two; drawn again until no card has the same on both."""
    faces: list[int] = []
    motif = 0
    for copies, motifs in COPIES.items():
        for _ in range(motifs):
            faces += [motif] * copies
            motif += 1
    for attempt in range(1 << 20):
        x = start(seed, attempt)
        for last in range(len(faces) - 1, 0, -1):
            x = advance(x)
            other = below(x, last + 1)
            faces[last], faces[other] = faces[other], faces[last]
        if all(faces[2 * card] != faces[2 * card + 1] for card in range(CARDS)):
            return faces
    raise AssertionError("no deck")


DECK = tuple(motif + LOWEST_MOTIF for motif in drawn(SEED))


@hot
def shown(s: State, card: int) -> int:
    """The motif that shows."""
    return s.motif[2 * card + s.side[card]]


@rule
def linked(s: State, card: int) -> int:
    """The next card of the same pile, of the table, or of the catches."""
    link = s.link[card]
    return NO_CARD if link == NO_LINK else link + LINK


@rule
def set_link(s: State, card: int, to: int) -> None:
    s.link[card] = NO_LINK if to == NO_CARD else to - LINK


# Piles


@rule
def put_under(s: State, seat: int, card: int) -> None:
    bottom = s.bottoms[seat]
    if bottom == NO_CARD:
        s.tops[seat] = card
        s.spot[card] = TOP + seat
    else:
        set_link(s, bottom, card)
        s.spot[card] = INSIDE
    s.bottoms[seat] = card
    set_link(s, card, NO_CARD)
    s.pile_sizes[seat] += 1


@rule
def take_top(s: State, seat: int) -> None:
    """The pile's next card shows (TW-5, TW-11)."""
    below = linked(s, s.tops[seat])
    s.tops[seat] = below
    s.pile_sizes[seat] -= 1
    if below == NO_CARD:
        s.bottoms[seat] = NO_CARD
    else:
        s.spot[below] = TOP + seat


@rule
def seats_with_cards(s: State) -> int:
    seats = 0
    for seat in range(s.seats):
        if s.pile_sizes[seat] > 0:
            seats |= bit(seat)
    return seats


# The table


@rule
def on_table(spot: int) -> bool:
    return spot >= TABLE


@rule
def lay_on_table(s: State, card: int) -> None:
    """On the first free place, as the newest."""
    for word in range(WORDS):
        free = ~s.taken_places[word] & full(IN_WORD)
        if free:
            place = lowest(free)
            s.taken_places[word] |= bit(place)
            s.spot[card] = TABLE + word * IN_WORD + place
            break
    if s.newest_on_table == NO_CARD:
        s.oldest_on_table = card
    else:
        set_link(s, s.newest_on_table, card)
    s.newest_on_table = card
    set_link(s, card, NO_CARD)


@rule
def place_taken(s: State, place: int) -> bool:
    return has(s.taken_places[place // IN_WORD], place % IN_WORD)


@rule
def leave_place(s: State, card: int) -> None:
    place = s.spot[card] - TABLE
    word = place // IN_WORD
    s.taken_places[word] = without(s.taken_places[word], place % IN_WORD)


@rule
def move_on_table(s: State, card: int, place: int) -> None:
    """TW-22a. Its age among the cards on the table stays."""
    leave_place(s, card)
    s.taken_places[place // IN_WORD] |= bit(place % IN_WORD)
    s.spot[card] = TABLE + place


@rule
def take_from_table(s: State, card: int) -> None:
    leave_place(s, card)
    after = linked(s, card)
    before = NO_CARD
    if s.oldest_on_table == card:
        s.oldest_on_table = after
    else:
        before = s.oldest_on_table
        while linked(s, before) != card:
            before = linked(s, before)
        set_link(s, before, after)
    if s.newest_on_table == card:
        s.newest_on_table = before


@rule
def take(s: State, card: int) -> None:
    """Takes a card from where it lies open, for a catch."""
    spot = s.spot[card]
    if on_table(spot):
        take_from_table(s, card)
    elif spot < TABOO:
        take_top(s, spot - TOP)


@rule
def turn_over(s: State, card: int) -> None:
    """A card on the table or beside a pile keeps its place; a pile's top goes onto the table
    (TW-12a, TW-14a, TW-17a). Hands on it are lifted (TW-5a)."""
    lift_from(s, card)
    s.side[card] = 1 - s.side[card]
    if s.spot[card] < TABOO:
        take_top(s, s.spot[card] - TOP)
        lay_on_table(s, card)


@rule
def lift_from(s: State, card: int) -> None:
    for hand in range(2 * s.seats):
        if s.hands[hand] == card:
            lift_hand(s, hand)


@rule
def lift_hand(s: State, hand: int) -> None:
    s.hands[hand] = NO_CARD
    s.since[hand] = 0
    s.tied_hands = without(s.tied_hands, hand)


# Catches: a chain from an owner's newest to its oldest, each in order of number


@rule
def in_pair(spot: int) -> bool:
    """Whether a card of a catch that can be touched: a triple can't (TW-7a)."""
    return PAIR_HEAD <= spot < TABLE


@rule
def owner_of_catch(spot: int) -> int:
    """Of a pair or a triple."""
    return spot % OWNERS


@rule
def pair_head(s: State, card: int) -> int:
    """The lower card of the pair that a card is in."""
    if s.spot[card] < PAIR_REST:
        return card
    head = s.newest[owner_of_catch(s.spot[card])]
    while linked(s, head) != card:
        head = linked(s, head)
    return head


@rule
def add_catch(s: State, owner: int, a: int, b: int, c: int) -> None:
    """Two or three cards (c may be none) as the owner's newest catch."""
    low, high = min(a, b), max(a, b)
    if c == NO_CARD:
        s.spot[low] = PAIR_HEAD + owner
        s.spot[high] = PAIR_REST + owner
        set_link(s, high, s.newest[owner])
        set_link(s, low, high)
    else:
        middle = min(max(low, c), high)
        low, high = min(low, c), max(high, c)
        s.spot[low] = TRIPLE_HEAD + owner
        s.spot[middle] = TRIPLE_REST + owner
        s.spot[high] = TRIPLE_REST + owner
        set_link(s, high, s.newest[owner])
        set_link(s, middle, high)
        set_link(s, low, middle)
    s.newest[owner] = low
    s.catch_counts[owner] += 1


@rule
def remove_pair(s: State, head: int) -> None:
    owner = owner_of_catch(s.spot[head])
    after = linked(s, linked(s, head))
    if s.newest[owner] == head:
        s.newest[owner] = after
    else:
        before = s.newest[owner]
        while linked(s, before) != head:
            before = linked(s, before)
        set_link(s, before, after)
    s.catch_counts[owner] -= 1


@rule
def is_triple(spot: int) -> bool:
    return TRIPLE_HEAD <= spot < TOP


@rule
def older_catch(s: State, head: int) -> int:
    """The catch that the same owner won before this one."""
    third = linked(s, linked(s, head))
    return linked(s, third) if is_triple(s.spot[head]) else third
