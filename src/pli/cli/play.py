"""`pli play`: a game in the terminal against bots."""

import os
import shlex
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from platformdirs import user_data_path
from rich.console import Console

from pli import games
from pli.bots import DEFAULT_BOT, Bot, Live, Plan, ask_seat, known_bot, make_bot
from pli.cli.common import (
    DEFAULT_LANGUAGE,
    KNOWN,
    BotNames,
    Chosen,
    Language,
    Seats,
    Seed,
    chosen_options,
    game_words,
    one_line,
    read_text,
    say,
    tell_house_rules,
    whole,
    write_text,
)
from pli.cli.rules import RulesText
from pli.cli.table import console, draw, is_colourless, seat_name, tell
from pli.cli.watch import SpectatorTerminal
from pli.errors import BadOption, PliError, Refused
from pli.game import AnyGame
from pli.match import AnyMatch, Match
from pli.record import read_record, write_record
from pli.shuffling import fresh_seed, seeded
from pli.texts import Words

PAUSE = 0.6
"""Seconds before a bot plays, so that the player can follow."""

PASSING = 2000
"""Milliseconds of play that pass when no seat acts."""

QUIT = ("q", "quit", "exit")
HELP = ("?", "help")


def run(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help=say("cli.game", known=KNOWN))
    ] = None,
    seats: Seats = None,
    option: Chosen = None,
    lang: Language = DEFAULT_LANGUAGE,
    bots: BotNames = DEFAULT_BOT,
    seed: Seed = None,
    seat: Annotated[
        int, typer.Option(metavar="SEAT", parser=whole("seat", 0), help=say("cli.seat"))
    ] = 0,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help=say("cli.save"))] = None,
    resume: Annotated[Path | None, typer.Option(metavar="FILE", help=say("cli.resume"))] = None,
    fast: Annotated[bool, typer.Option("--fast", help=say("cli.fast"))] = False,
    watch: Annotated[bool, typer.Option("--watch", help=say("cli.watch"))] = False,
) -> None:
    out = console()
    seed = seed or fresh_seed()
    if resume is not None:
        for name, given in (("GAME", game), ("--seats", seats), ("--option", option)):
            if given:
                raise PliError("resume_alone", name=name)
        record = read_record(read_text(resume))
        match = Match(record.game, record.options, seeded(seed), inputs=record.inputs)
    else:
        chosen = games.load(game or _asked_game(out))
        match = Match(chosen, chosen_options(chosen, seats, option, True), seeded(seed))
    if not seat < match.seats:
        raise BadOption(name="seat", value=seat, allowed=f"0-{match.seats - 1}")
    spec = known_bot(bots, match.game)
    players = [make_bot(spec, match.game, each, seed) for each in range(match.seats)]
    file = save or resume or _new_file(match.game.name)
    # Written from the first card on: a place that can't be written is told before play begins, and
    # whatever happens the game is there.
    keep = partial(_write, file, match)
    pause = 0 if fast else PAUSE
    table: Terminal | SpectatorTerminal
    if watch:
        table = SpectatorTerminal(match, Live(match, players, seed), out, fast, keep)
    else:
        table = Terminal(match, seat, players, out, pause, keep)
    try:
        table.play()
    except (KeyboardInterrupt, EOFError):
        out.print()
    finally:
        _write(file, match)
        key = "play.saved_at" if match.over else "play.saved"
        again = f"{shlex.quote(str(file))}{f' --seat {seat}' if seat else ''}"
        out.print(table.say(key, file=file, again=again), soft_wrap=True, markup=False)


def _write(file: Path, match: AnyMatch) -> None:
    write_text(file, write_record(match))


def _new_file(game: str) -> Path:
    """A name that no other game has."""
    now = time.strftime("%Y-%m-%d-%H%M%S")
    return user_data_path("pli", appauthor=False) / f"{game}-{now}-{os.getpid()}.pli"


def ask(prompt: str) -> str:
    """A line typed by the player; EOFError without a terminal."""
    if sys.stdin is None:
        raise EOFError
    with suppress(ImportError):
        import readline  # noqa: F401  arrows move in the line, and recall earlier ones
    return input(prompt).strip()


def _asked_game(out: Console) -> str:
    names = games.names()
    out.print(say("play.choose_game"))
    for number, name in enumerate(names, 1):
        words = game_words(name)
        out.print(f"  {number}  [bold]{words('name')}[/]  [dim]{words('by')}[/]")
    while True:
        try:
            answer = ask(f"{say('play.prompt')} ").lower()
        except (KeyboardInterrupt, EOFError):
            raise typer.Exit(0) from None
        if answer in QUIT:
            raise typer.Exit(0)
        if answer in names:
            return answer
        if answer.isdecimal() and 1 <= int(answer) <= len(names):
            return names[int(answer) - 1]


class Terminal:
    """One person's seat at a table of bots."""

    def __init__(
        self,
        match: AnyMatch,
        seat: int,
        bots: Sequence[Bot],
        out: Console,
        pause: float,
        keep: Callable[[], None],
    ) -> None:
        self.match = match
        self.game: AnyGame = match.game
        self.seat = seat
        self.say: Words = game_words(match.game.name)
        self._bots = bots
        self._shown = [0 for _ in bots]  # how many steps each bot has seen
        self._did: tuple[int, str] | None = None  # what a bot did that has not been asked since
        self._out = out
        self._pause = pause
        self._told = 0
        self._keep = keep
        self._began = time.monotonic() - match.now / 1000

    def _now(self) -> int:
        """The time of play, which never runs back."""
        return max(self.match.now, int((time.monotonic() - self._began) * 1000))

    def play(self) -> None:
        self._keep()
        self._out.print(self.say("play.welcome", game=self.say("name")), style="bold")
        tell_house_rules(self._out, self.match.options, self.say)
        self._tell()
        while not self.match.over:
            awaited = self.match.view(self.seat).awaited
            if self.seat in awaited:
                if not self._mine():
                    return
                self._keep()
            elif not self._theirs(awaited):
                return
            self._tell()
        self._out.print(self._drawn())
        self._out.print(self._ending(), style="bold")

    def _theirs(self, awaited: list[int]) -> bool:
        """A bot acts, or time passes where no seat is awaited; then the player may act out of turn,
        in games that have it. False to stop."""
        acted = self._first_of(awaited)
        self._tell()
        if self.match.over or self.seat in self.match.view(self.seat).awaited:
            return True
        if not self.match.legal(self.seat):
            if not acted:
                self.match.wait(min(self.match.due, self.match.now + PASSING))
            return True
        return self._any_moment()

    def _first_of(self, awaited: list[int]) -> bool:
        """The first bot acts of those that are awaited or watch all the time. A listed action may
        be refused, such as a false denunciation: then all are asked again."""
        refused: dict[int, list[str]] = {}
        while True:
            plans = {
                seat: plan
                for seat, bot in enumerate(self._bots)
                if seat != self.seat
                and (seat in awaited or bot.watches)
                and (plan := self._plan_of(seat, refused.get(seat, []))) is not None
            }
            if not plans:
                return False
            seat = min(plans, key=lambda each: plans[each].at)
            plan = plans[seat]
            if not refused:
                time.sleep(self._pause)
            try:
                self.match.act(seat, plan.action, max(plan.at, self._now()))
            except Refused:
                refused.setdefault(seat, []).append(plan.action)
            else:
                self._did = (seat, plan.action)
                return True

    def _plan_of(self, seat: int, refused: list[str]) -> Plan | None:
        match = self.match
        actions = [each for each in match.legal(seat) if each not in refused]
        events = list(match.events(seat, self._shown[seat]))
        self._shown[seat] = len(match.steps)
        did = None
        if self._did is not None and self._did[0] == seat:
            did, self._did = self._did[1], None
        bot, motif_of = self._bots[seat], match.motif_of
        return ask_seat(
            bot, match, seat, events, actions=actions, motif_of=motif_of, did=did, refused=refused
        )

    def _any_moment(self) -> bool:
        """The player may act; several actions at once are separated by commas."""
        if self.match.motif_of is not None:
            self._out.print(self._drawn())
        how = self.say("prompts.any_moment") if "prompts.any_moment" in self.say else ""
        self._out.print(f" [dim]{self.say('play.any_moment')} {how}[/]")
        text = ask(f" {self.say('play.prompt')} ")
        if text.lower() in QUIT:
            return False
        if not text:
            self.match.wait(self.match.now + PASSING)
        for part in text.split(","):
            if part.strip() and not self.match.over and not self._tried(part):
                break
        return True

    def _tried(self, text: str) -> bool:
        """Carries out what was typed, or prints why it was refused."""
        try:
            self.match.act(self.seat, self._understood(text), self._now())
        except PliError as error:
            why = error.text(self.say.language, self.game.name)
            self._out.print(f" {one_line(why)}", style="red", markup=False)
            return False
        return True

    def _mine(self) -> bool:
        """Asks until an action is taken; False to stop."""
        self._out.print(self._drawn())
        while True:
            phase = self.match.view(self.seat).phase
            self._out.print(f" [bold]{self.say(f'prompts.{phase}')}[/]")
            text = ask(f" {self.say('play.prompt')} ")
            if text.lower() in QUIT:
                return False
            if text.lower() in HELP:
                self._out.print(RulesText(self.say.language, self.game.name))
                self._out.print(self._drawn())
            elif text and self._tried(text):
                return True

    def _understood(self, text: str) -> str:
        """What was typed as an action: the verb may be left out, and case does not matter."""
        wanted = " ".join(text.lower().split())
        for action in self.match.legal(self.seat):
            word = action.lower().partition(" ")[2]
            if wanted == action.lower() or (word and wanted == word):
                return action
        notation = self.game.notation
        for action in map(notation.show, range(len(notation))):
            if action.lower() in (wanted, f"play {wanted}"):
                return action
        return text

    def _drawn(self) -> Any:
        view = self.match.view(self.seat)
        mine = self.match.legal(self.seat)
        playable = [word for action in mine for word in action.split()]
        if self.seat not in self.match.actors:
            playable = self.game.board(view).hand
        colourless = is_colourless(self._out)
        return draw(
            self.game.board(view), view, playable, self.say, colourless, self.match.motif_of
        )

    def _tell(self) -> None:
        for event in self.match.events(self.seat, self._told):
            sentence = tell(event, self.seat, self.say)
            if sentence is not None:
                self._out.print(" ", sentence)
        self._told = len(self.match.steps)

    def _ending(self) -> str:
        winners = self.match.winners
        if not winners:
            return self.say("play.no_winner")
        if winners == [self.seat]:
            return self.say("play.winner_you")
        names = ", ".join(seat_name(each, self.seat, self.say) for each in winners)
        return self.say("play.winner", n=len(winners), names=names)
