"""Holds what people were shown and told against the journal, table by table.

The journal is replayed twice: by the server's own code, and by hand, from entries as plain JSON,
through nothing but the rules and the shuffles' proof.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, NamedTuple

import msgspec

from pli import games
from pli.errors import PliError
from pli.game import Act, Tick, read_options
from pli.kernel.machine import Engine
from pli.match import AnyMatch, Match
from pli.record import proof, read_record
from pli.record.verification import verify
from pli.server.history import replay as replaying
from pli.server.tables import entries as e
from pli.server.tables.table import Table, load_table
from pli.slices import finish

_encode = msgspec.json.Encoder().encode


class Seen(NamedTuple):
    """A view and the legal actions that a client was shown."""

    life: int
    """Of the server."""
    n: int
    welcome: bool
    digest: bytes


@dataclass
class Witness:
    """All that matters of what one seat did and was told."""

    seat: int | None
    token: str | None
    seen: list[Seen] = field(default_factory=list)
    sent: dict[int, str] = field(default_factory=dict)
    acknowledged: dict[int, int] = field(default_factory=dict)
    """The last entry that was known when an action was acknowledged, by the action's id."""
    refused: set[int] = field(default_factory=set)
    random: dict[int, str] = field(default_factory=dict)
    """What it gave for the shuffles, by game."""
    added: set[int] = field(default_factory=set)
    """The games for which that was acknowledged."""
    commitments: dict[int, str] = field(default_factory=dict)
    """As they were first shown, by game."""
    results: list[list[int]] | None = None


@dataclass
class Case:
    """One table: its whole journal, its records as they were given out, and its witnesses."""

    table: str
    entries: list[bytes]
    witnesses: list[Witness]
    records: dict[int, str]
    engine: Engine = "plain"
    one_server: bool = True
    """Its processes follow one another, and the lives of which witnesses tell are in order."""


@dataclass
class Verdict:
    faults: list[str]
    views: int = 0
    actions: int = 0
    games: int = 0
    stand_ins: int = 0
    shuffles: int = 0


class ByHand:
    """A table's games from its entries as plain JSON."""

    def __init__(self, name: str, engine: Engine) -> None:
        self.match: AnyMatch | None = None
        self.begun = self.ended = 0
        self._name = name
        self._engine = engine
        self._added: dict[int, str] = {}

    def feed(self, entry: dict[str, Any]) -> None:
        kind = entry["e"]
        if kind == "made":
            self.game = games.load(entry["game"])
        if kind in ("made", "configured", "rematch"):
            self._options = entry["options"]
        if kind == "rematch":
            self.match = None
        elif kind == "committed":
            self._number, self._secret, self._added = entry["number"], entry["secret"], {}
        elif kind == "contributed":
            self._added[entry["seat"]] = entry["random"]
        elif kind == "begun":
            self.begun += 1
            shuffler = proof.shuffler(f"{self._name}-{self._number}", self._secret, self._added)
            options = read_options(self.game, self._options)
            self.match = Match(self.game, options, shuffler, self._engine)
        elif kind == "a":
            self._playing.feed(Act(entry["seat"], entry["action"], entry["time"]))
        elif kind == "t":
            self._playing.feed(Tick(entry["time"]))
        elif kind == "ended":
            self.ended += 1
            if not self._playing.over or self._playing.winners != entry["winners"]:
                raise AssertionError(f"game {self._number} ended with {entry}")
        if self.match is not None:
            self.match.steps.clear()

    @property
    def _playing(self) -> AnyMatch:
        assert self.match is not None
        return self.match


def shown(match: AnyMatch | None, seat: int | None) -> bytes:
    """As a page is shown it, and as its witness keeps it."""
    if match is None:
        view, legal = None, []
    else:
        view, legal = match.view(seat), match.legal(seat) if seat is not None else []
    return blake2b(_encode(view) + _encode(legal), digest_size=12).digest()


def judge(case: Case) -> Verdict:
    verdict = Verdict([])
    checks = [_all_views(case, verdict), _all_actions(case, verdict), _monotone(case)]
    checks += [_records(case, verdict), *([_order(case)] if case.one_server else [])]
    for check in checks:
        try:
            for fault in check:
                verdict.faults.append(f"{case.table}: {fault}")
        except (AssertionError, PliError, KeyError, ValueError) as error:
            verdict.faults.append(f"{case.table}: can't be replayed: {error!r}")
    return verdict


def _all_views(case: Case, verdict: Verdict) -> Iterator[str]:
    """Everyone saw at every moment what the journal says."""
    looks: dict[int, list[tuple[Witness, Seen]]] = defaultdict(list)
    for witness in case.witnesses:
        for seen in witness.seen:
            looks[seen.n].append((witness, seen))
    by_hand = ByHand(case.table, case.engine)
    made = e.decode(case.entries[0])
    assert isinstance(made, e.Made)
    folded = Table(case.table, made)
    for n, body in enumerate(case.entries):
        entry = msgspec.json.decode(body)
        by_hand.feed(entry)
        verdict.stand_ins += entry["e"] == "absent"
        if n > 0:
            folded.apply(e.decode(body))
            if folded.match is not None:
                folded.match.steps.clear()
        known: dict[int | None, bytes] = {}
        for witness, seen in looks.pop(n, ()):
            seat = witness.seat
            if seat not in known:
                known[seat] = shown(by_hand.match, seat)
            verdict.views += 1
            if seen.digest != known[seat]:
                yield f"seat {seat} saw something else at {n}: {seen}"
            if seen.welcome and seen.digest != shown(folded.match, seat):
                yield f"seat {seat} was welcomed at {n} otherwise than the journal loads: {seen}"
    if looks:
        yield f"entries {sorted(looks)} were seen, but the journal ends at {len(case.entries) - 1}"
    verdict.games += by_hand.ended
    if folded.state != "over" or by_hand.begun != by_hand.ended:
        yield f"{folded.state} at the end, {by_hand.begun} games begun, {by_hand.ended} ended"
    loaded = load_table(case.table, case.entries)
    states = [each and each.save() for each in (by_hand.match, folded.match, loaded.match)]
    if len(set(states)) != 1:
        yield "replays end differently"
    for witness in case.witnesses:
        if witness.results != loaded.results:
            yield f"seat {witness.seat} was told the results {witness.results}"


def _all_actions(case: Case, verdict: Verdict) -> Iterator[str]:
    """What was acknowledged is there, once, as it was sent; what was refused is not."""
    done: dict[int, dict[int, tuple[int, int]]] = defaultdict(dict)
    for n, body in enumerate(case.entries):
        entry = e.decode(body)
        if isinstance(entry, e.Acted) and entry.id:
            if entry.id <= max(done[entry.seat], default=0):
                yield f"seat {entry.seat}: action {entry.id} was carried out twice, or too late"
            done[entry.seat][entry.id] = (n, entry.action)
    made = e.decode(case.entries[0])
    assert isinstance(made, e.Made)
    parse = games.load(made.game).notation.parse
    for witness in case.witnesses:
        if witness.seat is None:
            continue
        here = done.pop(witness.seat, {})
        verdict.actions += len(witness.acknowledged)
        for number, known in witness.acknowledged.items():
            if number not in here:
                yield f"seat {witness.seat}: {number} was acknowledged, and is lost"
            elif here[number][0] > known:
                yield f"seat {witness.seat}: {number} was acknowledged before it was journalled"
        for number, (n, action) in here.items():
            if number in witness.refused:
                yield f"seat {witness.seat}: {number} was refused, and is entry {n}"
            if number not in witness.sent or parse(witness.sent[number]) != action:
                yield f"seat {witness.seat}: entry {n} is not what was sent as {number}"
    for seat in done:
        yield f"seat {seat}: somebody acted there"


def _monotone(case: Case) -> Iterator[str]:
    """No client is led back: an update is of a later entry than all that it was shown before, on
    whatever line, and a welcome of none earlier."""
    for witness in case.witnesses:
        before = -1
        for seen in witness.seen:
            if seen.n < before or (seen.n == before and not seen.welcome):
                yield f"seat {witness.seat} was at {before}, and was then shown {seen}"
            before = max(before, seen.n)


def _order(case: Case) -> Iterator[str]:
    """What anybody saw of one life of the server is there in the next."""
    ends: dict[int, int] = defaultdict(int)
    starts: dict[int, int] = {}
    for witness in case.witnesses:
        for seen in witness.seen:
            ends[seen.life] = max(ends[seen.life], seen.n)
            if seen.welcome:
                starts[seen.life] = min(starts.get(seen.life, seen.n), seen.n)
    before = 0
    for life in sorted(ends):
        if starts[life] < before:
            yield f"entry {before} was seen, and life {life} of the server began at {starts[life]}"
        before = max(before, ends[life])


def _records(case: Case, verdict: Verdict) -> Iterator[str]:
    """Every game has a record, which proves itself, with what each page gave and was shown."""
    for number, text in sorted(case.records.items()):
        anew = finish(replaying.records(case.table, case.entries, {number}))
        if text != anew[number].text:
            yield f"the record of game {number} is not what the journal says"
        record = read_record(text)
        for witness in case.witnesses:
            mine: Sequence[tuple[int, str]] = ()
            if number in witness.added and witness.seat is not None:
                mine = [(witness.seat, witness.random[number])]
            count = verify(record, witness.commitments.get(number), mine)
        verdict.shuffles += count
    if len(case.records) != len(load_table(case.table, case.entries).results):
        yield f"records of the games {sorted(case.records)} only"
