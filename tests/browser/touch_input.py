"""Multi-touch input: several fingers, each put down, moved and lifted by itself."""

from typing import Any

from tests.browser.user import User


class TouchInput:
    """Sends touch events over the DevTools protocol: the places of all fingers, or the one that is
    lifted."""

    def __init__(self, user: User) -> None:
        self._session = user.context.new_cdp_session(user.page)
        self._down: dict[int, dict[str, Any]] = {}

    def down(self, *places: tuple[float, float]) -> None:
        """Puts down one more finger for each place, all at once."""
        for x, y in places:
            self._down[len(self._down)] = {"x": x, "y": y, "id": len(self._down)}
        self._send("touchStart")

    def move(self, finger: int, x: float, y: float, steps: int = 3) -> None:
        at = self._down[finger]
        for left in reversed(range(steps)):
            at["x"] += (x - at["x"]) / (left + 1)
            at["y"] += (y - at["y"]) / (left + 1)
            self._send("touchMove")

    def up(self, finger: int | None = None) -> None:
        """Lifts one finger, or all."""
        if finger is None:
            self._down.clear()
            self._send("touchEnd")
        else:
            self._send("touchEnd", [self._down.pop(finger)])

    def _send(self, kind: str, only: list[dict[str, Any]] | None = None) -> None:
        points = list(self._down.values()) if only is None else only
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
