"""What a player of Merci remembers: from its views and events alone, as a person at the table.

Which backs others hold is plain to see, so a card laid from a hand shows both its sides; and a
card's back never changes within a game (ME-1a).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pli.events import Dealt
from pli.game import Event
from pli.games.merci.state import BACKS, FRONTS, MOST_SEATS, NO_SEAT, STACKS, front_name
from pli.games.merci.view import (
    Effect,
    Got,
    Laid,
    MerciView,
    Named,
    Rebuilt,
    Thanked,
    TookBack,
)

FRONT_NUMBERS = {front_name(front): front for front in range(FRONTS)}

UNKNOWN = -1


@dataclass(eq=False, slots=True)
class Known:
    """A card that is known where it lies: its front, and its back once that was seen."""

    front: int
    back: int = UNKNOWN


def both_sides(name: str) -> Known:
    front, _, back = name.partition("/")
    return Known(FRONT_NUMBERS[front], BACKS.index(back))


class MerciMemory:
    """One seat's, from the first card of a game on."""

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
        """Who laid the last card."""
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
        known there nobody but the giver can tell, unless it is the only one with that back."""
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
        """Who has laid its last card showed the only back that it had left."""
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
