"""Switch: shed your cards on a stack, by suit or by rank; an ace names the suit that follows.

A small game from outside the package, for tests: no tricks, a stack and a pile, a choice that is no
card, a round after the other, a pile that is made of the stack again.
"""

from dataclasses import dataclass
from typing import Annotated, Any

import msgspec

from pli import position as read
from pli.cards import FRENCH_RANKS, FRENCH_SUITS, Deck
from pli.events import Played
from pli.game import (
    NO_SEAT,
    PRINTED,
    Act,
    Event,
    Game,
    Input,
    Notation,
    Options,
    Seat,
    Shuffle,
    View,
    shown_seat,
)
from pli.kernel.bits import bit, full, has, listed, nth, size, to_list, without
from pli.kernel.contract import Buffer, Order, Rules
from pli.kernel.layout import Int8, Int16, Int32, Int64, Layout
from pli.kernel.refusals import BAD_ACTION, GAME_OVER, NOT_IN_HAND, NOT_YOUR_TURN, OK, OWN
from pli.kernel.rule import rule
from pli.table import CARDS, NUMBER, PILE, TEXT
from pli.zones import card_zones

CARDS_OF = Deck(FRENCH_SUITS, FRENCH_RANKS)
SUITS, NAMES = CARDS_OF.colours, CARDS_OF.names
DECK, HAND, SEATS, ACE = 52, 5, 5, 12
DEALING, PLAY, CALL, OVER = range(4)
PHASES = ("dealing", "play", "call", "over")
NO_MATCH = OWN
DRAW, PASS, NAME = DECK, DECK + 1, DECK + 2


class SwitchOptions(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    seats: Annotated[int, msgspec.Meta(ge=2, le=SEATS)] = 4
    target: Annotated[int, msgspec.Meta(ge=1, le=200, extra=PRINTED)] = 20


@dataclass(slots=True)
class State:
    hands: Annotated[list[int], "i8", SEATS]
    stack: Int64  # what lies under the top card
    round_number: Int32
    scores: Annotated[list[int], "i2", SEATS]
    target: Int16
    pile: Annotated[list[int], "i1", DECK]
    pile_size: Int8
    top: Int8
    suit: Int8  # what is to be followed
    seats: Int8
    phase: Int8
    dealer: Int8
    turn: Int8
    drew: Int8  # the seat on turn has drawn
    winner: Int8


LAYOUT = Layout(State)


def setup(options: SwitchOptions) -> State:
    s = LAYOUT.blank()
    s.seats, s.target = options.seats, options.target
    s.turn = s.winner = NO_SEAT
    return s


@rule
def needs(s: State) -> int:
    if s.phase == DEALING:
        return DECK
    return size(s.stack) if s.phase == PLAY and s.pile_size == 0 else 0


@rule
def give(s: State, order: Order) -> None:
    if s.phase != DEALING:
        for i in range(size(s.stack)):
            s.pile[i] = nth(s.stack, order[i])
        s.pile_size = size(s.stack)
        s.stack = 0
        return
    s.round_number += 1
    for seat in range(s.seats):
        s.hands[seat] = 0
        for i in range(HAND):
            s.hands[seat] |= bit(order[seat * HAND + i])
    dealt = s.seats * HAND
    s.top = order[dealt]
    s.suit = s.top // 13
    s.stack = 0
    s.pile_size = DECK - dealt - 1
    for i in range(s.pile_size):
        s.pile[i] = order[dealt + 1 + i]
    s.phase = PLAY
    s.turn = s.dealer
    s.drew = 0


@rule
def actors(s: State) -> int:
    return bit(s.turn) if s.turn >= 0 else 0


@rule
def fitting(s: State, seat: int) -> int:
    """The cards of a hand that fit the suit or the rank."""
    found = 0
    for card in range(DECK):
        if has(s.hands[seat], card) and (card // 13 == s.suit or card % 13 == s.top % 13):
            found |= bit(card)
    return found


@rule
def check(s: State, seat: int, action: int, time: int) -> int:
    if s.phase == OVER:
        return GAME_OVER
    if not (0 <= seat < s.seats and 0 <= action < NAME + 4):
        return BAD_ACTION
    if s.turn != seat:
        return NOT_YOUR_TURN
    if s.phase == CALL or action >= NAME:
        return OK if s.phase == CALL and action >= NAME else BAD_ACTION
    if action == DRAW:
        return OK if not s.drew and s.pile_size > 0 else BAD_ACTION
    if action == PASS:
        return OK if s.drew or s.pile_size == 0 else BAD_ACTION
    if not has(s.hands[seat], action):
        return NOT_IN_HAND
    return OK if has(fitting(s, seat), action) else NO_MATCH


@rule
def next_turn(s: State) -> None:
    s.turn = (s.turn + 1) % s.seats
    s.drew = 0
    s.phase = PLAY


@rule
def end_round(s: State, seat: int) -> None:
    """Who is out gets a point for every card that the others hold."""
    for other in range(s.seats):
        s.scores[seat] += size(s.hands[other])
    s.dealer = (s.dealer + 1) % s.seats
    s.turn = -1
    s.phase = DEALING
    if s.scores[seat] >= s.target:
        s.phase = OVER
        s.winner = seat


@rule
def act(s: State, seat: int, action: int, time: int) -> None:
    if action >= NAME:
        s.suit = action - NAME
        next_turn(s)
    elif action == PASS:
        next_turn(s)
    elif action == DRAW:
        s.pile_size -= 1
        s.hands[seat] |= bit(s.pile[s.pile_size])
        s.drew = 1
    else:
        s.hands[seat] = without(s.hands[seat], action)
        s.stack |= bit(s.top)
        s.top = action
        s.suit = action // 13
        if s.hands[seat] == 0:
            end_round(s, seat)
        elif action % 13 == ACE:
            s.phase = CALL
        else:
            next_turn(s)


@rule
def legal(s: State, seat: int, buffer: Buffer) -> int:
    if s.turn != seat:
        return 0
    if s.phase == CALL:
        return listed(full(4), NAME, buffer)
    found = fitting(s, seat)
    if not s.drew and s.pile_size > 0:
        found |= bit(DRAW)
    else:
        found |= bit(PASS)
    return listed(found, 0, buffer)


@rule
def over(s: State) -> bool:
    return s.phase == OVER


@rule
def winners(s: State) -> int:
    return bit(s.winner) if s.phase == OVER else 0


class SwitchView(View, frozen=True, kw_only=True):
    round: int
    scores: list[int]
    cards: list[int]
    hand: list[str]
    top: Annotated[list[str], CARDS]
    suit: Annotated[str, TEXT]
    pile: Annotated[int, PILE]
    target: Annotated[int, NUMBER]


def view(s: State, seat: Seat) -> SwitchView:
    return SwitchView(
        seat=seat,
        seats=s.seats,
        phase=PHASES[s.phase],
        turn=shown_seat(s.turn),
        awaited=to_list(actors(s)),
        winners=to_list(winners(s)),
        round=s.round_number,
        scores=s.scores[: s.seats],
        cards=[size(s.hands[each]) for each in range(s.seats)],
        hand=[] if seat is None else own(s, seat)["hand"],
        top=[NAMES[s.top]] if s.round_number else [],
        suit=SUITS[s.suit],
        pile=s.pile_size,
        target=s.target,
    )


def own(s: State, seat: int) -> dict[str, Any]:
    return {"seat": seat, "hand": [NAMES[card] for card in to_list(s.hands[seat])]}


class Drew(Event, frozen=True, kw_only=True, tag="drew"):
    seat: int


class Passed(Event, frozen=True, kw_only=True, tag="passed"):
    seat: int


class Called(Event, frozen=True, kw_only=True, tag="called"):
    seat: int
    colour: str


class Dealt(Event, frozen=True, kw_only=True, tag="dealt"):
    seat: int
    round: int


class RoundOver(Event, frozen=True, kw_only=True, tag="round_over"):
    """The seat is out, and gets the points."""

    seat: int
    points: int


class Won(Event, frozen=True, kw_only=True, tag="won"):
    seat: int
    points: int


def events(before: State, given: Input, after: State, seat: Seat) -> list[Event]:
    if isinstance(given, Shuffle):
        again = before.phase == DEALING
        return [Dealt(seat=after.dealer, round=after.round_number)] if again else []
    if not isinstance(given, Act):
        return []
    who = given.seat
    if given.action >= NAME:
        return [Called(seat=who, colour=SUITS[given.action - NAME])]
    if given.action >= DECK:
        return [Drew(seat=who) if given.action == DRAW else Passed(seat=who)]
    told: list[Event] = [Played(seat=who, card=NAMES[given.action])]
    if after.phase in (DEALING, OVER):
        told.append(RoundOver(seat=who, points=after.scores[who] - before.scores[who]))
    if after.phase == OVER:
        told.append(Won(seat=who, points=after.scores[who]))
    return told


def shuffled(s: State) -> list[str]:
    return NAMES if s.phase == DEALING else [NAMES[card] for card in to_list(s.stack)]


def place(s: State, values: Any) -> None:
    """Scenarios of Switch say who holds what."""
    if "hands" in values:
        s.hands[: s.seats] = [CARDS_OF.set_of(hand) for hand in values["hands"]]


RULES: Rules[Any] = Rules(
    name="switch", layout=LAYOUT, deck=DECK, room=DECK + 1,
    needs=needs, give=give, actors=actors, check=check, act=act, legal=legal,
    over=over, winners=winners, patience=2000, refusals=("no_match",),
)  # fmt: skip

GAME: Game[State, SwitchView] = Game(
    rules=RULES,
    version=1,
    options=SwitchOptions,
    setup=setup,
    notation=Notation(("play", NAMES), ("", ["draw", "pass"]), ("call", SUITS)),
    shuffled=shuffled,
    view=view,
    own=own,
    events=events,
    place=place,
    placed={"hands": read.by_seat(read.cards(CARDS_OF))},
    expected={"turn": read.seat_or_none},
    facts=lambda s: {"turn": shown_seat(s.turn)},
    deck=CARDS_OF,
    zones=card_zones(face_up=["stack", "top"], face_down=["pile"]),
)
