"""Where Twin It!'s cards are, and which faces nobody can see: `pli.zones`. What is hidden are the
motifs on faces, from all seats alike."""

from pli.game import Seat
from pli.games.twinit.state import CARDS, INSIDE, LINK, NO_LINK, OUT, PAIR_HEAD, PLAY, TABOO, State
from pli.kernel.bits import from_list
from pli.zones import Exchanged, Zones


def places(s: State) -> list[int]:
    starts = [s.oldest_on_table, *s.tops, *s.newest]
    taboo = [card for card in range(CARDS) if TABOO <= s.spot[card] < PAIR_HEAD]
    undealt = [*range(CARDS)] if s.phase < PLAY else []
    return [*(from_list(chain(s, start)) for start in starts), from_list(taboo), from_list(undealt)]


def chain(s: State, card: int) -> list[int]:
    """The cards from this one on, each linked to the next."""
    cards: list[int] = []
    while card >= 0 and len(cards) <= CARDS:
        cards.append(card)
        card = -1 if s.link[card] == NO_LINK else s.link[card] + LINK
    return cards


def unseen(s: State, seat: Seat) -> list[list[int]]:
    """Faces: both of a card inside a pile, and what lies face down."""
    faces: list[int] = []
    for card in range(CARDS):
        if s.spot[card] == INSIDE:
            faces += [2 * card, 2 * card + 1]
        elif s.spot[card] != OUT:
            faces.append(2 * card + 1 - s.side[card])
    return [faces]


def exchange(s: State, seat: Seat, exchanged: Exchanged) -> None:
    s.motif[:] = [s.motif[exchanged.get(face, face)] for face in range(len(s.motif))]


ZONES: Zones[State] = Zones(places, unseen, exchange)
