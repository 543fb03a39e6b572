"""No bot knows more than its seat: whatever lies where the seat can't see it, it does the same. And
what a search imagines of the hidden cards agrees with all that its seat knows."""

import random
from collections.abc import Iterator, Sequence
from typing import Any

from pli.batch import observe
from pli.bots import Bot, Live, RandomBot, make_bot
from pli.bots import Moment as Asked
from pli.errors import PliError
from pli.game import AnyGame, Input, Shuffle
from pli.kernel.dealing import count_ways
from pli.kernel.machine import Plain
from pli.kernel.stream import start
from pli.match import AnyMatch, Match
from pli.testing.failure import Broken
from pli.testing.property import Moment, Property, Trial, without_zones, zones_of
from pli.testing.walks import Walk, blaming

BEGUN = (5, 60)
"""After how many events of a game among bots a seat is asked."""

FEW = (2, 4, 60)
"""How many cards that it can't see change places."""

SEARCHES = 100
"""Ways to find a match in which a seat saw the same."""

TWINS = 3
"""For each game that may be played; tried for in so many games each."""

GAMES_A_TWIN = 20

SPECS = ("medium", "search:200", "flat:20")


class Spied:
    """A bot, and what it was shown and answered."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.told: list[tuple[Asked[Any], object]] = []

    @property
    def watches(self) -> bool:
        return self.bot.watches

    @property
    def policy(self) -> Any:
        return getattr(self.bot, "policy", None)

    def choose(self, moment: Asked[Any]) -> Any:
        answer = self.bot.choose(moment)
        self.told.append((moment, answer))
        return answer


def told(match: AnyMatch, seat: int, spec: str) -> tuple[Asked[Any], object]:
    """What a bot is shown at the table, and what it says to it."""
    bots: list[Bot] = [RandomBot(1) for _ in range(match.seats)]
    spied = Spied(make_bot(spec, match.game, seat, 7))
    bots[seat] = spied
    Live(match, bots)
    return spied.told[0]


# Matches that are the same for a seat, and not the same


def begun(game: AnyGame, options: Any, seed: int) -> AnyMatch | None:
    """A game that has gone on for some time, a random one; None: it is over by then."""
    match = Walk(game, options, seed).match
    rng = random.Random(seed)
    live = Live(match, [make_bot("medium", game, seat, seed) for seat in range(match.seats)])
    for _ in range(rng.randrange(*BEGUN)):
        if match.over:
            return None
        live.step()
    return match if _deciding(match) is not None else None


def _deciding(match: AnyMatch) -> int | None:
    """A seat that has something to decide."""
    if match.over:
        return None
    seats = [*match.view(None).awaited, *match.actors]
    return next((seat for seat in seats if match.legal(seat)), None)


def twin(match: AnyMatch, seat: int, rng: random.Random) -> AnyMatch | None:
    """A match in which the seat saw the same, though other cards are where it can't see them; None
    if there seems to be none."""
    inputs = [step.given for step in match.steps]
    deals = [n for n, given in enumerate(inputs) if isinstance(given, Shuffle)]
    if not deals:
        return None
    deal = max(deals, key=lambda n: (len(_order(inputs[n])), n))
    groups = zones_of(match.game).unseen(match.state, seat)
    hidden = sorted(card for cards in groups for card in cards)
    for _ in range(SEARCHES):
        some = {*rng.sample(hidden, min(len(hidden), rng.choice(FEW)))}
        other: dict[int, int] = {}
        for cards in groups:
            alike = [card for card in cards if card in some]
            other |= dict(zip(alike, rng.sample(alike, len(alike)), strict=True))
        changed = Shuffle(tuple(other.get(card, card) for card in _order(inputs[deal])))
        again = replayed(match, [*inputs[:deal], changed, *inputs[deal + 1 :]])
        if again is not None and again.save() != match.save() and same(match, again, seat):
            return again
    return None


def _order(given: Input) -> tuple[int, ...]:
    assert isinstance(given, Shuffle)
    return given.order


def replayed(match: AnyMatch, inputs: Sequence[Input]) -> AnyMatch | None:
    """The match with other inputs, if the rules allow them."""
    try:
        return Match(match.game, match.options, None, inputs=inputs)
    except PliError:
        return None  # somebody could have followed, or does not hold what it gave away


def same(one: AnyMatch, two: AnyMatch, seat: int) -> bool:
    """Whether a seat saw the same in both, and may do the same."""
    return (
        list(one.events(seat)) == list(two.events(seat))
        and one.view(seat) == two.view(seat)
        and one.legal(seat) == two.legal(seat)
        and one.now == two.now
    )


def twins(
    game: AnyGame, options: Any, count: int, first: int = 0
) -> Iterator[tuple[AnyMatch, AnyMatch, int]]:
    """(match, other, seat): so many, as far as they are found."""
    found = 0
    for seed in range(first, first + GAMES_A_TWIN * count):
        match = begun(game, options, seed)
        if match is None:
            continue
        seat = _deciding(match)
        assert seat is not None
        other = twin(match, seat, random.Random(seed))
        if other is not None:
            found += 1
            yield match, other, seat
            if found == count:
                return


def specs(game: AnyGame, compiled: bool) -> list[str]:
    """Bots that can be asked; a bot with eyes is shown what the views do not say."""
    some = SPECS[:1] if game.rollout is None or not compiled else SPECS
    return [spec for spec in some if spec != "medium" or game.motif_lookup is None]


def trial(of: Trial) -> bool:
    found = False
    with blaming(of.game, "heuristic"):
        for match, other, seat in twins(of.game, of.options, TWINS, of.seed):
            found = True
            _observe_alike(match, other, seat)
            imagine(match, of.seed)
            for spec in specs(of.game, of.compiled):
                one, two = told(match, seat, spec), told(other, seat, spec)
                if one != two:
                    look = "heuristic" if spec == "medium" else "belief"
                    raise Broken("bot_knows", look, seat, repr(one[1]), repr(two[1]), bot=spec)
    return found


def _observe_alike(match: AnyMatch, other: AnyMatch, seat: int) -> None:
    """Nor does an agent, with all that its seat remembers."""
    if match.game.observation is None:
        return
    one, two = observe(match, seat).tolist(), observe(other, seat).tolist()
    if one != two or match.mask(seat).tolist() != other.mask(seat).tolist():
        raise Broken("memory_leaks", "observation.memory", seat)


# What a search imagines


def moment(at: Moment) -> None:
    imagine(at.match, at.walk.seed)


def imagine(match: AnyMatch, seed: int) -> None:
    """A state dealt from the belief of a seat looks to it like the true one, and has what stays as
    it is throughout a game: the options, by which a search knows when the game is over."""
    game = match.game
    model, make = game.rollout, game.belief
    if model is None or make is None or match.over or not match.view(None).awaited:
        return
    seat = int(match.view(None).awaited[0])
    with blaming(game, "belief"):
        belief = make()
        for number in range(len(match.steps)):
            belief.see([*match.events(seat, number, number + 1)], _seen(match, number, seat))
        view = match.view(seat)
        state, unseen = belief.infer(view)
        arrays = unseen.arrays()
        count_ways(arrays)
        model.deal(arrays, start(seed, 0))
        model.fill(state, [int(each) for each in arrays.dealt])
        again = game.view(state, seat)
    for name in view.__struct_fields__:
        wanted, got = getattr(view, name), getattr(again, name)
        if wanted != got and not name.startswith("last_"):
            raise Broken("belief_differs", "belief", seat, wanted, got, field=name)
    truth = match.state
    for name in _unchanging(match):
        if getattr(state, name) != getattr(truth, name):
            wanted, got = getattr(truth, name), getattr(state, name)
            raise Broken("belief_forgets", "belief", seat, wanted, got, field=name)
    if game.live:  # whose searches choose among other actions than those that are listed
        return
    with blaming(game, "belief"):
        listed = [game.notation.show(each) for each in Plain(game.rules).legal(state, seat)]
    if listed != match.legal(seat):
        raise Broken("belief_differs", "belief", seat, match.legal(seat), listed, field="legal")


def _unchanging(match: AnyMatch) -> list[str]:
    """The fields of the state that the options have set, and nothing since."""
    game = match.game
    before = game.setup(match.options)
    blank, load = game.rules.layout.blank(), game.rules.layout.load
    names = [name for name in game.rules.layout.dtype.names or () if hasattr(before, name)]
    set_up = [name for name in names if getattr(before, name) != getattr(blank, name)]
    states = [load(step.after) for step in match.steps]
    return [
        name
        for name in set_up
        if all(getattr(state, name) == getattr(before, name) for state in states)
    ]


def _seen(match: AnyMatch, number: int, seat: int) -> Any:
    return match.game.view(match.game.rules.layout.load(match.steps[number].after), seat)


def _unsearched(game: AnyGame) -> str | None:
    return None if game.rollout is not None and game.belief is not None else "no_search"


BOTS = Property("bots", trial=trial, skipped=without_zones)
BELIEFS = Property("beliefs", ends=moment, skipped=_unsearched)
