"""Workers that think: real processes, which are killed, stopped, kept waiting and asked again."""

import asyncio
import os
import pickle
import pickletools
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

import pli
from pli.bots import Moment
from pli.bots.thinking import Question
from pli.bots.thought import Thought, simple
from pli.bots.workers import PATIENCE, Thinkers
from pli.match import Match

LONG = 300.0
"""Seconds: for those who may have to compile, on a busy machine."""

SEARCH, ENDLESS = "search:200", "search:1000000000"
STUBBORN = f"{__name__}:Stubborn"
SLACK = 2.0
"""Seconds that a busy machine may be late."""

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are sent another way there")


class Stubborn:
    """A bot that does not listen."""

    watches = False

    def choose(self, moment: Moment) -> str:
        time.sleep(3600)
        return moment.actions[0]


def question(bot: str = SEARCH, number: int = 0, match: Match | None = None) -> Question:
    """Of the seat on turn: by default of a new game's first card."""
    match = match or pli.new("marshmallow", seed=5)
    seat = match.actors[0]
    return Question(
        match.game.name, bot, seat, "tests", number, match.view(seat), list(match.events(seat)),
        match.legal(seat),
    )  # fmt: skip


@pytest.fixture(scope="module")
def shared() -> Iterator[Thinkers]:
    """One worker, so that everybody must wait for it."""
    with Thinkers(1) as thinkers:
        assert thinkers.ask(question(), LONG).result() in question().actions
        yield thinkers


@pytest.fixture
def one(shared: Thinkers) -> Thinkers:
    """The same, with nothing to do."""
    until(lambda: [*shared.pids.values()] == ["idle"])
    return shared


def until(true: Callable[[], bool]) -> None:
    ends = time.monotonic() + LONG
    while not true():
        assert time.monotonic() < ends
        time.sleep(0.01)


def busy(thinkers: Thinkers, bot: str = ENDLESS, deadline: float = LONG) -> Thought:
    """A question that a worker thinks about now."""
    thought = thinkers.ask(question(bot), deadline)
    until(lambda: "thinking" in thinkers.pids.values())
    return thought


def gone(pid: int) -> bool:
    """Ended, and forgotten by the system as well."""
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        return False
    return True


# Answers


@pytest.mark.parametrize("bot", ["random", "easy", "medium", SEARCH, "flat:5"])
def test_any_bot_that_does_not_cheat_can_be_asked(one: Thinkers, bot: str) -> None:
    thought = one.ask(question(bot), LONG)
    assert thought.result() in question().actions
    assert thought.how == "thought"


@pytest.mark.parametrize("bot", ["oracle:5", "nonsense", "search:0"])
def test_who_can_not_think_answers_simply(one: Thinkers, bot: str) -> None:
    thought = one.ask(question(bot), LONG)
    assert thought.result() == simple(question())
    assert thought.how == "failed"


def test_without_a_choice_nobody_is_asked() -> None:
    thinkers = Thinkers(1)
    asked = question()
    only = Question("marshmallow", SEARCH, 0, "", 0, asked.view, asked.events, ["play B7"])
    assert thinkers.ask(only, LONG).result(0) == "play B7"
    assert thinkers.pids == {}
    thinkers.close()


def test_a_fresh_pool_gives_the_same_answers(one: Thinkers) -> None:
    asked = [question(bot, number) for bot in (SEARCH, "easy", "random") for number in range(6)]
    first = [one.ask(each, LONG).result() for each in asked]
    assert len(set(first)) > 1
    with Thinkers(2) as fresh:
        thoughts = [fresh.ask(each, LONG) for each in reversed(asked)]
        assert [thought.result() for thought in reversed(thoughts)] == first
        assert {thought.how for thought in thoughts} == {"thought"}


def test_games_are_made_ready_before_anybody_asks() -> None:
    with Thinkers(1, ["marshmallow"]) as thinkers:
        until(lambda: "warming" in thinkers.pids.values())
        until(lambda: "idle" in thinkers.pids.values())
        thought = thinkers.ask(question(), 10.0)
        thought.result()
        assert thought.how == "thought"


def test_questions_are_answered_in_the_order_asked(one: Thinkers) -> None:
    answered: list[int] = []
    first = busy(one)
    for number in range(8):
        thought = one.ask(question(SEARCH if number % 3 else "random", number), LONG)
        thought.add_done_callback(partial(lambda number, _: answered.append(number), number))
    first.cancel()
    until(lambda: len(answered) == 8)
    assert answered == [*range(8)]


def test_a_question_holds_a_view_and_events_and_nothing_else() -> None:
    match = pli.new("marshmallow", seed=5)
    for _ in range(9):
        match.act(match.actors[0], match.legal(match.actors[0])[0])
    sent = pickletools.genops(pickle.dumps(question(match=match), protocol=2))
    named = {str(value) for code, value, _ in sent if code.name == "GLOBAL"}
    assert {each.split()[-1] for each in named if each.startswith("pli.")} == {
        *("Question", "MarshmallowView", "Laid", "Seated", "Dealt", "Played", "Took"),
    }


# Accidents


def test_a_worker_killed_while_it_thinks_is_replaced_at_once(one: Thinkers) -> None:
    thought = busy(one)
    (killed,) = one.pids
    began = time.monotonic()
    os.kill(killed, signal.SIGKILL)
    assert thought.result() == simple(question())
    assert thought.how == "died"
    assert time.monotonic() - began < SLACK
    again = one.ask(question(), LONG)
    assert again.result() in question().actions
    assert again.how == "thought"
    assert killed not in one.pids
    assert gone(killed)


def test_a_game_goes_on_over_dead_workers() -> None:
    match = pli.new("marshmallow", seed=5, target=4)
    how = []
    with Thinkers(2) as thinkers:
        thinkers.ask(question(), LONG).result()
        while not match.over:
            number = len(match.steps)
            accident = number in (12, 20, 21)
            thought = thinkers.ask(question(ENDLESS if accident else SEARCH, number, match), LONG)
            if accident and not thought.done():
                until(lambda: "thinking" in thinkers.pids.values())
                for pid in thinkers.pids:
                    os.kill(pid, signal.SIGKILL)
            match.act(match.actors[0], thought.result())
            how.append(thought.how)
    assert 1 <= how.count("died") <= 3
    assert set(how) <= {"thought", "only", "died"}


def test_a_worker_that_hangs_is_replaced_after_the_deadline(one: Thinkers) -> None:
    thought = busy(one, deadline=SLACK)
    (hanging,) = one.pids
    os.kill(hanging, signal.SIGSTOP)
    assert thought.result() == simple(question())
    assert thought.how == "late"
    assert one.ask(question(), LONG).result() in question().actions
    assert gone(hanging)


def test_a_worker_that_hangs_before_it_is_asked_is_replaced_too(one: Thinkers) -> None:
    """The question is longer than what fits between two processes."""
    (hanging,) = one.pids
    os.kill(hanging, signal.SIGSTOP)
    asked = question()
    long = Question(
        "marshmallow", SEARCH, asked.seat, "x" * 3_000_000, 0, asked.view, asked.events,
        asked.actions,
    )  # fmt: skip
    began = time.monotonic()
    thought = one.ask(long, LONG)
    assert thought.result() == simple(asked)
    assert time.monotonic() - began < PATIENCE + SLACK
    again = one.ask(long, LONG)
    assert again.result() in asked.actions
    assert again.how == "thought"
    assert gone(hanging)


def test_a_search_makes_do_with_what_it_has_at_the_deadline(one: Thinkers) -> None:
    began = time.monotonic()
    thought = one.ask(question(ENDLESS), 3.0)
    thought.result()
    assert thought.how == "thought"
    assert time.monotonic() - began < 3.0 + SLACK


def test_who_does_not_stop_is_replaced_and_the_others_go_on(one: Thinkers) -> None:
    (pid,) = one.pids
    began = time.monotonic()
    stuck, next_one = one.ask(question(STUBBORN), 0.5), one.ask(question(), LONG)
    assert stuck.result() == simple(question())
    assert stuck.how == "late"
    assert 0.5 <= time.monotonic() - began < 0.5 + SLACK
    assert next_one.result() in question().actions
    assert next_one.how == "thought"
    assert pid not in one.pids


def test_the_deadline_holds_for_those_that_wait_their_turn(one: Thinkers) -> None:
    first = busy(one)
    began = time.monotonic()
    waiting = one.ask(question(), 0.5)
    assert waiting.result() == simple(question())
    assert waiting.how == "late"
    assert time.monotonic() - began < 0.5 + SLACK
    assert not first.done()
    first.hurry()
    assert first.how == "hurried"


def test_nobody_is_replaced_for_compiling(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Or else it would never be done where deadlines are short."""
    monkeypatch.setenv("PLI_CACHE_DIR", str(tmp_path))
    with Thinkers(1) as thinkers:
        until(lambda: "idle" in thinkers.pids.values())
        (pid,) = thinkers.pids
        early = thinkers.ask(question(), 1.0)
        assert early.result() == simple(question())
        assert early.how == "late"
        later = thinkers.ask(question(), LONG)
        assert later.result() in question().actions
        assert later.how == "thought"
        assert [*thinkers.pids] == [pid]


# Cancellation


def test_a_cancelled_question_frees_its_worker(one: Thinkers) -> None:
    thought = busy(one)
    pids = one.pids.keys()
    assert thought.cancel()
    with pytest.raises(CancelledError):
        thought.result()
    assert one.ask(question(), LONG).result() in question().actions
    assert one.pids.keys() == pids


def test_who_is_in_a_hurry_gets_a_simple_answer_at_once(one: Thinkers) -> None:
    thought = busy(one)
    thought.hurry()
    assert thought.result(0) == simple(question())
    assert one.ask(question(), LONG).result() in question().actions


def test_tasks_wait_for_answers_and_can_be_cancelled(one: Thinkers) -> None:
    async def play() -> list[str]:
        long = asyncio.create_task(one.answer(question(ENDLESS), LONG))
        await asyncio.sleep(0.2)
        long.cancel()
        with pytest.raises(asyncio.CancelledError):
            await long
        asked = [one.answer(question(number=number), LONG) for number in range(3)]
        return await asyncio.gather(*asked)

    assert asyncio.run(play()) == [
        one.ask(question(number=number), LONG).result() for number in range(3)
    ]


# Rankings


def test_a_ranking_is_asked_for_like_an_action(one: Thinkers) -> None:
    found = asyncio.run(one.rank(question(), LONG))
    assert {action for action, _ in found} == {*question().actions}
    assert all(0 <= chance <= 1 for _, chance in found)


def test_a_ranking_that_is_late_or_lost_is_empty(one: Thinkers) -> None:
    first = busy(one)
    assert asyncio.run(one.rank(question(), 0.1)) == []
    first.hurry()
    until(lambda: [*one.pids.values()] == ["idle"])
    lost = one.ask(replace(question(), ranking=True), LONG)
    until(lambda: "thinking" in one.pids.values())
    for pid in one.pids:
        os.kill(pid, signal.SIGKILL)
    assert (lost.result(), lost.how) == ([], "died")
    assert asyncio.run(one.rank(question(), LONG))


# The end


def test_closing_answers_everybody_and_leaves_no_process() -> None:
    thinkers = Thinkers(2)
    first = busy(thinkers)
    others = [thinkers.ask(question(ENDLESS), LONG) for _ in range(3)]
    pids = [*thinkers.pids]
    thinkers.close()
    assert {thought.how for thought in [first, *others]} == {"closed"}
    assert {thought.result() for thought in [first, *others]} == {simple(question())}
    assert all(map(gone, pids))
    late = thinkers.ask(question(), LONG)
    assert (late.result(), late.how) == (simple(question()), "closed")
    thinkers.close()


SCRIPT = """
import sys, time
from tests.bots.test_workers import *
thinkers = Thinkers(2)
thinkers.ask(question(), LONG).result()
assert "numba" not in sys.modules
thought = busy(thinkers)
until(lambda: "starting" not in thinkers.pids.values())
print(*thinkers.pids, flush=True)
"""


def run(rest: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT + rest],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def test_who_asks_never_compiles_and_leaves_no_process_when_it_ends() -> None:
    process = run("")
    out, err = process.communicate(timeout=LONG)
    assert (process.returncode, err) == (0, "")
    assert len(out.split()) == 2
    assert all(gone(int(pid)) for pid in out.split())


@pytest.mark.parametrize("closed", [True, False])
def test_control_c_leaves_no_process(closed: bool) -> None:
    """Ctrl-C goes to every process that the terminal started."""
    process = run("with thinkers:\n thought.result()" if closed else "thought.result()")
    assert process.stdout is not None
    pids = [int(pid) for pid in process.stdout.readline().split()]
    assert len(pids) == 2
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=LONG)
    assert err.count("Traceback") == 1
    assert all(map(gone, pids))


def test_workers_end_when_nobody_can_ask_any_more() -> None:
    process = run("time.sleep(3600)")
    assert process.stdout is not None
    pids = [int(pid) for pid in process.stdout.readline().split()]
    process.kill()
    process.communicate(timeout=LONG)
    until(lambda: all(gone(pid) or ended(pid) for pid in pids))


def ended(pid: int) -> bool:
    """Ended, though whoever inherited it may not have looked."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    return True
