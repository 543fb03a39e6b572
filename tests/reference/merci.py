"""Merci, played plainly: the reference that the fast rules are compared with.

Ids such as ME-7 are those of the rule ledger. Here is what seats may do and what comes of it.
Whoever plays is to call tick() for all that is due before an action, and give() for all that is
wanted.
"""

from .merci_cards import FRONTS, LAYING, THANKS, identical, matches, new_combination, parse
from .merci_table import Effect, Ending, Fault, Script, Table, Window


class Merci(Table):
    # What a seat may do

    def awaited(self) -> int:
        """Whose action play waits for; the others have only what is allowed at any moment."""
        if self.effect is None:
            return self.turn
        if self.effect.owes is not None:
            return self.effect.owes
        return self.effect.speaker

    def refusal(self, seat: int, action: str, t: int) -> str | None:
        if self.phase == "over":
            return "game_over"
        if self.wanted:  # nobody is on turn before the cards lie ready
            return "not_your_turn"
        words = parse(action)
        if words is None:  # not even an action that would have to wait for its turn
            return "bad_action"
        if words[0] in LAYING:
            return self.refusal_to_lay(seat, words[0], words[1], int(words[2]) - 1)
        if words[0] == "denounce":
            return self.refusal_to_denounce(seat, t)
        if seat != self.awaited():
            return "not_your_turn"
        return self.refusal_on_turn(seat, words)

    def refusal_to_lay(self, seat: int, word: str, name: str, stack: int) -> str | None:
        front, top = name[:2], self.tops()[stack]
        if self.effect is not None:
            # ME-16b; ME-21a: nobody lays while a last card's effect is carried out.
            if word != "skuz" or self.effect.last:
                return "bad_action"
        elif self.ending is not None:
            return "bad_action"  # ME-29a
        elif not (
            self.malpoli
            or seat == self.turn
            or word == "skuz"
            or identical(front, top)
            or (word == "siouplait" and self.intercepts(front, stack))
        ):
            return "not_your_turn"  # ME-19a, ME-30
        card = self.held(seat, name)
        if card is None:
            return "not_in_hand"
        if self.effect is not None and card == self.effect.gift:
            return "bad_target"  # ME-12a
        if self.effect is None and not matches(front, top):
            return "no_match"  # ME-4, ME-28a
        if word == "skuz" and not identical(front, top) and not self.faulty_skuz_accepted():
            return "not_identical"
        if identical(front, top) and card in self.skuz_lost:
            return "skuz_lost"  # ME-19a
        return None

    def faulty_skuz_accepted(self) -> bool:
        return self.malpoli and self.effect is None  # ME-28a, ME-16b

    def intercepts(self, front: str, stack: int) -> bool:
        """ME-30, ME-30a: whether a card may be laid out of turn with SIOUPLAIT."""
        tops = self.tops()
        return (
            self.interception
            and front[1] in "16"
            and matches(front, tops[stack])
            and new_combination(tops, stack, front)
        )

    def refusal_to_denounce(self, seat: int, t: int) -> str | None:
        seen = self.windows_at(t)
        if seen and all(window.seat == seat for window in seen):
            return "nothing_to_denounce"  # ME-28c: not oneself
        fault = self.latest_fault(t)
        if fault:
            return "nothing_to_denounce" if fault.seat == seat else None
        return None if self.false_costs else "nothing_to_denounce"

    def refusal_on_turn(self, seat: int, words: list[str]) -> str | None:
        verb = words[0]
        if verb == "draw":
            return None if self.phase == "turn" and self.ending is None else "bad_action"
        if verb in THANKS:
            return None if self.phase == "thanks" else "bad_action"
        target = int(words[-1])
        if target >= self.seats:
            return "bad_action"  # no such seat
        if verb == "give":
            if self.phase != "gift":
                return "bad_action"
            if self.held(seat, words[1]) is None:
                return "not_in_hand"
        elif self.phase not in ("heart", "choose"):
            return "bad_action"
        if self.phase == "heart":
            return None if target in self.poorest() else "bad_target"  # ME-13
        return None if target != seat else "bad_target"  # ME-14a

    def legal(self, seat: int) -> set[str]:
        """What the seat's list of actions shows: nothing in it tells of a fault (ME-28d)."""
        if self.wanted or self.phase == "over":
            return set()
        everyone = range(self.seats)
        possible = {"draw", *THANKS} | {f"choose {other}" for other in everyone}
        for name in self.names(seat):
            possible |= {f"{word} {name} on {stack}" for word in LAYING for stack in (1, 2, 3)}
            possible |= {f"give {name} to {other}" for other in everyone}
        shown = {
            action
            for action in possible
            if self.refusal(seat, action, self.now) is None
            and (self.malpoli or not self.forgets_skuz(action))
        }
        if any(window.seat != seat for window in self.windows_at(self.now)):
            shown.add("denounce")
        return shown

    def forgets_skuz(self, action: str) -> bool:
        """The one faulty way of laying that the `start` rules accept, which they don't list."""
        words = action.split()
        return words[0] in ("play", "siouplait") and identical(
            words[1][:2], self.tops()[int(words[3]) - 1]
        )

    def act(self, seat: int, action: str, t: int) -> None:
        assert self.refusal(seat, action, t) is None
        self.now = t
        verb, *about = action.split()
        if verb in LAYING:
            self.run(self.lay(seat, verb, about[0], int(about[2]) - 1))
        elif verb == "draw":
            self.run(self.draw_on_turn(seat))
        elif verb == "choose":
            self.choose(int(about[0]))
        elif verb == "give":
            self.offer(seat, about[0], int(about[2]))
        elif verb in THANKS:
            self.run(self.take(seat, verb))
        else:
            self.run(self.denounce(seat))

    # Laying a card

    def draw_on_turn(self, seat: int) -> Script:
        self.turns += 1
        yield from self.draw(seat)  # ME-5
        self.turn = self.left_of(seat)

    def lay(self, seat: int, word: str, name: str, stack: int) -> Script:
        card = self.held(seat, name)
        assert card is not None
        front, tops = FRONTS[card], self.tops()
        on_turn = seat == self.turn and self.effect is None
        same = identical(front, tops[stack])
        new = new_combination(tops, stack, front)
        skuz = word == "skuz" and same  # ME-16
        # ME-30: out of turn only a 1 or a 6 makes a SIOUPLAIT right, and only with interception.
        siouplait = word == "siouplait" and new and (on_turn or self.intercepts(front, stack))
        if self.malpoli:
            right = skuz or siouplait or (word == "play" and on_turn and not new and not same)
        else:
            right = skuz or not same  # ME-18, ME-18a, ME-19: all else is accepted or refused
        self.hands[seat].remove(card)
        self.stacks[stack].append(card)
        if siouplait or (on_turn and not skuz):
            self.turns += 1
        self.open_window(
            seat, None if right else Fault(card, stack, self.turns if on_turn else None)
        )
        last = not self.hands[seat]  # ME-21
        if siouplait:
            yield from self.reward(seat, front, last)
        else:
            if on_turn and not skuz:  # ME-16a; ME-28a: what is wrong uses the turn all the same
                self.turn = self.left_of(seat)
            if last:
                yield from self.finish_round(seat)

    def reward(self, seat: int, front: str, last: bool) -> Script:
        if front[1] in "16":
            self.take_heart(seat)  # ME-17, ME-30
            if self.over():
                return
        if not self.pile:
            yield from self.rebuild()  # ME-20b
        if not self.pile:  # ME-20a; can't be: the card just covered lies there
            self.turn = self.left_of(seat)
            if last:
                yield from self.finish_round(seat)
            return
        self.effect = Effect(seat, self.backs[self.pile[0]], last)  # ME-10
        if self.effect.back == "gift":
            yield from self.draw(seat)  # ME-12
            self.phase = "gift"
        elif self.effect.back == "heart" and len(self.poorest()) > 1:
            self.phase = "heart"  # ME-13
        elif self.effect.back == "heart":
            self.give_effect_heart(self.poorest()[0])
        else:
            self.phase = "choose"  # ME-11, ME-14

    def finish_round(self, winner: int) -> Script:
        self.effect = None  # ME-21a: a SKUZ drops what was being settled
        self.phase = "turn"
        if self.last_card_wait:
            self.ending = Ending(winner, self.now + self.fault_window_ms)  # ME-29a
        else:
            yield from self.end_round(winner)

    # Settling an effect

    def give_effect_heart(self, seat: int) -> None:
        self.phase = "choose"
        self.take_heart(seat)

    def choose(self, target: int) -> None:
        assert self.effect is not None
        if self.phase == "heart":
            self.give_effect_heart(target)
        else:
            self.effect.owes = target
            self.phase = "thanks"

    def offer(self, seat: int, name: str, target: int) -> None:
        assert self.effect is not None
        self.effect.gift = self.held(seat, name)  # ME-12a: it stays where it is for now
        self.effect.owes = target
        self.phase = "thanks"

    def take(self, seat: int, thanks: str) -> Script:
        effect = self.effect
        assert effect is not None
        if effect.gift is not None:
            self.hands[effect.speaker].remove(effect.gift)
            self.hands[seat].append(effect.gift)
            effect.last = effect.last or not self.hands[effect.speaker]  # ME-21b
        else:
            yield from self.draw(seat, 2 if effect.back == "two" else 1)
        right = "merci-beaucoup" if effect.back == "two" else "merci"
        self.open_window(seat, None if thanks == right else Fault(None))  # ME-15, ME-15a
        self.effect = None
        self.phase = "turn"
        self.turn = self.left_of(effect.speaker)  # ME-30: an interceptor's too
        if effect.last:
            yield from self.finish_round(effect.speaker)

    # Denouncing

    def open_window(self, seat: int, fault: Fault | None) -> None:
        if self.next_card_ends_faults:
            self.windows = []
        self.windows.append(Window(seat, self.now + self.fault_window_ms, fault))

    def windows_at(self, t: int) -> list[Window]:
        return [window for window in self.windows if t < window.closes]  # ME-28b

    def latest_fault(self, t: int) -> Window | None:
        faulty = [window for window in self.windows_at(t) if window.fault]
        return faulty[-1] if faulty else None

    def denounce(self, accuser: int) -> Script:
        window = self.latest_fault(self.now)
        self.windows = []  # if there were more, the latest has taken their place
        if window is None or window.fault is None:
            yield from self.draw(accuser)  # ME-28c
            return
        offender, fault = window.seat, window.fault
        taken_back = fault.card is not None and self.take_back(offender, fault)
        if fault.card is None or self.malpoli:
            yield from self.draw(offender)  # ME-15, ME-28: after the card was taken back (ME-28b)
        elif taken_back:
            self.skuz_lost.add(fault.card)  # ME-19
            if fault.turn == self.turns:
                self.turn = offender  # ME-19a: otherwise it is over, or was not its turn

    def take_back(self, offender: int, fault: Fault) -> bool:
        """Whether it can be: not out of the pile, nor if its stack would be no more (ME-28b)."""
        stack = self.stacks[fault.stack]
        if fault.shuffled or fault.card is None or len(stack) == 1:
            return False
        stack.remove(fault.card)
        self.hands[offender].append(fault.card)
        if self.ending and self.ending.winner == offender:
            self.ending = None  # ME-29
        if self.effect and self.effect.speaker == offender:
            self.effect.last = False
        return True

    def due(self) -> int | None:
        """ME-28d: the end of what a seat can denounce is a moment whether or not there is a fault
        in it."""
        if self.wanted or self.phase == "over":
            return None
        moments = [self.ending.at] if self.ending else []
        for seat in range(self.seats):
            closing = [window.closes for window in self.windows if window.seat != seat]
            moments += [max(closing)] if closing else []
        return min(moments, default=None)

    def tick(self) -> None:
        moment = self.due()
        assert moment is not None
        self.now = moment
        self.windows = self.windows_at(moment)
        if self.ending and self.ending.at == moment:
            self.run(self.end_round(self.ending.winner))
