"""From what a player of Merci sees and remembers to what may be: the state as far as it is known,
and the cards that are not. For bots that search."""

from collections import Counter
from collections.abc import Sequence

from pli.game import Event
from pli.games.merci.cards import equals, first_of
from pli.games.merci.flow import left_of, setup
from pli.games.merci.memory import UNKNOWN, Known, MerciMemory, both_sides
from pli.games.merci.state import (
    BACKS,
    FRONTS,
    GIVE,
    NO_SEAT,
    TURN,
    MerciOptions,
    State,
)
from pli.games.merci.unseen import Impossible, MerciUnseen
from pli.games.merci.view import PHASES, MerciView
from pli.kernel.bits import bit, to_list

MOST_TWINS = 6
"""Who saw everything has half as many doubts as to which of two equal cards is which; more of them
are not worth the time."""


class MerciGuesswork:
    """One seat's, from the first card of a game on."""

    def __init__(self) -> None:
        self._memory = MerciMemory()

    def see(self, events: Sequence[Event], view: MerciView) -> None:
        self._memory.see(events, view)

    def imagine(self, view: MerciView) -> tuple[State, MerciUnseen]:
        """The state as far as it is known, and the cards that are not."""
        try:
            return Picture(view, self._memory).drawn()
        except Impossible:
            # Something was missed, or this seat came late: only what is in plain sight is sure.
            fresh = MerciMemory()
            fresh.see([], view)
            return Picture(view, fresh).drawn()


class Picture:
    """Puts every card that is known where it lies. Of two equal cards either may be meant: they get
    their numbers in the order in which they are placed."""

    def __init__(self, view: MerciView, memory: MerciMemory) -> None:
        self._view = view
        self._memory = memory
        self._free = [to_list(equals(first_of(front))) for front in range(FRONTS)]
        self._backs: dict[int, int] = {}
        self._open: list[int] = []
        """Cards that lie open, of unknown back."""
        self._state = state_from(view, memory.last, memory.effect)

    def drawn(self) -> tuple[State, MerciUnseen]:
        s, view, memory = self._state, self._view, self._memory
        if view.seat is not None:
            hand = [both_sides(name) for name in view.hand]
            s.hands[view.seat] = self._placed(hand)
            if view.gift_back is not None and view.speaker == view.seat:
                # Which of them it is matters to nobody before it is taken.
                kind = BACKS.index(view.gift_back)
                s.gift = next(card for card in self._backs if self._backs[card] == kind)
        tops = memory.tops[: len(view.tops)]
        for stack, top in enumerate(tops):
            if top is None:
                raise Impossible
            s.tops[stack] = self._place(top)
        s.laid = self._placed(memory.laid)
        shown = [[hand.count(back) for back in BACKS] for hand in view.backs]
        if view.seat is not None:
            shown[view.seat] = [0] * len(BACKS)
        for seat, held in enumerate(memory.held):
            s.hands[seat] |= self._placed(held)
            for card in held:
                shown[seat][card.back] -= 1
        if min(map(min, shown)) < 0:
            raise Impossible
        for card in memory.lost:
            self._lose_skuz(card)
        twins = self._known_pairs()
        unseen = [card for left in self._free for card in left]
        top_back = UNKNOWN if view.pile_back is None else BACKS.index(view.pile_back)
        covered = view.laid - len(memory.laid)
        if len(unseen) < sum(map(sum, shown)) + view.pile + covered:  # more: a set-up position
            raise Impossible
        return s, MerciUnseen(
            unseen, self._open, self._backs, twins, shown, top_back, view.pile, covered
        )

    def _place(self, card: Known) -> int:
        if not self._free[card.front]:
            raise Impossible
        number = self._free[card.front].pop(0)
        if card.back == UNKNOWN:
            self._open.append(number)
        else:
            self._backs[number] = card.back
        return number

    def _placed(self, cards: Sequence[Known]) -> int:
        return sum(bit(self._place(card)) for card in cards)

    def _lose_skuz(self, lost: Known) -> None:
        """ME-19a, where the card is known to be in a hand. One that is equal on both sides is taken
        for it: better than to plan what is not allowed."""
        s = self._state
        for number in to_list(equals(first_of(lost.front)) & ~s.skuz_lost & sum(s.hands)):
            if self._backs[number] == lost.back:
                s.skuz_lost |= bit(number)
                return

    def _known_pairs(self) -> list[tuple[int, int, int, int]]:
        """Backs that are known to be on a card with this front, but not on which: given to those
        that have none yet. What can't be said is whether an open card or its unseen equal has
        it."""
        twins: list[tuple[int, int, int, int]] = []
        for front in range(FRONTS):
            numbers = to_list(equals(first_of(front)))
            placed = Counter(self._backs[card] for card in numbers if card in self._backs)
            pairs = Counter({kind: self._memory.pairs[front, kind] for kind in range(len(BACKS))})
            backs = [*(pairs - placed).elements()]
            opened = [card for card in numbers if card in self._open]
            unseen = self._free[front]
            if len(backs) > len(opened) + len(unseen):
                raise Impossible
            if backs and opened and unseen and (len(backs) == 1 or backs[0] != backs[1]):
                second = backs[1] if len(backs) == 2 else UNKNOWN
                if len(twins) < MOST_TWINS:
                    twins.append((opened[0], unseen[0], backs[0], second))
                continue
            for card, back in zip([*opened, *unseen], backs, strict=False):
                self._backs[card] = back
                if card in self._open:
                    self._open.remove(card)
        return twins


def state_from(view: MerciView, last: int, effect: str | None) -> State:
    """What a view says, without any cards. `last` laid the last card; `effect` is being settled, if
    that was seen: else the pile must tell."""
    s = setup(
        MerciOptions(
            seats=view.seats,
            rules="full" if view.rules == "full" else "start",
            first_player=0,
            fault_window_ms=view.fault_window_ms,
            fault_ends="time" if view.fault_ends == "time" else "next_card",
            false_denounce="draw" if view.false_denounce == "draw" else "free",
            malpoli="on" if view.malpoli else "off",
            interception="on" if view.interception else "off",
            last_card_wait="on" if view.last_card_wait else "off",
        )
    )
    s.phase = PHASES.index(view.phase)
    s.round_number = view.round
    s.hearts[: s.seats] = view.hearts
    s.turn = NO_SEAT if view.turn is None else view.turn
    s.speaker = NO_SEAT if view.speaker is None else view.speaker
    s.owes = NO_SEAT if view.owes is None else view.owes
    s.pile_size = view.pile
    for seat in view.winners:
        s.winning_seats |= bit(seat)
    if s.speaker != NO_SEAT:
        s.after_effect = left_of(s, s.speaker)
        drawn = s.phase != GIVE and view.gift_back is None
        s.owed = 2 if drawn and (effect or view.pile_back) == "two" else 1  # ME-11 to ME-14
    if view.gift_back is not None:
        s.gift = -2 - BACKS.index(view.gift_back)  # to be dealt
    if view.ending:
        s.ending_seat = ending_seat(view, last)
        if s.phase == TURN:
            s.ending_at = 0
    return s


def ending_seat(view: MerciView, last: int) -> int:
    """Who is about to win the round: whose effect is the last one; or who has no card left, be it
    that it gave the last one away (ME-21b); or, if it has drawn one since, who laid the last."""
    if view.speaker is not None:
        return view.speaker
    if 0 in view.cards or last == NO_SEAT:
        return view.cards.index(min(view.cards))
    return last
