"""What happens in a game of Merci, as a seat may see it."""

from pli.events import Dealt, StarterDrawn
from pli.game import Act, Event, Input, Seat, Shuffle
from pli.games.merci.rules.cards import front
from pli.games.merci.rules.faults import fault_card, fault_stack, offender, open_fault
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
from pli.games.merci.view import names
from pli.kernel.bits import from_list, size, to_list


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
            return [StarterDrawn(seat=after.first)]
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
