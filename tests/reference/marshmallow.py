"""Marshmallow Test, played plainly: the reference that the fast rules are compared with.

The order is the rulebook's: dealing, playing a card, winning a trick, going out, the
end of a round.
Ids such as MT-11 are those of the rule ledger.
"""

from typing import Any

from . import COLOURS, colour_of, in_order, number_of

DECK = [f"{colour}{number}" for colour in COLOURS for number in range(1, 13)]  # MT-1
HAND_SIZE = 12  # MT-4
TRICKS_TO_GO_OUT = {2: 6, 3: 4, 4: 3, 5: 3}  # MT-10, by number of seats

PLAYS = {f"play {card}" for card in DECK}
TRUMPS = {f"trump {colour}" for colour in COLOURS}  # MT-15: naming is not optional, so no 'none'

Trick = list[tuple[int, str]]  # (seat, card), in the order in which they were played


def trick_winner(trick: Trick, trump: str) -> int:
    """MT-8, MT-16: the highest trump; without one, the highest card of the lead suit."""
    lead_suit = colour_of(trick[0][1])
    trumps = [(number_of(card), seat) for seat, card in trick if colour_of(card) == trump]
    followers = [(number_of(card), seat) for seat, card in trick if colour_of(card) == lead_suit]
    _, winner = max(trumps or followers)
    return winner


class Marshmallow:
    def __init__(
        self,
        seats: int = 4,
        edition: str = "en",
        target: int = 20,
        dealer: int = 0,
        tricks_to_go_out: int | None = None,
    ) -> None:
        """Without a number of its own the house plays by the book (MT-10)."""
        assert seats in TRICKS_TO_GO_OUT
        assert tricks_to_go_out is None or 1 <= tricks_to_go_out <= 11
        assert edition in ("en", "fr")
        assert 0 <= dealer < seats
        self.seats = seats
        self.edition = edition
        self.target = target
        self.tricks_to_go_out = tricks_to_go_out or TRICKS_TO_GO_OUT[seats]
        self.dealer = dealer  # MT-3
        self.round = 1
        self.phase = "deck"  # 'deck' (cards must be dealt), 'trump', 'play', 'over'
        self.turn = dealer
        self.leader = dealer
        self.trump = "none"
        self.scores = [0] * seats
        self.tricks = [0] * seats
        self.out: set[int] = set()
        self.hands: list[list[str]] = [[] for _ in range(seats)]
        self.trick: Trick = []
        self.winners: list[int] = []

    # Dealing

    def wants_deck(self) -> bool:
        return self.phase == "deck"

    def deal(self, deck: list[str]) -> None:
        """MT-4: twelve cards each; what is left lies aside."""
        assert self.wants_deck()
        assert sorted(deck) == sorted(DECK)
        self.hands = [deck[HAND_SIZE * seat : HAND_SIZE * (seat + 1)] for seat in range(self.seats)]
        self.tricks = [0] * self.seats
        self.out = set()
        self.trump = "none"
        # MT-8: no trump in the first round. MT-15: from then on the dealer names one first.
        self.phase = "play" if self.round == 1 else "trump"
        self.lead(self.dealer)  # MT-5

    def lead(self, seat: int) -> None:
        self.trick = []
        self.leader = seat
        self.turn = seat

    # What a seat may do

    def trump_was_added(self) -> bool:
        """MT-17: somebody put a trump on a trick that was led in another colour.

        MT-19: a trump that was led is simply the lead suit.
        """
        colours = [colour_of(card) for _, card in self.trick]
        return self.trump in colours and colours[0] != self.trump

    def cards_of(self, seat: int, colour: str) -> list[str]:
        return [card for card in self.hands[seat] if colour_of(card) == colour]

    def must_trump(self) -> bool:
        """MT-18, MT-18a: the French book forces a trump out of whoever holds one."""
        return (
            self.edition == "fr"
            and self.trump_was_added()
            and self.cards_of(self.turn, self.trump) != []
        )

    def playable(self) -> list[str]:
        """The cards that the seat on turn may play."""
        hand = self.hands[self.turn]
        if not self.trick:
            return hand  # MT-6
        following = self.cards_of(self.turn, colour_of(self.trick[0][1]))
        if self.must_trump():
            return self.cards_of(self.turn, self.trump)  # MT-18
        if not following:
            return hand  # MT-7
        if self.edition == "en" and self.trump_was_added():
            return following + self.cards_of(self.turn, self.trump)  # MT-17, MT-17a
        return following  # MT-7, MT-18a

    def legal(self) -> set[str]:
        if self.phase == "trump":
            return set(TRUMPS)
        if self.phase == "play":
            return {f"play {card}" for card in self.playable()}
        return set()

    def refusal(self, seat: int, action: str) -> str | None:
        if self.phase == "over":
            return "game_over"
        if self.phase == "deck" or seat != self.turn:  # nobody is on turn before the deal
            return "not_your_turn"
        if action not in (TRUMPS if self.phase == "trump" else PLAYS):
            return "bad_action"
        if self.phase == "trump":
            return None
        card = action.removeprefix("play ")
        if card not in self.hands[seat]:
            return "not_in_hand"
        if card not in self.playable():
            return "must_trump" if self.must_trump() else "must_follow"
        return None

    def act(self, action: str) -> None:
        word, what = action.split()
        if word == "trump":
            self.trump = what  # MT-15: the dealer, who is on turn already, then leads
            self.phase = "play"
        else:
            self.play(what)

    # Tricks

    def still_in(self) -> list[int]:
        return [seat for seat in range(self.seats) if seat not in self.out]

    def next_in(self, seat: int) -> int:
        """The next seat clockwise that has not gone out."""
        seat = (seat + 1) % self.seats
        while seat in self.out:
            seat = (seat + 1) % self.seats
        return seat

    def play(self, card: str) -> None:
        self.hands[self.turn].remove(card)
        self.trick.append((self.turn, card))
        if len(self.trick) < self.seats - len(self.out):
            self.turn = self.next_in(self.turn)  # MT-5
        else:
            self.finish_trick()

    def finish_trick(self) -> None:
        winner = trick_winner(self.trick, self.trump)
        self.trick = []
        self.tricks[winner] += 1  # MT-9
        # MT-20a gives the order: pay, then the end of the game, of the round, of the cards.
        if self.tricks[winner] == self.tricks_to_go_out:
            self.go_out(winner)
            if self.scores[winner] >= self.target:  # MT-20: at once, in the middle of the round
                self.phase = "over"
                self.winners = [winner]  # MT-21
                return
        # MT-9: the winner goes on; MT-12: if it has just gone out, the next one that is in.
        heir = self.next_in(winner) if winner in self.out else winner
        nobody_has_cards = all(not self.hands[seat] for seat in self.still_in())
        if len(self.still_in()) == 1:  # MT-13: the last one in deals
            self.end_round(self.still_in()[0])
        elif nobody_has_cards:  # MT-14: who would have led deals
            self.end_round(heir)
        else:
            self.lead(heir)

    def go_out(self, seat: int) -> None:
        others = [self.tricks[other] for other in range(self.seats) if other != seat]
        self.scores[seat] += sum(others)  # MT-11: also the tricks of those already out
        self.out.add(seat)
        self.hands[seat] = []  # MT-12

    def end_round(self, next_dealer: int) -> None:
        self.dealer = next_dealer
        self.round += 1
        self.phase = "deck"

    # Telling

    def snapshot(self) -> dict[str, Any]:
        """Everything. While a deck is wanted, dealer and round are those of the round to come.

        When the game is over the leader is still the seat that led the last trick.
        """
        return {
            "dealer": self.dealer,
            "turn": self.turn if self.phase in ("trump", "play") else "none",
            "leader": self.leader,
            "trump": self.trump,
            "round": self.round,
            "scores": list(self.scores),
            "tricks": list(self.tricks),
            "out": sorted(self.out),
            "hands": [in_order(hand) for hand in self.hands],
            "trick": dict(self.trick),
            "phase": self.phase,
            "winners": list(self.winners),
            "cards": [len(hand) for hand in self.hands],
        }
