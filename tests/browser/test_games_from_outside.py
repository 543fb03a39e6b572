"""A game in a folder of its own, which no page knows anything of: on the shelf, in the waiting
room, at the table, to its end and in the replay."""

import re
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import NewUser
from tests.browser.server import QUICK, ServerProcess
from tests.browser.test_accessibility import check_accessibility
from tests.browser.test_layout import layout_faults
from tests.browser.test_whole_games import check_game_over, check_result_and_replay
from tests.browser.user import User, tab_to, with_keyboard, with_mouse, with_touch
from tests.docs.pages import PAGES, write_files
from tests.outside import SWITCH

SHORT = {
    "switch": {"seats": 3, "target": 2},  # one round, mostly
    "promise": {"seats": 3, "rounds": 1},  # the game of docs/write-a-game.md
}


@pytest.fixture(scope="module")
def outside(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with a game that was put into a fresh folder."""
    folder = tmp_path_factory.mktemp("games")
    shutil.copytree(SWITCH, folder / "switch")
    write_files(PAGES["docs/write-a-game.md"], folder)
    with ServerProcess(tmp_path_factory.mktemp("outside"), games=folder) as server:
        yield server
        assert server.log == ""


def whose_turn(*users: User) -> int | None:
    """Which of the users has something to do; None: the game is over for all."""
    for _ in range(600):
        if all(user.page.locator(".result").count() for user in users):
            return None
        for who, user in enumerate(users):
            if user.page.locator(".hand .playable, [data-action]").count():
                return who
        users[0].page.wait_for_timeout(25)
    raise AssertionError("nobody's turn")


@pytest.mark.parametrize("game", SHORT)
def test_two_people_and_a_bot_play_it_to_its_end_by_mouse_and_by_keyboard(
    new_user: NewUser, outside: ServerProcess, game: str
) -> None:
    ann, bob = new_user(server=outside), new_user(server=outside, name="Bob")
    wanted = {"game": game, "name": "Ann", "options": SHORT[game], "settings": QUICK}
    seat = {**outside.request("/api/tables", wanted), "game": game, "used": 1}
    ann.open_table(seat)
    bob.go(f"/t/{seat['table']}")
    bob.page.locator(".start button").wait_for()
    tab_to(bob, "Sit down")
    bob.page.keyboard.press("Enter")
    expect(ann.page.locator(".seats")).to_contain_text("Bob")
    ann.button("Deal the cards").click()  # a bot takes the third seat
    users, acts = (ann, bob), (with_mouse(ann), with_keyboard(bob))
    done = [0, 0]
    while (who := whose_turn(*users)) is not None:
        assert sum(done) < 400
        prompt = users[who].wait_for_prompt()
        if prompt.kind == "over":
            continue
        acts[who](prompt)
        done[who] += 1
        users[who].page.wait_for_function(GONE, arg=prompt.state)
    assert min(done) >= 2
    for user in users:
        check_game_over(user, seat["table"])
    # All that happened is told, in the words of the game, and read out as it happened.
    log = log_of(ann)
    assert any(line.startswith("Round 1:") for line in log[:2])
    assert any(line.startswith("Bob plays the ") for line in log)
    assert any(re.match("(You win|.* wins)([.]| with [0-9]+ points)", line) for line in log)
    assert ann.page.locator("[role=log]").inner_text()


GONE = """before => {
  const cards = [...document.querySelectorAll('.hand .playable')];
  const choice = document.querySelector(cards.length ? '.slip button' : '[data-action]');
  const hand = [...document.querySelectorAll('.hand button')].map((each) => each.textContent);
  const now = [choice?.textContent, ...hand, cards.length].join();
  return document.querySelector('.result') || !before.endsWith(now);
}"""
"""What was asked is answered."""


def log_of(user: User) -> list[str]:
    """What happened, as the page tells it after the game."""
    user.page.locator(".result .cross").click()
    user.page.keyboard.press("l")
    lines = user.page.locator("dialog[open] li")
    lines.first.wait_for()
    return lines.all_inner_texts()


def test_by_touch_from_the_shelf_to_the_replay(new_user: NewUser, outside: ServerProcess) -> None:
    ann = new_user("small", touch=True, server=outside, reduced_motion="reduce")
    ann.go("/")
    box = ann.page.locator(".shelf li", has_text="Switch")
    expect(box).to_contain_text("Follow the suit or the rank")
    box.locator("svg .paper").first.wait_for()
    check_accessibility(ann, "shelf")
    box.get_by_role("link", name="Rules").tap()
    expect(ann.page.locator("h1")).to_have_text("Switch")
    assert ann.page.locator(".full [data-card] svg").count() == 2
    check_accessibility(ann, "rules")
    seat = outside.create_table("switch", 3, target=2)
    ann.open_table(seat)
    ann.page.locator(".options summary").tap()
    expect(ann.page.locator("section.options")).to_contain_text(
        "Whoever has so many after a round wins"
    )
    check_accessibility(ann, "waiting room")
    ann.button("Deal the cards").tap()
    ann.wait_for_prompt()
    check_accessibility(ann, "table")
    assert layout_faults(ann) == []
    assert ann.play_game(with_touch(ann)) > 2
    check_game_over(ann, seat["table"])
    check_result_and_replay(ann, seat["table"])


def test_sentences_in_english_name_cards_in_english_on_a_french_page(
    new_user: NewUser, outside: ServerProcess
) -> None:
    ann = new_user(server=outside, locale="fr-FR")
    ann.go("/rules/switch")
    expect(ann.page.locator("h2")).to_have_text("En détail")
    seat = outside.create_table("switch", 2, target=2)
    ann.open_table(seat)
    ann.page.locator(".start button").click()
    ann.play_game(with_mouse(ann))
    log = log_of(ann)
    assert any(re.match("You play the .* of (clubs|diamonds|hearts|spades)", line) for line in log)
