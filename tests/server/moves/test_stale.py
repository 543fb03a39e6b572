"""Stale moves: an action that another one overtook on its way is void at no cost to its player;
one whose page had seen the table as it is is judged by the rules."""

from typing import Any

import pytest

from pli.match import AnyMatch
from tests.server.client import Page, Running

POSITION = {
    "turn": 0,
    "tops": ["Y3", "B5", "P5"],
    "hands": ["Y5 O1 O2", "G2 G4 O3", "Y3 P2 G5"],
    "pile": ["G3/one", "P3/two", "P6/one", "B6/one", "B2/gift", "B3/gift"],
}


class Late:
    """Three people in a position; everybody has seen all that happened before anybody goes on."""

    def __init__(self, server: Running, pages: list[Page]) -> None:
        self.server = server
        self.pages = pages

    async def saved(self) -> tuple[bytes, int]:
        """The game's state, and how many entries its table has."""
        table = await self.server.durable(self.pages[0].table["id"])
        assert table.match is not None
        return table.match.save(), table.n

    @property
    def cards(self) -> list[int]:
        return list(self.pages[0].view["cards"])

    async def does(self, seat: int, action: str, seen: int | None = None) -> str | None:
        """The code if it is refused."""
        page = self.pages[seat]
        page.id += 1
        fields: dict[str, Any] = {} if seen is None else {"seen": seen}
        await page.send("do", id=page.id, action=action, **fields)
        while True:
            told = await page.next()
            if told["type"] == "refused" and told["id"] == page.id:
                return str(told["code"])
            if told["type"] == "update" and told["did"] == page.id:
                for other in self.pages:
                    while other.n < told["n"]:
                        await other.next()
                return None


class Placed(AnyMatch):
    """A game that begins in the position, whatever is dealt."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.game.name == "merci":
            self.place(POSITION)


@pytest.fixture(autouse=True)
def placing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pli.server.tables.table.Match", Placed)


async def placed(server: Running, **options: str) -> Late:
    options = {"rules": "full", "false_denounce": "draw", "first_player": "0", **options}
    pages = await server.people("merci", 3, options=options, settings={"grace": 0})
    late = Late(server, pages)
    assert await late.does(0, "draw") is None  # so that all have seen it
    assert await late.does(1, "draw") is None
    return late


async def test_a_skuz_for_a_card_that_was_covered_on_its_way_is_void(server: Running) -> None:
    late = await placed(server)
    seen = late.pages[2].n
    assert await late.does(0, "play Y5 on 1") is None  # out of turn, but it lies there
    before = await late.saved()
    assert await late.does(2, "skuz Y3 on 1", seen) == "overtaken"
    assert await late.saved() == before
    # Who saw what lies there said SKUZ to it, and pays.
    assert await late.does(2, "skuz Y3 on 1", late.pages[2].n) is None
    assert await late.does(1, "denounce", late.pages[1].n) is None
    assert late.cards == [3, 4, 4]


async def test_without_a_word_of_what_was_seen_the_rules_judge(server: Running) -> None:
    late = await placed(server)
    assert await late.does(0, "play Y5 on 1") is None
    assert await late.does(2, "skuz Y3 on 1") is None


async def test_who_calls_malpoli_second_without_having_heard_the_first_draws_nothing(
    server: Running,
) -> None:
    late = await placed(server)
    assert await late.does(0, "play Y5 on 1") is None
    seen = late.pages[1].n
    assert await late.does(1, "denounce", seen) is None
    before, cards = await late.saved(), late.cards
    assert await late.does(2, "denounce", seen) == "overtaken"
    assert await late.saved() == before
    assert await late.does(2, "denounce", late.pages[2].n) is None
    assert late.cards == [cards[0], cards[1], cards[2] + 1]


async def test_what_one_did_oneself_overtakes_nothing(server: Running) -> None:
    late = await placed(server)
    seen = late.pages[2].n
    assert await late.does(1, "play G4 on 1", seen) == "no_match"
    assert await late.does(2, "play P2 on 3", seen) is None
    assert await late.does(2, "play G5 on 2", seen) is None  # the turn is over
    assert late.cards[2] == 1
    assert await late.does(1, "denounce", late.pages[1].n) is None
    assert late.cards[2] == 3


async def test_a_touch_for_a_face_that_was_turned_over_on_its_way_is_void(server: Running) -> None:
    pages = await server.people("twinit", 2, options={"mode": "race", "first_player": 0})
    late = Late(server, pages)
    touch = f"touch {pages[1].view['tops'][0][:-1]}"
    seen = pages[1].n
    assert await late.does(0, "flip", seen) is None
    before = await late.saved()
    assert await late.does(1, touch, seen) == "overtaken"
    assert await late.saved() == before
    assert await late.does(1, touch, pages[1].n) is None
