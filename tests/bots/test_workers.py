"""Workers that think: real processes, which are asked, kept waiting, told to stop and closed."""

import asyncio
import os
import pickle
import pickletools
import signal
from concurrent.futures import CancelledError
from dataclasses import replace
from functools import partial

import pytest

import pli
from pli.bots.thinking import Question
from pli.bots.thought import simple
from pli.bots.workers import Thinkers
from tests.bots.asking import ENDLESS, LONG, SEARCH, busy, gone, question, until

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are sent another way there")


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


def test_whoever_asks_much_keeps_nobody_else_waiting(one: Thinkers) -> None:
    answered: list[str] = []
    first = busy(one)
    for number in range(9):
        address = "other" if number == 8 else "flood"
        thought = one.ask(question("random", number), LONG, (address, f"table {number % 4}"))
        thought.add_done_callback(partial(lambda address, _: answered.append(address), address))
    first.cancel()
    until(lambda: len(answered) == 9)
    assert answered.index("other") == 1


def test_a_question_holds_a_view_and_events_and_nothing_else() -> None:
    match = pli.new("marshmallow", seed=5)
    for _ in range(9):
        match.act(match.actors[0], match.legal(match.actors[0])[0])
    sent = pickletools.genops(pickle.dumps(question(match=match), protocol=2))
    named = {str(value) for code, value, _ in sent if code.name == "GLOBAL"}
    assert {each.split()[-1] for each in named if each.startswith("pli.")} == {
        *("Question", "MarshmallowView", "TrickCard", "StarterDrawn", "Dealt", "Played", "Took"),
    }


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
