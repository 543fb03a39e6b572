"""What happens, told in the terminal."""

import pytest

from pli.cli.table import tell
from pli.games.merci.events import Denounced
from pli.games.merci.state import FAULTS
from pli.texts import LANGUAGES, words


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_denunciation_says_why_whatever_it_was(language: str) -> None:
    say = words(language, "merci")
    told = {
        str(tell(Denounced(seat=1, offender=2, reason=reason), 0, say))
        for reason in (None, *FAULTS[1:])
    }
    assert len(told) == len(FAULTS)
