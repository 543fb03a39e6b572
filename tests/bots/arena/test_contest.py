"""Bots against each other: fair seats, the same deals, the same results however they are played."""

import time
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import replace
from math import log10
from multiprocessing import active_children
from typing import Any, ClassVar

import pytest

from pli import games
from pli.bots import HeuristicPolicy, Moment, PolicyBot, RandomBot, live
from pli.bots.arena import Contest, LineUp, Results, compare, contest, line_up
from pli.bots.arena.contest import GameResult, TimedBot, blocks, play
from pli.errors import PliError
from pli.game import AnyGame, read_options
from pli.processes import check_cancelled, map_unordered

PLINGO = games.load("plingo")
HERE = "tests.bots.arena.test_contest"


def lined_up(*names: str, game: AnyGame = PLINGO, seed: object = 0, **options: object) -> LineUp:
    return line_up(game, read_options(game, options), names, seed)


class First:
    """Always the first action, leaving nothing to chance; remembers the hands that were dealt."""

    watches = False
    dealt: ClassVar[list[tuple[str, int, list[str]]]] = []

    def __init__(self, game: AnyGame, seat: int, seed: object) -> None:
        self.seat = seat
        self.asked = False

    def choose(self, moment: Moment[Any]) -> str:
        if not self.asked:
            self.dealt.append((type(self).__name__, self.seat, sorted(moment.view.hand)))
        self.asked = True
        return moment.actions[0]


class AlsoFirst(First):
    """The same under another name."""


class Uniform(RandomBot):
    """A random bot under another name."""

    def __init__(self, game: AnyGame, seat: int, seed: object) -> None:
        super().__init__(f"{seed} uniform")


class Slow(RandomBot):
    def choose(self, moment: Moment[Any]) -> str | None:
        time.sleep(0.002)
        return super().choose(moment)


class Sulking:
    """Does nothing any more after a while."""

    watches = False
    patience = 5

    def choose(self, moment: Moment[Any]) -> str | None:
        self.patience -= 1
        return moment.actions[0] if self.patience > 0 else None


FIRST, ALSO_FIRST, UNIFORM = f"{HERE}:First", f"{HERE}:AlsoFirst", f"{HERE}:Uniform"


@pytest.fixture(autouse=True)
def _forget() -> None:
    First.dealt.clear()


# Who sits where


def test_the_last_bot_named_fills_up() -> None:
    assert lined_up("medium", "random").bots == ("medium", "random", "random", "random")
    assert lined_up("medium", " easy ", seats=3).bots == ("medium", "easy", "easy")
    assert lined_up("medium", "random").kinds == ("medium", "random")


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (["random"] * 5, "too_many_bots"),
        (["random", "nobody"], "unknown_bot"),
        ([""], "unknown_bot"),
    ],
)
def test_a_line_up_that_cannot_be_is_refused(names: list[str], code: str) -> None:
    with pytest.raises(PliError) as caught:
        lined_up(*names)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("bots", "rotations"),
    [
        ("abbb", ["abbb", "babb", "bbab", "bbba"]),
        ("aabb", ["aabb", "baab", "bbaa", "abba"]),
        ("abab", ["abab", "baba"]),
        ("abc", ["abc", "cab", "bca"]),
        ("aaaa", ["aaaa"]),
    ],
)
def test_a_deal_is_played_with_every_rotation_that_differs(bots: str, rotations: list[str]) -> None:
    line = LineUp("", None, tuple(bots))
    assert line.rotations == [tuple(each) for each in rotations]
    for kind in line.kinds:
        for seat in range(len(bots)):
            had = sum(each[seat] == kind for each in line.rotations)
            assert had / len(line.rotations) == line.even(kind)


@pytest.mark.parametrize("game", ["plingo", "marshmallow"])
def test_every_bot_sits_everywhere_with_the_same_deal(game: str) -> None:
    line = lined_up(FIRST, ALSO_FIRST, game=games.load(game), seats=3)
    contest._warm_up(line)
    hands = []
    for block in (0, 1):
        First.dealt.clear()
        for number in range(3 * block, 3 * block + 3):
            play(line, number)
        dealt: dict[int, list[list[str]]] = {0: [], 1: [], 2: []}
        for _, seat, hand in First.dealt:
            dealt[seat].append(hand)
        assert sorted(seat for name, seat, _ in First.dealt if name == "First") == [0, 1, 2]
        for same in dealt.values():
            assert len(same) == 3
            assert same[0] == same[1] == same[2]
        hands.append({seat: same[0] for seat, same in dealt.items()})
    assert hands[0] != hands[1]


@pytest.mark.parametrize("game", ["plingo", "marshmallow"])
def test_equal_bots_that_leave_nothing_to_chance_have_exactly_their_even_share(game: str) -> None:
    """Whoever wins a deal wins it from one seat, and everybody sits there once."""
    for names in ([FIRST, ALSO_FIRST], [FIRST, ALSO_FIRST, FIRST], [FIRST, FIRST, ALSO_FIRST]):
        line = lined_up(*names, game=games.load(game), seats=3)
        for block in blocks(line, 3):
            won = sum(played.parts[0] for played in block)
            assert won / len(block) == pytest.approx(line.even(FIRST))


def test_equal_bots_have_their_even_share_within_the_interval() -> None:
    found = compare("plingo", f"random,{UNIFORM}", games=160, seats=2, seed=1)
    for kind in found.kinds:
        assert kind.even == 0.5
        assert kind.share.low <= kind.even <= kind.share.high
        assert kind.share.high - kind.share.low < 0.2
    assert found.kinds[0].elo is not None
    assert found.kinds[0].elo.low < 0 < found.kinds[0].elo.high


def test_the_better_bot_has_more_than_its_share_wherever_it_is_named() -> None:
    for bots, better, worse in (("medium,random", 0, 1), ("random,medium", 1, 0)):
        found = compare("plingo", bots, games=60, seed=2)
        assert found.kinds[better].share.low > 0.25 > found.kinds[worse].share.high
        rated = found.kinds[0].elo
        assert rated is not None
        assert (rated.low > 0) == (better == 0)
        assert found.kinds[1].elo is None


# What is counted


def test_wins_are_divided_and_add_up_and_games_are_rounded_up_to_whole_deals() -> None:
    found = compare("plingo", "medium,random,easy", games=21, seats=4)
    assert (found.games, found.blocks, found.unfinished) == (24, 6, 0)
    assert sum(kind.wins for kind in found.kinds) == pytest.approx(24)
    for kind in found.kinds:
        assert kind.games == 24
        assert kind.share.value == pytest.approx(kind.wins / 24 / kind.seats)
    assert [kind.seats for kind in found.kinds] == [1, 1, 2]
    assert 20 < found.actions < 400


def test_elo_is_between_seats_not_between_sides() -> None:
    found = compare("plingo", "medium,random,random,easy", games=40)
    _, field, _ = found.kinds
    for kind in (found.kinds[0], found.kinds[2]):
        assert kind.elo is not None
        ratio = kind.share.value / field.share.value
        assert kind.elo.value == pytest.approx(400 * log10(ratio))


def test_a_shared_win_is_divided_among_its_winners(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pli.match.Match.winners", [1, 2])
    line = lined_up("random", UNIFORM, seats=3)
    assert [play(line, number).parts for number in range(3)] == [(0, 1), (0.5, 0.5), (0.5, 0.5)]


def test_a_game_without_an_end_is_shared_by_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "TRIES", 20)
    assert play(lined_up("medium", "random"), 0).parts == (0.25, 0.75)
    found = compare("plingo", "medium,random", games=4)
    assert (found.unfinished, found.actions) == (4, 20)
    assert [kind.share.value for kind in found.kinds] == [0.25, 0.25]


def test_games_in_which_time_matters_are_played_as_well() -> None:
    found = compare("merci", "medium,easy", games=4, seats=4)
    assert found.games == 4
    assert found.minutes > 1


def test_one_kind_alone_has_its_even_share_and_no_elo() -> None:
    (kind,) = compare("plingo", "random", games=5).kinds
    assert (kind.seats, kind.games, kind.elo) == (4, 5, None)
    assert kind.share.low == kind.share.value == kind.share.high == 0.25


def test_thinking_is_timed_for_each_kind() -> None:
    found = compare("plingo", f"{HERE}:Slow,random", games=4)
    slow, fast = (kind.ms or 0.0 for kind in found.kinds)
    assert slow >= 2 > fast > 0
    assert found.kinds[1].decisions > found.kinds[0].decisions > 10


def test_what_else_is_asked_of_a_bot_is_its_own() -> None:
    """Oracles are let look by their decider."""
    decider = HeuristicPolicy(None, 1)
    assert TimedBot(PolicyBot(decider)).policy is decider
    assert TimedBot(RandomBot()).watches is False
    with pytest.raises(AttributeError):
        _ = TimedBot(RandomBot()).policy


def test_a_bot_that_does_nothing_any_more_is_an_error_not_a_draw() -> None:
    for processes in (1, 2):
        with pytest.raises(PliError) as caught:
            compare("plingo", f"random,{HERE}:Sulking", games=4, processes=processes)
        assert caught.value.code == "nobody_acts"


# The same however it is played


def timeless(found: Results) -> Results:
    return replace(found, kinds=tuple(replace(kind, ms=None) for kind in found.kinds))


def backwards(job: Any, count: int, processes: int) -> Generator[GameResult, None, None]:
    """The last game is done first."""
    yield from reversed([job(number) for number in range(count)])


def test_results_depend_neither_on_the_processes_nor_on_their_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def found(processes: int, seed: int = 3) -> Results:
        bots = "medium,random,easy"
        return timeless(compare("plingo", bots, games=24, seed=seed, processes=processes))

    one = found(1)
    assert found(2) == one
    assert found(1, seed=4) != one
    monkeypatch.setattr(contest, "map_unordered", backwards)
    assert found(1) == one


def test_blocks_come_in_order_and_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contest, "map_unordered", backwards)
    heard: list[int] = []
    found = list(blocks(lined_up("medium", "random", seats=3), 4, 1, lambda: heard.append(1)))
    assert [[game.number for game in block] for block in found] == [
        [3 * n, 3 * n + 1, 3 * n + 2] for n in range(4)
    ]
    assert len(heard) == 12


def test_a_contest_that_is_interrupted_has_the_whole_blocks_so_far() -> None:
    contest = Contest(lined_up("medium", "random"), 400)
    heard: list[int] = []

    def interrupted() -> None:
        heard.append(1)
        if len(heard) == 11:
            raise KeyboardInterrupt

    assert contest.results().games == 0
    with pytest.raises(KeyboardInterrupt):
        contest.run(interrupted)
    found = contest.results()
    assert (found.blocks, found.games) == (2, 8)
    assert contest.leading == pytest.approx(found.kinds[0].share.value)


def unless_stopped(number: int) -> int:
    """A job that goes on for a minute, but for the first."""
    ends = time.monotonic() + (60 if number else 0)
    while time.monotonic() < ends:
        check_cancelled()
        time.sleep(0.01)
    return number


def test_what_nobody_waits_for_any_more_is_not_played_on() -> None:
    before = set(active_children())
    with closing(map_unordered(unless_stopped, 9, 2)) as found:
        assert next(found) == 0
        workers = set(active_children()) - before
    ends = time.monotonic() + 30
    while workers & set(active_children()) and time.monotonic() < ends:
        time.sleep(0.1)
    assert workers
    assert not workers & set(active_children())


# Until it is decided


def test_a_contest_ends_when_it_is_decided_wherever_it_is_played() -> None:
    line = lined_up("medium", "random")
    one, two = (Contest(line, 400, n, until_decided=True).run() for n in (1, 2))
    assert one.decided == "better"
    assert one.games < 200
    assert timeless(one) == timeless(two)
    assert one.anytime is not None
    assert 0.25 < one.anytime.low < one.kinds[0].share.value < one.anytime.high
    # A block less, and it would not have been decided.
    sooner = Contest(line, one.games - 4, until_decided=True).run()
    assert (sooner.decided, sooner.blocks) == (None, one.blocks - 1)


def test_it_is_decided_against_the_first_bot_as_well() -> None:
    assert compare("plingo", "random,medium", games=400, until_decided=True).decided == "worse"


def test_equal_bots_are_found_even_where_a_wide_margin_is_enough() -> None:
    """A block's part never varies here, so that few are needed."""
    bots = f"{FIRST},{ALSO_FIRST}"
    found = compare("plingo", bots, games=600, seats=2, until_decided=True, margin=0.2)
    assert found.decided == "even"
    assert found.games < 100


def test_of_one_kind_there_is_nothing_to_decide() -> None:
    with pytest.raises(PliError) as caught:
        compare("plingo", "random", until_decided=True)
    assert caught.value.code == "one_kind"


def test_nothing_is_played_on_when_it_is_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []

    def counted(job: Any, count: int, processes: int) -> Iterator[GameResult]:
        for number in range(count):
            played.append(number)
            yield job(number)

    monkeypatch.setattr(contest, "map_unordered", counted)
    found = compare("plingo", "medium,random", games=400, until_decided=True)
    assert len(played) == found.games < 400
