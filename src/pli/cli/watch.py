"""`pli play --watch`: a game between bots, printed event by event at the pace of play."""

import time
from collections.abc import Callable

from rich.console import Console

from pli.bots import Live
from pli.cli.common import game_words, tell_house_rules
from pli.cli.table import draw, is_colourless, seat_name, tell
from pli.match import AnyMatch
from pli.texts import Words

LONGEST_PAUSE = 3.0
"""Seconds that a bot's thinking is shown at most."""


class SpectatorTerminal:
    """Prints a game between bots, as spectators see it."""

    def __init__(
        self, match: AnyMatch, live: Live, out: Console, fast: bool, keep: Callable[[], None]
    ) -> None:
        self.say: Words = game_words(match.game.name)
        self._match = match
        self._live = live
        self._out = out
        self._fast = fast
        self._keep = keep
        self._told = 0

    def play(self) -> None:
        match = self._match
        self._keep()
        tell_house_rules(self._out, match.options, self.say)
        self._tell()
        while not match.over:
            before = match.now
            self._live.step()
            if not self._fast:
                time.sleep(min((match.now - before) / 1000, LONGEST_PAUSE))
            self._tell()
        view = match.view(None)
        board = match.game.board(view)
        self._out.print(
            draw(board, view, board.hand, self.say, is_colourless(self._out), match.motif_of)
        )
        names = ", ".join(seat_name(each, None, self.say) for each in match.winners)
        ending = self.say("play.winner", n=len(match.winners), names=names)
        self._out.print(ending if names else self.say("play.no_winner"), style="bold")

    def _tell(self) -> None:
        for event in self._match.events(None, self._told):
            sentence = tell(event, None, self.say)
            if sentence is not None:
                self._out.print(f" {self._match.now / 1000:7.1f} s ", sentence)
        self._told = len(self._match.steps)
