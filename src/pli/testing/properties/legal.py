"""The list of legal actions is what the check lets through, and tells a seat nothing that it can't
see; whatever draws random actions draws from the same list."""

import random

from pli.game import AnyGame
from pli.kernel.bits import to_list
from pli.kernel.machine import Plain
from pli.kernel.refusals import OK, OWN
from pli.match import AnyMatch
from pli.testing.failure import Broken
from pli.testing.property import Moment, Property, disguised
from pli.testing.walks import blaming, many_actions


def moment(at: Moment) -> None:
    game, match = at.game, at.match
    machine, state, before = Plain(game.rules), match.state, match.save()
    for seat in range(match.seats):
        with blaming(game, "rules.legal"):
            listed = machine.legal(state, seat)
        if len(listed) > game.rules.room:
            raise Broken("room", "rules.room", seat, f"<= {game.rules.room}", len(listed))
        if len(listed) != len(set(listed)):
            raise Broken("listed_twice", "rules.legal", seat, got=_texts(game, listed))
        if listed and seat not in match.actors:
            raise Broken("not_an_actor", "rules.actors", seat, match.actors, _texts(game, listed))
        with blaming(game, "rules.check"):
            _by_the_check(at, seat, listed)
        if game.rules.layout.save(state) != before:
            raise Broken("changes_state", "rules.check", seat)
        drawn_alike(match, seat)
        if game.zones is not None:
            other = machine.legal(disguised(at, seat), seat)
            if other != listed:
                texts = _texts(game, listed), _texts(game, other)
                raise Broken("legal_leaks", "rules.legal", seat, *texts)


def _by_the_check(at: Moment, seat: int, listed: list[int]) -> None:
    rules, notation, state = at.game.rules, at.game.notation, at.match.state
    known = set(listed)
    for action in many_actions(notation, random.Random(at.walk.seed)):
        code = rules.check(state, seat, action, at.match.now)
        is_listed = action in known
        if action >= rules.unlisted or not 0 <= action < len(notation):
            wrong = is_listed or (code == OK and not 0 <= action < len(notation))
        elif rules.hunches:  # a hunch may be wrong, and a fault need not be listed
            wrong = is_listed and code != OK and code < OWN
        else:
            wrong = (code == OK) != is_listed
        if wrong:
            allowed = "ok" if code == OK else rules.codes[code]
            shown = notation.show(action) if 0 <= action < len(notation) else str(action)
            key = "listed_but_refused" if is_listed else "open_but_not_listed"
            raise Broken(key, "rules.legal", seat, got=allowed, action=shown)


def drawn_alike(match: AnyMatch, seat: int) -> None:
    """What is for the speed of playouts, `choices` and `guess`, is the list of legal actions."""
    game, rules, state, now = match.game, match.game.rules, match.state, match.now
    listed = Plain(rules).legal(state, seat)
    if rules.by_set:
        with blaming(game, "rules.choices"):
            base = rules.base(state)
            chosen = [base + member for member in to_list(rules.choices(state, seat))]
        if chosen != listed:
            texts = _texts(game, listed), _texts(game, chosen)
            raise Broken("choices_differ", "rules.choices", seat, *texts)
    if rules.by_guess:
        with blaming(game, "rules.guess"):
            guesses = range(rules.guesses(state, seat))
            guessed = [rules.guess(state, seat, k) for k in guesses]
        right = [a for a in guessed if a >= 0 and rules.check(state, seat, a, now) == OK]
        few = sorted(action for action in right if action < rules.unlisted)
        wanted = sorted(a for a in listed if rules.check(state, seat, a, now) == OK)
        if few != wanted or len(set(right)) != len(right):
            texts = _texts(game, wanted), _texts(game, right)
            raise Broken("guesses_differ", "rules.guess", seat, *texts)


def _texts(game: AnyGame, actions: list[int]) -> str:
    known = range(len(game.notation))
    return ", ".join(game.notation.show(a) if a in known else str(a) for a in actions)


LEGAL = Property("legal", ends=moment)
