"""What a seat may know of a game of Merci, and what it sees happen."""

from typing import Any

import msgspec

from pli.events import Dealt, Seated
from pli.game import Act, Event, Input, Seat, Shuffle, View, known
from pli.games.merci.cards import front
from pli.games.merci.faults import fault_card, fault_stack, offender, open_fault
from pli.games.merci.flow import reserve
from pli.games.merci.rules import actors, awaited
from pli.games.merci.state import (
    BACKING,
    BACKS,
    CARD_NAMES,
    DEALING,
    DENOUNCE,
    DRAW,
    FAULTS,
    NO_CARD,
    NO_FAULT,
    NO_SEAT,
    OVER,
    SEATING,
    STACKS,
    THANK,
    THANKS_WORDS,
    WORDS,
    State,
    front_name,
)
from pli.kernel.bits import from_list, size, to_list
from pli.kernel.contract import NEVER

PHASES = ("seating", "backing", "dealing", "turn", "heart", "choose", "gift", "thanks", "over")


class MerciView(View, frozen=True, kw_only=True):
    """Fronts are names such as Y3; a card whose both sides one may see is Y3/gift."""

    rules: str
    malpoli: bool
    """Whether every impoliteness can be denounced, and not a missing SKUZ or thanks alone."""
    interception: bool
    last_card_wait: bool
    """Whether a round ends only once its last card can't be denounced any more."""
    fault_ends: str
    hearts_to_win: int
    fault_window_ms: int
    false_denounce: str
    round: int
    hearts: list[int]
    reserve: int
    tops: list[str]
    laid: int
    """How many cards lie under the tops."""
    pile: int
    pile_back: str | None
    """The back that shows on the pile, and says what a SIOUPLAIT does."""
    cards: list[int]
    backs: list[list[str]]
    """The backs of everyone's cards: all can see them."""
    hand: list[str]
    speaker: Seat
    owes: Seat
    gift_back: str | None
    """The back of a card that is being given."""
    ending: bool
    """Whether somebody has no card left and the round is about to end."""


def card_name(s: State, card: int) -> str:
    return f"{front_name(front(card))}/{BACKS[s.back[card]]}"


def names(s: State, cards: int) -> list[str]:
    return [card_name(s, card) for card in to_list(cards)]


def own(s: State, seat: int) -> dict[str, Any]:
    """What a seat knows beside what all can see."""
    return {"seat": seat, "hand": names(s, s.hands[seat])}


def view(s: State, seat: Seat) -> MerciView:
    seats = range(s.seats)
    shown = MerciView(
        seat=None,
        seats=s.seats,
        rules="full" if s.full_rules else "start",
        malpoli=bool(s.malpoli),
        interception=bool(s.interception),
        last_card_wait=bool(s.last_card_wait),
        fault_ends="time" if s.faults_last else "next_card",
        hearts_to_win=s.hearts_to_win,
        fault_window_ms=s.fault_window,
        false_denounce="draw" if s.false_draw else "free",
        phase=PHASES[s.phase],
        round=s.round_number,
        turn=known(s.turn),
        awaited=[awaited(s)] if actors(s) and s.ending_at == NEVER else [],
        speaker=known(s.speaker),
        owes=known(s.owes),
        hearts=s.hearts[: s.seats],
        reserve=reserve(s),
        tops=[front_name(front(card)) for card in s.tops if card != NO_CARD],
        laid=size(s.laid),
        pile=s.pile_size,
        pile_back=BACKS[s.back[s.pile[s.pile_size - 1]]] if s.pile_size else None,
        cards=[size(s.hands[each]) for each in seats],
        backs=[sorted(BACKS[s.back[card]] for card in to_list(s.hands[each])) for each in seats],
        hand=[],
        gift_back=None if s.gift == NO_CARD else BACKS[s.back[s.gift]],
        ending=s.ending_seat != NO_SEAT,
        winners=to_list(s.winning_seats),
    )
    return shown if seat is None else msgspec.structs.replace(shown, **own(s, seat))


class Laid(Event, frozen=True, kw_only=True, tag="laid"):
    """A card was laid on a stack with a word: play (none), siouplait or skuz."""

    seat: int
    word: str
    card: str
    stack: int


class TookBack(Event, frozen=True, kw_only=True, tag="took_back"):
    """A card laid impolitely goes back to its owner's hand, where its back shows again; it may have
    been covered by others meanwhile."""

    seat: int
    card: str
    back: str
    stack: int
    covered: bool


class Denounced(Event, frozen=True, kw_only=True, tag="denounced"):
    """The seat has called somebody impolite: who it was and why is told with it, and nobody if
    nothing was wrong."""

    seat: int
    offender: int | None
    reason: str | None


class Effect(Event, frozen=True, kw_only=True, tag="effect"):
    """The seat's SIOUPLAIT shows this back."""

    seat: int
    back: str


class Named(Event, frozen=True, kw_only=True, tag="named"):
    """The seat owes thanks, for cards to draw or for a gift with this back."""

    seat: int
    gift_back: str | None


class Thanked(Event, frozen=True, kw_only=True, tag="thanked"):
    """The seat took its cards with a word: merci, merci-beaucoup, or none (take)."""

    seat: int
    word: str


class Got(Event, frozen=True, kw_only=True, tag="got"):
    """Cards came to a hand: their backs, and for those who may see them their fronts."""

    seat: int
    backs: list[str]
    cards: list[str]


class Hearts(Event, frozen=True, kw_only=True, tag="hearts"):
    """A seat has gained or lost hearts."""

    seat: int
    change: int


class Rebuilt(Event, frozen=True, kw_only=True, tag="rebuilt"):
    """The pile was made anew of the laid cards."""

    cards: int


class RoundOver(Event, frozen=True, kw_only=True, tag="round_over"):
    """The seat has won the round."""

    seat: int


class Won(Event, frozen=True, kw_only=True, tag="won"):
    """One for each winner."""

    seat: int
    hearts: int


def events(before: State, given: Input, after: State, seat: Seat) -> list[Event]:
    happened: list[Event] = []
    if isinstance(given, Shuffle):
        if before.phase == SEATING:
            return [Seated(seat=after.first)]
        if before.phase == BACKING:
            return []
        if before.phase == DEALING:
            hand = [] if seat is None else names(after, after.hands[seat])
            return [Dealt(seat=after.first, round=after.round_number, hand=hand)]
        happened.append(Rebuilt(cards=size(before.laid)))
    elif isinstance(given, Act):
        happened += _done(before, given, after)
    return happened + _changed(before, after, seat)


def _done(before: State, given: Act, after: State) -> list[Event]:
    """What the seat itself did and said."""
    who, action = given.seat, given.action
    if action < DRAW:
        stack = action // CARD_NAMES % STACKS
        word = WORDS[action // (CARD_NAMES * STACKS)]
        card = front_name(front(after.tops[stack]))
        return [Laid(seat=who, word=word, card=card, stack=stack + 1)]
    if action == DENOUNCE:
        return _denounced(before, given, after)
    if THANK <= action < DENOUNCE:
        return [Thanked(seat=who, word=THANKS_WORDS[action - THANK])]
    return []


def _denounced(before: State, given: Act, after: State) -> list[Event]:
    fault = open_fault(before, given.time)
    if fault == NO_FAULT:
        return [Denounced(seat=given.seat, offender=None, reason=None)]
    accused, card = offender(before), fault_card(before)
    told: list[Event] = [Denounced(seat=given.seat, offender=accused, reason=FAULTS[fault])]
    open_cards = before.laid | from_list(before.tops)
    if after.hands[accused] & open_cards:
        told.append(
            TookBack(
                seat=accused,
                card=front_name(front(card)),
                back=BACKS[before.back[card]],
                stack=fault_stack(before) + 1,
                covered=card not in before.tops,
            )
        )
    return told


def _changed(before: State, after: State, viewer: Seat) -> list[Event]:
    """What can be seen to have changed: hearts, hands, who speaks, who owes thanks, the end."""
    happened: list[Event] = []
    for seat in range(after.seats):
        new = after.hands[seat] & ~before.hands[seat]
        if new and size(after.hands[seat]) > 0:
            gift = viewer == before.speaker and before.gift in to_list(new)
            shown = names(after, new) if viewer == seat or gift else []
            # In an order of their own: that of the cards would tell something of the fronts.
            backs = sorted(BACKS[after.back[card]] for card in to_list(new))
            happened.append(Got(seat=seat, backs=backs, cards=shown))
    for seat in range(after.seats):
        change = after.hearts[seat] - before.hearts[seat]
        if change:
            happened.append(Hearts(seat=seat, change=change))
    if after.speaker not in (NO_SEAT, before.speaker) and not after.rebuilding:
        pile = before if before.pile_size else after
        back = BACKS[after.back[pile.pile[pile.pile_size - 1]]]
        happened.append(Effect(seat=after.speaker, back=back))
    if after.owes not in (NO_SEAT, before.owes):
        gift_back = None if after.gift == NO_CARD else BACKS[after.back[after.gift]]
        happened.append(Named(seat=after.owes, gift_back=gift_back))
    if after.phase == OVER:
        for seat in to_list(after.winning_seats):
            happened.append(Won(seat=seat, hearts=after.hearts[seat]))
    elif after.phase == DEALING:
        happened.append(RoundOver(seat=(after.first - 1) % after.seats))
    return happened
