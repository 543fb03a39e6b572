"""What a seat may know of a game of Merci."""

from typing import Any

import msgspec

from pli.game import Seat, View, shown_seat
from pli.games.merci.rules.actions import actors, awaited
from pli.games.merci.rules.cards import front
from pli.games.merci.rules.flow import reserve
from pli.games.merci.state import (
    BACKS,
    NO_CARD,
    NO_SEAT,
    State,
    front_name,
)
from pli.kernel.bits import size, to_list
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
        turn=shown_seat(s.turn),
        awaited=[awaited(s)] if actors(s) and s.ending_at == NEVER else [],
        speaker=shown_seat(s.speaker),
        owes=shown_seat(s.owes),
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
