"""The pool of bot workers: real processes, which are asked, kept waiting, cancelled and closed."""

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
from pli.bots.workers import BotPool, DecisionRequest, fallback
from tests.bots.workers.requests import ENDLESS, LONG, SEARCH, busy, gone, request, until

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are sent another way there")


# Answers


@pytest.mark.parametrize("bot", ["random", "easy", "medium", SEARCH, "flat:5"])
def test_any_bot_that_does_not_cheat_can_be_asked(one: BotPool, bot: str) -> None:
    decision = one.ask(request(bot), LONG)
    assert decision.result() in request().actions
    assert decision.source == "worker"


@pytest.mark.parametrize("bot", ["oracle:5", "nonsense", "search:0"])
def test_who_can_not_think_answers_simply(one: BotPool, bot: str) -> None:
    decision = one.ask(request(bot), LONG)
    assert decision.result() == fallback(request())
    assert decision.source == "failed"


def test_without_a_choice_nobody_is_asked() -> None:
    pool = BotPool(1)
    asked = request()
    only = DecisionRequest("marshmallow", SEARCH, 0, "", 0, asked.view, asked.events, ["play B7"])
    assert pool.ask(only, LONG).result(0) == "play B7"
    assert pool.pids == {}
    pool.close()


def test_a_fresh_pool_gives_the_same_answers(one: BotPool) -> None:
    asked = [request(bot, number) for bot in (SEARCH, "easy", "random") for number in range(6)]
    first = [one.ask(each, LONG).result() for each in asked]
    assert len(set(first)) > 1
    with BotPool(2) as fresh:
        decisions = [fresh.ask(each, LONG) for each in reversed(asked)]
        assert [decision.result() for decision in reversed(decisions)] == first
        assert {decision.source for decision in decisions} == {"worker"}


def test_games_are_made_ready_before_anybody_asks() -> None:
    with BotPool(1, ["marshmallow"]) as pool:
        until(lambda: "compiling" in pool.pids.values())
        until(lambda: "idle" in pool.pids.values())
        decision = pool.ask(request(), 10.0)
        decision.result()
        assert decision.source == "worker"


def test_questions_are_answered_in_the_order_asked(one: BotPool) -> None:
    answered: list[int] = []
    first = busy(one)
    for number in range(8):
        decision = one.ask(request(SEARCH if number % 3 else "random", number), LONG)
        decision.add_done_callback(partial(lambda number, _: answered.append(number), number))
    first.cancel()
    until(lambda: len(answered) == 8)
    assert answered == [*range(8)]


def test_whoever_asks_much_keeps_nobody_else_waiting(one: BotPool) -> None:
    answered: list[str] = []
    first = busy(one)
    for number in range(9):
        address = "other" if number == 8 else "flood"
        decision = one.ask(request("random", number), LONG, (address, f"table {number % 4}"))
        decision.add_done_callback(partial(lambda address, _: answered.append(address), address))
    first.cancel()
    until(lambda: len(answered) == 9)
    assert answered.index("other") == 1


def test_a_question_holds_a_view_and_events_and_nothing_else() -> None:
    match = pli.new("marshmallow", seed=5)
    for _ in range(9):
        match.act(match.actors[0], match.legal(match.actors[0])[0])
    sent = pickletools.genops(pickle.dumps(request(match=match), protocol=2))
    named = {str(value) for code, value, _ in sent if code.name == "GLOBAL"}
    assert {each.split()[-1] for each in named if each.startswith("pli.")} == {
        *(
            "DecisionRequest",
            "MarshmallowView",
            "TrickCard",
            "StarterDrawn",
            "Dealt",
            "Played",
            "Took",
        ),
    }


# Cancellation


def test_a_cancelled_question_frees_its_worker(one: BotPool) -> None:
    decision = busy(one)
    pids = one.pids.keys()
    assert decision.cancel()
    with pytest.raises(CancelledError):
        decision.result()
    assert one.ask(request(), LONG).result() in request().actions
    assert one.pids.keys() == pids


async def test_tasks_wait_for_answers_and_can_be_cancelled(one: BotPool) -> None:
    long = asyncio.create_task(one.answer(request(ENDLESS), LONG))
    await asyncio.sleep(0.2)
    long.cancel()
    with pytest.raises(asyncio.CancelledError):
        await long
    asked = [one.answer(request(number=number), LONG) for number in range(3)]
    assert await asyncio.gather(*asked) == [
        one.ask(request(number=number), LONG).result() for number in range(3)
    ]


# Rankings


async def test_a_ranking_is_asked_for_like_an_action(one: BotPool) -> None:
    found = await one.rank(request(), LONG)
    assert {action for action, _ in found} == {*request().actions}
    assert all(0 <= chance <= 1 for _, chance in found)


async def test_a_ranking_that_is_late_or_lost_is_empty(one: BotPool) -> None:
    first = busy(one)
    assert await one.rank(request(), 0.1) == []
    first.cancel()
    until(lambda: [*one.pids.values()] == ["idle"])
    lost = one.ask(replace(request(), ranking=True), LONG)
    until(lambda: "thinking" in one.pids.values())
    for pid in one.pids:
        os.kill(pid, signal.SIGKILL)
    assert (lost.result(), lost.source) == ([], "crashed")
    assert await one.rank(request(), LONG)


# The end


def test_closing_answers_everybody_and_leaves_no_process() -> None:
    pool = BotPool(2)
    first = busy(pool)
    others = [pool.ask(request(ENDLESS), LONG) for _ in range(3)]
    pids = [*pool.pids]
    pool.close()
    assert {decision.source for decision in [first, *others]} == {"closed"}
    assert {decision.result() for decision in [first, *others]} == {fallback(request())}
    assert all(map(gone, pids))
    late = pool.ask(request(), LONG)
    assert (late.result(), late.source) == (fallback(request()), "closed")
    pool.close()
