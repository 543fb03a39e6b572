"""Plingo, played plainly: the reference that the fast rules are compared with.

The order is the rulebook's: dealing, playing a card, winning a trick, the reveal, the end.
Ids such as PL-7 are those of the rule ledger. The master is the seat that holds the master card.
"""

from typing import Any

from . import COLOURS, colour_of, in_order, number_of

SUITS = COLOURS[:4]
JOKER = 10  # PL-11
DECK = [f"{colour}{number}" for colour in SUITS for number in range(1, 11)]  # PL-1
BOXES = frozenset(range(1, 10))  # PL-2a
HAND_SIZE = {2: 10, 3: 9, 4: 8, 5: 7, 6: 6}  # PL-3, by number of seats
TURNED = {"front": "back", "back": "last"}  # PL-12

BIDS = range(1, 10)  # PL-19

PLAYS = {f"play {card}" for card in DECK}
TRUMPS = {f"trump {colour}" for colour in SUITS} | {"trump none"}  # PL-16

Trick = list[tuple[int, str]]  # (seat, card), in the order in which they were played


def uncancelled(trick: Trick) -> Trick:
    """PL-7: cards of equal value cancel each other, two or more alike."""
    values = [number_of(card) for _, card in trick]
    return [(seat, card) for seat, card in trick if values.count(number_of(card)) == 1]


def trick_winner(trick: Trick, trump: str) -> int | None:
    """PL-8, PL-17: the best of the cards that did not cancel; None if all of them did (PL-9a)."""
    asked = colour_of(trick[0][1])  # PL-5: even if that very card cancels
    left = uncancelled(trick)
    trumps = [(number_of(card), seat) for seat, card in left if colour_of(card) == trump]
    followers = [(number_of(card), seat) for seat, card in left if colour_of(card) == asked]
    others = [(number_of(card), seat) for seat, card in left]
    candidates = trumps or followers or others  # PL-8a
    if not candidates:
        return None
    _, winner = max(candidates)
    return winner


def unique_values(cards: list[str]) -> set[int]:
    """PL-10, PL-10a: what is left when every value held twice or more is removed, 10s too."""
    values = [number_of(card) for card in cards]
    return {value for value in values if values.count(value) == 1}


def teams_of(seats: int, teams: str) -> list[list[int]]:
    """PL-18: the seats of each team; without teams everybody is one."""
    if teams == "none":
        return [[seat] for seat in range(seats)]
    assert seats in (4, 6)
    if teams == "halves":
        return [list(range(0, seats, 2)), list(range(1, seats, 2))]
    half = seats // 2
    return [[seat, seat + half] for seat in range(half)]


class Plingo:
    def __init__(
        self,
        seats: int = 4,
        master: int = 0,
        teams: str = "none",
        auction: str = "off",
        joker: str = "must",
    ) -> None:
        assert seats in HAND_SIZE
        assert 0 <= master < seats
        self.seats = seats
        self.teams = teams_of(seats, teams)
        self.auction = auction == "on"
        self.joker_may = joker == "may"
        self.bids: list[int | str] = ["none"] * seats
        self.master = master  # PL-4
        self.side = "front"
        self.round = 1
        self.phase = "deck"  # 'deck' (to be dealt), 'bid', 'trump', 'play', 'joker', 'over'
        self.turn = master
        self.trump = "none"
        self.hands: list[list[str]] = [[] for _ in range(seats)]
        self.trick: Trick = []
        self.taken: list[list[str]] = [[] for _ in range(seats)]
        self.grids: list[set[int]] = [set() for _ in self.teams]
        self.winners: list[int] = []
        # Of the reveal: each team's unique values, its grid before, and who still has a joker.
        self.unique: list[set[int]] = [set() for _ in self.teams]
        self.grids_before: list[set[int]] = [set() for _ in self.teams]
        self.jokers: list[int] = []

    # Dealing

    def wants_deck(self) -> bool:
        return self.phase == "deck"

    def deal(self, deck: list[str]) -> None:
        """PL-3: some cards each, by number of seats; the rest is out of the round."""
        assert self.wants_deck()
        assert sorted(deck) == sorted(DECK)
        size = HAND_SIZE[self.seats]
        self.hands = [deck[size * seat : size * (seat + 1)] for seat in range(self.seats)]
        self.taken = [[] for _ in range(self.seats)]
        self.trick = []
        self.trump = "none"
        # PL-16, PL-16a: from the second round on the master may name a trump first.
        self.phase = "play" if self.round == 1 else "trump"
        self.turn = self.master  # PL-5
        self.bids = ["none"] * self.seats
        if self.auction and self.round > 1:  # PL-19, PL-19b: the master bids last
            self.phase = "bid"
            self.turn = (self.master + 1) % self.seats

    # What a seat may do

    def legal(self) -> set[str]:
        if self.phase == "trump":
            return set(TRUMPS)
        if self.phase == "play":
            return {f"play {card}" for card in self.hands[self.turn]}  # PL-5, PL-6
        if self.phase == "bid":
            return {f"bid {n}" for n in BIDS if n > self.highest()} | {"pass"}  # PL-19
        if self.phase == "joker":
            boxes = BOXES - self.grids[self.team(self.turn)]  # PL-11, PL-11a
            return {f"joker {box}" for box in boxes} | ({"joker none"} if self.joker_may else set())
        return set()

    def team(self, seat: int) -> int:
        [number] = [number for number, seats in enumerate(self.teams) if seat in seats]
        return number

    def highest(self) -> int:
        return max((bid for bid in self.bids if isinstance(bid, int)), default=0)

    def refusal(self, seat: int, action: str) -> str | None:
        if self.phase == "over":
            return "game_over"
        if self.phase == "deck" or seat != self.turn:  # nobody is on turn before the deal
            return "not_your_turn"
        if action in self.legal():
            return None
        # No card of the deck is ever forbidden (PL-6), so one that is refused is not in hand.
        return "not_in_hand" if self.phase == "play" and action in PLAYS else "bad_action"

    def act(self, action: str) -> None:
        word, _, what = action.partition(" ")
        if word in ("bid", "pass"):
            self.bid(int(what) if what else "pass")
        elif word == "trump":
            self.trump = what  # PL-16: the master, who is on turn already, then leads
            self.phase = "play"
        elif word == "play":
            self.play(what)
        elif what == "none":
            self.next_joker()  # PL-11a: allowed, not asked for
        else:
            self.grids[self.team(self.turn)].add(int(what))  # PL-11
            self.next_joker()

    # The auction

    def bid(self, bid: int | str) -> None:
        self.bids[self.turn] = bid
        if self.turn != self.master:
            self.turn = (self.turn + 1) % self.seats
            return
        if self.highest() > 0:  # PL-19; if all pass the master keeps the card
            self.master = self.bids.index(self.highest())
        self.phase = "trump"
        self.turn = self.master

    # Tricks

    def play(self, card: str) -> None:
        self.hands[self.turn].remove(card)
        self.trick.append((self.turn, card))
        if len(self.trick) < self.seats:
            self.turn = (self.turn + 1) % self.seats  # PL-6
        else:
            self.finish_trick()

    def finish_trick(self) -> None:
        winner = trick_winner(self.trick, self.trump)
        if winner is not None:  # PL-9; else PL-9a: the master stays
            self.taken[winner] += [card for _, card in uncancelled(self.trick)]
            self.master = winner
        self.trick = []
        self.turn = self.master
        if not any(self.hands):
            self.reveal()

    # The reveal

    def reveal(self) -> None:
        # PL-10, PL-18a: what partners took lies together.
        self.unique = [
            unique_values([card for seat in seats for card in self.taken[seat]])
            for seats in self.teams
        ]
        self.grids_before = [set(grid) for grid in self.grids]
        for grid, values in zip(self.grids, self.unique, strict=True):
            grid |= values & BOXES  # PL-11, PL-11a: the plain values first
        self.jokers = []
        # PL-11a: from the master's left, so the master comes last.
        for step in range(1, self.seats + 1):
            seat = (self.master + step) % self.seats
            team = self.team(seat)
            took_it = JOKER in map(number_of, self.taken[seat])
            if took_it and JOKER in self.unique[team] and self.grids[team] != BOXES:
                # PL-19a: where not even the joker makes the bid, nothing is ticked or chosen.
                if self.new_boxes(team) + 1 >= self.team_bid(team):
                    self.jokers.append(seat)
                else:
                    self.grids[team] = set(self.grids_before[team])
        asked = {self.team(seat) for seat in self.jokers}
        for team in set(range(len(self.teams))) - asked:
            self.hold_to_bid(team)
        self.next_joker()

    def new_boxes(self, team: int) -> int:
        return len(self.grids[team] - self.grids_before[team])

    def team_bid(self, team: int) -> int:
        bids = [self.bids[seat] for seat in self.teams[team]]
        return max((bid for bid in bids if isinstance(bid, int)), default=0)

    def hold_to_bid(self, team: int) -> None:
        """PL-19a: fewer new boxes than were bid are none at all."""
        if self.new_boxes(team) < self.team_bid(team):
            self.grids[team] = set(self.grids_before[team])

    def next_joker(self) -> None:
        if self.phase == "joker":
            self.hold_to_bid(self.team(self.turn))
        if self.jokers:
            self.phase = "joker"
            self.turn = self.jokers.pop(0)
        else:
            self.end_round()

    def end_round(self) -> None:
        """PL-12b: all have ticked; the win is judged, and only then is the card turned."""
        self.winners = self.judge()
        if self.winners:
            self.phase = "over"
            return
        if self.new_boxes(self.team(self.master)) == 0:
            self.side = TURNED[self.side]  # PL-12, PL-12a, PL-18b
        self.round += 1
        self.phase = "deck"

    def judge(self) -> list[int]:
        """Who wins at this reveal: nobody as long as the game goes on."""
        everyone = range(len(self.teams))
        contenders = [team for team in everyone if self.grids[team] == BOXES]  # PL-13, PL-13a
        if not contenders and self.side == "last":  # PL-15: this was the last round
            most = max(len(grid) for grid in self.grids)
            contenders = [team for team in everyone if len(self.grids[team]) == most]
        # PL-14, PL-14a, PL-15a: more unique values of this round, jokers too; else shared.
        best = max((len(self.unique[team]) for team in contenders), default=0)
        first = [team for team in contenders if len(self.unique[team]) == best]
        return sorted(seat for team in first for seat in self.teams[team])  # PL-18a

    # Telling

    def snapshot(self) -> dict[str, Any]:
        """Everything. While a deck is wanted, the round is the one to come.

        What was taken is shown whole, with the values that the reveal removes.
        """
        return {
            "master": self.master,
            "turn": self.turn if self.phase in ("bid", "trump", "play", "joker") else "none",
            "trump": self.trump,
            "round": self.round,
            "hands": [in_order(hand) for hand in self.hands],
            "trick": dict(self.trick),
            "taken": [in_order(cards) for cards in self.taken],
            "grids": [sorted(grid) for grid in self.grids],
            "bids": list(self.bids),
            "side": self.side,
            "phase": self.phase,
            "winners": list(self.winners),
            "cards": [len(hand) for hand in self.hands],
        }
