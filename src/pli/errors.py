"""Errors in what users and clients send: each has a code, and a text in every language."""

from collections.abc import Mapping

from pli.texts import Words, words


class Say:
    """A detail of an error that is itself a text of the language files."""

    def __init__(self, key: str, /, **values: object) -> None:
        self.key = key
        self.values = values

    def text(self, say: Words) -> str:
        return say(self.key, **told(self.values, say))


def told(details: Mapping[str, object], say: Words) -> dict[str, object]:
    return {name: v.text(say) if isinstance(v, Say) else v for name, v in details.items()}


INTERRUPTED = 130
"""The exit status of a command that Ctrl-C has stopped."""


class PliError(Exception):
    """Bad input, never a bug. `code` names it in the API; the text is in the language files."""

    code = "error"
    key: str | None = None
    """The name of what is wrong, where the input has names."""

    game: str | None = None
    """The game whose words tell of it, where it is a game's own."""

    def __init__(self, code: str | None = None, /, **details: object) -> None:
        self.code = code or self.code
        self.details = details
        super().__init__(self.code, details)

    def text(self, language: str = "en", game: str | None = None) -> str:
        """What is wrong, for people; a game's own words for it go before everyone's."""
        say = words(language, game or self.game)
        return say(f"errors.{self.code}", **told(self.details, say))

    def __str__(self) -> str:
        return self.text()


def reason(error: Exception) -> str:
    """Why something failed, in the words of the operating system or a library."""
    return getattr(error, "strerror", None) or str(error)


class WrongSyntax(PliError):
    """Not an action in the game's notation at all."""

    code = "wrong_syntax"


class Refused(PliError):
    """An action that the rules of a game don't allow now; the code is a refusal code."""

    def __init__(self, code: str, game: str | None = None) -> None:
        super().__init__(code)
        self.game = game


class BadOption(PliError):
    """An option that the game does not have, or a value that it can't take."""

    code = "bad_option"

    def __init__(self, code: str | None = None, /, **details: object) -> None:
        super().__init__(code, **details)
        self.key = str(details["name"])


class BadPosition(PliError):
    """A position that can't be set up; names the key."""

    code = "bad_position"

    def __init__(self, code: str | None = None, /, **details: object) -> None:
        super().__init__(code, **details)
        self.key = str(details["key"])


class UnknownGame(PliError):
    """There is no game of that name; the text says which there are."""

    code = "unknown_game"


class BadGame(PliError):
    """A game from outside that can't be used; names the file."""


class BadRecord(PliError):
    """A record that can't be read or replayed; names the line."""


class NotProved(PliError):
    """A record that can be read, but whose shuffles do not follow from its commitment."""


class BadScenario(PliError):
    """A malformed scenario; names the line and the key."""
