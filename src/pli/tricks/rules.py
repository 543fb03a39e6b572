"""The rules of a trick-taking game around those that are its own: dealing, playing, taking tricks,
and the phases in which something else is chosen.

What a game calls in its own rules are plain rules over any `TrickState`. What depends on the game
is made for it by `make_rules`, closed over its hooks, so that compiled code has no more calls than
rules written out by hand.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from pli.cards import Deck
from pli.kernel.bits import bit, clockwise, full, has, listed, select, without
from pli.kernel.contract import Buffer, Order, Rules
from pli.kernel.layout import Layout
from pli.kernel.refusals import (
    BAD_ACTION,
    GAME_OVER,
    MUST_FOLLOW,
    NOT_IN_HAND,
    NOT_YOUR_TURN,
    OK,
)
from pli.kernel.rule import hot, rule
from pli.tricks.state import (
    DEALING,
    FIRST_CHOICE,
    NO_CARD,
    NO_COLOUR,
    NO_SEAT,
    OVER,
    PLAY,
    SEATING,
    TrickState,
)

S = TypeVar("S", bound=TrickState)

ALL = -1
"""The set of all cards of any deck."""

# What a card's suit adds to its number: trumps beat the lead suit, and a card that is neither never
# beats the one that was led. Within a suit the higher card wins.
LEAD_STRENGTH = 64
TRUMP_STRENGTH = 128


# What a game calls


@hot
def lead_next(s: Any, leader: int) -> None:
    """A new trick, led by this seat."""
    s.leader = leader
    s.turn = leader
    s.lead_cards = ALL
    s.earlier = s.played
    s.trumped = 0
    s.best_strength = -1
    s.waiting_seats = s.holding_seats


@rule
def ask(s: Any, phase: int, seat: int) -> None:
    """The seat is to choose something: `phase` is FIRST_CHOICE and the number of the choice."""
    s.phase = phase
    s.turn = seat


@rule
def start_play(s: Any, leader: int) -> None:
    """After the choices before a round: its first trick, led by this seat."""
    s.phase = PLAY
    lead_next(s, leader)


@rule
def next_deal(s: Any, dealer: int) -> None:
    """The round is over; this seat deals the next."""
    s.dealer = dealer
    s.turn = NO_SEAT
    s.phase = DEALING


@rule
def end_game(s: Any, winners: int) -> None:
    """The game is over at once; `winners` is a set of seats."""
    s.winning_seats = winners
    s.waiting_seats = 0
    s.turn = NO_SEAT
    s.phase = OVER


@hot
def cards_of_trick(s: Any) -> int:
    """The trick on the table as a set; in `winning` and `took` it is the one that is complete."""
    return int(s.played & ~s.earlier)


@rule
def next_seat(s: Any, seat: int) -> int:
    """The seat at the left."""
    return seat + 1 if seat + 1 < s.seats else 0


@rule
def most_points(s: Any) -> int:
    """The set of seats with the most points."""
    best = s.scores[0]
    for seat in range(s.seats):
        best = max(best, s.scores[seat])
    return with_score(s, best)


@rule
def fewest_points(s: Any) -> int:
    """The set of seats with the fewest points."""
    best = s.scores[0]
    for seat in range(s.seats):
        best = min(best, s.scores[seat])
    return with_score(s, best)


@rule
def with_score(s: Any, points: int) -> int:
    """The set of seats with so many points."""
    seats = 0
    for seat in range(s.seats):
        if s.scores[seat] == points:
            seats |= bit(seat)
    return seats


# What holds unless a game says otherwise


@rule
def nothing_to_clear(s: Any) -> None:
    """A round has no fields but those of all games."""


@rule
def begin(s: Any) -> None:
    """The seat at the dealer's left leads the first trick."""
    lead_next(s, next_seat(s, s.dealer))


@hot
def follow(s: Any, seat: int) -> int:
    """Who can follow suit does; for the leader all cards are the lead suit."""
    hand = s.hands[seat]
    following = hand & s.lead_cards
    return select(following != 0, following, hand)


@hot
def any_card(s: Any, seat: int) -> int:
    """There is no duty to follow."""
    return int(s.hands[seat])


@hot
def suit_strength(s: Any, card: int) -> int:
    """Trumps beat the lead suit, which beats all others; within a suit the higher card wins."""
    leads, trumps = has(s.lead_cards, card), has(s.trump_cards, card)
    return card + LEAD_STRENGTH * leads + TRUMP_STRENGTH * trumps


@rule
def must_follow(s: Any, seat: int, card: int) -> int:
    return MUST_FOLLOW


@rule
def bad_action(s: Any, seat: int, number: int) -> int:
    return BAD_ACTION


@rule
def nothing_more(s: Any, winner: int) -> None:
    """A trick is worth nothing by itself."""


@rule
def score(s: Any, seat: int) -> int:
    return int(s.scores[seat])


@rule
def no_cards_left(s: Any) -> bool:
    return bool(s.holding_seats == 0)


@dataclass(frozen=True, eq=False)
class Choice(Generic[S]):
    """A phase in which the seat on turn chooses something else than a card to play: a trump, a bid,
    cards to pass on."""

    phase: str
    """Its name, in views and scenarios."""
    phrases: Sequence[tuple[str, Sequence[str]]]
    """What can be chosen, in the notation: a verb (or none) with words after it."""
    choose: Callable[[S, int, int], None]
    """A rule (s, seat, number): the seat has chosen the one with this number, from 0 on. It goes on
    to the next phase, seat or trick: `ask`, `start_play`; after the last trick `next_deal`."""
    allowed: Callable[[S, int], int] | None = None
    """A rule (s, seat): the set of these numbers that the seat may choose from; None: all."""
    why: Callable[[S, int, int], int] = bad_action
    """A rule (s, seat, number): why another one is refused."""
    told: Callable[[S, int, int], Any] | None = None
    """(s, seat, number): the event of this choice; None: `Chose`, with its text."""
    secret: bool = False
    """Others are told that the seat has chosen, but not what."""
    rollout: Callable[[S, int, int], int] | None = None
    """A rule (s, seat, x): which one is chosen where a search plays on below its tree, x being
    random; None: any that is allowed."""

    @property
    def count(self) -> int:
        """How many things there are to choose from."""
        return sum(len(words) for _, words in self.phrases)


class TrickRules(NamedTuple, Generic[S]):
    """The rules of a game, and two of their parts that beliefs and positions use."""

    rules: Rules[S]
    lay: Callable[[Any, int, int], None]
    """(s, seat, card): puts a card into the trick."""
    play: Callable[[Any, int, int], None]
    """(s, seat, card): the same, and goes on to the next seat or trick."""


def make_rules(
    name: str,
    layout: Layout[S],
    deck: Deck,
    hand: int | Mapping[int, int] | Callable[[S], int],
    clear: Callable[[S], None],
    begin: Callable[[S], None],
    playable: Callable[[S, int], int],
    why: Callable[[S, int, int], int],
    strength: Callable[[S, int], int],
    winning: Callable[[S], int] | None,
    took: Callable[[S, int], None],
    leads: Callable[[S, int], int] | None,
    round_over: Callable[[S], bool],
    end_round: Callable[[S, int], None],
    choices: Sequence[Choice[S]],
    refusals: Sequence[str],
    points: Callable[[S, int], int],
    patience: int,
) -> TrickRules[S]:
    """The rules of a game, made of its hooks."""
    cards = len(deck)
    ranks = deck.highest
    one_colour = full(ranks)
    most_seats = len(layout.blank().hands)
    hand_size = _hand_size(hand)
    taking = _by_card(winning, most_seats) if winning else _by_strength(strength, most_seats)
    weigh, collect, count = taking.weigh, taking.collect, taking.count
    lead_after = leads or taking.leads

    @rule
    def needs(s: Any) -> int:
        if s.phase == DEALING:
            return cards
        return int(s.seats) if s.phase == SEATING else 0

    @rule
    def dealt(s: Any) -> int:
        return hand_size(s) * int(s.seats) if s.phase == DEALING else 1

    @rule
    def give(s: Any, order: Order) -> None:
        if s.phase == SEATING:
            s.dealer = order[0]
            s.phase = DEALING
        else:
            deal(s, order)

    @rule
    def deal(s: Any, order: Order) -> None:
        """A new round: a hand to every seat, the rest aside."""
        aside = full(cards)
        each = hand_size(s)
        for seat in range(s.seats):
            dealt_cards = 0
            for i in range(each * seat, each * (seat + 1)):
                dealt_cards |= bit(order[i])
            s.hands[seat] = dealt_cards
            aside &= ~dealt_cards
            s.tricks[seat] = 0
            s.last_trick[seat] = NO_CARD
        s.hidden = aside
        s.played = 0
        s.last_leader = NO_SEAT
        s.last_winner = NO_SEAT
        s.holding_seats = full(s.seats)
        s.trump = NO_COLOUR
        s.trump_cards = 0
        s.round_number += 1
        s.phase = PLAY
        clear(s)
        begin(s)

    @hot
    def lay(s: Any, seat: int, card: int) -> None:
        """A card of the hand goes to the trick."""
        left = without(s.hands[seat], card)
        s.hands[seat] = left
        s.played |= bit(card)
        s.trick[seat] = card
        if left == 0:
            s.holding_seats = without(s.holding_seats, seat)
        if seat == s.leader:
            s.lead_cards = one_colour << (ranks * (card // ranks))
        weigh(s, seat, card)

    @hot
    def play(s: Any, seat: int, card: int) -> None:
        lay(s, seat, card)
        waiting = without(s.waiting_seats, seat)
        s.waiting_seats = waiting
        if waiting:
            s.turn = clockwise(waiting, seat)
        else:
            end_trick(s)

    @hot
    def end_trick(s: Any) -> None:
        """The next trick begins, or the round is over."""
        winner = collect(s)
        s.last_leader = s.leader
        s.last_winner = winner
        count(s, winner)
        took(s, winner)
        if s.phase == OVER:
            return
        if round_over(s):
            end_round(s, winner)
        else:
            lead_next(s, clockwise(s.holding_seats, lead_after(s, winner)))

    # The choices, one wrapped around the other. They are called, not inlined: nearly all that is
    # done is to play cards.
    chosen_from, choose, first_choice, judge_choice = no_choices, no_choice, no_first, no_verdict
    start = cards
    for phase, choice in enumerate(choices, FIRST_CHOICE):
        allowed = choice.allowed or _all(choice.count)
        chosen_from = _chosen_from(phase, allowed, chosen_from)
        choose = _choose(phase, start, choice.choose, choose)
        first_choice = _first_choice(phase, start, first_choice)
        judge_choice = _judge(phase, start, choice.count, allowed, choice.why, judge_choice)
        start += choice.count
    chosen, judged, open_choices, first = choose, judge_choice, chosen_from, first_choice

    @hot
    def open_to(s: Any, seat: int) -> int:
        """A seat's actions as a set, counted from the first of the phase."""
        if seat != s.turn:
            return 0
        return int(playable(s, seat) if s.phase == PLAY else open_choices(s, seat))

    @rule
    def base(s: Any) -> int:
        """The first action of the phase."""
        return 0 if s.phase == PLAY else int(first(s))

    @hot
    def act(s: Any, seat: int, action: int, time: int) -> None:
        if s.phase == PLAY:
            play(s, seat, action)
        else:
            chosen(s, seat, action)

    @rule
    def legal(s: Any, seat: int, buffer: Buffer) -> int:
        return listed(open_to(s, seat), base(s), buffer)

    @rule
    def check(s: Any, seat: int, action: int, time: int) -> int:
        if s.phase == OVER:
            return GAME_OVER
        if seat != s.turn or seat == NO_SEAT:
            return NOT_YOUR_TURN
        if s.phase != PLAY:
            return int(judged(s, seat, action))
        if not 0 <= action < cards:
            return BAD_ACTION
        if not has(s.hands[seat], action):
            return NOT_IN_HAND
        return OK if has(playable(s, seat), action) else int(why(s, seat, action))

    rules = Rules(
        name=name,
        layout=layout,
        deck=cards,
        room=max([largest_hand(hand, deck), *(choice.count for choice in choices)]),
        patience=patience,
        refusals=tuple(refusals),
        needs=needs,
        give=give,
        actors=actors,
        check=check,
        act=act,
        legal=legal,
        over=over,
        winners=winners,
        dealt=dealt,
        choices=open_to,
        base=base,
        rounds=rounds,
        points=points,
    )
    return TrickRules(rules, lay, play)


@rule
def actors(s: Any) -> int:
    return bit(s.turn) if s.turn != NO_SEAT else 0


@rule
def over(s: Any) -> bool:
    return bool(s.phase == OVER)


@rule
def winners(s: Any) -> int:
    return int(s.winning_seats)


@rule
def rounds(s: Any) -> int:
    return int(s.round_number)


# Who takes a trick


class Taking(NamedTuple):
    """The rules of it, to be inlined where they are called."""

    weigh: Any
    """(s, seat, card): a card was laid."""
    collect: Any
    """(s): clears the table of the complete trick; who takes it."""
    count: Any
    """(s, winner): counts it."""
    leads: Any
    """(s, winner): who leads the next, unless a game says otherwise."""


def _by_strength(strength: Any, most_seats: int) -> Taking:
    """The strongest card takes it."""

    @hot
    def weigh(s: Any, seat: int, card: int) -> None:
        leads, trumps = has(s.lead_cards, card), has(s.trump_cards, card)
        s.trumped |= trumps and not leads
        strong = strength(s, card)
        better = strong > s.best_strength
        s.best_strength = select(better, strong, s.best_strength)
        s.best_seat = select(better, seat, s.best_seat)

    @hot
    def collect(s: Any) -> int:
        winner = int(s.best_seat)
        for seat in range(most_seats):
            s.last_trick[seat] = s.trick[seat]
            s.trick[seat] = NO_CARD
        return winner

    @hot
    def count(s: Any, winner: int) -> None:
        s.tricks[winner] += 1

    @hot
    def leads(s: Any, winner: int) -> int:
        return winner

    return Taking(weigh, collect, count, leads)


def _by_card(winning: Any, most_seats: int) -> Taking:
    """The card takes it that a rule names, if it names one."""

    @hot
    def weigh(s: Any, seat: int, card: int) -> None:
        """Only the whole trick says who takes it."""

    @hot
    def collect(s: Any) -> int:
        best = winning(s)
        winner = NO_SEAT
        for seat in range(most_seats):
            card = s.trick[seat]
            s.last_trick[seat] = card
            s.trick[seat] = NO_CARD
            if card == best and best != NO_CARD:
                winner = seat
        return winner

    @hot
    def count(s: Any, winner: int) -> None:
        if winner != NO_SEAT:
            s.tricks[winner] += 1

    @hot
    def leads(s: Any, winner: int) -> int:
        """If nobody took the trick, who led it leads again."""
        return int(s.leader if winner == NO_SEAT else winner)

    return Taking(weigh, collect, count, leads)


# How many cards are dealt


def largest_hand(hand: Any, deck: Deck) -> int:
    """The most cards that a seat is ever dealt."""
    if isinstance(hand, int):
        return hand
    return max(hand.values()) if isinstance(hand, Mapping) else len(deck)


SIZE_BITS = 6
"""Of a size in a table by seats that is one integer, which is quicker to read than a tuple."""


def _hand_size(hand: Any) -> Any:
    if callable(hand):
        return hand
    sizes = hand if isinstance(hand, Mapping) else {}
    by_seats = sum(size << (SIZE_BITS * seats) for seats, size in sizes.items())

    @hot
    def constant(s: Any) -> int:
        return int(hand)

    @hot
    def looked_up(s: Any) -> int:
        return int(by_seats >> (SIZE_BITS * s.seats)) & full(SIZE_BITS)

    return looked_up if sizes else constant


# Choices


@rule
def no_choices(s: Any, seat: int) -> int:
    return 0


@rule
def no_choice(s: Any, seat: int, action: int) -> None:
    """Nobody acts between two rounds."""


@rule
def no_first(s: Any) -> int:
    return 0


@rule
def no_verdict(s: Any, seat: int, action: int) -> int:
    return BAD_ACTION


def _all(count: int) -> Any:
    @rule
    def everything(s: Any, seat: int) -> int:
        return full(count)

    return everything


def _chosen_from(phase: int, allowed: Any, others: Any) -> Any:
    @rule
    def chosen_from(s: Any, seat: int) -> int:
        return int(allowed(s, seat) if s.phase == phase else others(s, seat))

    return chosen_from


def _choose(phase: int, start: int, choose: Any, others: Any) -> Any:
    @rule
    def choose_one(s: Any, seat: int, action: int) -> None:
        if s.phase == phase:
            choose(s, seat, action - start)
        else:
            others(s, seat, action)

    return choose_one


def _first_choice(phase: int, start: int, others: Any) -> Any:
    @rule
    def first_choice(s: Any) -> int:
        return start if s.phase == phase else int(others(s))

    return first_choice


def _judge(phase: int, start: int, count: int, allowed: Any, why: Any, others: Any) -> Any:
    @rule
    def judge(s: Any, seat: int, action: int) -> int:
        if s.phase != phase:
            return int(others(s, seat, action))
        number = action - start
        if not 0 <= number < count:
            return BAD_ACTION
        return OK if has(allowed(s, seat), number) else int(why(s, seat, number))

    return judge
