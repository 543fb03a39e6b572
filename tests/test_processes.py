"""Worker processes that are of no use: they are started again, each time after a longer pause."""

import os
import pickle
import time
from collections.abc import Iterable
from typing import Any

import pytest

from pli.processes import PAUSES, Supervisor, Worker
from tests.bots.workers.requests import until
from tests.processes import workers


def die(link: Any) -> None:
    link.recv()
    os._exit(3)


class Place(Worker):
    """Its process ends as soon as it is there."""

    def __init__(self) -> None:
        super().__init__("pli-mayfly", die)
        self.starts: list[float] = []

    def begin(self) -> None:
        self.starts.append(time.monotonic())
        super().begin()
        self.send(pickle.dumps("go"))

    def heard(self, said: Any) -> None:
        raise AssertionError("it says nothing")

    def dropped(self) -> None:
        pass


class Places(Supervisor[Place]):
    def check(self, now: float) -> None:
        pass

    def hand_out(self) -> None:
        pass

    def deadlines(self) -> Iterable[float]:
        return []

    def answer_all(self) -> None:
        pass


def test_a_process_that_ends_at_once_is_started_again_less_and_less_often(
    caplog: pytest.LogCaptureFixture,
) -> None:
    place = Place()
    with Places("pli-mayflies", [place]):
        until(lambda: len(place.starts) == 3)
        assert len(workers()) <= 1
    first, second, third = place.starts
    assert second - first >= PAUSES[1]
    assert third - second >= PAUSES[2]
    assert workers() == []
    assert caplog.messages[0] == "pli-mayfly was lost while starting: exit code 3"
