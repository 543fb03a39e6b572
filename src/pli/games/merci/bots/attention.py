"""What a seat can notice in Merci: its turn, thanks that it owes, cards that fit, others' faults.

A fault is judged from what the seat saw: the card laid and the word said, on the tops as they were
before. The state knows, but views don't tell (ME-28d).
"""

from collections.abc import Sequence

from pli.game import Cue, Event, MotifLookup
from pli.games.merci.bots.heuristic import combines, gains_heart, lay_of, right_thanks, right_word
from pli.games.merci.events import Denounced, Effect, Laid, Thanked, TookBack
from pli.games.merci.view import MerciView


class MerciAttention:
    """One seat's attention through a game."""

    def __init__(self) -> None:
        self._before: MerciView | None = None  # what the seat saw when it last looked
        self._effect: str | None = None  # the back that the last SIOUPLAIT showed
        self._awaited = ""  # what is asked of the seat, if anything
        self._asked = 0  # how often something was
        self._deeds = 0  # cards laid or taken that could be denounced
        self._judged: tuple[int, bool] | None = None  # the one to judge, and whether it is a fault

    def look(
        self,
        view: MerciView,
        actions: Sequence[str],
        events: Sequence[Event],
        motif_of: MotifLookup | None,
    ) -> list[Cue]:
        self._watch(view, events)
        self._before = view
        if view.phase == "turn":
            self._effect = None
        cues = self._awaits(view, actions)
        cues += self._fitting(view, actions)
        if "denounce" not in actions:
            self._judged = None
        if self._judged is not None:
            deed, real = self._judged
            judged = Cue(key=f"deed {deed}", kind="judge", actions=("denounce",), real=real)
            cues.append(judged)
        return cues

    # What is asked of the seat

    def _awaits(self, view: MerciView, actions: Sequence[str]) -> list[Cue]:
        asked = f"{view.phase} {view.round}" if view.seat in view.awaited else ""
        if asked != self._awaited:
            self._awaited = asked
            self._asked += 1
        if not asked:
            return []
        key = f"{asked} {self._asked}"
        if view.phase == "thanks":
            owed = self._effect or (None if view.gift_back is not None else view.pile_back)
            word = right_thanks(owed)
            return [Cue(key=key, kind="reply", actions=(word,), forgetful=("take",))]
        if view.phase == "turn":
            return [self._turn(key, view, actions)]
        return [Cue(key=key, kind="turn", items=len(actions))]

    def _turn(self, key: str, view: MerciView, actions: Sequence[str]) -> Cue:
        """A card may be laid without the word that goes with it (ME-18, ME-19, ME-28)."""
        options = 1
        wordless = []
        for action in actions:
            lay = lay_of(action)
            if lay is None or lay.word != right_word(view.tops, lay.stack, lay.front):
                continue
            options += 1
            if lay.word != "play":
                wordless.append(f"play {lay.name} on {lay.stack + 1}")
        return Cue(key=key, kind="turn", items=options, forgetful=tuple(wordless))

    # Cards that fit

    def _fitting(self, view: MerciView, actions: Sequence[str]) -> list[Cue]:
        """ME-16: an identical card, at any moment; ME-30: a 1 or a 6 for an interception."""
        cues = []
        for action in actions:
            lay = lay_of(action)
            if lay is None or lay.word == "play":
                continue
            forgetful: tuple[str, ...] = ()
            if lay.word == "skuz":
                if lay.front != view.tops[lay.stack]:
                    continue
                if view.phase == "turn":
                    forgetful = (f"play {lay.name} on {lay.stack + 1}",)
            elif not intercepts(view, lay.stack, lay.front):
                continue
            cue = Cue(
                key=f"{lay.word} {lay.front} on {lay.stack} in {view.round}",
                kind="match",
                actions=(action,),
                items=len(view.hand),
                forgetful=forgetful,
            )
            cues.append(cue)
        return cues

    # Others' manners

    def _watch(self, view: MerciView, events: Sequence[Event]) -> None:
        """Judges each deed by the table as it was before it."""
        before = self._before
        tops = [*before.tops] if before is not None and before.round == view.round else None
        for event in events:
            if isinstance(event, Effect):
                self._effect = event.back
            elif isinstance(event, Laid):
                wrong = None
                if tops is not None and before is not None:
                    on_turn = before.phase == "turn" and before.turn == event.seat
                    wrong = is_fault(view, tops, on_turn, event)
                    tops[event.stack - 1] = event.card
                self._judge(view, event.seat, wrong)
            elif isinstance(event, Thanked):
                wrong = None
                if before is not None:
                    owed = self._effect or (
                        None if before.gift_back is not None else before.pile_back
                    )
                    wrong = event.word != right_thanks(owed)
                self._judge(view, event.seat, wrong)
            elif isinstance(event, Denounced):
                self._judged = None
            elif isinstance(event, TookBack):
                tops = None  # which card lies there again is seen at the next look

    def _judge(self, view: MerciView, seat: int, wrong: bool | None) -> None:
        """ME-28b: a deed is what can be denounced, if it is another seat's; None: it can't be
        told. Where only time closes a fault, one stays behind what is done without any."""
        self._deeds += 1
        stays = self._judged is not None and self._judged[1] and view.fault_ends == "time"
        if stays and not wrong:
            return
        judges = wrong is not None and seat != view.seat
        self._judged = (self._deeds, bool(wrong)) if judges else None


def intercepts(view: MerciView, stack: int, front: str) -> bool:
    """ME-30, from the view of the seat that would lay the card."""
    return (
        view.interception
        and view.turn != view.seat
        and gains_heart(front)
        and combines(view.tops, stack, front)
    )


def is_fault(view: MerciView, tops: Sequence[str], on_turn: bool, laid: Laid) -> bool:
    """ME-19, ME-28, ME-30: whether a card was laid impolitely on these tops."""
    stack = laid.stack - 1
    same = tops[stack] == laid.card
    if same:
        return laid.word != "skuz"
    if not view.malpoli:
        return False
    if on_turn:
        return laid.word != right_word(tops, stack, laid.card)
    intercepted = view.interception and gains_heart(laid.card)
    return laid.word != "siouplait" or not (intercepted and combines(tops, stack, laid.card))
