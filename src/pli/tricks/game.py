"""A whole game from its own rules: `TrickGame` has what a designer writes, `game()` derives the
rest."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from pli.board import Board
from pli.cards import Deck
from pli.game import (
    Act,
    Event,
    FirstSeat,
    Game,
    Heuristic,
    Notation,
    Options,
    Plausible,
    Shuffle,
    View,
    first_seats,
    seat_counts_of,
)
from pli.hooks import check_hooks
from pli.kernel.layout import Layout
from pli.kernel.observation import Field
from pli.position import Reader
from pli.tricks import belief as beliefs
from pli.tricks import rules as standard
from pli.tricks.events import Ended, Happened, Told, event_types, make_events
from pli.tricks.observation import Look, TrickObservation, make_observation
from pli.tricks.position import SetUp, expected_keys, make_facts, make_place, placed_keys
from pli.tricks.rules import Choice, largest_hand, make_rules
from pli.tricks.search import by_points, cards_left, make_model
from pli.tricks.state import DEALING, NO_SEAT, SEATING, TrickState, blank
from pli.tricks.terminal import draw
from pli.tricks.view import Own, Shown, TrickView, make_own, make_view
from pli.zones import Zones, card_zones

S = TypeVar("S", bound=TrickState)
V = TypeVar("V", bound=View)

EVEN_WORTH = by_points(10.0)

PHASES = ("seating", "dealing", "play", "over")

ZONES = card_zones(face_up=["played"], face_down=["hidden"])
"""Where the cards are in a trick-taking game, unless it says otherwise."""


class TrickOptions(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a host may choose of every trick-taking game; a game derives its own, with its numbers
    of seats."""

    first_dealer: FirstSeat = "random"


@dataclass(frozen=True, kw_only=True, eq=False)
class TrickGame(Generic[S, V]):
    """A trick-taking game as its designer writes it. What is called a rule here is compiled: a
    function marked `@rule` (or `@hot`, if every card runs it) over the state and integers."""

    name: str
    """As its folder."""
    deck: Deck
    options: type[Options]
    """With the numbers of seats that the game takes."""
    hand: int | Mapping[int, int] | Callable[[S], int]
    """How many cards each seat is dealt: a number, one for each number of seats, or a rule (s)."""
    end_round: Callable[[S, int], None]
    """A rule (s, winner): what the round was worth, its last trick taken by this seat. It ends with
    `next_deal` or `end_game`, or with `ask` where something is still to be chosen."""
    version: int = 1
    """Raised when behaviour changes: a record names it, and is never replayed under other rules."""

    # Rules that most games have as they are here.
    state: type[S] = TrickState  # type: ignore[assignment]
    """With the fields of the game's own."""
    setup: Callable[[S, Any], None] | None = None
    """(s, options): puts into a new state what the options say. Not compiled."""
    clear: Callable[[S], None] = standard.nothing_to_clear
    """A rule (s): sets the fields of the game's own for a new round."""
    begin: Callable[[S], None] = standard.begin
    """A rule (s): what comes after the deal. Here the dealer's left leads; `lead_next` lets
    another seat lead, and `ask` opens a choice first."""
    playable: Callable[[S, int], int] = standard.follow
    """A rule (s, seat): the cards of its hand that a seat may play now; `any_card` where there is
    no duty to follow."""
    why: Callable[[S, int, int], int] = standard.must_follow
    """A rule (s, seat, card): why it may not play another card of its hand, a code of
    `pli.kernel.refusals` or of the game's own."""
    refusals: Sequence[str] = ()
    """The game's own codes, numbered from OWN on; their texts are in its language files."""
    strength: Callable[[S, int], int] = standard.suit_strength
    """A rule (s, card): the strongest card takes the trick, the first of equal ones. Here trumps
    beat the colour that was led, and that all others."""
    winning: Callable[[S], int] | None = None
    """Where only the whole trick says which card takes it, a rule (s): that card, the trick being
    complete; NO_CARD if none does. `strength` is not asked then."""
    took: Callable[[S, int], None] = standard.nothing_more
    """A rule (s, winner): what a trick does, now in `last_trick` and counted in `tricks`; it may
    end the game."""
    leads: Callable[[S, int], int] | None = None
    """A rule (s, winner): who leads the next trick, or the first seat at its left that has cards;
    None: who took the last one, and if nobody did, who led it."""
    round_over: Callable[[S], bool] = standard.no_cards_left
    """A rule (s): whether the round ends with this trick."""
    choices: Sequence[Choice[S]] = ()
    """The phases in which something else than a card is chosen, in the order of their numbers from
    FIRST_CHOICE on."""
    points: Callable[[S, int], int] = standard.score
    """A rule (s, seat): what a seat has gathered towards winning, more being better. Studies tell
    of it."""
    patience: int = 0
    """A random playout is cut off after so many actions (0: never)."""

    # What players see
    view: type[V] = TrickView  # type: ignore[assignment]
    """A class derived from `TrickView`. Fields that the state has are copied from it."""
    show: Shown | None = None
    """(s): the values of the other fields of the view that all may see."""
    own: Own | None = None
    """(s, seat): the values of those that the seat alone may see; the class has what others see."""
    happened: Happened | None = None
    """(before, action, after, seat): events of the game's own, after those of the card or
    choice."""
    tell_trick: Ended | None = None
    """(before, after): what is told of a complete trick; None: who took it."""
    tell_round: Ended | None = None
    """(before, after): what is told when a round or the game is over; None: who deals next, or who
    has won."""
    board: Callable[[V], Board] = draw
    """(view): the table in a terminal."""
    by_language: Mapping[str, Mapping[str, int | str]] = field(default_factory=dict)

    # Positions in scenarios
    placed: Mapping[str, Reader] = field(default_factory=dict)
    """Keys of the game's own, which are fields of its view too, with their readers."""
    place: SetUp | None = None
    """(s, given): sets up these."""
    piles: Sequence[str] = ()
    """Lists of the state with a set of cards for each seat that are in nobody's hand, such as those
    that it took: keys too."""

    # What checkers must know
    zones: Zones[S] = ZONES
    """Where the cards are and who can't see them: `pli.zones`."""

    # Bots and agents
    heuristic: Heuristic[V] | None = None
    """(view, actions): a sound choice without looking ahead."""
    plausible: Plausible[V] | None = None
    """(view, actions): what a distracted player might choose from, where that is not all."""
    worth: Callable[[S, Any], None] = EVEN_WORTH
    """A rule (s, rewards): each seat's chance to win, between two rounds."""
    left: Callable[[S], int] = cards_left
    """A rule (s): how many actions the round still has at most; the last few are solved exactly."""
    recall: Callable[[S, V], None] | None = None
    """(s, view): puts into a state what the fields of `show` and `own` tell."""
    note: Callable[[S, Event], None] | None = None
    """(s, event): puts into it what the events of the game's own tell and views don't keep."""
    remembered: Callable[[V, S], V] | None = None
    """(view, s): the view with what was noted in a state, for bots that don't look ahead."""
    known: Callable[[V], Mapping[int, Iterable[str]]] | None = None
    """(view): cards in others' hands that the viewer knows of, because it gave them away."""
    unseen: Callable[[V, int, int], int] | None = None
    """(view, seat, plays): how many cards nobody has seen a seat had from its hand; None: those
    that it holds."""
    fill: Callable[[S, Any], None] = beliefs.fill
    """A rule (s, dealt): completes a state by a deal of the unseen cards."""
    observation: TrickObservation[S] | None = None
    """What learning agents see; None: the same as of most trick-taking games, and these fields:"""
    fields: Sequence[Field] = ()
    look: Look | None = None
    """A rule (s, seat, out, at): writes those fields."""

    def game(self) -> Game[S, V]:
        """The game, with all that is derived."""
        for part in (self, *self.choices):
            check_hooks(part)
        deck, choices = self.deck, self.choices
        layout = Layout(self.state, seats=max(seat_counts_of(self.options)))
        rules, lay, play = make_rules(
            name=self.name,
            layout=layout,
            deck=deck,
            hand=self.hand,
            clear=self.clear,
            begin=self.begin,
            playable=self.playable,
            why=self.why,
            strength=self.strength,
            winning=self.winning,
            took=self.took,
            leads=self.leads,
            round_over=self.round_over,
            end_round=self.end_round,
            choices=choices,
            refusals=self.refusals,
            points=self.points,
            patience=self.patience,
        )
        phases = (*PHASES, *(choice.phase for choice in choices))
        asking = (*(choice.phase for choice in choices), "play", "over")
        most = largest_hand(self.hand, deck)
        phrases = [phrase for choice in choices for phrase in choice.phrases]
        notation = Notation(("play", deck.names), *phrases)
        own = make_own(deck, self.own)
        view = make_view(self.view, self.state, deck, phases, self.show, own)
        voids = beliefs.make_voids(deck, self.playable)
        kit = beliefs.BeliefKit(
            layout=layout,
            kind=self.view,
            deck=deck,
            phases=phases,
            lay=lay,
            play=play,
            voids=voids,
            recall=self.recall,
            note=self.note,
            known=self.known,
            unseen=self.unseen,
            remembered=self.remembered,
        )
        secret = any(choice.secret for choice in choices)
        told = Told(self.happened, self.tell_trick, self.tell_round)
        expected = expected_keys(deck, most, self.view, self.piles, asking, self.placed)
        return Game(
            rules=rules,
            version=self.version,
            options=self.options,
            setup=self._setup(layout),
            notation=notation,
            shuffled=self._shuffled,
            view=view,
            own=own,
            events=make_events(deck, choices, notation, told),
            event_types=event_types(choices, told),
            private=(Shuffle, Act) if secret else (Shuffle,),
            place=make_place(deck, self.begin, play, self.piles, self.place),
            placed=placed_keys(deck, most, self.view, self.piles, self.placed),
            expected=expected,
            facts=make_facts(deck, view, expected, self.piles, self.placed),
            board=self.board,
            deck=deck,
            zones=self.zones,
            heuristic=self.heuristic,
            memory=None if self.remembered is None else lambda: beliefs.TrickBelief(kit),
            plausible=self.plausible,
            belief=lambda: beliefs.TrickBelief(kit),
            rollout=make_model(rules, choices, self.fill, self.worth, self.left),
            observation=make_observation(
                rules, deck, choices, notation, voids, self.fields, self.look, self.observation
            ),
            by_language=self.by_language,
        )

    def _setup(self, layout: Layout[S]) -> Callable[[Any], S]:
        first_seat = next(iter(first_seats(self.options)), None)

        def setup(options: Any) -> S:
            s: Any = blank(layout, options.seats)
            first = "random" if first_seat is None else getattr(options, first_seat)
            s.dealer = s.leader = NO_SEAT if first == "random" else first
            s.phase = SEATING if first == "random" else DEALING
            if self.setup is not None:
                self.setup(s, options)
            started: S = s
            return started

        return setup

    def _shuffled(self, s: S) -> Sequence[str]:
        return [str(seat) for seat in range(s.seats)] if s.phase == SEATING else self.deck.names
