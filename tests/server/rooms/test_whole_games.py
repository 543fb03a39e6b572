"""Whole games over WebSockets."""

import pytest

from tests.server.client import Running


@pytest.mark.parametrize("game", ["marshmallow", "plingo"])
async def test_people_play_a_whole_game(server: Running, game: str) -> None:
    pages = await server.people(game, 3)
    while pages[0].table["state"] == "playing":
        page = pages[pages[0].view["awaited"][0]]
        number = await page.do(page.legal[0])
        for each in pages:
            told = await each.until("update")
            assert told["did"] == (number if each is page else 0)
    assert pages[0].table["results"] == [pages[0].view["winners"]]
