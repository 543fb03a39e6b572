"""What bots know of Merci, and the states that they sample: these agree with all that their seat
has seen, and are dealt fairly."""

import random
from collections import Counter
from itertools import permutations
from typing import Any

import pytest

from pli.games.merci.bots.belief import Known, MerciBelief
from pli.games.merci.bots.dealing import DEALT_BACKS, DEALT_PILE, UNKNOWN, MerciUnseen
from pli.games.merci.rules.cards import front
from pli.games.merci.state import BACK_COUNTS, CARDS, STACKS, State, front_name
from pli.games.merci.zones import ZONES
from pli.kernel.bits import full, to_list
from pli.kernel.stream import start
from tests.games.merci.positions import (
    DEAL,
    MERCI,
    Watched,
    filled,
    go_on,
    listed_options,
    placed,
    tables,
)
from tests.tables import Table

# What is known


@tables
@pytest.mark.parametrize("seed", range(4))
def test_a_sampled_state_looks_like_the_true_one(table: Table, seed: int) -> None:
    rng = random.Random(seed)
    watched = Watched(table.match(seed))
    match = watched.match
    for number in range(250):
        if match.over:
            break
        go_on(match, rng)
        watched.tell()
        seat = rng.randrange(match.seats)
        sampled = watched.sample(seat, number)
        view, again = match.view(seat), table.game.view(sampled, seat)
        for name in view.__struct_fields__:
            assert getattr(again, name) == getattr(view, name), name
        zones = ZONES.places(sampled)
        assert sum(zones) == full(CARDS)
        assert sum(map(len, map(to_list, zones))) == CARDS
        assert tuple(map(sampled.back.count, range(4))) == BACK_COUNTS
        s = match.state
        lost = sides(s, to_list(s.skuz_lost & s.hands[seat]))
        assert lost <= sides(sampled, to_list(sampled.skuz_lost & sampled.hands[seat]))


@tables
@pytest.mark.parametrize("seed", range(4))
def test_what_is_remembered_is_true_and_nothing_seen_is_forgotten(table: Table, seed: int) -> None:
    rng = random.Random(100 + seed)
    watched = Watched(table.match(seed))
    match = watched.match
    for _ in range(250):
        if match.over:
            break
        go_on(match, rng)
        watched.tell()
        s = match.state
        truth = Counter((front(card), s.back[card]) for card in range(CARDS))
        for seat, memory in enumerate(watched.memories):
            assert memory.pairs <= truth
            for other in range(match.seats):
                assert sides(s, to_list(s.hands[other])) >= Counter(map(both, memory.held[other]))
            laid = [card for card in [*memory.tops, *memory.laid] if card is not None]
            open_cards = [*s.tops, *to_list(s.laid)]
            assert Counter(card.front for card in laid) == Counter(map(front, open_cards))
            told = [card for card in laid if card.back != UNKNOWN]
            assert Counter(map(both, told)) <= sides(s, open_cards)
            assert len(told) >= len(laid) - STACKS  # the first tops came from the pile
            assert not memory.held[seat]


def sides(s: State, cards: list[int]) -> Counter[tuple[int, int]]:
    return Counter((front(card), s.back[card]) for card in cards)


def both(card: Known) -> tuple[int, int]:
    return card.front, card.back


def hand_of(s: State, seat: int) -> list[str]:
    return [front_name(front(card)) for card in to_list(s.hands[seat])]


def known_in(watched: Watched, seat: int, other: int) -> list[str]:
    return [front_name(card.front) for card in watched.memories[seat].held[other]]


def play(watched: Watched, *steps: tuple[int, str]) -> None:
    for seat, action in steps:
        watched.match.act(seat, action)
        watched.tell()


GIFT: dict[str, object] = {
    "tops": "Y3 G5 P2",
    "hands": ["G4 O4 O2", "B1 O5", "G2 B6"],
    "turn": 0,
    "pile": "G1/gift Y1/one",
}


@pytest.mark.rule("ME-12")
def test_a_gift_is_known_to_its_giver_until_it_is_laid() -> None:
    watched = Watched(placed(GIFT))
    play(watched, (0, "siouplait G4 on 2"), (0, "give O4 to 1"), (1, "merci"))
    assert known_in(watched, 0, 1) == ["O4"]
    assert known_in(watched, 2, 1) == []
    for number in range(20):
        assert "O4" in hand_of(watched.sample(0, number), 1)
    play(watched, (1, "play O4 on 2"))
    assert known_in(watched, 0, 1) == []


@pytest.mark.rule("ME-28")
def test_a_card_taken_back_is_known_to_all_until_it_is_laid() -> None:
    watched = Watched(placed(GIFT, "full"))
    play(watched, (0, "play G4 on 2"), (2, "denounce"))
    assert known_in(watched, 1, 0) == known_in(watched, 2, 0) == ["G4"]
    assert known_in(watched, 0, 0) == []
    for number in range(20):
        assert "G4" in hand_of(watched.sample(1, number), 0)


@pytest.mark.rule("ME-19")
def test_who_has_lost_a_skuz_knows_that_it_has() -> None:
    table = GIFT | {"hands": ["G4 Y3 O2", "B1 O5", "G2 B6"]}
    watched = Watched(placed(table))
    play(watched, (0, "play Y3 on 1"), (2, "denounce"))
    state = watched.sample(0, 1)
    assert [front_name(front(card)) for card in to_list(state.skuz_lost)] == ["Y3"]
    actions = listed_options(state, 0)
    assert "skuz Y3 on 1" not in actions


@pytest.mark.rule("ME-28b")
def test_a_card_taken_from_under_others_is_known_to_all() -> None:
    table = GIFT | {"hands": ["G4 O4 O2", "G6 O5", "P6 B6"], "pile": "Y1/one Y2/one"}
    watched = Watched(placed(table, "full", fault_ends="time"))
    play(watched, (0, "play G4 on 2"), (1, "play G6 on 2"), (2, "denounce"))
    for seat in (1, 2):
        assert known_in(watched, seat, 0) == ["G4"]
        tops = [front_name(top.front) for top in watched.memories[seat].tops if top is not None]
        assert tops == ["Y3", "G6", "P2"]
        assert [front_name(card.front) for card in watched.memories[seat].laid] == ["G5"]


@pytest.mark.rule("ME-14", "ME-28c")
def test_thanks_for_two_cards_are_inferred_though_another_card_shows() -> None:
    table = GIFT | {"pile": "Y1/two Y2/one Y4/one Y5/one"}
    watched = Watched(placed(table, "full"))
    play(watched, (0, "siouplait G4 on 2"), (0, "choose 1"), (2, "denounce"))
    assert watched.match.view(0).pile_back == "one"
    assert [watched.sample(seat, 1).owed for seat in range(3)] == [2, 2, 2]


@pytest.mark.rule("ME-21b")
def test_who_gave_its_last_card_away_is_known_to_win_though_another_laid_the_last() -> None:
    table = GIFT | {"hands": ["G4 Y3", "B1 O5", "P2 B6"], "pile": "G1/gift Y1/one Y2/one"}
    watched = Watched(placed(table, "full"))
    play(watched, (0, "siouplait G4 on 2"), (0, "skuz Y3 on 1"), (0, "give G1 to 1"))
    play(watched, (2, "skuz P2 on 3"), (1, "merci"))
    assert watched.memories[1].last == 2
    assert [watched.sample(seat, 1).ending_seat for seat in range(3)] == [0, 0, 0]


def test_a_seat_that_comes_late_knows_what_is_in_plain_sight() -> None:
    for seed in range(5):
        match, rng = MERCI[1].match(seed), random.Random(seed)
        for _ in range(60):
            go_on(match, rng)
        if match.over:
            continue
        sampled = filled(*MerciBelief().infer(match.view(2)), seed)
        assert match.game.view(sampled, 2) == match.view(2)


# Dealing


def everything(
    unseen: list[int],
    open_cards: list[int],
    known: dict[int, int],
    twins: list[tuple[int, int, int, int]],
    left: list[int],
    shown: list[list[int]],
    top: int,
) -> Counter[Any]:
    """Every deal, by trying all cards in all places with all backs; told by what can be seen of a
    card, since of two equal ones either may be meant."""
    paired = {card for each in twins for card in each[:2]}
    single = [card for card in unseen + open_cards if card not in paired]
    cards = [(front(card), known.get(card, UNKNOWN)) for card in single]
    cards += [(front(each[0]), back) for each in twins for back in each[2:]]
    pool = [kind for kind, n in enumerate(left) for _ in range(n)]
    places: list[tuple[str, int, int]] = [
        ("open", front(card), i) for i, card in enumerate(open_cards)
    ]
    for seat, hand in enumerate(shown):
        places += [("hand", kind, seat) for kind in range(4) for _ in range(hand[kind])]
    places.append(("top", top, 0))
    places += [("pile", 0, 0)] * (len(cards) - len(places))
    found: Counter[Any] = Counter()
    for backs in set(permutations(pool)):
        given = iter(backs)
        whole = [(f, next(given) if back == UNKNOWN else back) for f, back in cards]
        for order in permutations(whole):
            if all(
                kind == "pile" or card[kind != "open"] == shows
                for (kind, shows, _), card in zip(places, order, strict=True)
            ):
                laid: list[Any] = [[] for _ in range(3 + len(shown))]
                for (kind, _, number), card in zip(places, order, strict=True):
                    laid[{"open": 0, "top": 1, "pile": 2, "hand": 3 + number}[kind]].append(card)
                hands = [sorted(hand) for hand in laid[3:]]
                found[str([*laid[:3], *hands])] += 1
    return found


CASES: dict[str, Any] = {
    "all backs known": ([0, 1, 3, 5], [], {0: 0, 1: 0, 3: 1, 5: 0}, [], [0, 0, 0, 0], 0),
    "no back known": ([0, 1, 3, 5, 9], [], {}, [], [2, 1, 1, 1], 2),
    "two open": ([0, 1, 3, 5], [9, 10], {}, [], [3, 2, 1, 0], 0),
    "one open": ([0, 1, 3, 5, 7], [9], {0: 1}, [], [3, 1, 1, 0], 0),
    "open or its equal": ([0, 1, 3], [2], {}, [(2, 1, 0, -1)], [0, 2, 1, 0], 1),
    "open or its equal, and one alike": ([0, 1, 3], [2], {}, [(2, 1, 0, -1)], [2, 1, 0, 0], 0),
    "which is which": ([0, 1, 3], [2, 9], {}, [(2, 1, 0, 1)], [1, 1, 1, 0], 1),
    "both": ([1, 3, 5], [2, 4], {}, [(2, 1, 0, 1), (4, 3, 2, -1)], [0, 2, 0, 0], 1),
}


@pytest.mark.parametrize("case", CASES)
def test_all_deals_that_agree_are_equally_likely(case: str) -> None:
    unseen, open_cards, known, twins, left, top = CASES[case]
    shown = [[1, 0, 0, 0]] if len(unseen) == 3 else [[1, 0, 0, 0], [0, 1, 0, 0]]
    expected = everything(unseen, open_cards, known, twins, left, shown, top)
    # All other cards lie open, with the other backs.
    told = [*known.values(), *(back for each in twins for back in each[2:])]
    others = [card for card in range(CARDS) if card not in unseen + open_cards]
    counts = [BACK_COUNTS[kind] - left[kind] - told.count(kind) for kind in range(4)]
    rest = [kind for kind in range(4) for _ in range(counts[kind])]
    backs = dict(zip(others, rest, strict=True)) | known
    pile = len(unseen) - sum(map(sum, shown))
    known_of = MerciUnseen(unseen, open_cards, backs, twins, shown, top, pile, 0)
    given = known_of.arrays()
    dealt = given.dealt
    draws = 100 * len(expected)
    x = start(7, 0)
    seen: Counter[str] = Counter()
    for _ in range(draws):
        x = DEAL(given, x)

        def both_sides(cards: Any) -> list[tuple[int, int]]:
            return [(front(card), int(dealt[DEALT_BACKS + card])) for card in map(int, cards)]

        pile_cards = both_sides(dealt[DEALT_PILE : DEALT_PILE + pile])
        hands = [sorted(both_sides(to_list(int(dealt[seat])))) for seat in range(len(shown))]
        seen[str([both_sides(open_cards), pile_cards[-1:], pile_cards[:-1], *hands])] += 1
    assert set(seen) <= set(expected)
    shares = {deal_: draws * n / expected.total() for deal_, n in expected.items()}
    off = sum((seen[deal_] - share) ** 2 / share for deal_, share in shares.items())
    # Chi-square: its mean is the degrees of freedom, its deviation the root of twice that.
    freedom = len(expected) - 1
    assert off <= freedom + 4 * (2 * freedom) ** 0.5 + 1
