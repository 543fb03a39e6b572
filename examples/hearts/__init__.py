"""Hearts, the classic of four: take no hearts, and never the queen of spades; or take them all.

A whole game on Pli's kit for trick-taking games, outside of the package: `pli --games
examples/hearts play hearts`. Its rules are those of OpenSpiel's `hearts`, played in rounds to a
number of points."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec

from pli import tricks
from pli.game import Act, Event, Seat
from pli.kernel.bits import bit, has, highest, lowest, select, size
from pli.kernel.layout import Int8, Int16
from pli.kernel.refusals import MUST_FOLLOW, NOT_IN_HAND, OWN
from pli.tricks import FIRST_CHOICE, SEATS, Choice, TrickGame, ask, hot, next_seat, rule
from pli.zones import card_zones

PLAYERS, HAND = 4, 13
DECK = tricks.Deck(tricks.FRENCH_SUITS, tricks.FRENCH_RANKS)
LOWEST_CLUB, QUEEN = DECK.set_of(["C2"]), DECK.set_of(["SQ"])
HEARTS = DECK.colour("H")
POINTS = HEARTS | QUEEN
QUEEN_POINTS, MOON = 13, 26  # all points of a round
PASSED, PASSING, HOLD = 3, FIRST_CHOICE, 0
DIRECTIONS = (1, 3, 2, HOLD)  # so many seats to the left, in one round after the other

REFUSALS = ("lowest_club", "points_too_soon", "hearts_not_broken")
LOWEST_CLUB_FIRST, POINTS_TOO_SOON, HEARTS_NOT_BROKEN = range(OWN, OWN + len(REFUSALS))


class HeartsOptions(tricks.TrickOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    seats: Annotated[int, msgspec.Meta(ge=PLAYERS, le=PLAYERS)] = PLAYERS
    target: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 100


@dataclass(slots=True)
class State(tricks.TrickState):
    passed: Annotated[list[int], "i8", SEATS]  # what each seat passes on in this round
    target: Int16  # points that end the game
    taken: Annotated[list[int], "i1", SEATS]  # points of this round
    direction: Int8  # how many seats to the left cards are passed


def setup(s: State, options: HeartsOptions) -> None:
    s.target = options.target


@rule
def clear(s: State) -> None:
    s.direction = DIRECTIONS[(s.round_number - 1) & 3]
    for seat in range(PLAYERS):
        s.taken[seat] = 0
        s.passed[seat] = 0


@rule
def begin(s: State) -> None:
    """Three cards go to the left, then to the right, then across; in each fourth round none."""
    if s.direction == HOLD:
        lead_lowest_club(s)
    else:
        ask(s, PASSING, next_seat(s, s.dealer))


@hot
def may_pass(s: State, seat: int) -> int:
    return s.hands[seat] & ~s.passed[seat]


@rule
def not_held(s: State, seat: int, card: int) -> int:
    return NOT_IN_HAND


@rule
def pass_card(s: State, seat: int, card: int) -> None:
    """Everybody chooses unseen; then all cards change hands at once."""
    s.passed[seat] |= bit(card)
    if size(s.passed[seat]) < PASSED:
        return
    if seat != s.dealer:
        ask(s, PASSING, next_seat(s, seat))
        return
    for giver in range(PLAYERS):
        s.hands[giver] &= ~s.passed[giver]
    for giver in range(PLAYERS):
        s.hands[(giver + s.direction) & 3] |= s.passed[giver]
    lead_lowest_club(s)


@rule
def lead_lowest_club(s: State) -> None:
    leader = 0
    for seat in range(PLAYERS):
        leader = select(s.hands[seat] & LOWEST_CLUB != 0, seat, leader)
    tricks.start_play(s, leader)


@hot
def first_trick(s: State, seat: int) -> bool:
    """Before it all hands are full."""
    return size(s.hands[seat]) == HAND


@hot
def broken(s: State) -> bool:
    """A heart was played, or the queen."""
    return s.played & POINTS != 0


@hot
def playable(s: State, seat: int) -> int:
    hand = s.hands[seat]
    if seat == s.leader:
        if first_trick(s, seat) and hand & LOWEST_CLUB:
            return LOWEST_CLUB
        harmless = hand & ~HEARTS
        return select(harmless != 0 and not broken(s), harmless, hand)
    following = hand & s.lead_cards
    if following:
        return following
    harmless = hand & ~POINTS
    return select(harmless != 0 and first_trick(s, seat), harmless, hand)


@rule
def why(s: State, seat: int, card: int) -> int:
    if seat == s.leader:
        return LOWEST_CLUB_FIRST if first_trick(s, seat) else HEARTS_NOT_BROKEN
    return MUST_FOLLOW if s.hands[seat] & s.lead_cards else POINTS_TOO_SOON


@hot
def took(s: State, winner: int) -> None:
    cards = tricks.cards_of_trick(s)
    s.taken[winner] += size(cards & HEARTS) + QUEEN_POINTS * has(cards, lowest(QUEEN))


@rule
def end_round(s: State, winner: int) -> None:
    """A point for each heart, 13 for the queen; who has them all gives 26 to everybody else."""
    for seat in range(PLAYERS):
        if s.taken[seat] == MOON:
            for other in range(PLAYERS):
                s.scores[other] += MOON
            s.scores[seat] -= MOON
        else:
            s.scores[seat] += s.taken[seat]
    if max(s.scores) >= s.target:
        tricks.end_game(s, tricks.fewest_points(s))
    else:
        tricks.next_deal(s, next_seat(s, s.dealer))


@rule
def spared(s: State, seat: int) -> int:
    """The fewer points, the better."""
    return -s.scores[seat]


class HeartsView(tricks.TrickView, frozen=True, kw_only=True):
    target: int
    direction: int
    """How many seats to the left cards are passed in this round."""
    taken: list[int]
    """The points of each seat in this round."""
    passed: list[str] = msgspec.field(default_factory=list)
    """What the viewer passes on, or has passed."""


def own(s: State, seat: int) -> dict[str, Any]:
    return {"passed": DECK.listed(s.passed[seat])}


class Got(Event, frozen=True, kw_only=True, tag="got"):
    """Cards have changed hands; the receiver alone knows which."""

    seat: int
    cards: list[str]


def happened(before: State, given: Act, after: State, seat: Seat) -> list[Event]:
    if before.phase != PASSING or after.phase == PASSING or seat is None:
        return []
    giver = (seat - after.direction) % PLAYERS
    return [Got(seat=seat, cards=DECK.listed(after.passed[giver]))]


def board(seen: HeartsView) -> Any:
    taken = ("board.taken", lambda seen, seat: str(seen.taken[seat]))
    return tricks.draw(seen, columns=(*tricks.COLUMNS[:1], taken, *tricks.COLUMNS[2:]))


def heuristic(seen: HeartsView, actions: Sequence[str]) -> str:
    """Low cards while others may win the trick, and away with the dangerous ones."""
    cards = [action.split()[1] for action in actions]
    led = [each.card for each in seen.trick if each.card[0] == seen.trick[0].card[0]]
    below = [c for c in cards if led and c[0] == led[0][0] and rank(c) < max(map(rank, led))]
    away = seen.phase == "pass" or (led and cards[0][0] != led[0][0])
    chosen = max(below, key=rank) if below else (max if away else min)(cards, key=danger)
    return actions[cards.index(chosen)]


def rank(card: str) -> int:
    return DECK.ranks.index(card[1])


def danger(card: str) -> int:
    return rank(card) + 20 * (card == "SQ") + 3 * (card[0] == "H") + 9 * (card in ("SK", "SA"))


def recall(s: State, seen: HeartsView) -> None:
    if seen.seat is not None:
        s.passed[seen.seat] = DECK.set_of(seen.passed)


def known(seen: HeartsView) -> Mapping[int, Sequence[str]]:
    """What was passed on is where it went, until it is played."""
    if seen.seat is None or seen.phase != "play" or not seen.passed:
        return {}
    return {(seen.seat + seen.direction) % PLAYERS: seen.passed}


@rule
def fill(s: State, dealt: Any) -> None:
    """Who has passed on cards already: the last of the hand stand for them."""
    tricks.fill(s, dealt)
    if s.phase == PASSING:
        seat = next_seat(s, s.dealer)
        while seat != s.turn:
            for _ in range(PASSED):
                s.passed[seat] |= bit(highest(may_pass(s, seat)))
            seat = next_seat(s, seat)


GAME = TrickGame(
    name="hearts", deck=DECK, options=HeartsOptions, hand=HAND, state=State, setup=setup,
    clear=clear, begin=begin, playable=playable, why=why, refusals=REFUSALS, took=took,
    end_round=end_round, points=spared, worth=tricks.by_points(15.0, fewest=True),
    choices=[Choice("pass", [("pass", DECK.names)], pass_card, may_pass, not_held, secret=True)],
    zones=card_zones(face_up=["played"], face_down=["hidden"], noted=["passed"]),
    view=HeartsView, own=own, happened=happened, board=board,
    heuristic=heuristic, recall=recall, known=known, fill=fill,
).game()  # fmt: skip
