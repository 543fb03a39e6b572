"""The judge finds every kind of fault: of games that were played at a real server, with their
journals and witnesses, one thing is changed."""

import asyncio
import copy
import itertools
from collections.abc import Callable
from pathlib import Path

import aiohttp
import msgspec
import pytest

from pli.server.tables import entries as e
from tests.server.client import running
from tests.server.crash.clients import Door, Plan
from tests.server.crash.judge import Case, Seen, Witness, judge
from tests.server.crash.server import Ledger, known
from tests.server.crash.trial import Trial

PLANS = (
    Plan("plingo", {"seats": 2}, 2, watched=True),
    Plan("marshmallow", {"seats": 3, "target": 5}, 2),
)

Fault = Callable[[Case], None]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> list[Case]:
    """A game at each table, with nothing wrong."""
    return asyncio.run(_play(tmp_path_factory.mktemp("played")))


async def _play(folder: Path) -> list[Case]:
    trial = Trial(folder, PLANS, 1, 0.1, lambda what, done, of: None)
    async with running(folder) as server, aiohttp.ClientSession() as session:
        door = Door(server.url)
        await trial.people([door], session)
        door.up.set()
        await trial.last_games(trial.tables(), 60)
        assert trial.world.faults == []
        records = await trial.records()
        entries = {name: await server.context.journal.entries(name) for name in records}
    return trial.cases(entries, records, "plain", one_server=False)


def _acted(case: Case) -> list[int]:
    """The numbers of all entries in which a person acted."""
    found = [(n, e.decode(body)) for n, body in enumerate(case.entries)]
    return [n for n, entry in found if isinstance(entry, e.Acted) and entry.id]


def _middle(case: Case) -> int:
    acted = _acted(case)
    return acted[len(acted) // 2]


def _player(case: Case, n: int) -> tuple[Witness, int]:
    """Whose action an entry is, and its id."""
    entry = e.decode(case.entries[n])
    assert isinstance(entry, e.Acted)
    return next(each for each in case.witnesses if each.seat == entry.seat), entry.id


def lost_entry(case: Case) -> None:
    del case.entries[_middle(case)]


def lost_end(case: Case) -> None:
    """As after a database that came back without its last commits."""
    del case.entries[_acted(case)[-1] :]


def lost_action_whose_place_is_taken(case: Case) -> None:
    """An action was acknowledged; another owner wrote another entry under its number."""
    n = _middle(case)
    entry = e.decode(case.entries[n])
    assert isinstance(entry, e.Acted)
    case.entries[n] = e.encode(msgspec.structs.replace(entry, id=0))


def doubled_action(case: Case) -> None:
    n = _middle(case)
    case.entries.insert(n + 1, case.entries[n])


def action_under_two_ids(case: Case) -> None:
    """It was sent again, and counted as another one."""
    witness, number = _player(case, _middle(case))
    witness.sent[number + 1000] = witness.sent[number]
    witness.acknowledged[number + 1000] = witness.acknowledged[number]


def swapped_order(case: Case) -> None:
    acted = _acted(case)
    for a, b in itertools.pairwise(acted):
        if b == a + 1 and case.entries[a] != case.entries[b]:
            case.entries[a], case.entries[b] = case.entries[b], case.entries[a]
            return
    raise AssertionError("nobody acted after another")


def fork(case: Case) -> None:
    """Two owners wrote on from the same entry, and somebody was shown the branch that is not in the
    journal."""
    n = _middle(case)
    witness = case.witnesses[-1]
    at = next(i for i, seen in enumerate(witness.seen) if seen.n >= n)
    witness.seen[at] = witness.seen[at]._replace(digest=witness.seen[at - 1].digest)


def fork_beyond_the_end(case: Case) -> None:
    """An owner that was no longer one showed what it could not write."""
    witness = case.witnesses[0]
    last = witness.seen[-1]
    witness.seen.append(Seen(last.life, len(case.entries), False, last.digest))


def view_from_nowhere(case: Case) -> None:
    witness = case.witnesses[0]
    witness.seen[-1] = witness.seen[-1]._replace(digest=bytes(12))


def view_of_another_seat(case: Case) -> None:
    """It was shown what only another one may see."""
    one, other = case.witnesses[0], case.witnesses[1]
    theirs = {seen.n: seen for seen in other.seen}
    for at, seen in enumerate(one.seen):
        if seen.n in theirs and theirs[seen.n].digest != seen.digest:
            one.seen[at] = seen._replace(digest=theirs[seen.n].digest)
            return
    raise AssertionError("both always saw the same")


def led_back(case: Case) -> None:
    """Somebody came back, and was shown what was true before."""
    witness = case.witnesses[0]
    witness.seen.append(witness.seen[len(witness.seen) // 2]._replace(welcome=True))


def told_twice(case: Case) -> None:
    witness = case.witnesses[0]
    at = next(i for i, seen in enumerate(witness.seen) if not seen.welcome)
    witness.seen.insert(at, witness.seen[at])


def acknowledged_and_not_there(case: Case) -> None:
    witness, number = _player(case, _acted(case)[-1])
    witness.sent[number + 1] = witness.sent[number]
    witness.acknowledged[number + 1] = len(case.entries) - 1


def acknowledged_too_early(case: Case) -> None:
    n = _middle(case)
    witness, number = _player(case, n)
    witness.acknowledged[number] = n - 1


def refused_and_done(case: Case) -> None:
    witness, number = _player(case, _middle(case))
    del witness.acknowledged[number]
    witness.refused.add(number)


def other_than_sent(case: Case) -> None:
    witness, number = _player(case, _middle(case))
    others = [text for text in witness.sent.values() if text != witness.sent[number]]
    witness.sent[number] = others[0]


def nobody_sent_it(case: Case) -> None:
    witness, number = _player(case, _middle(case))
    del witness.sent[number], witness.acknowledged[number]


def other_results(case: Case) -> None:
    witness = case.witnesses[0]
    assert witness.results is not None
    witness.results = [[points + 1 for points in each] for each in witness.results]


def never_ended(case: Case) -> None:
    """All that was seen is there, but the game did not come to its end."""
    del case.entries[-2:]
    for witness in case.witnesses:
        witness.seen = [seen for seen in witness.seen if seen.n < len(case.entries)]


def other_shuffle(case: Case) -> None:
    """What somebody gave for the shuffle was not used."""
    witness = next(each for each in case.witnesses if each.added)
    witness.random[1] = "00" * 16


def other_secret(case: Case) -> None:
    """The game was dealt from another secret than was promised."""
    case.witnesses[0].commitments[1] = "00" * 32


def record_of_something_else(case: Case) -> None:
    case.records[1] = case.records[1].replace("\n", "\n\n", 1)


def no_record(case: Case) -> None:
    del case.records[1]


FAULTS: dict[Fault, str] = {
    lost_entry: "",
    lost_end: "were seen, but the journal ends",
    lost_action_whose_place_is_taken: "was acknowledged, and is lost",
    doubled_action: "",
    action_under_two_ids: "was acknowledged, and is lost",
    swapped_order: "",
    fork: "saw something else",
    fork_beyond_the_end: "were seen, but the journal ends",
    view_from_nowhere: "saw something else",
    view_of_another_seat: "saw something else",
    led_back: "and was then shown",
    told_twice: "and was then shown",
    acknowledged_and_not_there: "was acknowledged, and is lost",
    acknowledged_too_early: "before it was journalled",
    refused_and_done: "was refused, and is entry",
    other_than_sent: "is not what was sent",
    nobody_sent_it: "is not what was sent",
    other_results: "was told the results",
    never_ended: "at the end",
    other_shuffle: "",
    other_secret: "",
    record_of_something_else: "",
    no_record: "records of the games",
}
"""What the judge says, where it is one thing; in an order that is wrong it may find many."""


def test_a_game_in_which_all_is_right_has_no_fault(played: list[Case]) -> None:
    for case in played:
        verdict = judge(case)
        assert verdict.faults == []
        assert verdict.games == 1
        assert verdict.views > 20
        assert verdict.actions > 5


@pytest.mark.parametrize("fault", FAULTS, ids=lambda each: each.__name__)
def test_a_planted_fault_is_found(played: list[Case], fault: Fault) -> None:
    for case in map(copy.deepcopy, played):
        fault(case)
        found = judge(case).faults
        assert found
        assert any(FAULTS[fault] in each for each in found), found


def test_an_older_prefix_from_another_process_is_found_of_one_server(
    played: list[Case],
) -> None:
    case = copy.deepcopy(played[0])
    case.one_server = True
    assert judge(case).faults == []
    one, other = case.witnesses[:2]
    half = len(one.seen) // 2
    one.seen = [seen._replace(life=1) for seen in one.seen]
    other.seen = [one.seen[half]._replace(life=2, welcome=True)]
    assert any("began at" in each for each in judge(case).faults)


def test_a_journal_that_was_read_before_must_go_on_from_there(played: list[Case]) -> None:
    whole = {case.table: case.entries for case in played}
    name = played[0].table
    ledger = Ledger()
    half = {**whole, name: whole[name][: len(whole[name]) // 2]}
    assert ledger.found(half) == []
    told = known({case.table: case.witnesses for case in played})
    missing = [fault for each in told for fault in ledger.missing(each)]
    assert any("which is lost" in fault for fault in missing)
    assert any("acknowledged and lost" in fault for fault in missing)
    assert ledger.found(whole) == []
    assert [fault for each in told for fault in ledger.missing(each)] == []
    changed = {**whole, name: [*whole[name][:-1], b'{"e":"rematch","options":{}}']}
    assert ledger.found(changed) == [f"{name}: the journal has changed"]
    assert ledger.found({}) != []


def test_a_seat_that_was_given_must_be_in_the_journal(played: list[Case]) -> None:
    ledger = Ledger()
    ledger.found({case.table: case.entries for case in played})
    given = [
        (case.table, witness.token)
        for case in played
        for witness in case.witnesses
        if witness.token is not None
    ]
    assert ledger.lost(given) == []
    assert ledger.lost([(played[0].table, "nobody has this")]) != []
