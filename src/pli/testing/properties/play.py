"""The game can be played: whatever is done to it, nothing raises, nobody waits for ever, and what
its functions are asked changes nothing."""

from collections.abc import Callable

from pli.kernel.contract import NEVER
from pli.kernel.machine import Plain
from pli.testing.failure import Broken
from pli.testing.property import Moment, Property
from pli.testing.walks import blaming


def moment(at: Moment) -> None:
    match, game = at.match, at.game
    rules, state, before = game.rules, match.state, match.save()
    machine = Plain(rules)
    asked: dict[str, Callable[[], object]] = {
        "over": lambda: (rules.over(state), rules.winners(state)),
        "due": lambda: rules.due(state),
        "actors": lambda: rules.actors(state),
        "legal": lambda: [machine.legal(state, seat) for seat in range(match.seats)],
        "rounds": lambda: rules.rounds(state),
        "points": lambda: [rules.points(state, seat) for seat in range(match.seats)],
    }
    for name, ask in asked.items():
        look = f"rules.{name}"
        with blaming(game, look):
            ask()
        if rules.layout.save(state) != before:
            raise Broken("changes_state", look)
    with blaming(game, "facts"):
        game.facts(state)
    if not match.over and not match.actors and match.due >= NEVER:
        raise Broken("stuck", "rules.actors")
    if not match.over and match.winners:
        raise Broken("winners_too_soon", "rules.winners", expected=[], got=match.winners)
    if match.over and match.actors:
        raise Broken("actors_after_end", "rules.actors", expected=[], got=match.actors)


PLAY = Property("play", moment=moment)
