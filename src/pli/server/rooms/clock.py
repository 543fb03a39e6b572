"""A table's own time: whole milliseconds of play, which stand still while nobody is there."""

from collections.abc import Callable


class Clock:
    """Goes on from where it was told, never back."""

    def __init__(self, seconds: Callable[[], float], time: int = 0) -> None:
        """`seconds` is any clock that never runs back."""
        self._seconds = seconds
        self._time = time
        self._since: float | None = None

    @property
    def runs(self) -> bool:
        return self._since is not None

    def now(self) -> int:
        if self._since is None:
            return self._time
        return self._time + int((self._seconds() - self._since) * 1000)

    def go(self) -> None:
        if self._since is None:
            self._since = self._seconds()

    def stop(self) -> None:
        self._time = self.now()
        self._since = None

    def set(self, time: int) -> None:
        """Stands still at this time."""
        self._time = time
        self._since = None

    def start_anew(self) -> None:
        """A new game begins at 0."""
        self._time = 0
        if self._since is not None:
            self._since = self._seconds()

    def seconds_until(self, time: int) -> float:
        """How long it takes until then, if the clock runs."""
        return max(0.0, (time - self.now()) / 1000)
