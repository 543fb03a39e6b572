"""A toy race, written against the contract to show what it carries: any seat acts at any moment, a
timer runs, the pile is reshuffled in the middle of an action, and a fault is hidden from all.

Take cards from the pile and lay them down; five laid win, or the most when time is up. `take` takes
one card; `grab` takes two, which is a fault: until somebody lays or takes, and for three seconds at
most, anyone else may `accuse`, which costs the culprit one of its laid cards' points.
"""

import random
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec

from pli.game import Act, Event, Game, Input, Notation, Options, Seat, View
from pli.kernel.bits import bit, full, has, listed, nth, size, to_list, without
from pli.kernel.contract import NEVER, Buffer, Order, Rules
from pli.kernel.layout import Int8, Int64, Layout
from pli.kernel.refusals import BAD_ACTION, GAME_OVER, NOT_IN_HAND, OK, OWN
from pli.kernel.rule import rule
from pli.zones import card_zones

CARDS, SEATS, GOAL = 10, 3, 5
WINDOW, END = 3_000, 60_000
TAKE, GRAB, ACCUSE, LAY = 0, 1, 2, 3
NOBODY = -1
NOTHING_TO_DENOUNCE = OWN


@dataclass(slots=True)
class State:
    hands: Annotated[list[int], "i8", SEATS]
    laid: Int64
    fault_until: Int64
    pile: Annotated[list[int], "i1", CARDS]
    pile_size: Int8
    laid_by: Annotated[list[int], "i1", SEATS]
    owed_seat: Int8  # the seat that is in the middle of taking
    owed: Int8  # and how many cards are still to come
    culprit: Int8
    took_last: Int8
    is_over: Int8


LAYOUT = Layout(State)


class RaceOptions(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    seats: Annotated[int, msgspec.Meta(ge=SEATS, le=SEATS)] = SEATS


def setup(options: RaceOptions) -> State:
    s = LAYOUT.blank()
    s.laid, s.culprit, s.took_last, s.owed_seat = full(CARDS), NOBODY, NOBODY, NOBODY
    s.fault_until = NEVER
    return s


@rule
def needs(s: State) -> int:
    """The pile is made of what was laid: at the start, and when a card is owed but none left."""
    first = s.laid == full(CARDS)
    return size(s.laid) if s.pile_size == 0 and (first or s.owed > 0) else 0


@rule
def give(s: State, order: Order) -> None:
    n = size(s.laid)
    for i in range(n):
        s.pile[i] = nth(s.laid, order[i])
    s.pile_size = n
    s.laid = 0
    settle(s)


@rule
def settle(s: State) -> None:
    """Hands over what is owed, as far as the pile goes; nothing to rebuild it from ends it."""
    while s.owed > 0 and s.pile_size > 0:
        s.pile_size -= 1
        s.hands[s.owed_seat] |= bit(s.pile[s.pile_size])
        s.owed -= 1
    if s.laid == 0:
        s.owed = 0


@rule
def actors(s: State) -> int:
    return 0 if s.is_over else full(SEATS)


@rule
def check(s: State, seat: int, action: int, time: int) -> int:
    if s.is_over:
        return GAME_OVER
    if not (0 <= seat < SEATS and 0 <= action < LAY + CARDS):
        return BAD_ACTION
    if action == ACCUSE and (s.culprit == NOBODY or s.culprit == seat):
        return NOTHING_TO_DENOUNCE
    if action >= LAY and not has(s.hands[seat], action - LAY):
        return NOT_IN_HAND
    return OK


@rule
def act(s: State, seat: int, action: int, time: int) -> None:
    if action == ACCUSE:
        s.laid_by[s.culprit] -= 1
        s.culprit = NOBODY
        s.fault_until = NEVER
        return
    s.culprit = NOBODY
    s.fault_until = NEVER
    if action >= LAY:
        s.hands[seat] = without(s.hands[seat], action - LAY)
        s.laid |= bit(action - LAY)
        s.laid_by[seat] += 1
        s.is_over = 1 if s.laid_by[seat] >= GOAL else 0
        return
    s.took_last = seat
    if action == GRAB:
        s.culprit = seat
        s.fault_until = time + WINDOW
    s.owed_seat = seat
    s.owed = 2 if action == GRAB else 1
    settle(s)


@rule
def legal(s: State, seat: int, buffer: Buffer) -> int:
    """`accuse` is listed whether or not there is a fault: nothing but the eyes may tell of it."""
    if s.is_over:
        return 0
    return listed(bit(TAKE) | bit(GRAB) | bit(ACCUSE) | (s.hands[seat] << LAY), 0, buffer)


@rule
def due(s: State) -> int:
    return NEVER if s.is_over else min(s.fault_until, END)


@rule
def tick(s: State) -> None:
    if s.fault_until < END:
        s.fault_until = NEVER
        s.culprit = NOBODY
    else:
        s.is_over = 1


@rule
def over(s: State) -> bool:
    return s.is_over == 1


@rule
def winners(s: State) -> int:
    if not s.is_over:
        return 0
    most = max(s.laid_by[0], max(s.laid_by[1], s.laid_by[2]))
    won = 0
    for seat in range(SEATS):
        if s.laid_by[seat] == most:
            won |= bit(seat)
    return won


class RaceView(View, frozen=True, kw_only=True):
    hand: list[int]
    cards: list[int]
    laid: list[int]
    laid_by: list[int]
    pile: int
    took_last: int


def view(s: State, seat: Seat) -> RaceView:
    return RaceView(
        seat=seat,
        seats=SEATS,
        phase="over" if s.is_over else "play",
        turn=None,
        awaited=[],
        winners=to_list(winners(s)),
        hand=[] if seat is None else to_list(s.hands[seat]),
        cards=[size(hand) for hand in s.hands],
        laid=to_list(s.laid),
        laid_by=list(s.laid_by),
        pile=s.pile_size,
        took_last=s.took_last,
    )


class Moved(Event, frozen=True, kw_only=True, tag="moved"):
    seat: int
    cards: int


def events(before: State, given: Input, after: State, seat: Seat) -> list[Event]:
    if not isinstance(given, Act):
        return []
    return [Moved(seat=given.seat, cards=size(after.hands[given.seat]))]


def secrets(s: State, seat: Seat, rng: random.Random) -> None:
    """Whether a seat is at fault, and until when."""
    s.culprit = rng.choice([NOBODY, *(each for each in range(SEATS) if each != seat)])
    s.fault_until = rng.randrange(END)


RULES: Rules[Any] = Rules(
    name="race", layout=LAYOUT, deck=CARDS, room=CARDS + LAY,
    needs=needs, give=give, actors=actors, check=check, act=act, legal=legal,
    over=over, winners=winners, due=due, tick=tick, hunches=True, refusals=("nothing_to_denounce",),
)  # fmt: skip

RACE: Game[State, RaceView] = Game(
    rules=RULES,
    version=1,
    options=RaceOptions,
    setup=setup,
    notation=Notation(("", ["take", "grab", "accuse"]), ("lay", [str(i) for i in range(CARDS)])),
    shuffled=lambda s: [str(card) for card in to_list(s.laid)],
    view=view,
    own=lambda s, seat: {"seat": seat, "hand": to_list(s.hands[seat])},
    events=events,
    place=lambda s, values: None,
    placed={},
    expected={},
    facts=lambda s: {"turn": None},
    zones=card_zones(face_up=["laid"], face_down=["pile"], secrets=secrets),
)
