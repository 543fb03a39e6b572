"""Replays: seen from every seat or with all hands open, shared by link, downloaded as a record."""

import re

import pytest
from playwright.sync_api import expect

import pli
from tests.browser.conftest import NewUser
from tests.browser.user import with_mouse


@pytest.mark.parametrize(("game", "seats"), [("marshmallow", 3), ("plingo", 3)])
def test_a_replay_is_seen_from_every_seat_and_open(
    new_user: NewUser, game: str, seats: int
) -> None:
    ann = new_user()
    seat = ann.server.create_table(game, seats)
    ann.server.play_to_end(seat)
    ann.open_table(seat)
    ann.page.get_by_role("link", name="Watch the replay").click()
    ann.expect_visible("input[type=range]")
    expect(ann.page.locator(".caption")).not_to_be_empty()  # it opens on the first card
    hands = set()
    for viewpoint in range(seats):
        ann.page.locator(".seat-choice").select_option(str(viewpoint))
        expect(
            ann.page.locator(f".hand[data-anchor=seat-{viewpoint}] button").first
        ).to_be_visible()
        hands.add(",".join(ann.hand))
    assert len(hands) == seats
    ann.page.locator(".seat-choice").select_option("-1")
    expect(ann.page.locator(".seat .open")).to_have_count(seats)
    assert ann.page.url.endswith(f"/r/{seat['table']}/1")


def test_a_replay_is_shared_by_its_link_and_its_record_holds(new_user: NewUser) -> None:
    ann, bob = new_user(), new_user(name="Bob")
    table = str(ann.start_game("marshmallow", 2, target=3)["table"])
    ann.play_game(with_mouse(ann))
    ann.expect_visible(".result tr.won")
    ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ann.button("Share the replay").click()
    ann.expect_text("Copied")
    link = str(ann.page.evaluate("navigator.clipboard.readText()"))
    assert link.endswith(f"/r/{table}/1")
    bob.page.goto(link)
    bob.expect_visible("input[type=range]")
    with ann.page.expect_download() as download:
        ann.page.get_by_role("link", name="Download the record").click()
    record = download.value.path().read_text()
    assert pli.replay(pli.read_record(record)).winners
    ann.page.get_by_text("Was the shuffle fair?").click()
    ann.expect_text("It fits.")
    ann.expect_text("What your own page added went in as well")


def test_a_stranger_reads_names_and_goes_where_rounds_and_lines_of_the_log_are(
    new_user: NewUser,
) -> None:
    ann, bob = new_user(), new_user("phone", touch=True, name="Bob")
    seat = ann.server.create_table("marshmallow", 3, target=8)
    ann.server.play_to_end(seat)
    ann.store_seat(seat)
    for user in (ann, bob):
        user.go(f"/r/{seat['table']}/1")
        user.expect_visible(".track li")
        # Only the player who was there is addressed.
        user.button("What happened").click()
        lines = user.page.locator("dialog[open] li button")
        expect(lines.first).to_be_visible()
        told = " ".join(lines.all_inner_texts())
        assert ("You " in told) == (user is ann)
        assert ("Ann" in told) == (user is bob)
        wanted = lines.nth(lines.count() - 2)
        text = wanted.inner_text()
        wanted.click()
        expect(user.page.locator(".caption")).to_contain_text(text)
    slider = bob.page.locator("input[type=range]")
    at = int(slider.input_value())
    bob.button("The round before").tap()
    expect(bob.page.locator(".track li.now")).to_have_count(1)
    assert int(slider.input_value()) < at
    expect(slider).to_have_attribute("aria-valuetext", re.compile(r"Round \d+, step \d+ of \d+"))
    ann.page.locator(".speed").select_option("4")
    ann.page.reload()
    expect(ann.page.locator(".speed")).to_have_value("4")
    ann.page.keyboard.press("End")
    last = ann.page.locator("input[type=range]").input_value()
    ann.page.keyboard.press(",")  # the trick before
    assert int(ann.page.locator("input[type=range]").input_value()) < int(last)
    bob.go(f"/r/{seat['table']}/1#5")  # as a shared link has it
    expect(slider).to_have_value("4")
