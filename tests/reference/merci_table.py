"""Merci's table, for the reference: what lies where, shuffles, hearts, ends of rounds and games.

Whatever may need a shuffle is a generator, which yields how many things are to be shuffled and is
sent their order: so a shuffle may come in the middle of anything (ME-20b).
"""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from .merci_cards import BACKS, FRONTS

Script = Generator[int, list[int], None]

HEARTS = 25  # ME-1
HAND_SIZE = 6  # ME-2
HEARTS_TO_WIN = {3: 6, 4: 6, 5: 5, 6: 5}  # ME-25, by number of seats


@dataclass
class Fault:
    """What can be denounced: a card laid wrongly, or cards taken without the right word."""

    card: int | None  # None: it was about thanks
    stack: int = 0
    turn: int | None = None  # the number of the turn that it used, if it did
    shuffled: bool = False  # the card went into a rebuilt pile


@dataclass
class Window:
    """Someone just laid or took a card; there may be a fault in it, which is hidden (ME-28d)."""

    seat: int
    closes: int
    fault: Fault | None


@dataclass
class Effect:
    """What a right SIOUPLAIT set off, until it is settled."""

    speaker: int
    back: str
    last: bool  # the speaker laid its last card with it: the round ends afterwards (ME-21)
    owes: int | None = None
    gift: int | None = None


@dataclass
class Ending:
    """ME-29a: the round's end, which waits for a denunciation."""

    winner: int
    at: int


def holds(variant: str, full: bool) -> bool:
    """A variant that stands apart from the rule sets; left alone it goes with the full one."""
    assert variant in ("auto", "on", "off")
    return full if variant == "auto" else variant == "on"


class Table:
    def __init__(
        self,
        seats: int = 4,
        rules: str = "start",
        first_player: int = 0,
        fault_window_ms: int = 6000,
        false_denounce: str = "auto",
        fault_ends: str = "next_card",
        malpoli: str = "auto",
        interception: str = "auto",
        last_card_wait: str = "auto",
    ) -> None:
        assert seats in HEARTS_TO_WIN
        assert rules in ("start", "full")
        assert false_denounce in ("auto", "free", "draw")
        assert fault_ends in ("next_card", "time")
        assert 0 <= first_player < seats
        full = rules == "full"
        self.seats = seats
        self.malpoli = holds(malpoli, full)  # ME-28, ME-28a
        self.interception = holds(interception, full)  # ME-30, ME-30a
        self.last_card_wait = holds(last_card_wait, full)  # ME-29, ME-29a
        self.fault_window_ms = fault_window_ms
        self.next_card_ends_faults = fault_ends == "next_card"  # ME-28b
        self.false_costs = false_denounce == "draw" or (full and false_denounce == "auto")  # ME-28c
        self.now = 0
        self.round = 1
        self.turn = first_player  # ME-3
        self.phase = "deal"  # then 'turn', 'heart', 'choose', 'gift', 'thanks', and 'over'
        self.backs: list[str] = [""] * len(FRONTS)
        self.hearts = [0] * seats
        self.hands: list[list[int]] = [[] for _ in range(seats)]  # held longest first
        self.stacks: list[list[int]] = [[], [], []]  # the top last
        self.pile: list[int] = []  # the top first
        self.winners: list[int] = []
        self.windows: list[Window] = []  # all that are open, the oldest first
        self.turns = 0  # how many were used
        self.effect: Effect | None = None
        self.ending: Ending | None = None
        self.skuz_lost: set[int] = set()  # cards, for the round (ME-19a)
        self.run(self.begin())

    # Shuffles

    def run(self, script: Script) -> None:
        """Carries something out, up to its end or to the first shuffle that it needs."""
        self.script = script
        self.wanted = next(script, 0)

    def wants(self) -> int:
        return self.wanted

    def give(self, order: list[int]) -> None:
        assert self.wanted
        assert sorted(order) == list(range(self.wanted))
        try:
            self.wanted = self.script.send(order)
        except StopIteration:
            self.wanted = 0

    def begin(self) -> Script:
        order = yield len(BACKS)
        self.backs = [BACKS[place] for place in order]  # ME-1a
        yield from self.deal()

    def deal(self) -> Script:
        """ME-2, ME-24: the table is cleared, and all 50 cards are dealt anew."""
        self.phase = "deal"
        self.effect = self.ending = None
        self.windows = []
        self.skuz_lost = set()
        order = yield len(FRONTS)
        for seat in range(self.seats):
            self.hands[seat], order = order[:HAND_SIZE], order[HAND_SIZE:]
        self.stacks = [[card] for card in order[:3]]
        self.pile = order[3:]
        self.phase = "turn"

    def rebuild(self) -> Script:
        """ME-20: all laid cards but the tops, or none (ME-20a), become the pile."""
        laid = self.laid()
        if laid:
            order = yield len(laid)
            for window in self.windows:
                if window.fault and window.fault.card in laid:
                    window.fault.shuffled = True
            self.stacks = [stack[-1:] for stack in self.stacks]
            self.pile = [laid[place] for place in order]

    # Cards

    def tops(self) -> list[str]:
        return [FRONTS[stack[-1]] for stack in self.stacks if stack]

    def laid(self) -> list[int]:
        return sorted(card for stack in self.stacks for card in stack[:-1])

    def full_name(self, card: int) -> str:
        return f"{FRONTS[card]}/{self.backs[card]}"

    def held(self, seat: int, name: str) -> int | None:
        """Of several cards of that name the one held longest."""
        for card in self.hands[seat]:
            if name in (FRONTS[card], self.full_name(card)):
                return card
        return None

    def names(self, seat: int) -> dict[str, int]:
        """The shortest name of every card in hand that can be told from the others."""
        found: dict[str, int] = {}
        for card in self.hands[seat]:
            if FRONTS[card] not in found:
                found[FRONTS[card]] = card
            elif self.held(seat, self.full_name(card)) == card:
                found[self.full_name(card)] = card
        return found

    def draw(self, seat: int, count: int = 1) -> Script:
        """A drawn card closes what could be denounced before it (ME-28b)."""
        if self.next_card_ends_faults:
            self.windows = []
        for _ in range(count):
            if not self.pile:  # ME-20b: nothing could be rebuilt when its last card was drawn
                yield from self.rebuild()
            if self.pile:
                self.hands[seat].append(self.pile.pop(0))
                if not self.pile:
                    yield from self.rebuild()  # ME-20b

    # Hearts, and the ends of rounds and games

    def poorest(self) -> list[int]:
        return [seat for seat in range(self.seats) if self.hearts[seat] == min(self.hearts)]

    def take_heart(self, seat: int) -> None:
        self.hearts[seat] += 1
        if sum(self.hearts) == HEARTS:
            self.win([seat])  # ME-27, ME-27a

    def win(self, seats: list[int]) -> None:
        self.winners = seats
        self.phase = "over"
        self.effect = self.ending = None
        self.windows = []

    def over(self) -> bool:
        return self.phase == "over"

    def end_round(self, winner: int) -> Script:
        for _ in range(2):  # ME-22
            self.take_heart(winner)
            if self.over():
                return
        for seat in range(self.seats):
            if seat != winner:
                lost = len(self.hands[seat]) // 3  # ME-23
                self.hearts[seat] = max(0, self.hearts[seat] - lost)
        winners = self.judge()
        if winners:
            self.win(winners)
            return
        self.round += 1  # ME-31
        self.turn = self.left_of(winner)  # ME-24
        yield from self.deal()

    def judge(self) -> list[int]:
        """ME-25, ME-26: nobody as long as the game goes on."""
        needed = max(HEARTS_TO_WIN[self.seats], *self.hearts)
        best = [seat for seat in range(self.seats) if self.hearts[seat] == needed]
        fewest = min((len(self.hands[seat]) for seat in best), default=0)
        return [seat for seat in best if len(self.hands[seat]) == fewest]

    def left_of(self, seat: int) -> int:
        return (seat + 1) % self.seats

    # Telling

    def snapshot(self) -> dict[str, Any]:
        """Everything but faults. While cards are to be dealt, the round is the one to come."""
        playing = self.phase not in ("deal", "over")
        effect = self.effect
        return {
            "turn": self.turn if playing else "none",
            "hearts": list(self.hearts),
            "hands": [[self.full_name(card) for card in hand] for hand in self.hands],
            "tops": self.tops(),
            "pile": [self.full_name(card) for card in self.pile],
            "laid": sorted(self.full_name(card) for card in self.laid()),
            "phase": self.phase,
            "speaker": effect.speaker if effect else "none",
            "owes": effect.owes if effect and effect.owes is not None else "none",
            "reserve": HEARTS - sum(self.hearts),
            "winners": list(self.winners),
            "round": self.round,
            "cards": [len(hand) for hand in self.hands],
        }
