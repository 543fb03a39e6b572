"""The flow of a game of Merci: deal, draws with reshuffles, effects, hearts, the round's end."""

from pli.games.merci.rules.cards import take_up
from pli.games.merci.rules.faults import (
    close_all,
    close_window,
    fault_of_thanks,
    lose_what_is_shuffled,
    open_window,
)
from pli.games.merci.state import (
    BACK_COUNTS,
    BACKING,
    CARDS,
    CARDS_A_HEART,
    CHOOSE,
    CHOOSE_HEART,
    DEALING,
    GIFT,
    GIFT_DRAWN,
    GIVE,
    HAND,
    HEARTS,
    HEARTS_TO_WIN,
    LAYOUT,
    NEXT_TURN,
    NO_CARD,
    NO_SEAT,
    NOTHING,
    ONE,
    OVER,
    ROUND_HEARTS,
    SEATING,
    SHOW_EFFECT,
    STACKS,
    TURN,
    TWO,
    VARIANTS,
    MerciOptions,
    State,
)
from pli.kernel.bits import bit, lowest, nth, size
from pli.kernel.contract import NEVER, Order
from pli.kernel.rule import hot, rule

# Setting up


def setup(options: MerciOptions) -> State:
    s = LAYOUT.blank()
    s.seats = options.seats
    s.full_rules = int(options.rules == "full")
    s.malpoli, s.interception, s.last_card_wait = (int(options.holds(each)) for each in VARIANTS)
    s.faults_last = int(options.fault_ends == "time")
    s.false_draw = int(options.false_costs)
    s.fault_window = options.fault_window_ms
    s.hearts_to_win = HEARTS_TO_WIN[options.seats]
    s.turn = s.speaker = s.owes = s.gift = s.forgetful = s.ending_seat = NO_SEAT
    s.ending_at = NEVER
    close_all(s)
    s.tops = [NO_CARD] * STACKS
    if options.first_player == "random":  # ME-3
        s.first = NO_SEAT
        s.phase = SEATING
    else:
        s.first = options.first_player
        s.phase = BACKING
    return s


@hot
def needs(s: State) -> int:
    if s.phase > DEALING:
        return size(s.laid) if s.rebuilding else 0
    return s.seats if s.phase == SEATING else CARDS


@rule
def give(s: State, order: Order) -> None:
    if s.rebuilding:
        rebuild(s, order)
        settle(s)
    elif s.phase == SEATING:
        s.first = order[0]
        s.phase = BACKING
    elif s.phase == BACKING:
        pair_backs(s, order)
        s.phase = DEALING
    else:
        deal(s, order)


@rule
def pair_backs(s: State, order: Order) -> None:
    """ME-1a: the backs go with the fronts at random, once a game."""
    for card in range(CARDS):
        place = order[card]
        kind = 0
        while place >= BACK_COUNTS[kind]:
            place -= BACK_COUNTS[kind]
            kind += 1
        s.back[card] = kind


@rule
def deal(s: State, order: Order) -> None:
    """ME-2, ME-24: six each, three tops, the rest is the pile."""
    s.younger = 0
    s.skuz_lost = 0
    s.laid = 0
    dealt = 0
    for seat in range(s.seats):
        s.hands[seat] = 0
        for _ in range(HAND):
            take_up(s, seat, order[dealt])
            dealt += 1
    for stack in range(STACKS):
        s.tops[stack] = order[dealt]
        dealt += 1
    s.pile_size = CARDS - dealt
    for i in range(s.pile_size):
        s.pile[i] = order[CARDS - 1 - i]
    s.round_number += 1
    s.turn = s.first
    s.ending_seat = NO_SEAT
    s.ending_at = NEVER
    close_all(s)
    end_effect(s)


@hot
def end_effect(s: State) -> None:
    s.phase = TURN
    s.speaker = NO_SEAT
    s.owes = NO_SEAT
    s.gift = NO_CARD


# Drawing


@hot
def draw(s: State, seat: int, count: int, then: int) -> None:
    """Cards are to be drawn, and then something is to follow: `settle` sees to both. ME-28b: what
    was open is closed, unless only time does that."""
    if count > 0 and not s.faults_last:
        close_window(s)
    s.drawing = 1
    s.draw_seat = seat
    s.draw_count = count
    s.draw_then = then


@rule
def settle(s: State) -> None:
    """Draws what is to be drawn and lets follow what is to follow, until nothing is left to do or a
    shuffle is needed. ME-20b: the pile is rebuilt as soon as its last card is drawn, so that a back
    shows; if that could not be, then at the next draw or right SIOUPLAIT."""
    while s.drawing:
        while s.draw_count > 0 and s.pile_size > 0:
            s.pile_size -= 1
            s.draw_count -= 1
            take_up(s, s.draw_seat, s.pile[s.pile_size])
        if s.pile_size == 0 and s.laid != 0:
            s.rebuilding = 1
            return
        s.drawing = 0  # ME-20a: one draws what there is
        then = s.draw_then
        if then == NEXT_TURN:
            s.turn = left_of(s, s.turn)
            s.forgetful = NO_SEAT
        elif then == SHOW_EFFECT:
            show_effect(s)
        elif then == GIFT_DRAWN:
            s.phase = GIVE
        elif then != NOTHING:
            open_window(s, fault_of_thanks(then), s.draw_seat)
            finish_effect(s)


@rule
def rebuild(s: State, order: Order) -> None:
    """ME-20: a new pile of all laid cards but the three tops."""
    s.rebuilding = 0
    lose_what_is_shuffled(s)
    n = size(s.laid)
    for i in range(n):
        s.pile[n - 1 - i] = nth(s.laid, order[i])
    s.pile_size = n
    s.laid = 0


# Effects


@hot
def left_of(s: State, seat: int) -> int:
    return seat + 1 if seat + 1 < s.seats else 0


@rule
def begin_effect(s: State, speaker: int) -> None:
    """ME-10: the back of the pile's top says what happens, once there is one."""
    s.speaker = speaker
    draw(s, speaker, 0, SHOW_EFFECT)


@rule
def show_effect(s: State) -> None:
    if s.pile_size == 0:  # ME-20a
        finish_effect(s)
        return
    back = s.back[s.pile[s.pile_size - 1]]
    s.owed = 2 if back == TWO else 1
    if back == ONE or back == TWO:  # ME-11, ME-14
        s.phase = CHOOSE
    elif back == GIFT:  # ME-12
        s.phase = GIVE
        draw(s, s.speaker, 1, GIFT_DRAWN)
    else:
        poorest = fewest_hearts(s)
        if poorest & (poorest - 1) == 0:  # ME-13
            s.phase = CHOOSE
            take_heart(s, lowest(poorest))
        else:
            s.phase = CHOOSE_HEART


@rule
def fewest_hearts(s: State) -> int:
    """The seats with the fewest hearts."""
    few = HEARTS
    seats = 0
    for seat in range(s.seats):
        if s.hearts[seat] < few:
            few = s.hearts[seat]
            seats = 0
        if s.hearts[seat] == few:
            seats |= bit(seat)
    return seats


@rule
def finish_effect(s: State) -> None:
    """The effect is settled, or dropped: the turn goes on, or the round ends if it was to."""
    end_effect(s)
    s.turn = s.after_effect
    if s.ending_seat != NO_SEAT:
        end_round_soon(s)


# Hearts and the end


@rule
def reserve(s: State) -> int:
    left = HEARTS
    for seat in range(s.seats):
        left -= s.hearts[seat]
    return left


@rule
def take_heart(s: State, seat: int) -> None:
    """A heart from the reserve; the seat that takes the last one wins at once (ME-27, ME-27a)."""
    s.hearts[seat] += 1
    if reserve(s) == 0:
        end_game(s, bit(seat))


@rule
def end_game(s: State, seats: int) -> None:
    s.winning_seats = seats
    s.phase = OVER
    s.turn = NO_SEAT
    s.speaker = NO_SEAT
    s.owes = NO_SEAT
    s.gift = NO_CARD
    s.drawing = 0
    s.ending_seat = NO_SEAT
    s.ending_at = NEVER
    close_all(s)


@rule
def end_round_soon(s: State) -> None:
    """ME-21: at once; ME-29a: or when the window has passed."""
    if s.last_card_wait:
        s.ending_at = s.now + s.fault_window
    else:
        end_round(s)


@rule
def end_round(s: State) -> None:
    winner = s.ending_seat
    close_all(s)
    for _ in range(ROUND_HEARTS):  # ME-22
        if s.phase != OVER:
            take_heart(s, winner)
    if s.phase == OVER:
        return
    most = 0
    for seat in range(s.seats):
        if seat != winner:
            s.hearts[seat] -= min(s.hearts[seat], size(s.hands[seat]) // CARDS_A_HEART)  # ME-23
        most = max(most, s.hearts[seat])
    if most >= s.hearts_to_win:  # ME-25, ME-31
        end_game(s, fewest_cards(s, most))
        return
    s.first = left_of(s, winner)  # ME-24
    s.turn = NO_SEAT
    s.ending_at = NEVER
    s.phase = DEALING


@rule
def fewest_cards(s: State, hearts: int) -> int:
    """ME-26: of the seats with so many hearts, those with the fewest cards in hand."""
    few = CARDS
    seats = 0
    for seat in range(s.seats):
        if s.hearts[seat] == hearts:
            held = size(s.hands[seat])
            if held < few:
                few = held
                seats = 0
            if held == few:
                seats |= bit(seat)
    return seats
