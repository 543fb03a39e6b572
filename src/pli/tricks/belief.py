"""What a seat of a trick-taking game can say about the cards that it can't see: which were played,
which colours others can't have, and the state as far as it is known."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from types import SimpleNamespace
from typing import Any

from pli.cards import Deck, TrickCard
from pli.events import Dealt, Played
from pli.game import Event, View, seat_number
from pli.kernel.bits import bit, from_list, full, has, lowest, size, to_list, without
from pli.kernel.dealing import Unseen
from pli.kernel.layout import Layout
from pli.kernel.rule import rule
from pli.tricks.rules import any_card, lead_next
from pli.tricks.state import NO_CARD, NO_SEAT, TrickState, blank
from pli.tricks.view import as_dict, copied_fields


def held_before(trick: Iterable[TrickCard], cards: Sequence[int]) -> int:
    """The seats that held cards before the trick of a view, by the numbers that they hold now."""
    return from_list({*(seat for seat, n in enumerate(cards) if n), *as_dict(trick)})


def play_seen(
    s: Any,
    trick: Iterable[TrickCard],
    cards: Sequence[int],
    deck: Deck,
    play: Callable[[Any, int, int], None],
) -> None:
    """Plays the trick of a view, on a state in which hands are known only by their sizes: any other
    card stands for the rest of a hand."""
    for each in trick:
        card = deck.number(each.card)
        rest = bit((card + 1) % len(deck)) if cards[each.seat] else 0
        s.hands[each.seat] = bit(card) | rest
        play(s, each.seat, card)
        s.hands[each.seat] = 0


@rule
def no_voids(s: Any, seat: int, card: int) -> int:
    """Who may play any card shows nothing by it."""
    return 0


def make_voids(deck: Deck, playable: Callable[[Any, int], int]) -> Callable[[Any, int, int], int]:
    """The colours in which a seat shows to be void by a card that it plays: those of which any card
    in its hand would have forbidden this one."""
    if playable is any_card:
        return no_voids
    colour_sets = deck.colour_sets
    colours = len(colour_sets)

    @rule
    def voids(s: Any, seat: int, card: int) -> int:
        hand = s.hands[seat]
        found = 0
        for colour in range(colours):
            others = without(colour_sets[colour], card)
            void = others != 0
            while void and others:
                other = lowest(others)
                others = without(others, other)
                s.hands[seat] = bit(card) | bit(other)
                void = not has(playable(s, seat), card)
            if void:
                found |= bit(colour)
        s.hands[seat] = hand
        return found

    return voids


@rule
def fill(s: Any, dealt: Any) -> None:
    """Completes a state by a deal. What falls to a seat that is out of the round lies aside."""
    s.hidden = dealt[s.seats]
    for seat in range(s.seats):
        if dealt[seat]:
            if has(s.holding_seats, seat):
                s.hands[seat] |= dealt[seat]
            else:
                s.hidden |= dealt[seat]


class TrickBelief:
    """One seat's belief, from the first card of a game on."""

    def __init__(self, kit: "BeliefKit") -> None:
        self._kit = kit
        self._begin(kit.blank(kit.most_seats))

    def _begin(self, s: TrickState) -> None:
        self._seen: Any = SimpleNamespace(**{f.name: getattr(s, f.name) for f in fields(s)})
        """The round as all can see it: the cards played, nobody's hand. It is no state, so that
        none can be mistaken for the table's."""
        self._seen.leader = NO_SEAT
        self.plays = [0] * len(s.hands)
        self.voids = [0] * len(s.hands)
        """Sets of colours."""

    def see(self, events: Sequence[Event], view: View) -> None:
        kit = self._kit
        for event in events:
            if isinstance(event, Dealt):
                self._begin(kit.blank(view.seats))
                kit.recall(self._seen, view)
            elif isinstance(event, Played):
                self._play(event.seat, kit.deck.number(event.card))
            else:
                kit.note(self._seen, event)

    def _play(self, seat: int, card: int) -> None:
        kit, s = self._kit, self._seen
        if s.leader == NO_SEAT or s.trick[seat] != NO_CARD:  # who leads has played to the last one
            s.trick[:] = [NO_CARD] * len(s.trick)
            lead_next(s, seat)
        s.hands[seat] = bit(card)
        self.voids[seat] |= kit.voids(s, seat, card)
        kit.lay(s, seat, card)
        self.plays[seat] += 1

    def recall(self, view: Any) -> Any:
        """The view with what the seat remembers, for bots that don't look ahead."""
        return self._kit.remembered(view, self._seen)

    def infer(self, view: Any) -> tuple[Any, Unseen]:
        """The state as far as it is known, and the cards that are not."""
        kit, deck, played = self._kit, self._kit.deck, self._seen.played
        s = kit.state(view, self._seen)
        known = {seat: cards & ~played for seat, cards in kit.known(view).items()}
        for seat, cards in known.items():
            s.hands[seat] |= cards
        hidden = full(len(deck)) & ~(played | deck.set_of(view.hand))
        for cards in known.values():
            hidden &= ~cards
        alike = [full(len(deck))] if kit.voids is no_voids else deck.colour_sets
        classes = [to_list(hidden & cards) for cards in alike]
        slots = []
        for seat in range(view.seats):
            if seat == view.seat:
                slots.append((0, 0))
            else:
                held = kit.unseen(view, seat, self.plays[seat]) - size(known.get(seat, 0))
                slots.append((held, self.voids[seat]))
        aside = sum(map(len, classes)) - sum(number for number, _ in slots)
        slots.append((aside, 0))
        return s, Unseen(classes, slots)


class BeliefKit:
    """What beliefs need to know of a game."""

    def __init__(
        self,
        layout: Layout[Any],
        kind: type[View],
        deck: Deck,
        phases: Sequence[str],
        lay: Callable[[Any, int, int], None],
        play: Callable[[Any, int, int], None],
        voids: Callable[[Any, int, int], int],
        recall: Callable[[Any, Any], None] | None,
        note: Callable[[Any, Event], None] | None,
        known: Callable[[Any], Mapping[int, Iterable[str]]] | None,
        unseen: Callable[[Any, int, int], int] | None,
        remembered: Callable[[Any, Any], Any] | None,
    ) -> None:
        self.deck, self.lay, self.play, self.voids = deck, lay, play, voids
        self._layout = layout
        self._phases = list(phases)
        self._recall, self._note = recall, note
        self._known, self._unseen, self._remembered = known, unseen, remembered
        self._copied = [name for name, _ in copied_fields(kind, layout.state_class)]
        shared = {field.name for field in fields(TrickState)}
        self._own = [f.name for f in fields(layout.state_class) if f.name not in shared]
        self._shown = {*kind.__struct_fields__}

    @property
    def most_seats(self) -> int:
        return len(self._layout.blank().hands)

    def blank(self, seats: int) -> TrickState:
        made: TrickState = blank(self._layout, seats)
        return made

    def recall(self, s: Any, view: Any) -> None:
        """What the view tells beside the fields of `TrickView`."""
        for name in self._copied:
            value = getattr(view, name)
            if isinstance(value, list):
                getattr(s, name)[: s.seats] = value
            else:
                setattr(s, name, NO_SEAT if value is None else int(value))
        if self._recall is not None:
            self._recall(s, view)

    def remembered(self, view: Any, seen: Any) -> Any:
        return view if self._remembered is None else self._remembered(view, seen)

    def note(self, s: Any, event: Event) -> None:
        """An event that is neither a card nor a deal: of the kit's own a trump."""
        if self._note is not None:
            self._note(s, event)
        colour = getattr(event, "colour", None)
        if event.__struct_config__.tag == "trump" and colour is not None:
            s.trump = self.deck.colours.index(colour)
            s.trump_cards = self.deck.colour(colour)

    def known(self, view: Any) -> dict[int, int]:
        if self._known is None:
            return {}
        return {seat: self.deck.set_of(cards) for seat, cards in self._known(view).items()}

    def unseen(self, view: Any, seat: int, plays: int) -> int:
        """How many cards of a seat's are not known, in its hand or discarded."""
        if self._unseen is None:
            return int(view.cards[seat])
        return self._unseen(view, seat, plays)

    def state(self, view: Any, seen: Any) -> Any:
        """The state with nothing in others' hands."""
        s: Any = self.blank(view.seats)
        for name in self._own:
            value = getattr(seen, name)
            setattr(s, name, [*value] if isinstance(value, list) else value)
        s.phase = self._phases.index(view.phase)
        s.round_number = view.round
        if "dealer" in self._shown:
            s.dealer = seat_number(view.dealer)
        for name in ("scores", "tricks"):
            if name in self._shown:
                getattr(s, name)[: s.seats] = getattr(view, name)
        if view.trump is not None:
            s.trump = self.deck.colours.index(view.trump)
            s.trump_cards = self.deck.colour(view.trump)
        self.recall(s, view)
        s.holding_seats = held_before(view.trick, view.cards)
        s.played = seen.played & ~self.deck.set_of(each.card for each in view.trick)
        lead_next(s, seat_number(view.leader))
        play_seen(s, view.trick, view.cards, self.deck, self.play)
        s.turn = seat_number(view.turn)
        if view.seat is not None:
            s.hands[view.seat] = self.deck.set_of(view.hand)
        s.last_winner = seat_number(view.last_winner)
        return s
