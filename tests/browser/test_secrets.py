"""What reaches a page is what its seat may know: on its sockets, in its document, in its memory."""

import json
import re
from typing import Any

import pytest

from pli.server.http.app import STATIC
from tests.browser.conftest import Visits
from tests.browser.visitor import Visitor, with_mouse
from tests.server.protocol.knowledge import CARD, Audit, Truth, all_names

COLOURS = {"blue": "B", "green": "G", "yellow": "Y", "pink": "P", "orange": "O"}
NAMED = re.compile(rf"\b({'|'.join(COLOURS)}) (\d+)\b")


def in_memory(visitor: Visitor) -> set[str]:
    """The names of cards among all strings of the page's heap."""
    session = visitor.context.new_cdp_session(visitor.page)
    parts: list[str] = []
    session.on("HeapProfiler.addHeapSnapshotChunk", lambda told: parts.append(told["chunk"]))
    session.send("HeapProfiler.collectGarbage")
    session.send("HeapProfiler.takeHeapSnapshot", {"reportProgress": False})
    session.detach()
    strings = json.loads("".join(parts))["strings"]
    return {each for each in strings if CARD.fullmatch(each)}


def in_scripts() -> set[str]:
    """What looks like names of cards in the page's scripts."""
    scripts = (STATIC / "assets").glob("*.js")
    return {name for script in scripts for name in CARD.findall(script.read_text())}


def in_document(visitor: Visitor) -> set[str]:
    """The names of cards in the page, spelled out or not."""
    page = visitor.page.content()
    spelled = {f"{COLOURS[colour]}{number}" for colour, number in NAMED.findall(page)}
    return spelled | set(CARD.findall(page))


def audits_the_line(visitor: Visitor, seat: Any) -> None:
    """Nothing went over its sockets that the seat may not know."""
    truth = Truth(seat["table"], visitor.house.entries(seat["table"]))
    audit = Audit(truth, [seat["token"]])
    audit.hold([each.encode() for each in visitor.told], visitor.sent)
    assert audit.frames > 10
    assert audit.hidden > 300


@pytest.mark.parametrize(("game", "seats"), [("marshmallow", 3), ("plingo", 3)])
def test_no_secret_is_in_the_page(visit: Visits, game: str, seats: int) -> None:
    ann = visit()
    seat = ann.house.make(game, seats)
    ann.sit(seat)
    ann.sees(".seats")
    # Names of functions may look like cards, also of those that are loaded later.
    before = in_memory(ann) | in_scripts()
    ann.button("Deal the cards").click()
    moment = ann.moment()
    for round_ in range(4):
        if moment.what == "over":
            break
        own = int(seat["seat"])
        n = ann.frames("update")[-1]["n"]
        truth = Truth(seat["table"], ann.house.entries(seat["table"]))
        now, ever = truth.known(n, own), truth.shown(0, n, own)
        hidden = all_names(game) - ever - now
        assert len(hidden - before) > 10
        assert not in_document(ann) & hidden
        if round_ in (0, 3):
            assert not (in_memory(ann) - before) & hidden
        with_mouse(ann)(moment)
        moment = ann.moment(moment.state)


def test_the_search_of_the_memory_finds_what_is_there(visit: Visits) -> None:
    ann = visit()
    ann.begin("plingo", 2)
    ann.moment()
    hand = set(ann.frames("update")[-1]["view"]["hand"])
    assert hand
    assert hand <= in_memory(ann)
    assert hand <= in_document(ann)
