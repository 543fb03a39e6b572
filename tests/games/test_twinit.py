"""Twin It!: the deck, the deal, what views and events show, and what eyes see."""

from collections import Counter
from itertools import pairwise

import msgspec
import pytest

from pli import games
from pli.errors import BadOption
from pli.game import read_options
from pli.games.twinit.deck import DECK, drawn
from pli.games.twinit.state import CARDS, LAYOUT, MOTIFS, OUT
from pli.match import Match
from pli.shuffling import seeded

GAME = games.load("twinit")
rule = pytest.mark.rule


def match(seed: object = 1, **options: object) -> Match:
    return Match(GAME, read_options(GAME, options), seeded(seed))


def tags(table: Match, since: int) -> list[str]:
    return [str(event.__struct_config__.tag) for event in table.events(0, since)]


def pair_in_sight(table: Match) -> tuple[int, int] | None:
    """Two open cards with the same motif, found by eyes."""
    eyes, view = table.eyes, table.view(0)
    assert eyes is not None
    seen: dict[int, str] = {}
    for face in [*(lying.face for lying in view.table), *filter(None, view.tops)]:
        if other := seen.get(eyes(face)):
            return int(other[:-1]), int(face[:-1])
        seen[eyes(face)] = face
    return None


@rule("TW-1", "TW-1a")
def test_135_cards_with_40_motifs_three_times_60_twice_30_once() -> None:
    assert len(DECK) == 2 * CARDS
    assert Counter(Counter(DECK).values()) == {3: 40, 2: 60, 1: 30}
    assert all(DECK[2 * card] != DECK[2 * card + 1] for card in range(CARDS))


@rule("TW-1a")
def test_another_seed_gives_another_deck_and_the_same_seed_the_same() -> None:
    assert drawn(1) == drawn(1) != drawn(2)
    assert max(drawn(7)) == MOTIFS - 1


def test_a_state_takes_at_most_a_kilobyte() -> None:
    assert LAYOUT.size <= 1024


@rule("TW-3", "TW-3a")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_piles_differ_by_one_card_at_most(seats: int) -> None:
    piles = match(seats=seats).view(0).piles
    assert sum(piles) == CARDS
    assert max(piles) - min(piles) <= 1


@rule("TW-17", "TW-17a")
def test_taboo_cards_are_the_first_of_the_pile_with_different_motifs() -> None:
    for seed in range(40):
        table = match(seed, seats=3, taboo_seat=1)
        view, eyes = table.view(1), table.eyes
        assert eyes is not None
        assert view.taboo[0] == view.taboo[2] == []
        motifs = [eyes(face) for face in view.taboo[1]]
        assert len(set(motifs)) == len(motifs) == 3
        plain = match(seed, seats=3).state
        # The cards come from the top: numbered in the order of the deal, each third is seat 1's.
        aside = [int(face[:-1]) for face in view.taboo[1]]
        passed = [card for card in range(1, max(aside), 3) if card not in aside]
        shown = {plain.motif[2 * card] for card in aside}
        assert all(plain.motif[2 * card] in shown for card in passed)
        assert sum(view.piles) == CARDS - 3


@rule("TW-17", "TW-20a")
def test_a_teams_taboo_cards_lie_beside_its_first_seat() -> None:
    view = match(seats=5, mode="teams", taboo_team=1).view(0)
    assert list(map(len, view.taboo)) == [0, 3]
    assert view.piles[1] == 27 - 3
    assert view.owners == [0, 1, 0, 1, 0]


@pytest.mark.parametrize(
    "wrong",
    [
        {"mode": "race", "seats": 1},
        {"mode": "teams", "seats": 3},
        {"mode": "coop", "taboo_seat": 0},
        {"mode": "race", "seats": 3, "taboo_seat": 3},
        {"mode": "race", "taboo_team": 0},
        {"mode": "teams", "taboo_seat": 0},
    ],
)
def test_options_that_do_not_go_together_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(BadOption):
        read_options(GAME, wrong)


def test_numbers_and_faces_tell_nothing_of_the_motifs() -> None:
    """The same card of the deck has another number in every game, and the same number other
    motifs."""
    shown = [match(seed).state.motif for seed in range(200)]
    for face in (0, 1, 57, 269):
        counts = Counter(motifs[face] for motifs in shown)
        assert len(counts) > 60
        assert max(counts.values()) < 15


@rule("TW-7")
def test_eyes_see_what_lies_open_and_nothing_else() -> None:
    table = match(3, seats=4, first_player=0)
    table.act(0, "flip")
    view, eyes = table.view(0), table.eyes
    assert eyes is not None
    hidden = [face for face in view.tops if face]
    assert all(0 <= eyes(face) < MOTIFS for face in [view.table[0].face, *hidden])
    card = view.table[0].face[:-1]
    with pytest.raises(KeyError):
        eyes(f"{card}a")  # it was the top, and lies face down now
    with pytest.raises(KeyError):
        eyes("134a")


def test_all_see_the_same_but_know_which_seat_they_have() -> None:
    table = match(3, seats=4)
    views = [msgspec.structs.replace(table.view(seat), seat=None) for seat in range(4)]
    assert all(a == b for a, b in pairwise(views))


@rule("TW-5")
def test_a_free_place_is_found_and_used_again() -> None:
    table = match(11, seats=2, first_player=0)
    while (pair := pair_in_sight(table)) is None or pair[1] not in [
        int(lying.face[:-1]) for lying in table.view(0).table
    ]:
        table.act(table.view(0).turn, "flip")
    places = [lying.place for lying in table.view(0).table]
    assert places == list(range(len(places)))
    for card in pair:
        table.act(0, f"touch {card}")
    left = {lying.face: lying.place for lying in table.view(0).table}
    table.act(0, "flip")
    new = table.view(0).table[-1]
    assert new.place == min(set(range(len(places))) - set(left.values()))
    assert {lying.face: lying.place for lying in table.view(0).table[:-1]} == left


@rule("TW-6", "TW-9")
def test_events_tell_what_happened() -> None:
    table = match(11, seats=2, first_player=0)
    assert tags(table, 0) == ["piles"]
    since = len(table.steps)
    table.act(0, "flip")
    assert tags(table, since) == ["flipped", "shows"]
    while (pair := pair_in_sight(table)) is None:
        table.act(table.view(0).turn, "flip")
    since = len(table.steps)
    table.act(1, f"touch {pair[0]}")
    table.act(1, f"touch {pair[1]}")
    assert tags(table, since)[:3] == ["touched", "touched", "caught"]
    since = len(table.steps)
    cards = [int(lying.face[:-1]) for lying in table.view(0).table][:2]
    table.act(1, f"touch {cards[0]}")
    table.act(1, f"touch {cards[1]}")
    assert tags(table, since)[:4] == ["touched", "touched", "erred", "lost"]
    assert table.view(0).catches == [[], []]


@rule("TW-22", "TW-23")
def test_coop_ends_with_points_and_a_level() -> None:
    table = match(2, mode="coop", seats=2, minute_ms=2000)
    pair = pair_in_sight(table)
    assert pair is not None
    for card in pair:
        table.act(1, f"touch {card}")
    assert tags(table, len(table.steps) - 1) == ["touched", "caught"]
    table.wait(2000)
    assert table.over
    assert table.winners == []
    (end,) = table.events(0, len(table.steps) - 1)
    assert msgspec.structs.asdict(end) == {"points": 1, "level": "beginners"}


def test_no_card_is_out_of_play_in_a_game_that_was_dealt() -> None:
    assert OUT not in match().state.spot
