"""The actions of Twin It!: which are legal when. What a hand on a card causes is in `touching`."""

from pli.games.twinit.rules.cards import (
    in_pair,
    lift_hand,
    move_on_table,
    on_table,
    owner_of_catch,
    place_taken,
    turn_over,
)
from pli.games.twinit.rules.flow import finish, give, makes_pair, needs, owner_of, points
from pli.games.twinit.rules.hands import (
    NO_HAND,
    covered,
    first_lifted,
    free_hand,
    frozen,
    hand_of,
    lifted_at,
    lone_card,
)
from pli.games.twinit.rules.touching import end_tie, flip, touch
from pli.games.twinit.state import (
    ACTIONS,
    CARDS,
    COOP,
    COVERED,
    FACES,
    FLIP,
    FROZEN,
    LAYOUT,
    LIFT,
    MOST_TIES,
    MOVE,
    NO_CARD,
    NO_HAND_FREE,
    NO_PAIR,
    NO_SEAT,
    NOT_VISIBLE,
    OVER,
    PLACES,
    PLAY,
    REFUSALS,
    RUSH,
    TOP,
    TOUCH,
    TURN,
    State,
)
from pli.kernel.bits import full, has
from pli.kernel.contract import Buffer, Rules
from pli.kernel.refusals import BAD_ACTION, GAME_OVER, NOT_YOUR_TURN, OK
from pli.kernel.rule import hot, rule


@hot
def check(s: State, seat: int, action: int, time: int) -> int:
    if s.phase == OVER:
        return GAME_OVER
    if s.phase != PLAY or seat < 0 or seat >= s.seats:
        return NOT_YOUR_TURN
    if action == FLIP and s.mode < COOP:
        return check_flip(s, seat)
    if action <= FLIP or action >= ACTIONS:
        return BAD_ACTION
    if action < LIFT:
        return check_touch(s, seat, action - TOUCH)
    if action < TURN:
        return check_lift(s, seat, action - LIFT)
    if action < MOVE:
        return check_turn(s, action - TURN)
    return check_move(s, (action - MOVE) // PLACES, (action - MOVE) % PLACES)


@rule
def check_flip(s: State, seat: int) -> int:
    if s.turn != seat and (s.turn != NO_SEAT or s.pile_sizes[seat] == 0):  # TW-19a
        return NOT_YOUR_TURN
    return FROZEN if frozen(s, s.tops[seat]) else OK


@hot
def check_touch(s: State, seat: int, card: int) -> int:
    refusal = check_reach(s, seat, card)
    if refusal == OK and s.mode >= COOP:
        other = lone_card(s, seat)
        if other != NO_CARD and not makes_pair(s, card, other):
            return NO_PAIR  # TW-23a
    return refusal


@hot
def check_reach(s: State, seat: int, card: int) -> int:
    """Whether a hand can come down there, whatever the motifs."""
    spot = s.spot[card]
    if spot < TOP:
        return NOT_VISIBLE
    if s.mode == RUSH and in_pair(spot) and owner_of_catch(spot) != seat:
        return NOT_VISIBLE  # TW-25
    if covered(s, card):
        return COVERED
    if frozen(s, card):
        return FROZEN
    return NO_HAND_FREE if free_hand(s, seat) == NO_HAND else OK


@rule
def check_lift(s: State, seat: int, card: int) -> int:
    hand = hand_of(s, seat, card)
    if hand == NO_HAND:
        return BAD_ACTION
    return FROZEN if has(s.tied_hands, hand) else OK


@rule
def check_turn(s: State, card: int) -> int:
    if s.mode < COOP:
        return BAD_ACTION
    if not on_table(s.spot[card]):
        return NOT_VISIBLE
    return COVERED if covered(s, card) else OK  # TW-23a


@rule
def check_move(s: State, card: int, place: int) -> int:
    """TW-22a: a card that can be turned can be moved, to where no card lies."""
    refusal = check_turn(s, card)
    return COVERED if refusal == OK and place_taken(s, place) else refusal


@rule
def act(s: State, seat: int, action: int, time: int) -> None:
    if action == FLIP:
        flip(s, seat)
    elif action < LIFT:
        touch(s, seat, action - TOUCH, time)
    elif action < TURN:
        lift_hand(s, hand_of(s, seat, action - LIFT))
    elif action < MOVE:
        turn_over(s, action - TURN)
    else:
        move_on_table(s, (action - MOVE) // PLACES, (action - MOVE) % PLACES)


@rule
def legal(s: State, seat: int, buffer: Buffer) -> int:
    """In coop and rush all cards in reach are listed: `no_pair` is for the eyes to know. Moves are
    not (`unlisted`): there may be five thousand, and the view shows which places are free."""
    n = 0
    if s.phase != PLAY:
        return n
    if s.mode < COOP and check_flip(s, seat) == OK:
        buffer[n] = FLIP
        n += 1
    for card in range(CARDS):
        if check_reach(s, seat, card) == OK:
            buffer[n] = TOUCH + card
            n += 1
    for hand in range(2 * seat, 2 * seat + 2):
        if s.hands[hand] != NO_CARD and not has(s.tied_hands, hand):
            buffer[n] = LIFT + s.hands[hand]
            n += 1
    if s.mode >= COOP:
        for card in range(CARDS):
            if check_turn(s, card) == OK:
                buffer[n] = TURN + card
                n += 1
    return n


@rule
def actors(s: State) -> int:
    return full(s.seats) if s.phase == PLAY else 0


@rule
def due(s: State) -> int:
    moment = s.minute_ends
    if s.ties or s.hand_ms:  # asked at once: this is on the way of every action
        for slot in range(MOST_TIES):
            moment = min(moment, s.tie_until[slot])
        if s.hand_ms:
            moment = min(moment, first_lifted(s))
    return moment


@rule
def tick(s: State) -> None:
    """The minute is over, or a count, or a hand has lain too long: at the same moment in this
    order, of hands the lowest seat's first."""
    moment = due(s)
    if moment == s.minute_ends:
        finish(s)
        return
    for slot in range(MOST_TIES):
        if s.tie_until[slot] == moment:
            end_tie(s, slot)
            return
    for hand in range(2 * s.seats):
        if lifted_at(s, hand) == moment:
            lift_hand(s, hand)
            return


@rule
def over(s: State) -> bool:
    return s.phase == OVER


@rule
def winners(s: State) -> int:
    return s.winning_seats


# For simulations: an action drawn from these is checked, not listed.

GUESSED_TOUCH = 1
GUESSED_LIFT = GUESSED_TOUCH + CARDS
GUESSED_TURN = GUESSED_LIFT + 2
GUESSED_MOVE = GUESSED_TURN + CARDS


@rule
def guesses(s: State, seat: int) -> int:
    return GUESSED_TURN if s.mode < COOP else GUESSED_MOVE + PLACES


@rule
def guess(s: State, seat: int, k: int) -> int:
    if k < GUESSED_TOUCH:
        return FLIP
    if k < GUESSED_LIFT:
        return TOUCH + k - GUESSED_TOUCH
    if k < GUESSED_TURN:
        card = s.hands[2 * seat + k - GUESSED_LIFT]
        return -1 if card == NO_CARD else LIFT + card
    if k < GUESSED_MOVE:
        return TURN + k - GUESSED_TURN
    # Of all moves those of one card, the oldest on the table: a guess for each place is enough.
    card = s.oldest_on_table
    return -1 if card == NO_CARD else MOVE + card * PLACES + k - GUESSED_MOVE


@rule
def gathered(s: State, seat: int) -> int:
    """Catches; against the minute their points (TW-25)."""
    owner = owner_of(s, seat)
    return points(s, owner) if s.mode >= COOP else s.catch_counts[owner]


RULES: Rules[State] = Rules(
    name="twinit",
    layout=LAYOUT,
    refusals=REFUSALS,
    deck=FACES,
    room=1 + 2 * CARDS + 2,
    needs=needs,
    give=give,
    actors=actors,
    check=check,
    act=act,
    legal=legal,
    over=over,
    winners=winners,
    due=due,
    tick=tick,
    hunches=True,
    unlisted=MOVE,
    patience=5000,
    guesses=guesses,
    guess=guess,
    points=gathered,
)
