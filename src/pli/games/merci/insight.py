"""What search must know of Merci beside its rules: what is worth a thought, what others do
meanwhile, and what a game is worth that is not over."""

from typing import Any

from pli.games.merci.cards import equals, matching
from pli.games.merci.flow import fewest_hearts, left_of
from pli.games.merci.rules import awaited
from pli.games.merci.sets import combining, once
from pli.games.merci.state import (
    CARDS,
    CHOOSE_HEART,
    CHOOSE_SEAT,
    DEALING,
    DRAW,
    GIVE,
    HEART,
    HEARTS_TO_WIN,
    OVER,
    PLAY,
    SIOUPLAIT,
    SKUZ,
    STACKS,
    THANKS,
    TURN,
    State,
)
from pli.games.merci.thumb import (
    do,
    giving,
    identical,
    laying,
    meanwhile,
    policy,
    right_thanks,
)
from pli.games.merci.unseen import deal, fill
from pli.kernel.bits import full, has, listed, lowest, without
from pli.kernel.contract import Buffer
from pli.kernel.rule import hot, rule
from pli.kernel.search import Insight
from pli.kernel.stream import advance


@rule
def options(s: State, seat: int, buffer: Buffer) -> int:
    """What is polite and not plainly foolish; equal cards once."""
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
    somebody else (ME-13)."""
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
# before the last round: who has the most is made to draw by all the others.
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
def thumb(s: State, seat: int, buffer: Buffer, x: int) -> int:
    return policy(s, seat, x)


@rule
def follow(s: State, me: int, x: int) -> int:
    """Everybody else goes by rules of thumb: their cards are others in every deal, and a tree would
    hardly come twice to what they might do."""
    x = meanwhile(s, x)
    while not paused(s) and awaited(s) != me:
        x = advance(x)
        do(s, awaited(s), policy(s, awaited(s), x))
        x = meanwhile(s, x)
    return x


@rule
def left(s: State) -> int:
    """Nobody can say: nothing is solved here."""
    return CARDS


INSIGHT: Insight[Any] = Insight(
    fill=fill,
    paused=paused,
    worth=worth,
    mover=awaited,
    options=options,
    policy=thumb,
    left=left,
    deal=deal,
    follow=follow,
)
