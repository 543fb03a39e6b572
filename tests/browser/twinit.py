"""Somebody at a table of Twin It! in front of a browser, with eyes: from the server's journal the
test knows which faces are equal, as people see it; the page does not."""

from collections import defaultdict
from typing import Any

from pli.games.twinit.state import NO_CARD, State
from pli.server.table import load_table
from tests.browser.fingers import Fingers
from tests.browser.house import House
from tests.browser.visitor import PATIENCE, Visitor


class Eyes:
    """What lies open at a table, by motif."""

    def __init__(self, house: House, table: str) -> None:
        self._house, self._table = house, table

    @property
    def state(self) -> State:
        match = load_table(self._table, self._house.entries(self._table)).match
        assert match is not None
        state: State = match.state
        return state

    def pairs(self, cards: list[int]) -> list[tuple[int, int]]:
        """Equal ones among the cards."""
        state = self.state
        found: dict[int, list[int]] = defaultdict(list)
        for card in cards:
            found[state.motif[2 * card + state.side[card]]].append(card)
        return [(each[0], each[1]) for each in found.values() if len(each) > 1]

    def free(self, card: int) -> bool:
        return card not in self.state.hands and card != NO_CARD


class Player:
    """At the table, with a mouse, fingers or keys."""

    def __init__(self, visitor: Visitor, **options: Any) -> None:
        self.visitor, self.page = visitor, visitor.page
        seats = int(options.pop("seats"))
        wanted = {"seats": seats, **options}
        body = {"game": "twinit", "name": "Ann", "options": wanted, "bots": "medium"}
        seat = visitor.house.ask("/api/tables", body)
        self.table = str(seat["table"])
        visitor.sit({**seat, "game": "twinit", "used": 1})
        self.page.locator(".start button").click()
        self.page.wait_for_selector(".felt .tile", timeout=PATIENCE)
        self.eyes = Eyes(visitor.house, self.table)

    @property
    def over(self) -> bool:
        return self.page.locator(".result").count() > 0

    def cards(self) -> list[int]:
        """All that can be touched."""
        found = self.page.evaluate(
            "() => [...document.querySelectorAll('[data-card]')].map(e => Number(e.dataset.card))"
        )
        return [int(card) for card in found]

    def pair(self) -> tuple[int, int] | None:
        found = self.eyes.pairs(self.cards())
        return found[0] if found else None

    def middle(self, card: int) -> tuple[float, float]:
        box = self.page.locator(f'[data-card="{card}"]').first.bounding_box(timeout=2000)
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def click(self, *cards: int) -> None:
        for card in cards:
            self.page.mouse.click(*self.middle(card))

    def press(self, *cards: int) -> None:
        for card in cards:
            self.page.locator(f'[data-card="{card}"]').first.focus()
            self.page.keyboard.press("Enter")

    def fingers(self, *cards: int) -> None:
        """Two fingers come down at once, rest, and go."""
        hand = Fingers(self.visitor)
        hand.down(*(self.middle(card) for card in cards))
        self.page.wait_for_timeout(80)
        hand.up()

    def flip(self) -> None:
        button = self.page.locator(".flip:enabled")
        if button.count() > 0:
            button.click(timeout=2000)

    def events(self, kind: str) -> list[dict[str, Any]]:
        told = [e for update in self.visitor.frames("update") for e in update["events"]]
        return [event for event in told if event["event"] == kind]
