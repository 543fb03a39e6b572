"""What a seat of Merci can say about the cards that it can't see: what it remembers of its views
and events, and the state as far as that tells.

Which backs others hold is plain to see, so a card laid from a hand shows both its sides; and a
card's back never changes within a game (ME-1a).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pli.events import Dealt
from pli.game import Event, seat_number
from pli.games.merci.bots.dealing import UNKNOWN, Impossible, MerciUnseen
from pli.games.merci.events import Effect, Got, Laid, Named, Rebuilt, Thanked, TookBack
from pli.games.merci.rules.cards import equals, first_of
from pli.games.merci.rules.flow import left_of, setup
from pli.games.merci.state import (
    BACKS,
    FRONT_NUMBERS,
    FRONTS,
    GIVE,
    MOST_SEATS,
    NO_SEAT,
    STACKS,
    TURN,
    MerciOptions,
    State,
)
from pli.games.merci.view import PHASES, MerciView
from pli.kernel.bits import bit, to_list


@dataclass(eq=False, slots=True)
class Known:
    """A card that is known where it lies: its front, and its back once that was seen."""

    front: int
    back: int = UNKNOWN


def both_sides(name: str) -> Known:
    front, _, back = name.partition("/")
    return Known(FRONT_NUMBERS[front], BACKS.index(back))


class MerciMemory:
    """What one seat remembers, from the first card of a game on."""

    def __init__(self) -> None:
        self.pairs: Counter[tuple[int, int]] = Counter()
        """How many cards there are at least with a front and a back, for the whole game."""
        self._hand: list[Known] = []
        self._shown: list[Counter[int]] | None = None
        """The backs in every hand at the last look and since; None: another round has begun."""
        self._begin()

    def _begin(self) -> None:
        """A round: nothing lies where it was."""
        self.tops: list[Known | None] = [None] * STACKS
        self.laid: list[Known] = []
        """Under the tops, as far as it was seen."""
        self.held: list[list[Known]] = [[] for _ in range(MOST_SEATS)]
        """Cards that are known in others' hands."""
        self.lost: list[Known] = []
        """Cards that may not be laid as a SKUZ any more, wherever they are now (ME-19)."""
        self.last = NO_SEAT
        """The seat that laid the last card."""
        self._under: list[Known | None] = [None] * STACKS
        """What the top of each stack was laid on."""
        self.effect: str | None = None
        """The back that the SIOUPLAIT being settled has shown: a denunciation may take its card."""
        self._speaker = NO_SEAT
        self._gift = False
        self._fresh: list[tuple[int, Known]] = []
        """Cards laid from hands since the last look, whose backs are to be told."""

    def see(self, events: Sequence[Event], view: MerciView) -> None:
        for i, event in enumerate(events):
            if isinstance(event, Dealt):
                self._end_round()
            elif isinstance(event, Laid):
                self._lay(event)
            elif isinstance(event, TookBack):
                self._take_back(event, view)
            elif isinstance(event, Rebuilt):
                self.laid.clear()
            elif isinstance(event, Effect):
                self._speaker = event.seat
                self.effect = event.back
            elif isinstance(event, Named):
                self._gift = event.gift_back is not None
            elif isinstance(event, Thanked) and self._gift:
                got = next(each for each in events[i:] if isinstance(each, Got))
                self._pass_on(got, view)
            elif isinstance(event, Got):
                self._get(event, view)
        hand = [both_sides(name) for name in view.hand]
        for seat, card in self._fresh:
            card.back = self._back_of(seat, card, hand, view)
            self._forget(seat, card)
        self._look(hand, view)
        self.pairs |= Counter((card.front, card.back) for card in self._in_sight())

    # What happens

    def _lay(self, event: Laid) -> None:
        stack = event.stack - 1
        covered = self.tops[stack]
        if covered is not None:
            self.laid.append(covered)
        card = Known(FRONT_NUMBERS[event.card])
        self.tops[stack] = card
        self._under[stack] = covered
        self.last = event.seat
        self._fresh.append((event.seat, card))

    def _take_back(self, event: TookBack, view: MerciView) -> None:
        """ME-19, ME-28: a card goes back to a hand, where it is known from now on."""
        card = self._uncover(event) if event.covered else self._take_top(event.stack - 1)
        front, back = FRONT_NUMBERS[event.card], BACKS.index(event.back)
        if card is not None:
            self._fresh = [each for each in self._fresh if each[1] is not card]
        known = Known(front, back)
        if event.seat != view.seat:
            self.held[event.seat].append(known)
        if not view.malpoli:
            self.lost.append(known)

    def _take_top(self, stack: int) -> Known | None:
        card, under = self.tops[stack], self._under[stack]
        self.tops[stack] = under
        if under is not None and under in self.laid:
            self.laid.remove(under)
        return card

    def _uncover(self, event: TookBack) -> Known | None:
        """The card is taken from under others; of two equal ones its back tells which it was."""
        front, back = FRONT_NUMBERS[event.card], BACKS.index(event.back)
        found = [card for card in self.laid if card.front == front]
        found.sort(key=lambda card: card.back != back)
        for card in found[:1]:
            self.laid.remove(card)
            return card
        return None

    def _pass_on(self, got: Got, view: MerciView) -> None:
        """ME-12: a card with a back that shows goes from hand to hand. Whether it is one that is
        known there only the giver can tell, unless it is the only one with that back."""
        self._gift = False
        giver, back = self._speaker, BACKS.index(got.backs[0])
        if self._shown is None or giver == NO_SEAT:
            self.held = [[] for _ in range(MOST_SEATS)]
            return
        for card in [each for each in self.held[giver] if each.back == back]:
            self.held[giver].remove(card)
            if self._shown[giver][back] == 1 and got.seat != view.seat:
                self.held[got.seat].append(card)
        self._shown[giver][back] -= 1

    def _get(self, event: Got, view: MerciView) -> None:
        if self._shown is not None:
            self._shown[event.seat].update(map(BACKS.index, event.backs))
        if event.seat != view.seat:  # of others' cards only a gift of one's own is shown
            self.held[event.seat] += map(both_sides, event.cards)

    def _end_round(self) -> None:
        """The seat that laid its last card showed the only back that it had left."""
        if self._fresh and self._shown is not None:
            seat, card = self._fresh[-1]
            left = [*self._shown[seat].elements()]
            if len(left) == 1:
                self.pairs |= Counter([(card.front, left[0])])
        self._begin()
        self._shown = None

    # What it tells

    def _back_of(self, seat: int, card: Known, hand: list[Known], view: MerciView) -> int:
        """A card laid has the back that its hand has lost. Of several laid since the last look it
        can't be told which is which, but for those in one's own hand."""
        if self._shown is None:
            return UNKNOWN
        laid = [each for who, each in self._fresh if who == seat]
        before, after = self._shown[seat], Counter(map(BACKS.index, view.backs[seat]))
        if seat == view.seat:
            laid = [each for each in laid if each.front == card.front]
            before = Counter(each.back for each in self._hand if each.front == card.front)
            after = Counter(each.back for each in hand if each.front == card.front)
        gone = [*(before - after).elements()]
        return gone[0] if len(gone) == len(laid) and len(set(gone)) == 1 else UNKNOWN

    def _forget(self, seat: int, laid: Known) -> None:
        """A card that was known in a hand may be the one that has left it."""
        for card in self.held[seat]:
            if card.front == laid.front and laid.back in (UNKNOWN, card.back):
                self.held[seat].remove(card)
                return

    def _look(self, hand: list[Known], view: MerciView) -> None:
        """What lies there now is so, whatever was remembered."""
        self._hand = hand
        self._shown = [Counter(map(BACKS.index, backs)) for backs in view.backs]
        self._fresh = []
        if view.speaker is not None:
            self._speaker = view.speaker
        else:
            self.effect = None
        for stack, name in enumerate(view.tops):
            top = self.tops[stack]
            if top is None or top.front != FRONT_NUMBERS[name]:
                self.tops[stack] = Known(FRONT_NUMBERS[name])
        if len(self.laid) > view.laid:
            self.laid.clear()

    def _in_sight(self) -> Iterator[Known]:
        """Every card of which both sides are known, where it lies now."""
        yield from self._hand
        for held in self.held:
            yield from held
        for card in [*self.tops, *self.laid]:
            if card is not None and card.back != UNKNOWN:
                yield card


MOST_TWINS = 6
"""Pairs of equal cards of which both orders of backs are kept apart: a seat that saw everything has
half as many; more are not worth the time."""


class MerciBelief:
    """One seat's belief, from the first card of a game on."""

    def __init__(self) -> None:
        self._memory = MerciMemory()

    def see(self, events: Sequence[Event], view: MerciView) -> None:
        self._memory.see(events, view)

    def infer(self, view: MerciView) -> tuple[State, MerciUnseen]:
        """The state as far as it is known, and the cards that are not."""
        try:
            return Reconstruction(view, self._memory).build()
        except Impossible:
            # Something was missed, or this seat came late: only what is in plain sight is sure.
            fresh = MerciMemory()
            fresh.see([], view)
            return Reconstruction(view, fresh).build()


class Reconstruction:
    """Builds the state with every known card where it lies. Of two equal cards either may be meant:
    they get their numbers in the order in which they are placed."""

    def __init__(self, view: MerciView, memory: MerciMemory) -> None:
        self._view = view
        self._memory = memory
        self._free = [to_list(equals(first_of(front))) for front in range(FRONTS)]
        self._backs: dict[int, int] = {}
        self._open: list[int] = []
        """Cards that lie open, of unknown back."""
        self._state = state_from(view, memory.last, memory.effect)

    def build(self) -> tuple[State, MerciUnseen]:
        s, view, memory = self._state, self._view, self._memory
        if view.seat is not None:
            hand = [both_sides(name) for name in view.hand]
            s.hands[view.seat] = self._placed(hand)
            if view.gift_back is not None and view.speaker == view.seat:
                # Which of them it is makes no difference before it is taken.
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
    s.turn = seat_number(view.turn)
    s.speaker = seat_number(view.speaker)
    s.owes = seat_number(view.owes)
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
    """The seat that is about to win the round: the one whose effect is the last; or the one without
    a card, which it may have given away (ME-21b); or, if it has drawn since, the one that laid
    last."""
    if view.speaker is not None:
        return view.speaker
    if 0 in view.cards or last == NO_SEAT:
        return view.cards.index(min(view.cards))
    return last
