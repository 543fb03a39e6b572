"""Games of older versions of the rules: shown with their moves, and played again by today's."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests import old
from tests.browser.conftest import NewUser
from tests.browser.server import ServerProcess
from tests.browser.test_accessibility import check_accessibility


@pytest.fixture
def old_server(tmp_path: Path) -> Iterator[ServerProcess]:
    old.put_journal(tmp_path)
    with ServerProcess(tmp_path) as server:
        yield server
        assert server.log == ""


def test_old_games_are_shown_with_their_moves_and_played_anew(
    new_user: NewUser, old_server: ServerProcess
) -> None:
    ann = new_user("phone", server=old_server, reduced_motion="reduce")
    for game in old.GAMES:
        for state in ("finished", "running"):
            seat = {**old.SEATS[game][state], "seat": 0, "game": game, "used": 1}
            ann.open_table(seat)
            ann.expect_visible(".old .acts")
            moves = ann.page.locator(".old ol li")
            if state == "finished":
                ann.expect_text("Played under version 1 of the rules")
                ann.expect_text("wins")
                ann.expect_visible(".old ol li")
                assert moves.count() > 20
                ann.expect_visible(".old a[download]")
            else:
                ann.expect_text("begun under older rules")
                expect(moves).to_have_count(0)
            if game == "merci":
                check_accessibility(ann, f"an old game, {state}")
            ann.button("Play again by today's rules").click()
            expect(ann.page.locator(".old")).to_have_count(0)
            ann.expect_visible("main.table header .tools")
            # What was played then can still be read, by the link to its replay.
            ann.offline = True  # the first answer is an error: there is no replay
            ann.go(f"/r/{seat['table']}/1")
            ann.expect_visible(".old ol li")
            assert moves.count() > 10
            ann.offline = False
