"""Anything by anyone at any time, in great numbers and straight to the rules: nothing raises, no
card is lost, and compiled rules go along to the same bytes."""

import random
from collections.abc import Iterator
from typing import Any

from pli.kernel.machine import Compiled, Plain
from pli.kernel.refusals import OK
from pli.testing.failure import Broken, Move
from pli.testing.property import Property, Trial, zones_of
from pli.testing.walks import ENDLESS, any_action, raised
from pli.zones import all_cards, card_twice

TRIES = 500
"""For each game that may be played."""

PAUSES = (0, 0, 1, 200, 2000)
"""Milliseconds between two tries."""

OFTEN = 50
"""Tries between two looks at the cards and the bytes."""


class Rough:
    """The rules of a game, plain and if possible compiled, without anything in between."""

    def __init__(self, of: Trial) -> None:
        self._of = of
        self._plain: Plain[Any] = Plain(of.game.rules)
        self._compiled = Compiled(of.game.rules) if of.compiled else None
        self.moves: list[Move] = []
        self.accepted = 0

    def play(self, tries: int, rng: random.Random) -> None:
        while tries > 0:
            self.moves.clear()
            try:
                for _ in self._game(rng, tries):
                    tries -= 1
            except Broken:
                raise
            except Exception as error:
                raise raised(self._of.game, error, "rules") from error

    def _game(self, rng: random.Random, tries: int) -> Iterator[None]:
        """One game, or as much of it as may be tried."""
        plain, rules, game = self._plain, self._of.game.rules, self._of.game
        notation, seats = game.notation, self._of.options.seats
        s = game.setup(self._of.options)
        twin: Any = self._compiled.load(plain.save(s)) if self._compiled is not None else None
        whole: int | None = None
        now = idle = 0
        while tries > 0 and not plain.over(s):
            idle += 1
            if idle > ENDLESS:
                raise Broken("stuck", "rules.due")
            if wanted := plain.needs(s):
                order = list(range(wanted))
                rng.shuffle(order)
                plain.give(s, order)
                if self._compiled is not None:
                    self._compiled.give(twin, order)
                continue
            pause = rng.choice(PAUSES)
            now += pause
            if plain.due(s) <= now:
                now = max(plain.due(s), now - pause)
                plain.tick(s)
                if self._compiled is not None:
                    self._compiled.tick(twin)
                continue
            idle, tries = 0, tries - 1
            yield
            seat = rng.randrange(-1, seats + 1)
            listed = plain.legal(s, seat) if 0 <= seat < seats and rng.random() < 0.5 else []
            wild = rng.choice([any_action(notation, rng)] * OFTEN + [-2, -1, len(notation)])
            action = rng.choice(listed) if listed else wild
            self.moves.append(Move(seat, action, now))
            if plain.check(s, seat, action, now) == OK:
                plain.act(s, seat, action, now)
                if self._compiled is not None:
                    self._compiled.act(twin, seat, action, now)
                self.accepted += 1
            if tries % OFTEN == 0 and not plain.needs(s):
                whole = self._look(s, twin, whole, rules)
        self._look(s, twin, None, rules)

    def _look(self, s: Any, twin: Any, whole: int | None, rules: Any) -> int | None:
        saved = self._plain.save(s)
        if self._compiled is not None and saved != self._compiled.save(twin):
            raise Broken("compiled_differs", "rules")
        if self._of.game.zones is None or rules.needs(s):
            return whole
        places = zones_of(self._of.game).places(s)
        twice = card_twice(places)
        if twice is not None:
            raise Broken("card_twice", "rules.act", card=str(twice))
        now = all_cards(places)
        if whole is not None and now != whole:
            raise Broken("card_lost", "rules.act", card=f"{now ^ whole:b}")
        return now


def trial(of: Trial) -> bool:
    rough = Rough(of)
    tries = TRIES * of.games
    rough.play(tries, random.Random(f"fuzz {of.seed}"))
    if rough.accepted < tries // 20:
        raise Broken("hardly_anything", "rules.check", expected=tries // 20, got=rough.accepted)
    return True


FUZZ = Property("fuzz", trial=trial)
