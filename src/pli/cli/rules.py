"""`pli rules`: the rules of a game on one page."""

from rich.markdown import Markdown

from pli import games
from pli.cli.common import DEFAULT_LANGUAGE, GameName, Language
from pli.cli.table import console
from pli.texts import rules_page


def run(game: GameName, lang: Language = DEFAULT_LANGUAGE) -> None:
    console().print(Markdown(rules_page(lang, games.load(game).name)))
