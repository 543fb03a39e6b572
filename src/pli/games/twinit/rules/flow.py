"""The flow of a game of Twin It!: the deal, turns, points, and the end."""

from pli.games.twinit.rules.cards import (
    DECK,
    in_pair,
    is_triple,
    lay_on_table,
    linked,
    older_catch,
    put_under,
    seats_with_cards,
    set_link,
    shown,
)
from pli.games.twinit.state import (
    CARDS,
    COOP,
    DEALING,
    FACES,
    HANDS,
    LAYOUT,
    MODES,
    MOST_SEATS,
    MOST_TIES,
    NO_CARD,
    NO_SEAT,
    OUT,
    OVER,
    PAIR_POINTS,
    PLAY,
    RUSH,
    SEATING,
    TABOO,
    TABOO_CARDS,
    TEAMS,
    TEAMS_COUNT,
    TIE_CARDS,
    TOP,
    TRIPLE_POINTS,
    WORDS,
    State,
    TwinitOptions,
)
from pli.kernel.bits import bit, clockwise
from pli.kernel.contract import NEVER, Order
from pli.kernel.rule import rule

# Setting up


def setup(options: TwinitOptions) -> State:
    s = LAYOUT.blank()
    s.seats = options.seats
    s.mode = MODES.index(options.mode)
    s.catches_to_win = options.catches
    s.count_ms = options.count_ms
    s.minute_ms = options.minute_ms
    s.hand_ms = options.hand_ms
    s.taboo_seat = NO_SEAT
    if options.taboo_seat != "none":
        s.taboo_seat = options.taboo_seat
    if options.taboo_team != "none":
        s.taboo_seat = options.taboo_team  # TW-20a: the team's first seat
    s.turn = NO_SEAT
    s.phase = DEALING
    if s.mode < COOP:
        if options.first_player == "random":  # TW-4
            s.phase = SEATING
        else:
            s.turn = options.first_player
    clear(s)
    return s


def clear(s: State) -> None:
    """No card is anywhere, and no hand."""
    s.hands[:] = [NO_CARD] * HANDS
    s.since[:] = [0] * HANDS
    s.tied_hands = s.ties = 0
    s.tie_until[:] = [NEVER] * MOST_TIES
    s.tie_cards[:] = [NO_CARD] * (MOST_TIES * TIE_CARDS)
    s.minute_ends = NEVER
    s.tops[:] = s.bottoms[:] = s.newest[:] = [NO_CARD] * MOST_SEATS
    s.pile_sizes[:] = s.catch_counts[:] = [0] * MOST_SEATS
    s.oldest_on_table = s.newest_on_table = NO_CARD
    s.taken_places[:] = [0] * WORDS
    s.side[:] = [0] * CARDS
    s.spot[:] = [OUT] * CARDS
    s.link[:] = [0] * CARDS


@rule
def needs(s: State) -> int:
    if s.phase == SEATING:
        return s.seats
    return FACES if s.phase == DEALING else 0


@rule
def give(s: State, order: Order) -> None:
    if s.phase == SEATING:
        s.turn = order[0]
        s.phase = DEALING
        return
    number_cards(s, order)
    s.phase = PLAY
    if s.mode >= COOP:  # TW-22
        s.minute_ends = s.minute_ms
        for card in range(CARDS):
            lay_on_table(s, card)
        return
    for card in range(CARDS):  # TW-3a
        put_under(s, card % s.seats, card)
    if s.taboo_seat != NO_SEAT:
        lay_taboo(s, s.taboo_seat)


@rule
def number_cards(s: State, order: Order) -> None:
    """A card's number is its rank among the shuffled ones, and so tells nothing of its motifs; the
    face that came up first is its first."""
    for card in range(CARDS):
        s.link[card] = 0
    n = 0
    for i in range(FACES):
        face = order[i]
        if s.link[face >> 1] == 0:
            s.link[face >> 1] = 1
            s.motif[2 * n] = DECK[face]
            s.motif[2 * n + 1] = DECK[face ^ 1]
            n += 1


@rule
def lay_taboo(s: State, seat: int) -> None:
    """TW-17a: the first of the pile with different motifs as they lie."""
    laid = 0
    before = NO_CARD
    card = s.tops[seat]
    while card != NO_CARD and laid < TABOO_CARDS:
        after = linked(s, card)
        is_new = True
        for other in range(CARDS):
            if s.spot[other] == TABOO + seat and shown(s, other) == shown(s, card):
                is_new = False
        if is_new:
            s.spot[card] = TABOO + seat
            s.pile_sizes[seat] -= 1
            laid += 1
            if before == NO_CARD:
                s.tops[seat] = after
            else:
                set_link(s, before, after)
            if after == NO_CARD:
                s.bottoms[seat] = before
        else:
            before = card
        card = after
    if s.tops[seat] != NO_CARD:
        s.spot[s.tops[seat]] = TOP + seat


# Owners and turns


@rule
def owner_of(s: State, seat: int) -> int:
    """Whose a seat's catches are: in teams the team's (TW-18a), in coop everybody's."""
    if s.mode == TEAMS:
        return seat % TEAMS_COUNT
    return 0 if s.mode == COOP else seat


@rule
def owners(s: State) -> int:
    if s.mode == TEAMS:
        return TEAMS_COUNT
    return 1 if s.mode == COOP else s.seats


@rule
def next_with_cards(s: State, seat: int) -> int:
    """The seat, or the first clockwise from it that has cards (TW-9a); none if all are out."""
    seats = seats_with_cards(s)
    return NO_SEAT if seats == 0 else clockwise(seats, seat % s.seats)


@rule
def restart(s: State, seat: int) -> None:
    """After a catch, from its winner (TW-9, TW-9b), or an error (TW-15); in teams any seat,
    after a counted tie too (TW-19, TW-19a)."""
    s.turn = NO_SEAT if s.mode == TEAMS else next_with_cards(s, seat)


# The end


@rule
def points(s: State, owner: int) -> int:
    total = 0
    head = s.newest[owner]
    while head != NO_CARD:
        total += TRIPLE_POINTS if is_triple(s.spot[head]) else PAIR_POINTS
        head = older_catch(s, head)
    return total


@rule
def finish(s: State) -> None:
    """The most catches win, in rush the most points; equal: shared (TW-9a, TW-25)."""
    s.phase = OVER
    s.turn = NO_SEAT
    s.minute_ends = NEVER
    s.ties = 0  # TW-14b
    s.tied_hands = 0
    for tie in range(MOST_TIES):
        s.tie_until[tie] = NEVER
    if s.mode == COOP:
        return
    most = 0
    for owner in range(owners(s)):
        most = max(most, points(s, owner) if s.mode == RUSH else s.catch_counts[owner])
    for seat in range(s.seats):
        owner = owner_of(s, seat)
        if (points(s, owner) if s.mode == RUSH else s.catch_counts[owner]) == most:
            s.winning_seats |= bit(seat)


@rule
def finish_if_nothing_is_open(s: State) -> None:
    """TW-9a: no cards in the piles, no pair or theft, no count."""
    if s.ties == 0 and seats_with_cards(s) == 0 and not any_pair(s):
        finish(s)


@rule
def any_pair(s: State) -> bool:
    for a in range(CARDS):
        if s.spot[a] >= TOP:
            for b in range(a):
                if s.spot[b] >= TOP and makes_pair(s, a, b):
                    return True
    return False


@rule
def makes_pair(s: State, a: int, b: int) -> bool:
    """TW-6, TW-10: equal motifs, of which one may be in a catch."""
    if shown(s, a) != shown(s, b):
        return False
    return not (in_pair(s.spot[a]) and in_pair(s.spot[b]))
