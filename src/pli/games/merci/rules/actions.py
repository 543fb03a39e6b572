"""The actions of Merci: which are legal when, and what they do; `laying` has those with a card."""

from pli.games.merci.rules.cards import equals, matching, name_of, named, put_down, take_up
from pli.games.merci.rules.faults import (
    check_denounce,
    close_all,
    close_earlier,
    fault_card,
    may_accuse,
    offender,
    open_fault,
    take_back,
)
from pli.games.merci.rules.flow import (
    draw,
    end_round,
    fewest_hearts,
    give,
    needs,
    settle,
    take_heart,
)
from pli.games.merci.rules.laying import (
    check_lay,
    count_lays,
    intercepting,
    lay,
    list_lays,
    nth_lay,
    words_for,
)
from pli.games.merci.state import (
    ACTIONS,
    CARD_NAMES,
    CARDS,
    CHOOSE,
    CHOOSE_HEART,
    CHOOSE_SEAT,
    DENOUNCE,
    DRAW,
    GIVE,
    GIVE_CARD,
    LAY,
    LAYOUT,
    MERCI,
    MERCI_BEAUCOUP,
    MISTHANKED,
    MOST_SEATS,
    NEXT_TURN,
    NO_CARD,
    NO_FAULT,
    NO_SEAT,
    NO_THANKS,
    NOTHING,
    OVER,
    REFUSALS,
    STACKS,
    TAKE,
    THANK,
    THANKED,
    THANKS,
    THANKS_WORDS,
    TURN,
    UNTHANKED,
    WORDS,
    WRONG_THANKS,
    State,
)
from pli.kernel.bits import bit, full, has, lowest, nth, size, without
from pli.kernel.contract import NEVER, Buffer, Rules
from pli.kernel.refusals import (
    BAD_ACTION,
    BAD_TARGET,
    GAME_OVER,
    NOT_IN_HAND,
    NOT_YOUR_TURN,
    OK,
)
from pli.kernel.rule import hot, rule

WORD_COUNT, THANKS_COUNT = len(WORDS), len(THANKS_WORDS)


# Effects


@rule
def choose(s: State, seat: int, chosen: int) -> None:
    if s.phase == CHOOSE_HEART:
        s.phase = CHOOSE
        take_heart(s, chosen)
    else:
        s.owes = chosen
        s.phase = THANKS


@rule
def give_card(s: State, seat: int, name: int, to: int) -> None:
    """ME-12, ME-12a: the gift stays in the giver's hand until it is taken."""
    s.gift = named(s, seat, name)
    s.owes = to
    s.phase = THANKS


@rule
def thank(s: State, seat: int, word: int) -> None:
    """ME-11 to ME-15: the named seat takes its cards, with the right word or without."""
    polite = word == (MERCI_BEAUCOUP if s.owed == 2 else MERCI)  # ME-15a
    then = THANKED if polite else UNTHANKED if word == TAKE else MISTHANKED
    if s.gift != NO_CARD:
        put_down(s, s.speaker, s.gift)
        take_up(s, seat, s.gift)
        if s.hands[s.speaker] == 0:  # ME-21b
            s.ending_seat = s.speaker
        draw(s, seat, 0, then)
    else:
        draw(s, seat, s.owed, then)


# Denouncing


@rule
def denounce(s: State, seat: int) -> None:
    """ME-15, ME-19, ME-28: the offender pays; with nothing to denounce the accuser may (ME-28c)."""
    fault = open_fault(s, s.now)
    if fault == NO_FAULT:
        close_all(s)
        draw(s, seat, 1, NOTHING)
        return
    accused, card = offender(s), fault_card(s)
    with_thanks = fault == NO_THANKS or fault == WRONG_THANKS
    taken_back = not with_thanks and take_back(s)
    close_all(s)
    if with_thanks or s.malpoli:
        draw(s, accused, 1, NOTHING)
    elif taken_back:
        s.skuz_lost |= bit(card)
        if s.forgetful == accused:  # ME-19a
            s.turn = accused


# The contract


@hot
def awaited(s: State) -> int:
    """Whose move it is: the speaker's, the thankful one's, or the turn's."""
    if s.phase == TURN:
        return s.turn
    return s.owes if s.phase == THANKS else s.speaker


@hot
def actors(s: State) -> int:
    """The seats that may act: the awaited one, and those that may denounce or lay out of turn."""
    if s.phase < TURN or s.phase == OVER or s.rebuilding:
        return 0
    seats = 0
    if s.mover != NO_SEAT:
        seats = full(s.seats)
        if s.earlier_mover == NO_SEAT:
            seats = without(seats, s.mover)
    if s.ending_at != NEVER:
        return seats
    seats |= bit(awaited(s))
    others = full(s.seats) & ~seats
    if s.ending_seat == NO_SEAT and others:
        cards = 0
        any_match = words_for(s, NO_SEAT, False) != 0
        for stack in range(STACKS):
            top = s.tops[stack]
            cards |= matching(top) if any_match else equals(top)
            if s.interception and not any_match:
                cards |= intercepting(s, stack)
        while others:
            seat = lowest(others)
            others = without(others, seat)
            if s.hands[seat] & cards:
                seats |= bit(seat)
    return seats


@hot
def check(s: State, seat: int, action: int, time: int) -> int:
    if s.phase == OVER:
        return GAME_OVER
    if s.phase < TURN or s.rebuilding or not 0 <= seat < s.seats:
        return NOT_YOUR_TURN
    if action == DENOUNCE:
        return check_denounce(s, seat, time)
    if LAY <= action < DRAW:
        code = action - LAY
        stack = code // CARD_NAMES % STACKS
        return check_lay(s, seat, code // (CARD_NAMES * STACKS), stack, code % CARD_NAMES)
    if seat != awaited(s):
        return NOT_YOUR_TURN
    if s.ending_at != NEVER or not 0 <= action < ACTIONS:
        return BAD_ACTION
    if action == DRAW:
        return OK if s.phase == TURN else BAD_ACTION
    if action >= THANK:
        return OK if s.phase == THANKS else BAD_ACTION
    if action < GIVE_CARD:
        return check_choose(s, action - CHOOSE_SEAT)
    to = (action - GIVE_CARD) % MOST_SEATS
    if s.phase != GIVE or to >= s.seats:
        return BAD_ACTION
    if named(s, seat, (action - GIVE_CARD) // MOST_SEATS) == NO_CARD:
        return NOT_IN_HAND
    return BAD_TARGET if to == seat else OK  # ME-14a


@rule
def check_choose(s: State, chosen: int) -> int:
    if (s.phase != CHOOSE and s.phase != CHOOSE_HEART) or chosen >= s.seats:
        return BAD_ACTION
    if s.phase == CHOOSE_HEART:
        return OK if has(fewest_hearts(s), chosen) else BAD_TARGET  # ME-13
    return BAD_TARGET if chosen == s.speaker else OK  # ME-14a


@hot
def act(s: State, seat: int, action: int, time: int) -> None:
    s.now = time
    if action == DENOUNCE:
        denounce(s, seat)
    elif action < DRAW:
        stack = action // CARD_NAMES % STACKS
        card = named(s, seat, action % CARD_NAMES)
        lay(s, seat, action // (CARD_NAMES * STACKS), stack, card)
    elif action == DRAW:
        draw(s, seat, 1, NEXT_TURN)
    elif action >= THANK:
        thank(s, seat, action - THANK)
    elif action < GIVE_CARD:
        choose(s, seat, action - CHOOSE_SEAT)
    else:
        code = action - GIVE_CARD
        give_card(s, seat, code // MOST_SEATS, code % MOST_SEATS)
    if s.drawing:
        settle(s)


@rule
def legal(s: State, seat: int, buffer: Buffer) -> int:
    n = 0
    if s.phase < TURN or s.phase == OVER or s.rebuilding:
        return 0
    if may_accuse(s, seat):  # ME-28d
        buffer[n] = DENOUNCE
        n += 1
    if s.ending_at != NEVER:
        return n
    n = list_lays(s, seat, buffer, n)
    if seat != awaited(s):
        return n
    if s.phase == TURN:
        buffer[n] = DRAW
        return n + 1
    if s.phase == THANKS:
        for word in range(THANKS_COUNT):
            buffer[n] = THANK + word
            n += 1
        return n
    if s.phase == GIVE:
        return list_gifts(s, seat, buffer, n)
    for chosen in range(s.seats):
        if check_choose(s, chosen) == OK:
            buffer[n] = CHOOSE_SEAT + chosen
            n += 1
    return n


@rule
def list_gifts(s: State, seat: int, buffer: Buffer, n: int) -> int:
    left = s.hands[seat]
    while left:
        card = lowest(left)
        left = without(left, card)
        name = name_of(s, card)
        if name < 0:
            continue
        for to in range(s.seats):
            if to != seat:
                buffer[n] = GIVE_CARD + name * MOST_SEATS + to
                n += 1
    return n


@hot
def due(s: State) -> int:
    return min(min(s.window_until, s.earlier_until), s.ending_at)


@rule
def tick(s: State) -> None:
    """The time to denounce has passed; or the round ends that waited for it."""
    s.now = due(s)
    if s.earlier_until == s.now:
        close_earlier(s)
    if s.window_until == s.now:
        close_all(s)
    if s.ending_at == s.now:
        end_round(s)


@hot
def over(s: State) -> bool:
    return s.phase == OVER


@rule
def winners(s: State) -> int:
    return s.winning_seats


# For simulations: an action drawn from these is checked, not listed.


@hot
def guesses(s: State, seat: int) -> int:
    n = WORD_COUNT * count_lays(s, seat) + count_moves(s, seat)
    return n + 1 if s.mover != NO_SEAT and check_denounce(s, seat, s.now) == OK else n


@hot
def guess(s: State, seat: int, k: int) -> int:
    lays = WORD_COUNT * count_lays(s, seat)
    if k < lays:
        return nth_lay(s, seat, k // WORD_COUNT, k % WORD_COUNT)
    k -= lays
    return nth_move(s, seat, k) if k < count_moves(s, seat) else DENOUNCE


@hot
def count_moves(s: State, seat: int) -> int:
    """Guesses at what is awaited of a seat."""
    if seat != awaited(s) or s.ending_at != NEVER:
        return 0
    if s.phase == TURN:
        return 1
    if s.phase == THANKS:
        return THANKS_COUNT
    return size(s.hands[seat]) * s.seats if s.phase == GIVE else s.seats


@hot
def nth_move(s: State, seat: int, k: int) -> int:
    if s.phase == TURN:
        return DRAW
    if s.phase == THANKS:
        return THANK + k
    if s.phase != GIVE:
        return CHOOSE_SEAT + k
    name = name_of(s, nth(s.hands[seat], k // s.seats))
    return name if name < 0 else GIVE_CARD + name * MOST_SEATS + k % s.seats


@rule
def rounds(s: State) -> int:
    return s.round_number


@rule
def points(s: State, seat: int) -> int:
    """Hearts."""
    return s.hearts[seat]


RULES: Rules[State] = Rules(
    name="merci",
    layout=LAYOUT,
    refusals=REFUSALS,
    deck=CARDS,
    room=CARDS * STACKS * WORD_COUNT + CARDS * MOST_SEATS + WORD_COUNT + 1,
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
    guesses=guesses,
    guess=guess,
    rounds=rounds,
    points=points,
)
