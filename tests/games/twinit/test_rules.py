"""Twin It!: the deck, the deal, what views and events show, and what people see."""

import random
from collections import Counter
from itertools import pairwise

import msgspec
import pytest
from msgspec import inspect

from pli import games
from pli.bots import make_bot
from pli.bots.live import Live
from pli.errors import BadOption
from pli.game import Tick, read_options, seat_number
from pli.games.twinit.rules.cards import DECK, drawn
from pli.games.twinit.state import (
    CARDS,
    LAYOUT,
    MOTIFS,
    OUT,
    PLACES,
    TABLE,
    State,
    TwinitOptions,
)
from pli.games.twinit.view import TwinitView
from pli.kernel.contract import NEVER
from pli.kernel.playout import Playouts
from pli.match import Match
from pli.record import read_record, replay, write_record
from pli.shuffling import seeded
from tests.tables import step

TwinitMatch = Match[State, TwinitView]
GAME = games.load("twinit")
rule = pytest.mark.rule


def match(seed: object = 1, **options: object) -> TwinitMatch:
    return Match(GAME, read_options(GAME, options), seeded(seed))


def tags(table: TwinitMatch, since: int) -> list[str]:
    return [str(event.__struct_config__.tag) for event in table.events(0, since)]


def pair_in_sight(table: TwinitMatch) -> tuple[int, int] | None:
    """Two open cards with the same motif, by the motif lookup."""
    motif_of, view = table.motif_of, table.view(0)
    assert motif_of is not None
    seen: dict[int, str] = {}
    for face in [*(lying.face for lying in view.table), *filter(None, view.tops)]:
        if other := seen.get(motif_of(face)):
            return int(other[:-1]), int(face[:-1])
        seen[motif_of(face)] = face
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
        view, motif_of = table.view(1), table.motif_of
        assert motif_of is not None
        assert view.taboo[0] == view.taboo[2] == []
        motifs = [motif_of(face) for face in view.taboo[1]]
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
        {"mode": "teams", "seats": 5, "taboo_team": 2},
        {"hand_ms": -1},
        {"hand_ms": 600_001},
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
    view, motif_of = table.view(0), table.motif_of
    assert motif_of is not None
    hidden = [face for face in view.tops if face]
    assert all(0 <= motif_of(face) < MOTIFS for face in [view.table[0].face, *hidden])
    card = view.table[0].face[:-1]
    with pytest.raises(KeyError):
        motif_of(f"{card}a")  # it was the top, and lies face down now
    with pytest.raises(KeyError):
        motif_of("134a")


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
        table.act(seat_number(table.view(0).turn), "flip")
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
        table.act(seat_number(table.view(0).turn), "flip")
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


@rule("TW-22", "TW-23", "TW-24")
@pytest.mark.parametrize(
    ("minute", "told"),
    [(60_000, [{"points": 1}, {"level": "beginners"}]), (2000, [{"points": 1}])],
)
def test_coop_ends_with_points_and_the_minute_with_a_level(
    minute: int, told: list[dict[str, object]]
) -> None:
    table = match(2, mode="coop", seats=2, minute_ms=minute)
    pair = pair_in_sight(table)
    assert pair is not None
    for card in pair:
        table.act(1, f"touch {card}")
    assert tags(table, len(table.steps) - 1) == ["touched", "caught"]
    table.wait(minute)
    assert table.over
    assert table.winners == []
    end = table.events(0, len(table.steps) - 1)
    assert [msgspec.structs.asdict(each) for each in end] == told
    assert table.view(0).level == ("beginners" if len(told) > 1 else None)


# Moves (TW-22a)


def moved(table: TwinitMatch, seat: int, card: int, place: int) -> list[dict[str, object]]:
    """What is told of it, the same to all."""
    since = len(table.steps)
    table.act(seat, f"move {card} to {place}")
    told = [list(table.events(who, since)) for who in (*range(table.seats), None)]
    assert all(each == told[0] for each in told)
    return [msgspec.to_builtins(each) for each in told[0]]


@rule("TW-22a")
def test_a_move_is_told_to_all_and_seen_by_all() -> None:
    table = match(5, mode="coop", seats=2)
    before = {each.face: each.place for each in table.view(None).table}
    assert sorted(before.values()) == list(range(CARDS))
    told = moved(table, 1, 57, 140)
    assert told == [{"event": "moved", "seat": 1, "card": 57, "place": 140}]
    for seat in (0, 1, None):
        after = {each.face: each.place for each in table.view(seat).table}
        assert after == {face: 140 if face[:-1] == "57" else at for face, at in before.items()}


@rule("TW-22a")
@pytest.mark.parametrize("mode", ["coop", "rush"])
def test_a_record_with_moves_replays_to_the_same_places(mode: str) -> None:
    table = match(6, mode=mode, seats=2)
    moved(table, 0, 57, 140)
    moved(table, 1, 134, 57)
    moved(table, 0, 57, 143)
    text = write_record(table)
    assert "move 134 to 57" in text
    again = replay(read_record(text))
    assert again.save() == table.save()
    assert again.view(0) == table.view(0)


@rule("TW-22a")
@pytest.mark.parametrize(("mode", "seats"), [("race", 3), ("teams", 5), ("coop", 2), ("rush", 3)])
def test_moves_are_not_listed_but_open_wherever_a_card_lies_free_and_a_place_is(
    mode: str, seats: int
) -> None:
    """All other actions that the check lets through are listed, and of listed ones it refuses a
    second hand alone that makes no pair."""
    table, rng = match(7, mode=mode, seats=seats, hand_ms=5000), random.Random(7)
    rules, notation, may_move = GAME.rules, GAME.notation, 0
    for _ in range(30):
        step(table, rng)
        if table.over:
            break
        view = table.view(0)
        lying = {int(each.face[:-1]): each.place for each in view.table}
        under = {hand.card for hands in view.hands for hand in hands}
        free = set(range(PLACES)) - set(lying.values()) if mode in ("coop", "rush") else set()
        for seat in range(seats):
            listed = set(table.legal(seat))
            codes = {
                notation.show(a): rules.codes[rules.check(table.state, seat, a, table.now)]
                for a in range(notation.single)
            }
            assert {text for text, code in codes.items() if code == "ok"} <= listed
            assert {codes[text] for text in listed} <= {"ok", "no_pair"}
        for card in rng.sample(range(CARDS), 20):
            for place in range(PLACES):
                is_open = card in lying and card not in under and place in free
                assert (table.refusal(0, f"move {card} to {place}") is None) == is_open
                may_move += is_open
    assert (may_move > 1000) == (mode in ("coop", "rush"))


def test_random_play_moves_cards_and_bots_never_do() -> None:
    """Otherwise what holds for random play would say nothing of moves."""
    coop = GAME.setup(read_options(GAME, {"mode": "coop", "seats": 2}))
    played = Playouts(GAME.rules, plain=True).play(coop, 3, seed=1)
    for state in played.states:
        lies = [spot - TABLE for spot in state["spot"].tolist()]
        assert any(place not in (card, OUT) for card, place in enumerate(lies) if place >= 0)
    table = match(8, mode="rush", seats=3, minute_ms=20_000)
    live = Live(table, [make_bot("hard", GAME, seat, 8) for seat in range(3)])
    while not table.over:
        live.step()
    assert live.accepted["touch"] > 0
    assert "move" not in live.accepted


@rule("TW-22a")
def test_a_move_to_a_place_that_was_taken_meanwhile_is_refused_and_not_void() -> None:
    table = match(9, mode="coop", seats=2)
    then = LAYOUT.load(table.save())
    table.act(0, "move 3 to 135")
    assert GAME.is_stale is not None
    assert not GAME.is_stale(then, table.state, 1, GAME.notation.parse("move 4 to 135"))
    assert table.refusal(1, "move 4 to 135") == "covered"


# Hands that lie too long (hand_ms)


def at_table(**options: object) -> TwinitMatch:
    """A race in which nothing that is touched makes a pair, but cards 0 and 1."""
    table = match(3, seats=4, first_player=0, **options)
    cards = [["sun", "b"], ["sun", "d"], *([f"x{n}", f"y{n}"] for n in range(10))]
    faces = [f"{n}a" for n in range(8)]
    table.place({"cards": cards, "table": faces, "piles": [["8a"], ["9a"], ["10a"], ["11a"]]})
    return table


def test_a_hand_that_lay_too_long_is_told_to_all() -> None:
    table = at_table(hand_ms=1500)
    table.act(2, "touch 4", 100)
    assert table.due == 1600
    since = len(table.steps)
    table.wait(1600)
    told = [list(table.events(seat, since)) for seat in (0, 1, 2, 3, None)]
    assert all(each == told[0] for each in told)
    assert msgspec.to_builtins(told[0]) == [{"event": "expired", "seat": 2, "card": 4}]
    assert table.due == NEVER


def test_a_count_is_over_before_a_hand_is_lifted_at_the_same_moment_the_lowest_seats_first() -> (
    None
):
    table = at_table(hand_ms=2000, count_ms=1000)
    table.act(3, "touch 5", 1000)
    table.act(2, "touch 4", 1000)
    table.act(0, "touch 0", 1900)
    table.act(1, "touch 1", 2000)
    since = len(table.steps)
    table.wait(3000)
    ticks = table.steps[since:]
    assert [step.given for step in ticks] == [Tick(3000)] * 3
    assert tags(table, since) == ["turned_over", "expired", "expired"]
    told = [msgspec.to_builtins(each) for each in table.events(0, since + 1)]
    assert [each["seat"] for each in told] == [2, 3]


def test_without_hand_ms_no_hand_is_ever_due() -> None:
    table = at_table()
    table.act(2, "touch 4", 100)
    assert table.due == NEVER


def test_no_timer_runs_when_the_game_is_over() -> None:
    table = match(2, mode="coop", seats=1, minute_ms=1000, hand_ms=5000)
    table.act(0, "touch 5", 10)
    table.wait(1000)
    assert table.over
    assert table.due == NEVER
    assert len(table.view(0).hands[0]) == 1


@pytest.mark.parametrize("mode", ["race", "teams", "coop", "rush"])
def test_bots_play_on_when_their_hands_are_lifted(mode: str) -> None:
    table = match(4, mode=mode, seats=4, hand_ms=120, minute_ms=30_000)
    live = Live(table, [make_bot("medium", GAME, seat, 4) for seat in range(4)])
    while not table.over and table.now < 120_000:
        live.step()
    assert tags(table, 0).count("expired") >= 2
    assert live.accepted["touch"] >= 10
    assert live.accepted["flip" if mode in ("race", "teams") else "turn"] > 20


# The taboo of the larger team


@rule("TW-20b")
def test_a_team_may_play_under_the_taboo_in_a_first_game() -> None:
    view = match(seats=5, mode="teams", taboo_team=0).view(0)
    assert list(map(len, view.taboo)) == [3, 0]
    assert view.piles[0] == 27 - 3


def test_which_options_are_house_rules_and_which_of_them_the_rulebook_prints() -> None:
    described = inspect.type_info(TwinitOptions)
    assert isinstance(described, inspect.StructType)
    fields = {field.name: field.type for field in described.fields}
    marks = {
        name: kind.extra for name, kind in fields.items() if isinstance(kind, inspect.Metadata)
    }
    house, printed = {"house": True}, {"house": True, "printed": True}
    assert marks == {"catches": printed, "minute_ms": printed, "count_ms": house, "hand_ms": house}


def test_no_card_is_out_of_play_in_a_game_that_was_dealt() -> None:
    assert OUT not in match().state.spot
