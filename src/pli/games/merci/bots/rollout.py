"""How a search plays Merci on below its tree: the actions that it considers, the rollout policy,
what happens between two decisions, and what a round's end is worth. All of it works on sets of
cards, quick enough for a hundred thousand rounds a second."""

from typing import Any

from pli.games.merci.bots import heuristic
from pli.games.merci.bots.dealing import deal, fill
from pli.games.merci.bots.heuristic import (
    COSTS_HEART,
    FITS,
    FITS_EXACTLY,
    GAINS,
    HAS_TWIN,
    HEART_FOR_RIVAL,
    HEART_GAINED,
    HELD_BACK,
    LAST_CARD,
    NEAR,
    PLAYABLE_LEFT,
    TWIN_FOLLOWS,
)
from pli.games.merci.rules.actions import act, awaited
from pli.games.merci.rules.cards import ONES_AND_SIXES, combining, equals, front, matching, once
from pli.games.merci.rules.flow import end_round, fewest_hearts, left_of, settle
from pli.games.merci.state import (
    BACKS,
    CARD_NAMES,
    CARDS,
    CARDS_A_HEART,
    CHOOSE,
    CHOOSE_HEART,
    CHOOSE_SEAT,
    DEALING,
    DRAW,
    GIVE,
    GIVE_CARD,
    HEART,
    HEARTS_TO_WIN,
    LAY,
    MERCI,
    MERCI_BEAUCOUP,
    MOST_SEATS,
    NAMES,
    NO_SEAT,
    OVER,
    PLAY,
    SIOUPLAIT,
    SKUZ,
    STACKS,
    THANK,
    THANKS,
    TURN,
    State,
)
from pli.kernel.bits import full, has, listed, lowest, size, without
from pli.kernel.contract import NEVER, Buffer
from pli.kernel.rule import hot, rule
from pli.kernel.search import SearchModel
from pli.kernel.stream import advance, below

# Actions


@hot
def laying(word: int, stack: int, card: int) -> int:
    """The action; of two equal cards it names the one held longest."""
    return LAY + (word * STACKS + stack) * CARD_NAMES + front(card) * NAMES


@rule
def do(s: State, seat: int, action: int) -> None:
    """`act` is inlined into its callers: this keeps one copy of it."""
    act(s, seat, action, 0)


@hot
def right_thanks(s: State) -> int:
    return THANK + (MERCI_BEAUCOUP if s.owed == 2 else MERCI)


@hot
def identical(s: State, seat: int, stack: int) -> int:
    """What a seat can lay on a stack as a SKUZ (ME-16, ME-19): one card at most, since two are
    equal at most."""
    return s.hands[seat] & equals(s.tops[stack]) & ~s.skuz_lost


# Choosing: the policy of `heuristic`, on states instead of views


EFFECTS = tuple(heuristic.EFFECTS[back] for back in BACKS)
WHIM = 0.01
"""A random bonus that breaks ties, so that no seat is favoured."""


@rule
def effect_worth(s: State, seat: int) -> float:
    """What the back that shows on the pile does for the speaker."""
    if s.pile_size == 0:
        return 0.0
    back = s.back[s.pile[s.pile_size - 1]]
    if back != HEART:
        return EFFECTS[back]
    mine = has(fewest_hearts(s), seat)
    return EFFECTS[back] + (HEART_GAINED if mine else HEART_FOR_RIVAL)


@rule
def choose_card(s: State, seat: int, x: int) -> int:
    """Lays rather than draws; a SKUZ comes first."""
    hand = s.hands[seat]
    best, most = DRAW, -LAST_CARD
    effect = effect_worth(s, seat)
    for stack in range(STACKS):
        skuz = identical(s, seat, stack)
        if skuz:
            return laying(SKUZ, stack, lowest(skuz))
        fitting = once(hand & matching(s.tops[stack]) & ~equals(s.tops[stack]))
        if not fitting:
            continue
        new = combining(s, stack)
        others = matching(s.tops[(stack + 1) % STACKS]) | matching(s.tops[(stack + 2) % STACKS])
        while fitting:
            card = lowest(fitting)
            fitting = without(fitting, card)
            left = without(hand, card)
            word = PLAY
            worth = 0.0 if left else LAST_CARD
            if has(new, card):
                gained = effect + (HEART_GAINED if has(ONES_AND_SIXES, card) else 0.0)
                if gained >= 0.0 or s.malpoli:  # ME-18: else one may keep quiet
                    word = SIOUPLAIT
                    worth += gained
            elif has(ONES_AND_SIXES, card):
                worth += HELD_BACK
            if left & equals(card):
                worth += TWIN_FOLLOWS
            worth += PLAYABLE_LEFT * size(left & (others | matching(card)))
            x = advance(x)
            worth += WHIM * below(x, 1024) / 1024
            if worth > most:
                most = worth
                best = laying(word, stack, card)
    return best


@rule
def threat(s: State, seat: int) -> float:
    """How near a seat is to winning, and how much a card would hurt it."""
    cards = size(s.hands[seat])
    near = NEAR[cards] if cards < len(NEAR) else 0.0
    if s.hearts[seat] > 0 and cards % CARDS_A_HEART == CARDS_A_HEART - 1:
        near += COSTS_HEART
    return near + s.hearts[seat]


@rule
def most_threatening(s: State, seat: int) -> int:
    """Of equals the next to play, so that no seat is favoured."""
    most, worst = -1.0, NO_SEAT
    other = left_of(s, seat)
    while other != seat:
        if threat(s, other) > most:
            most = threat(s, other)
            worst = other
        other = left_of(s, other)
    return worst


@rule
def choose_for_heart(s: State, seat: int) -> int:
    """ME-13: the own seat if allowed; or the one that will profit least."""
    poorest = fewest_hearts(s)
    if has(poorest, seat):
        return seat
    least, best = LAST_CARD, NO_SEAT
    other = left_of(s, seat)
    while other != seat:
        if has(poorest, other) and threat(s, other) <= least:
            least = threat(s, other)
            best = other
        other = left_of(s, other)
    return best


@rule
def choose_gift(s: State, seat: int, x: int) -> int:
    """The card that is of least use, to the rival nearest to winning."""
    hand = s.hands[seat]
    least, gift = LAST_CARD, 0
    left = once(hand)
    while left:
        card = lowest(left)
        left = without(left, card)
        x = advance(x)
        use = WHIM * below(x, 1024) / 1024
        for stack in range(STACKS):
            if has(matching(s.tops[stack]), card):
                use += FITS
        if has(equals(s.tops[0]) | equals(s.tops[1]) | equals(s.tops[2]), card):
            use += FITS_EXACTLY
        if without(hand & equals(card), card):
            use += HAS_TWIN
        if has(ONES_AND_SIXES, card):
            use += GAINS
        if use < least:
            least = use
            gift = card
    return giving(gift, most_threatening(s, seat))


@hot
def giving(card: int, to: int) -> int:
    return GIVE_CARD + front(card) * NAMES * MOST_SEATS + to


@rule
def policy(s: State, seat: int, x: int) -> int:
    """The action of the awaited seat."""
    if s.phase == TURN:
        return choose_card(s, seat, x)
    if s.phase == CHOOSE:
        return CHOOSE_SEAT + most_threatening(s, seat)
    if s.phase == GIVE:
        return choose_gift(s, seat, x)
    return CHOOSE_SEAT + choose_for_heart(s, seat)


# What happens between two decisions


NOTICED = 720
"""Of a thousand cards that could be laid out of turn, those that are laid before another seat acts:
counted in games between bots with an adult's reaction times."""


@rule
def meanwhile(s: State, x: int) -> int:
    """Plays all that happens until a seat has a decision; returns the advanced random stream. No
    seat is impolite here, so nothing is denounced."""
    while s.phase > DEALING and s.phase != OVER:
        if s.rebuilding:
            x = reshuffle(s, x)
            continue
        if s.ending_at != NEVER:  # ME-29a: it is not denounced
            end_round(s)
            continue
        seat, action = s.owes, right_thanks(s)
        if s.phase != THANKS:
            x = advance(x)
            seat = below(x, s.seats)
            action = DRAW
            for _ in range(s.seats):
                seat = left_of(s, seat)
                x = advance(x)
                if below(x, 1000) < NOTICED:
                    action = out_of_turn(s, seat)
                if action != DRAW:
                    break
            if action == DRAW:
                return x
        do(s, seat, action)
    return x


@rule
def out_of_turn(s: State, seat: int) -> int:
    """ME-16, ME-30: a card that the seat can lay at any moment, or DRAW for none."""
    if s.ending_seat != NO_SEAT:
        return DRAW
    hand = s.hands[seat]
    for stack in range(STACKS):
        cards = identical(s, seat, stack)
        if cards:
            return laying(SKUZ, stack, lowest(cards))
    if s.interception and s.phase == TURN and seat != s.turn and hand & ONES_AND_SIXES:
        for stack in range(STACKS):
            cards = hand & ONES_AND_SIXES & matching(s.tops[stack]) & combining(s, stack)
            if cards:
                return laying(SIOUPLAIT, stack, lowest(cards))
    return DRAW


@rule
def reshuffle(s: State, x: int) -> int:
    """ME-20: a new pile of all laid cards."""
    s.rebuilding = 0
    s.pile_size = 0
    while s.laid:
        card = lowest(s.laid)
        s.laid = without(s.laid, card)
        x = advance(x)
        place = below(x, s.pile_size + 1)
        s.pile[s.pile_size] = s.pile[place]
        s.pile[place] = card
        s.pile_size += 1
    settle(s)
    return x


@rule
def options(s: State, seat: int, buffer: Buffer) -> int:
    """The actions that the search considers: polite and not plainly foolish; equal cards once."""
    if s.phase == TURN:
        return list_cards(s, seat, buffer)
    if s.phase == GIVE:
        return list_gifts(s, seat, buffer)
    if s.phase == THANKS:
        buffer[0] = right_thanks(s)
        return 1
    if s.phase == CHOOSE_HEART:
        return listed(fewest_hearts(s), CHOOSE_SEAT, buffer)
    return listed(without(full(s.seats), seat), CHOOSE_SEAT, buffer)


@rule
def list_cards(s: State, seat: int, buffer: Buffer) -> int:
    hand = s.hands[seat]
    for stack in range(STACKS):  # ME-16a: a SKUZ is free, and so it comes first
        skuz = identical(s, seat, stack)
        if skuz:
            buffer[0] = laying(SKUZ, stack, lowest(skuz))
            return 1
    n = 0
    quiet = keeps_quiet(s, seat)
    for stack in range(STACKS):
        left = once(hand & matching(s.tops[stack]) & ~equals(s.tops[stack]))
        new = combining(s, stack)
        while left:
            card = lowest(left)
            left = without(left, card)
            combines = has(new, card)
            if combines:
                buffer[n] = laying(SIOUPLAIT, stack, card)
                n += 1
            if not combines or quiet:
                buffer[n] = laying(PLAY, stack, card)
                n += 1
    buffer[n] = DRAW
    return n + 1


@rule
def keeps_quiet(s: State, seat: int) -> bool:
    """ME-18: whether one may, and might rather, let a combination pass: it would give a heart to
    another seat (ME-13)."""
    if s.malpoli or s.pile_size == 0 or s.back[s.pile[s.pile_size - 1]] != HEART:
        return False
    return not has(fewest_hearts(s), seat)


@rule
def list_gifts(s: State, seat: int, buffer: Buffer) -> int:
    n = 0
    left = once(s.hands[seat])
    while left:
        card = lowest(left)
        left = without(left, card)
        for to in range(s.seats):
            if to != seat:
                buffer[n] = giving(card, to)
                n += 1
    return n


@hot
def paused(s: State) -> bool:
    return s.phase <= DEALING or s.phase == OVER


# What so many hearts are worth between two rounds, by the number of seats: the chance to win is in
# proportion to these, and less the later one begins. Fitted to games by rules of thumb, both sets
# of rules together, which differ little (bench/worth.py fits them anew). Hearts count for little
# before the last round: all others make the leader draw.
WORTHS = (
    (1.0, 1.12, 1.35, 1.82, 2.43, 2.43),
    (1.0, 1.05, 1.23, 1.56, 2.05, 1.95),
    (1.0, 1.12, 1.43, 1.97, 1.91, 1.91),
    (1.0, 1.07, 1.41, 1.98, 2.01, 2.01),
)

LEAST_SEATS = min(HEARTS_TO_WIN)
A_PLACE_LATER = 0.96


@rule
def worth(s: State, rewards: Any) -> None:
    """Each seat's chance to win the game, whose round is over."""
    total = 0.0
    later = 1.0
    seat = max(s.first, 0)
    for _ in range(s.seats):
        if s.phase == OVER:
            rewards[seat] = 1.0 if has(s.winning_seats, seat) else 0.0
        else:
            rewards[seat] = later * WORTHS[s.seats - LEAST_SEATS][s.hearts[seat]]
        total += rewards[seat]
        later *= A_PLACE_LATER
        seat = left_of(s, seat)
    for each in range(s.seats):
        rewards[each] /= total


@rule
def rollout_policy(s: State, seat: int, buffer: Buffer, x: int) -> int:
    return policy(s, seat, x)


@rule
def follow(s: State, me: int, x: int) -> int:
    """Other seats play by the policy: their cards differ in every deal, so the tree would hardly
    visit one of their actions twice."""
    x = meanwhile(s, x)
    while not paused(s) and awaited(s) != me:
        x = advance(x)
        do(s, awaited(s), policy(s, awaited(s), x))
        x = meanwhile(s, x)
    return x


@rule
def left(s: State) -> int:
    """Unknown, so the end of a round is never solved exactly."""
    return CARDS


ROLLOUT: SearchModel[State] = SearchModel(
    fill=fill,
    paused=paused,
    worth=worth,
    mover=awaited,
    options=options,
    policy=rollout_policy,
    left=left,
    deal=deal,
    follow=follow,
)
