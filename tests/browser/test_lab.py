"""The lab's page: a game is chosen, bots play it, the plot moves, and it can be stopped."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import NewUser
from tests.browser.server import ServerProcess
from tests.browser.test_accessibility import check_accessibility
from tests.browser.user import User

COUNT = re.compile(r"([\d,]+) of ([\d,]+) games")


@pytest.fixture
def public(browser: Browser, tmp_path: Path) -> Iterator[ServerProcess]:
    """A server that others can reach."""
    with ServerProcess(tmp_path, "--no-lab") as server:
        yield server


def in_lab(user: User) -> User:
    user.go("/")
    user.page.get_by_role("link", name="The lab").click()
    user.expect_visible("form")
    return user


def games(user: User) -> int:
    """How many were played, as the page says."""
    found = COUNT.search(user.page.locator(".progress").inner_text())
    return int(found[1].replace(",", "")) if found else 0


def played_more(user: User) -> int:
    """Waits until more games are told, and a plot with them."""
    before = games(user)
    user.page.wait_for_function(
        """before => {
          const told = document.querySelector('.progress')?.textContent ?? '';
          const count = /([\\d,]+) of/.exec(told)?.[1].replaceAll(',', '');
          return Number(count ?? 0) > before && document.querySelector('.plot .dot');
        }""",
        arg=before,
        timeout=120_000,
    )
    return games(user)


def told(user: User) -> str:
    """What the first plot says to screen readers: all its numbers."""
    return user.page.locator(".plot svg").first.get_attribute("aria-label") or ""


def test_a_question_is_answered_while_one_looks_on_and_can_be_stopped(new_user: NewUser) -> None:
    ann = in_lab(new_user())
    page = ann.page
    page.get_by_text("Plingo", exact=True).click()
    page.get_by_text("How many should play?").click()
    page.get_by_text("easy", exact=True).click()
    page.get_by_text("100,000", exact=True).click()
    ann.button("Let them play").click()
    played_more(ann)
    first = told(ann)
    assert "Acts first" in first
    assert "even: 50%" in first
    played_more(ann)
    page.wait_for_function(
        "told => document.querySelector('.plot svg').getAttribute('aria-label') !== told", arg=first
    )
    figures = page.locator("figure", has=page.locator(".plot .s1 + .s2, .plot .s1:last-child"))
    assert figures.count() >= 5  # two to six players
    ann.button("Stop").click()
    expect(page.locator(".progress")).to_contain_text("stopped")
    count = games(ann)
    assert 0 < count < 500_000
    page.get_by_text("As a table").click()
    expect(page.get_by_role("rowheader", name="Acts first")).to_be_visible()
    check_accessibility(ann, "the lab with an answer")
    # The server is free again.
    page.locator("form").get_by_text("100", exact=True).click()
    page.get_by_text("Does it matter who begins?").click()
    ann.button("Let them play").click()
    expect(page.locator(".progress")).to_contain_text("100 of 100 games · done", timeout=120_000)


def test_rules_are_compared_with_the_keyboard_on_a_phone(new_user: NewUser) -> None:
    ann = new_user("phone", locale="fr-FR")
    ann.go("/lab")
    ann.expect_visible("form")
    page = ann.page
    page.get_by_role("radio", name="Que change une règle").focus()
    page.keyboard.press("Space")
    rule = page.get_by_role("combobox", name="Quelle règle")
    expect(rule).to_be_visible()
    page.get_by_text("Options du jeu").click()
    compared = page.get_by_role("button", pressed=True)
    expect(compared).to_have_count(1)
    page.get_by_role("button", name=re.compile("Comparer.*Joueurs")).click()
    expect(compared).to_have_count(2)
    expect(
        page.get_by_role("button", name=re.compile("^Comparer"), disabled=True).first
    ).to_be_visible()
    check_accessibility(ann, "the lab's questions")
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= page.evaluate("innerWidth")


def test_on_a_public_server_nothing_is_played(new_user: NewUser, public: ServerProcess) -> None:
    ann = new_user(server=public)
    ann.go("/lab")
    expect(ann.page.get_by_text("Nothing can be played in the lab of this server")).to_be_visible()
    expect(ann.page.locator("form")).to_have_count(0)
    check_accessibility(ann, "the lab where it is off")
    # Studies are read all the same: their reports are whole in themselves, and log nothing.
    study = ann.page.get_by_role("link", name="Is the first seat at an advantage?")
    with ann.page.expect_popup() as opened:
        study.click()
    report = opened.value
    complaints: list[str] = []
    report.on("console", lambda message: complaints.append(message.text))
    report.reload()
    expect(report.get_by_role("heading", level=1)).to_contain_text("first seat")
    expect(report.locator("svg").first).to_be_visible()
    assert report.evaluate("getComputedStyle(document.querySelector('h1')).fontFamily") != (
        report.evaluate("getComputedStyle(document.createElement('p')).fontFamily")
    )
    assert complaints == []
    assert public.log == ""


def test_a_study_can_be_played_again(new_user: NewUser) -> None:
    ann = in_lab(new_user())
    ann.page.locator("form").get_by_text("Is the first seat at an advantage?").click()
    expect(ann.page.get_by_text(re.compile("Of each: \\d+ combinations"))).to_be_visible()
