"""What happens in a game of Twin It!, the same for all seats and spectators."""

from typing import ClassVar

from pli.events import StarterDrawn
from pli.game import Act, Event, Input, Seat, Shuffle
from pli.games.twinit.rules.cards import in_pair, is_triple
from pli.games.twinit.rules.flow import owner_of, points
from pli.games.twinit.state import (
    CARDS,
    COOP,
    FLIP,
    LIFT,
    MOVE,
    NO_CARD,
    OVER,
    PLACES,
    RUSH,
    SEATING,
    TOUCH,
    TURN,
    State,
)
from pli.games.twinit.view import catches, face_of, level, taboo_cards, tie_cards
from pli.kernel.bits import to_list


class Piles(Event, frozen=True, kw_only=True, tag="piles"):
    """Everybody has a pile, and the seat begins."""

    seat: int


class Spread(Event, frozen=True, kw_only=True, tag="spread"):
    """All cards lie on the table, and the time runs."""

    n: int
    seconds: int


class Aside(Event, frozen=True, kw_only=True, tag="aside"):
    """Cards laid beside the seat's pile are taboo for it, or for its team."""

    seat: int
    cards: list[int]


class Flipped(Event, frozen=True, kw_only=True, tag="flipped"):
    """The seat's top card lies on the table and shows this face."""

    seat: int
    face: str


class Shows(Event, frozen=True, kw_only=True, tag="shows"):
    """The seat's pile shows another face."""

    told: ClassVar[bool] = False

    seat: int
    face: str


class Turned(Event, frozen=True, kw_only=True, tag="turned"):
    """The seat has turned a card over."""

    seat: int
    face: str


class TurnedOver(Event, frozen=True, kw_only=True, tag="turned_over"):
    """Cards were turned over after a count, or as the third of three."""

    faces: list[str]


class Touched(Event, frozen=True, kw_only=True, tag="touched"):
    seat: int
    card: int


class Lifted(Event, frozen=True, kw_only=True, tag="lifted"):
    seat: int
    card: int


class Expired(Event, frozen=True, kw_only=True, tag="expired"):
    """The seat's hand lay alone for too long, and was lifted."""

    seat: int
    card: int


class Moved(Event, frozen=True, kw_only=True, tag="moved"):
    """The seat has put a card on another place of the table."""

    seat: int
    card: int
    place: int


class Caught(Event, frozen=True, kw_only=True, tag="caught"):
    seat: int
    cards: list[int]


class CaughtTogether(Event, frozen=True, kw_only=True, tag="caught_together"):
    """With the hand of another: a team-mate's, in coop anybody's."""

    seat: int
    mate: int
    cards: list[int]


class Stole(Event, frozen=True, kw_only=True, tag="stole"):
    """A pair and its third copy, taken from the victim (in teams: a seat of that team)."""

    seat: int
    cards: list[int]
    victim: int


class Tripled(Event, frozen=True, kw_only=True, tag="tripled"):
    """The third copy comes to a pair of one's own."""

    seat: int
    cards: list[int]


class Erred(Event, frozen=True, kw_only=True, tag="erred"):
    seat: int
    cards: list[int]


class Lost(Event, frozen=True, kw_only=True, tag="lost"):
    """A pair goes under the seat's pile."""

    seat: int
    cards: list[int]


class Tied(Event, frozen=True, kw_only=True, tag="tied"):
    """The cards are turned over when the count is over."""

    seats: list[int]
    cards: list[int]
    until: int


class TimeUp(Event, frozen=True, kw_only=True, tag="time_up"):
    """Of a minute a level follows."""

    points: int


class Reached(Event, frozen=True, kw_only=True, tag="reached"):
    """The level of all together."""

    level: str


class Won(Event, frozen=True, kw_only=True, tag="won"):
    """One for each winner."""

    seat: int
    catches: int


class WonPoints(Event, frozen=True, kw_only=True, tag="won_points"):
    """One for each winner."""

    seat: int
    points: int


def events(before: State, given: Input, after: State, seat: Seat) -> list[Event]:
    if isinstance(given, Shuffle):
        return _dealt(before, after)
    happened: list[Event] = []
    turned = [card for card in range(CARDS) if before.side[card] != after.side[card]]
    if isinstance(given, Act):
        who, action = given.seat, given.action
        if action == FLIP:
            happened.append(Flipped(seat=who, face=face_of(after, turned.pop())))
        elif action < LIFT:
            happened.append(Touched(seat=who, card=action - TOUCH))
            happened += _touched(before, after, who, action - TOUCH)
        elif action < TURN:
            happened.append(Lifted(seat=who, card=action - LIFT))
        elif action < MOVE:
            happened.append(Turned(seat=who, face=face_of(after, turned.pop())))
        else:
            card, place = divmod(action - MOVE, PLACES)
            happened.append(Moved(seat=who, card=card, place=place))
    elif after.ties == before.ties:  # neither a count nor, unless the game is over, the minute
        happened += [Expired(seat=who, card=card) for who, card in _other_hands(before, after)]
    if turned:
        happened.append(TurnedOver(faces=[face_of(after, card) for card in turned]))
    for each in range(after.seats):
        top = after.tops[each]
        if top not in (NO_CARD, before.tops[each]):
            happened.append(Shows(seat=each, face=face_of(after, top)))
    if after.phase == OVER:
        happened += _ended(after)
    return happened


def _dealt(before: State, after: State) -> list[Event]:
    if before.phase == SEATING:
        return [StarterDrawn(seat=after.turn)]
    if after.mode >= COOP:
        return [Spread(n=CARDS, seconds=after.minute_ms // 1000)]
    happened: list[Event] = [Piles(seat=after.turn)]
    if after.taboo_seat >= 0:
        cards = taboo_cards(after, owner_of(after, after.taboo_seat))
        happened.append(Aside(seat=after.taboo_seat, cards=cards))
    return happened


def _touched(before: State, after: State, seat: int, card: int) -> list[Event]:
    """What came of a hand."""
    if after.ties > before.ties:
        new = next(i for i, until in enumerate(after.tie_until) if until != before.tie_until[i])
        hands = to_list(after.tied_hands & ~before.tied_hands)
        return [
            Tied(
                seats=sorted({hand // 2 for hand in hands}),
                cards=tie_cards(after, new),
                until=after.tie_until[new],
            )
        ]
    others = _other_hands(before, after)
    if is_triple(after.spot[card]) or in_pair(after.spot[card]) > in_pair(before.spot[card]):
        return [_caught(before, after, seat, others)]
    if card in after.hands[2 * seat : 2 * seat + 2]:
        return []
    happened: list[Event] = [Erred(seat=seat, cards=sorted([card, *(c for _, c in others[:1])]))]
    lost = [c for c in range(CARDS) if in_pair(before.spot[c]) and not in_pair(after.spot[c])]
    if lost:
        happened.append(Lost(seat=seat, cards=lost))
    return happened


def _other_hands(before: State, after: State) -> list[tuple[int, int]]:
    """The seat and card of each hand that was lifted."""
    return [
        (hand // 2, before.hands[hand])
        for hand in range(2 * before.seats)
        if before.hands[hand] != NO_CARD and after.hands[hand] != before.hands[hand]
    ]


def _caught(before: State, after: State, seat: int, others: list[tuple[int, int]]) -> Event:
    owner = owner_of(after, seat)
    cards = catches(after, owner)[-1]
    pair = [card for card in cards if in_pair(before.spot[card])]
    if pair:
        victim = next(
            each for each in range(after.seats) if _has_catch(before, owner_of(before, each), pair)
        )
        if owner_of(after, victim) != owner:
            return Stole(seat=seat, cards=cards, victim=victim)
    mates = [who for who, card in others if who != seat and card in cards]
    if mates:
        return CaughtTogether(seat=seat, mate=mates[0], cards=cards)
    return Tripled(seat=seat, cards=cards) if pair else Caught(seat=seat, cards=cards)


def _has_catch(s: State, owner: int, cards: list[int]) -> bool:
    return cards in catches(s, owner)


def _ended(after: State) -> list[Event]:
    if after.mode == COOP:
        scored = points(after, 0)
        reached = level(after)
        return [TimeUp(points=scored), *([] if reached is None else [Reached(level=reached)])]
    if after.mode == RUSH:
        return [WonPoints(seat=w, points=points(after, w)) for w in to_list(after.winning_seats)]
    return [
        Won(seat=w, catches=after.catch_counts[owner_of(after, w)])
        for w in to_list(after.winning_seats)
    ]
