"""An action that is refused changes nothing, and is refused with a reason that has a name; the
check changes nothing either."""

from pli.errors import Refused
from pli.game import Act
from pli.testing.failure import Broken
from pli.testing.property import Moment, Property
from pli.testing.walks import any_action, blaming, raised

TRIES = 20


def moment(at: Moment) -> None:
    match, notation, rules = at.match.copy(), at.game.notation, at.game.rules
    for _ in range(TRIES):
        before, steps, now = match.save(), len(match.steps), match.now
        seat = at.rng.randrange(match.seats)
        action = at.rng.choice([-1, any_action(notation, at.rng), len(notation)])
        with blaming(at.game, "rules.check"):
            code = rules.check(match.state, seat, action, now)
        if not 0 <= code < len(rules.codes):
            raise Broken("no_code", "rules.refusals", seat, got=code)
        if match.save() != before:
            raise Broken("refusal_changes", "rules.check", seat, action=_shown(at, action))
        if match.over:
            continue
        try:
            match.feed(Act(seat, action, now))
        except Refused:
            if (match.save(), len(match.steps), match.now) != (before, steps, now):
                shown = _shown(at, action)
                raise Broken("refusal_changes", "rules.check", seat, action=shown) from None
        except Exception as error:
            raise raised(at.game, error, "rules.act") from error


def _shown(at: Moment, action: int) -> str:
    known = range(len(at.game.notation))
    return at.game.notation.show(action) if action in known else str(action)


REFUSALS = Property("refusals", moment=moment)
