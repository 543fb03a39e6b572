"""A fault that is planted into a small game is found, named, and shown by a few actions."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest

from pli import games
from pli.game import Act, AnyGame, Event, Notation
from pli.kernel.bits import bit, full, lowest, size, to_list
from pli.kernel.contract import NEVER, Rules
from pli.kernel.refusals import OK
from pli.kernel.rule import rule
from pli.testing import CheckFailed, Failure, check_game
from tests import race
from tests.conftest import ROOT
from tests.outside import forgotten, fresh_folder
from tests.race import ACCUSE, GRAB, LAY, RACE, RULES, SEATS, TAKE, State


def game(rules: dict[str, Any] | None = None, **parts: Any) -> AnyGame:
    """The race with some of its parts exchanged."""
    changed = Rules(**{**vars(RULES), **(rules or {})})
    return type(RACE)(**{**vars(RACE), "rules": changed, **parts})


# Rules


@rule
def loses_a_card(s: State, seat: int, action: int, time: int) -> None:
    race.act(s, seat, action, time)
    if action == LAY + 3:
        s.laid &= ~bit(3)


@rule
def keeps_a_laid_card(s: State, seat: int, action: int, time: int) -> None:
    race.act(s, seat, action, time)
    if action == LAY + 4:
        s.hands[seat] |= bit(4)


@rule
def finds_a_card(s: State, seat: int, action: int, time: int) -> None:
    race.act(s, seat, action, time)
    if action == GRAB:
        s.laid |= bit(20)


@rule
def notes_who_was_refused(s: State, seat: int, action: int, time: int) -> int:
    code = race.check(s, seat, action, time)
    if code != OK and 0 <= seat < SEATS:
        s.took_last = (seat + 1) % SEATS
    return code


@rule
def knows_no_name(s: State, seat: int, action: int, time: int) -> int:
    return 99 if action == ACCUSE else race.check(s, seat, action, time)


@rule
def overflows(s: State, seat: int, action: int, time: int) -> None:
    race.act(s, seat, action, time)
    if action == TAKE and (time + (1 << 62)) * 2 > 0:
        s.took_last = (seat + 1) % SEATS


dice = random.Random(1)


@rule
def throws_dice(s: State, seat: int, action: int, time: int) -> None:
    race.act(s, seat, action, time)
    s.took_last = dice.randrange(SEATS)


@rule
def reaches_beyond(s: State, seat: int, action: int, time: int) -> None:
    race.act(s, seat, action, time)
    s.took_last = s.pile[99 if action == GRAB else 0] * 0


@rule
def does_not_fit(s: State, seat: int, action: int, time: int) -> None:
    race.act(s, seat, action, time)
    if action >= LAY:
        s.took_last = 300


@rule
def due_too_soon(s: State) -> int:
    due = race.due(s)
    return due if due >= race.END else due - race.WINDOW - 1000


@rule
def never_done(s: State) -> None:
    """A timer that stays."""


@rule
def never_full(s: State, order: Any) -> None:
    """A pile that is not made."""


@rule
def waits_for_nobody(s: State) -> int:
    return 0


@rule
def no_timer(s: State) -> int:
    return NEVER


@rule
def lists_what_is_not_held(s: State, seat: int, buffer: Any) -> int:
    n = race.legal(s, seat, buffer)
    if n:
        buffer[n] = LAY + lowest(~s.hands[seat] & full(race.CARDS))
    return n + 1 if n else 0


@rule
def lists_a_fault(s: State, seat: int, buffer: Any) -> int:
    """Who may accuse knows that there is somebody to accuse."""
    n = race.legal(s, seat, buffer)
    if n and s.culprit == race.NOBODY:
        buffer[2] = buffer[n - 1]
        return n - 1
    return n


@rule
def lists_twice(s: State, seat: int, buffer: Any) -> int:
    n = race.legal(s, seat, buffer)
    if n:
        buffer[n] = TAKE
    return n + 1 if n else 0


@rule
def wins_at_once(s: State) -> int:
    return bit(0)


@rule
def goes_on(s: State) -> int:
    return full(SEATS)


# What players see


def shows_a_hand(s: State, seat: int | None) -> race.RaceView:
    seen = race.view(s, seat)
    return msgspec.structs.replace(seen, laid=to_list(s.laid) + to_list(s.hands[0])[:1])


def changes_the_state(s: State, seat: int | None) -> race.RaceView:
    s.took_last = 0
    return race.view(s, seat)


def shows_another_seat(s: State, seat: int | None) -> race.RaceView:
    return msgspec.structs.replace(race.view(s, seat), seat=0)


def tells_cards(before: State, given: Any, after: State, seat: int | None) -> list[Event]:
    if not isinstance(given, Act):
        return []
    return [race.Moved(seat=given.seat, cards=sum(to_list(after.hands[given.seat])))]


def tells_each_another_thing(
    before: State, given: Any, after: State, seat: int | None
) -> list[Event]:
    return [race.Moved(seat=SEATS if seat is None else seat, cards=0)]


class Deaf(Notation):
    """Takes anything for the first of its actions."""

    def parse(self, text: str) -> int:
        return super().parse(text.strip()) if text.strip() else 0


TAKES = ["take", "grab", "accuse"]
NUMBERS = [str(i) for i in range(race.CARDS)]


# Options


class Modes(race.RaceOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    mode: Literal["short", "long"] = "short"


class Picky(race.RaceOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    length: Annotated[int, msgspec.Meta(ge=1, le=9)] = 5

    def __post_init__(self) -> None:
        if self.length == 9:
            raise ValueError("too long")


def knows_short_games(options: Any) -> State:
    return {"short": race.setup}[options.mode](options)


def places_nothing(s: State, values: Any) -> None:
    raise KeyError("hands")


def chooses_by_chance(view: Any, actions: Any) -> str:
    return str(dice.choice(actions))


@dataclass(frozen=True)
class Planted:
    game: AnyGame
    property: str
    code: str
    look: str
    most: int = 4
    """Actions that it may take to show it."""

    def __str__(self) -> str:
        return f"{self.property}-{self.code}-{self.look}"


PLANTED = [
    Planted(game({"act": loses_a_card}), "cards", "card_lost", "rules.act"),
    Planted(game({"act": keeps_a_laid_card}), "cards", "card_twice", "rules.act", 5),
    Planted(game({"act": finds_a_card}), "cards", "card_added", "rules.act", 1),
    Planted(
        game(zones=replace(RACE.zones, unseen=lambda s, seat: [])),  # type: ignore[type-var]
        *("cards", "zones_hide_nothing", "zones", 0),
    ),
    Planted(game(zones=None), "cards", "zones_missing", "zones", 0),
    Planted(game({"check": notes_who_was_refused}), "refusals", "refusal_changes", "rules.check"),
    Planted(game({"check": knows_no_name}), "play", "no_code", "rules.refusals", 1),
    Planted(game({"act": throws_dice}), "records", "replay_differs", "rules.act", 2),
    Planted(game({"act": throws_dice}), "saving", "undo_differs", "rules.act", 2),
    Planted(game({"act": reaches_beyond}), "play", "raises", "rules.act", 1),
    Planted(game({"act": does_not_fit}), "play", "raises", "rules.act"),
    Planted(game({"due": due_too_soon}), "timers", "timer_past", "rules.due", 1),
    Planted(game({"tick": never_done}), "play", "timer_stuck", "rules.tick", 250),
    Planted(game({"give": never_full}), "options", "shuffles_endless", "rules.give", 0),
    Planted(
        game({"actors": waits_for_nobody, "due": no_timer}), "play", "stuck", "rules.actors", 0
    ),
    Planted(
        game({"legal": lists_what_is_not_held, "room": 20}),
        *("legal", "listed_but_refused", "rules.legal", 0),
    ),
    Planted(game({"legal": lists_a_fault}), "legal", "legal_leaks", "rules.legal", 1),
    Planted(game({"legal": lists_twice, "room": 20}), "legal", "listed_twice", "rules.legal", 0),
    Planted(game({"room": 4}), "play", "raises", "rules.legal", 3),
    Planted(game({"winners": wins_at_once}), "play", "winners_too_soon", "rules.winners", 0),
    Planted(game({"actors": goes_on}), "play", "actors_after_end", "rules.actors", 250),
    Planted(game(view=shows_a_hand), "views", "view_leaks", "view", 1),
    Planted(game(view=changes_the_state), "views", "changes_state", "view", 1),
    Planted(game(view=shows_another_seat), "views", "view_field", "view", 0),
    Planted(game(view=lambda s, seat: None), "views", "raises", "views", 0),
    Planted(game(board=lambda view: None), "views", "no_board", "board", 0),
    Planted(game(own=lambda s, seat: {"seat": seat}), "views", "own_differs", "own", 1),
    Planted(game(events=tells_cards), "events", "events_leak", "events", 1),
    Planted(
        game(events=tells_each_another_thing, private=()), "events", "events_private", "private", 0
    ),
    Planted(
        game(notation=Notation(("", TAKES), ("lay", ["1", *NUMBERS[1:]]))),
        *("notation", "text_twice", "notation", 0),
    ),
    Planted(
        game(notation=Notation(("", TAKES), ("lay ", NUMBERS))),
        *("notation", "text_form", "notation", 0),
    ),
    Planted(
        game(notation=Deaf(("", TAKES), ("lay", NUMBERS))),
        *("notation", "text_differs", "notation", 0),
    ),
    Planted(
        game(shuffled=lambda s: ["card"] * size(s.laid)),
        *("notation", "shuffled_names", "shuffled", 0),
    ),
    Planted(
        game(shuffled=lambda s: [str(card) for card in range(3)]),
        *("notation", "shuffled_count", "shuffled", 0),
    ),
    Planted(game(options=Modes, setup=knows_short_games), "options", "raises", "setup", 0),
    Planted(game(options=Picky), "options", "option_raises", "options", 0),
    Planted(game(place=places_nothing), "positions", "position_raises", "place", 0),
    Planted(game(heuristic=chooses_by_chance), "bots", "bot_knows", "heuristic", 0),
    Planted(game({"act": reaches_beyond}), "fuzz", "raises", "rules", 0),
]


COMPILED = [
    Planted(game({"act": overflows}), "compiled", "compiled_differs", "rules.act", 1),
    Planted(game({"act": throws_dice}), "compiled", "does_not_compile", "rules.act", 0),
]


def found(planted: Planted, **more: Any) -> Failure:
    """The failure of the property for which the fault was planted; others may come of it too."""
    with pytest.raises(CheckFailed) as caught:
        check_game(planted.game, properties=[planted.property], **more)
    return next(each for each in caught.value.failures if each.property == planted.property)


def is_told(failure: Failure, planted: Planted) -> None:
    wanted = planted.property, planted.code, planted.look
    assert (failure.property, failure.code, failure.look) == wanted
    assert len(failure.moves) <= planted.most
    for language in ("en", "fr", "es"):
        first, *_ = failure.text(language).splitlines()
        assert first.startswith(f"{planted.game.name}, {planted.property}: ")
        assert planted.look in failure.text(language)


@pytest.mark.parametrize("planted", PLANTED, ids=str)
def test_a_planted_fault_is_found_and_named(planted: Planted) -> None:
    is_told(found(planted, compiled=False), planted)


@pytest.mark.parametrize("planted", COMPILED, ids=str)
def test_what_compiled_rules_do_otherwise_is_found(planted: Planted) -> None:
    is_told(found(planted, games=1), planted)


def test_without_a_fault_nothing_is_found() -> None:
    assert all(each.holds for each in check_game(RACE, compiled=False))


# In a game with observations and search


@pytest.fixture
def hearts() -> Iterator[AnyGame]:
    with forgotten():
        games.add(ROOT / "examples" / "hearts")
        yield games.load("hearts")


def changed(of: AnyGame, **parts: Any) -> AnyGame:
    return type(of)(**{**vars(of), **parts})


def observing(of: AnyGame, **parts: Any) -> AnyGame:
    assert of.observation is not None
    return changed(of, observation=replace(of.observation, **parts))


def test_an_observation_that_leaks_is_found(hearts: AnyGame) -> None:
    declared: Any = hearts.observation

    def leaking(s: Any, m: Any, seat: int, out: Any, at: int) -> int:
        end = declared.look(s, m, seat, out, at)
        out[at] = s.hands[(seat + 1) % 4] % 101
        return int(end)

    planted = Planted(
        observing(hearts, look=leaking),
        *("observations", "observation_leaks", "observation.look", 0),
    )
    is_told(found(planted, compiled=False, games=4), planted)


def test_a_mask_that_forbids_what_is_legal_is_found(hearts: AnyGame) -> None:
    declared: Any = hearts.observation

    def strict(s: Any, seat: int, out: Any, at: int) -> int:
        count = int(declared.mask(s, seat, out, at))
        if count:
            out[out.index(1, at)] = 0
        return max(count - 1, 0)

    planted = Planted(
        observing(hearts, mask=strict), "observations", "mask_differs", "observation.mask", 0
    )
    is_told(found(planted, compiled=False, games=4), planted)


def test_a_belief_that_is_wrong_is_found(hearts: AnyGame) -> None:
    make: Any = hearts.belief

    class Forgetful:
        """Has lost count of the points."""

        def __init__(self) -> None:
            self._belief = make()

        def see(self, events: Any, view: Any) -> None:
            self._belief.see(events, view)

        def infer(self, view: Any) -> Any:
            state, unseen = self._belief.infer(view)
            state.scores[0] += 1
            return state, unseen

    planted = Planted(changed(hearts, belief=Forgetful), "beliefs", "belief_differs", "belief", 0)
    is_told(found(planted, compiled=False, games=4), planted)


def test_a_search_that_would_never_end_is_found_before_it_begins(hearts: AnyGame) -> None:
    """A state that has not the points that end the game."""

    make: Any = hearts.belief

    class Endless:
        def __init__(self) -> None:
            self._belief = make()

        def see(self, events: Any, view: Any) -> None:
            self._belief.see(events, view)

        def infer(self, view: Any) -> Any:
            state, unseen = self._belief.infer(view)
            state.target = 30_000
            return state, unseen

    def view(s: Any, seat: int | None) -> Any:
        """It does not tell them."""
        return msgspec.structs.replace(hearts.view(s, seat), target=0)

    unseen = changed(hearts, belief=Endless, view=view)
    planted = Planted(unseen, "bots", "belief_forgets", "belief", 0)
    is_told(found(planted, compiled=False, games=1), planted)


# In a folder


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    with fresh_folder(tmp_path):
        yield tmp_path / "switch"


@pytest.mark.parametrize(
    ("file", "before", "after", "code", "named", "translated"),
    [
        ("en.toml", 'no_match = "That', 'other = "That', "text_missing", "errors.no_match", False),
        ("en.toml", "drew.other", "drew.others", "text_missing", "events.drew.other", False),
        (
            "en.toml",
            "[options.target]",
            "[options.aim]",
            "text_missing",
            "options.target.label",
            False,
        ),
        ("en.toml", "{seat} passes.", "{who} passes.", "text_places", "events.passed.other", False),
        ("en.toml", "[prompts]", '[prompts]\nmore = "More"', "text_missing", "prompts.more", True),
        ("fr.toml", "{seat} passes.", "Il passe.", "text_places", "events.passed.other", True),
    ],
)
def test_what_is_wrong_with_a_text_is_found(
    folder: Path, file: str, before: str, after: str, code: str, named: str, translated: bool
) -> None:
    texts = folder / "texts"
    if translated:
        (texts / "fr.toml").write_text((texts / "en.toml").read_text())
    assert before in (texts / file).read_text()
    (texts / file).write_text((texts / file).read_text().replace(before, after))
    with pytest.raises(CheckFailed) as caught:
        check_game(folder, properties=["texts"])
    failure = caught.value.failure
    assert (failure.code, failure.details["key"]) == (code, named)


def test_a_fault_in_a_folder_is_told_with_its_file_and_line(folder: Path) -> None:
    code = (folder / "__init__.py").read_text()
    wrong = code.replace("cards=[size(s.hands[each])", "cards=[s.hands[each] & 1")
    (folder / "__init__.py").write_text(wrong)
    with pytest.raises(CheckFailed) as caught:
        check_game(folder, compiled=False, games=1)
    line = wrong.splitlines().index("def view(s: State, seat: Seat) -> SwitchView:") + 1
    told = str(caught.value)
    assert told.startswith("switch, views: the view changes with cards that its seat can't see")
    assert f"look at: view ({folder / '__init__.py'}:{line})" in told
    failure = caught.value.failure
    assert failure.options is not None
    again = msgspec.structs.asdict(failure.options)
    assert f"options={again}, games=1, seed={failure.seed})" in told


# What is said


def test_a_failure_is_told_in_full() -> None:
    planted = PLANTED[0]
    failure = found(planted, compiled=False)
    *others, (seat, action) = [(move.seat, move.action) for move in failure.moves]
    assert action == "lay 3"
    assert {seat for seat, _ in others} == {seat}
    assert failure.text().splitlines() == [
        "race, cards: the card 3 is nowhere any more",
        "  options: seats=3",
        f"  seed: {failure.seed}",
        f"  seat: {seat}",
        f"  after: {'; '.join(map(str, failure.moves))}",
        "  look at: rules.act",
        '  again: check_game("race", properties=["cards"], options={\'seats\': 3}, games=1, '
        f"seed={failure.seed})",
    ]
    assert failure.match is not None
    assert [each.given.action for each in failure.match.steps if isinstance(each.given, Act)]


def test_what_is_told_to_be_done_again_fails_again() -> None:
    for planted in PLANTED[:4]:
        failure = found(planted, compiled=False)
        if failure.options is not None:
            given = {"options": msgspec.structs.asdict(failure.options), "seed": failure.seed}
            again = found(planted, compiled=False, games=1, **given)
            assert (again.code, again.moves) == (failure.code, failure.moves)


def test_the_same_seed_finds_the_same() -> None:
    one, other = (found(PLANTED[1], compiled=False) for _ in range(2))
    assert one == other
