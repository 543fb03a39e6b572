"""A page has only what its seat may know: in its WebSocket frames, its document and its heap."""

import json
import re
from typing import Any

import pytest

from pli.server.http.app import STATIC
from tests.browser.conftest import NewUser
from tests.browser.user import User, with_mouse
from tests.server.protocol.knowledge import CARD, Audit, Truth, all_names

COLOURS = {"blue": "B", "green": "G", "yellow": "Y", "pink": "P", "orange": "O"}
NAMED = re.compile(rf"\b({'|'.join(COLOURS)}) (\d+)\b")


def cards_in_heap(user: User) -> set[str]:
    """The names of cards among all strings of the page's heap."""
    session = user.context.new_cdp_session(user.page)
    parts: list[str] = []
    session.on("HeapProfiler.addHeapSnapshotChunk", lambda told: parts.append(told["chunk"]))
    session.send("HeapProfiler.collectGarbage")
    session.send("HeapProfiler.takeHeapSnapshot", {"reportProgress": False})
    session.detach()
    strings = json.loads("".join(parts))["strings"]
    return {each for each in strings if CARD.fullmatch(each)}


def cards_in_scripts(user: User) -> set[str]:
    """What looks like the name of a card in the scripts that the page has loaded so far."""
    urls = user.page.evaluate("performance.getEntriesByType('resource').map((each) => each.name)")
    scripts = [STATIC / "assets" / url.rpartition("/")[2] for url in urls if url.endswith(".js")]
    return {name for script in scripts for name in CARD.findall(script.read_text())}


def cards_in_document(user: User) -> set[str]:
    """The names of cards in the page, spelled out or not."""
    page = user.page.content()
    spelled = {f"{COLOURS[colour]}{number}" for colour, number in NAMED.findall(page)}
    return spelled | set(CARD.findall(page))


def check_frames(user: User, seat: Any) -> None:
    """No frame of its WebSockets has what the seat may not know."""
    truth = Truth(seat["table"], user.server.entries(seat["table"]))
    audit = Audit(truth, [seat["token"]])
    audit.hold([each.encode() for each in user.received], user.sent)
    assert audit.frames > 10
    assert audit.hidden > 300


@pytest.mark.parametrize(("game", "seats"), [("marshmallow", 3), ("plingo", 3)])
def test_no_secret_is_in_the_page(new_user: NewUser, game: str, seats: int) -> None:
    ann = new_user()
    seat = ann.server.create_table(game, seats)
    ann.open_table(seat)
    ann.expect_visible(".seats")
    before = cards_in_heap(ann)
    ann.button("Deal the cards").click()
    prompt = ann.wait_for_prompt()
    for round_ in range(4):
        if prompt.kind == "over":
            break
        own = int(seat["seat"])
        n = ann.frames("update")[-1]["n"]
        truth = Truth(seat["table"], ann.server.entries(seat["table"]))
        now, ever = truth.known(n, own), truth.shown(0, n, own)
        hidden = all_names(game) - ever - now
        # Names of functions may look like cards.
        before |= cards_in_scripts(ann)
        assert len(hidden - before) > 10
        assert not cards_in_document(ann) & hidden
        if round_ in (0, 3):
            assert not (cards_in_heap(ann) - before) & hidden
        with_mouse(ann)(prompt)
        prompt = ann.wait_for_prompt(prompt.state)


def test_the_search_of_the_memory_finds_what_is_there(new_user: NewUser) -> None:
    ann = new_user()
    ann.start_game("plingo", 2)
    ann.wait_for_prompt()
    hand = set(ann.frames("update")[-1]["view"]["hand"])
    assert hand
    assert hand <= cards_in_heap(ann)
    assert hand <= cards_in_document(ann)
