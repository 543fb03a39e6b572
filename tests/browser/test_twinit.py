"""Twin It! in the browser: every mode with bots to its end; mouse, multi-touch, keyboard; sprites
that no script can compare; layout and accessibility."""

import json
import random
import re
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from playwright.sync_api import expect

from pli.games.twinit.state import CARDS, PLACES
from tests.browser.conftest import NewUser
from tests.browser.proxy import Proxy
from tests.browser.racing import Races
from tests.browser.server import ServerProcess
from tests.browser.test_accessibility import check_accessibility
from tests.browser.test_languages import check_language
from tests.browser.test_layout import layout_faults
from tests.browser.touch_input import TouchInput
from tests.browser.twinit import Player
from tests.browser.user import TIMEOUT
from tests.motifs.test_sprites import nearer

BY_CHANCE = 0.21
"""Five standard errors of what chance gets right among the pairs of one table: each is another."""


def test_a_race_by_mouse_is_won_by_who_sees_the_pair(new_user: NewUser) -> None:
    ann = new_user()
    earlier = [{"game": "earlier", "mode": "race", "ms": ms} for ms in (1500, 2000, 9000)]
    ann.context.add_init_script(
        "if (!localStorage.getItem('pli.twinit.reactions'))"
        f"localStorage.setItem('pli.twinit.reactions', '{json.dumps(earlier)}')"
    )
    player = Player(ann, headless=1, mode="race", seats=2, catches=1)
    player.click(*player.flip_until_pair())
    expect(ann.page.locator(".result tr.won")).to_contain_text("Ann")
    expect(ann.page.locator("figure svg")).to_be_visible()  # how quick it was
    expect(ann.page.locator("figure")).to_contain_text("half of your 3 reactions took less than 2")
    assert ann.server.request(f"/api/tables/{player.table}")["results"] == [[0]]


@pytest.mark.parametrize(
    ("mode", "seats", "size", "taboo"),
    [("race", 4, "phone", {}), ("teams", 5, "tablet", {"taboo_team": 0})],
)
def test_a_game_with_bots_goes_to_its_end_and_on_under_the_taboo_and_the_table_stays_in_its_place(
    new_user: NewUser, mode: str, seats: int, size: str, taboo: dict[str, Any]
) -> None:
    ann = new_user(size)
    player = Player(ann, mode=mode, seats=seats, catches=1, count_ms=100, **taboo)
    mates = ann.page.locator(".seat.mate")
    expect(mates).to_have_count(2 if mode == "teams" else 0)
    mat = ann.page.locator(".mat")
    place = mat.bounding_box()
    while player.flip():
        pass
    assert mat.bounding_box() == place  # though somebody has a catch now
    winners = ann.server.request(f"/api/tables/{player.table}")["results"][-1]
    assert len(winners) in ((2, 3) if mode == "teams" else (1,))
    expect(ann.page.locator(".result tr.won")).to_have_count(len(winners))
    if mode == "teams":  # as the team chose it before the first game, whoever has won
        expect(ann.button("Again, with the taboo")).to_have_count(0)
        ann.button("Play again").click()
    else:
        ann.button("Again, with the taboo").click()
    ann.page.wait_for_selector(".result", state="detached")
    ann.expect_visible(".tile.taboo")
    beside = [update["view"]["taboo"] for update in ann.frames("update")][-1]
    assert any(beside)


ON_TOP = """each => {
  for (const hand of document.querySelectorAll('.reach')) hand.style.pointerEvents = 'auto';
  const { left, top, width, height } = each.getBoundingClientRect();
  return document.elementFromPoint(left + width / 2, top + height / 2) === each;
}"""
"""True when no element covers it, even one that takes no clicks."""


def test_a_tie_is_counted_down_for_all_to_see(new_user: NewUser) -> None:
    ann = new_user("phone")
    player = Player(ann, headless=1, mode="race", seats=2)
    one, other = player.flip_until_pair()
    player.headless[0].touch(other)
    hand = f'[data-on="{other}"], [data-card="{other}"] .hand'
    expect(ann.page.locator(hand)).to_have_count(1)
    player.click(one)
    count = ann.page.locator(f'[data-card="{one}"] .count')
    expect(count).to_have_text("3")
    counts = ann.page.locator(".count").all()
    assert all(each.evaluate(ON_TOP) for each in counts)  # no hand lies over them
    expect(ann.page.locator(".told .tied")).to_contain_text("Tie")
    expect(count).to_have_count(0)
    assert player.events("turned_over")[0]["faces"]


@pytest.mark.parametrize(("mode", "means"), [("coop", "two fingers"), ("rush", "keys")])
def test_a_minute_with_bots_runs_to_its_end(new_user: NewUser, mode: str, means: str) -> None:
    touch = means == "two fingers"
    ann = new_user("phone" if touch else "desktop", touch=touch)
    # Bots and a minute that leave a slow browser time for a catch of its own.
    player = Player(ann, bots="easy", mode=mode, seats=3, minute_ms=12_000)
    catch = player.tap_together if touch else player.press
    caught: list[list[int]] = []
    tried: list[list[int]] = []
    while not caught:
        pair = player.pair()
        assert pair is not None
        tried.append(sorted(pair))
        with suppress(PlaywrightTimeout):  # a bot was quicker
            catch(*pair)
        ann.page.wait_for_timeout(200)  # the server's word is on its way
        caught = [each["cards"] for each in player.events("caught") if each["seat"] == 0]
    assert caught[0] in tried
    expect(ann.page.locator(".own .catch").first).to_be_visible()
    ann.expect_visible(".result")
    if mode == "coop":
        (end,) = player.wait_for_events("time_up")
        assert player.events("reached") == []  # a level is the minute's
        expect(ann.page.locator(".result .why")).to_have_text(f"Points: {end['points']}.")
    else:
        winners = {each["seat"] for each in player.events("won_points")}
        expect(ann.page.locator(".result tr.won")).to_have_count(len(winners))


def test_latency_costs_nothing_in_a_race(new_user: NewUser, server: ServerProcess) -> None:
    """Who is quicker is first, though its hands arrive last, and the other is told by how much."""
    near, far = new_user(), new_user()
    proxy = Proxy(server, round_trip=0.2)
    far.url = proxy.url
    races = Races(server, [near, far], random.Random(1))
    winners = [races.run([450, 300]) for _ in range(3)]
    assert winners.count(1) >= 2, winners  # one may be lost to a machine that is busy
    expect(near.page.locator(".told").get_by_text(re.compile(r"\d ms")).first).to_be_visible()
    ahead = [each["by"] for each in near.frames("raced") if each["first"] == 2]
    assert ahead
    assert all(0 < by < 450 for by in ahead)
    far.offline = True
    proxy.close()


def test_a_touch_shows_at_once_and_a_second_one_lifts_the_hand(new_user: NewUser) -> None:
    ann = new_user()
    player = Player(ann, mode="coop", seats=1)
    card = player.cards()[5]
    player.click(card)
    hand = ann.page.locator(f'[data-on="{card}"] .hand')
    expect(hand).to_have_count(1)
    ann.page.wait_for_timeout(500)
    player.click(card)
    expect(hand).to_have_count(0)


def test_no_pair_is_said_and_costs_nothing_in_coop(new_user: NewUser) -> None:
    ann = new_user()
    player = Player(ann, mode="coop", seats=1)
    cards = player.cards()
    same = {card for pair in player.state.pairs(cards) for card in pair}
    one, other = [card for card in cards if card not in same][:2]
    player.click(one, other)
    ann.expect_text("No pair.")


def test_alone_against_the_minute_is_one_click_from_home(new_user: NewUser) -> None:
    ann = new_user()
    ann.go("/")
    ann.button("Alone against the minute").click()
    ann.page.wait_for_selector(".mat .tile")
    expect(ann.page.locator(".mat .tile")).to_have_count(135)


def test_on_a_phone_every_card_can_be_hit_and_looked_at_from_near(new_user: NewUser) -> None:
    ann = new_user("phone", touch=True)
    player = Player(ann, mode="coop", seats=1)
    assert layout_faults(ann, 33) == []
    ann.button("Look nearer").click()
    card = player.cards()[0]
    tile = ann.page.locator(f'[data-card="{card}"]')
    box = tile.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 44
    # A finger that slides moves the table, and touches nothing.
    middle = player.middle(card)
    player.drag_fingers([middle], [(middle[0], middle[1] - 30)], [(middle[0], middle[1] - 60)])
    hand = ann.page.locator(f'[data-on="{card}"]')
    expect(hand).to_have_count(0)
    moved = tile.bounding_box()
    assert moved is not None
    assert moved["y"] < box["y"] - 30
    # Two that part look nearer still.
    (x, y), far = player.middle(card), 80
    player.drag_fingers([(x - 40, y), (x + 40, y)], [(x - far, y), (x + far, y)])
    nearer = tile.bounding_box()
    assert nearer is not None
    assert nearer["width"] > 1.3 * box["width"]
    ann.page.touchscreen.tap(*player.middle(card))
    expect(hand).to_have_count(1)


# Cards that are moved


GLIDES = """() => {
  const animate = Element.prototype.animate;
  window.glides = {};
  Element.prototype.animate = function (frames, options) {
    if (this.dataset.card && frames[0].translate) glides[this.dataset.card] = options.duration;
    return animate.call(this, frames, options);
  };
}"""
"""Cards that come from elsewhere, and how long that takes."""


def test_a_card_is_dragged_to_a_free_place_for_all_to_see(new_user: NewUser) -> None:
    ann, watcher = new_user(), new_user(quick=False)
    player = Player(ann, mode="coop", seats=1)
    watcher.go(f"/t/{player.table}")
    watcher.page.wait_for_selector(".mat .tile")
    watcher.page.evaluate(GLIDES)
    card = player.cards()[5]
    here, there = (who.page.locator(f'[data-card="{card}"]') for who in (ann, watcher))
    before = [str(each.get_attribute("aria-label")) for each in (here, there)]
    place = player.drag(card)
    free = ann.page.locator(".free")
    expect(free).to_have_count(0)  # shown while a card is on its way
    (told,) = player.wait_for_events("moved")
    assert (told["card"], told["place"]) == (card, place)
    for each, label in zip((here, there), before, strict=True):
        expect(each).not_to_have_attribute("aria-label", label)
    assert watcher.page.evaluate("window.glides") == {str(card): 220}
    assert player.state.places()[card] == place
    assert player.state.current.hands[0] == -1
    player.click(card)  # it is touched where it lies now
    expect(ann.page.locator(f'[data-on="{card}"] .hand')).to_have_count(1)


def test_a_card_that_is_let_go_over_others_stays_where_it_was(new_user: NewUser) -> None:
    ann = new_user()
    player = Player(ann, mode="rush", seats=1)
    before = player.state.places()
    middle = sorted(before, key=before.__getitem__)[:2]  # with cards all around
    x, y = player.middle(middle[1])
    ann.page.mouse.move(*player.middle(middle[0]))
    ann.page.mouse.down()
    ann.page.mouse.move(x, y, steps=4)
    expect(ann.page.locator(".free.chosen")).to_have_count(0)
    ann.page.mouse.up()
    expect(ann.page.locator(f'[data-on="{middle[0]}"] .hand')).to_have_count(0)
    ann.page.wait_for_timeout(200)
    assert player.state.places() == before
    assert player.events("moved") == []


def test_a_card_is_carried_by_keys(new_user: NewUser) -> None:
    ann = new_user()
    player = Player(ann, mode="coop", seats=1)
    card = player.cards()[9]
    tile = ann.page.locator(f'[data-card="{card}"]')
    tile.focus()
    ann.page.keyboard.press("g")
    free = ann.page.locator(".free")
    expect(free).to_have_count(PLACES - CARDS)
    expect(ann.page.locator(".free:focus")).to_have_count(1)
    ann.page.keyboard.press("Escape")
    expect(free).to_have_count(0)
    expect(tile).to_be_focused()
    ann.page.keyboard.press("g")
    seen = {ann.page.locator(".free:focus").get_attribute("data-place")}
    for key in ("ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"):
        ann.page.keyboard.press(key)
        seen.add(place := ann.page.locator(".free:focus").get_attribute("data-place"))
    assert len(seen) > 1
    ann.page.keyboard.press("Enter")
    expect(free).to_have_count(0)
    expect(tile).to_be_focused()
    (told,) = player.wait_for_events("moved")
    assert (told["card"], told["place"]) == (card, int(str(place)))
    ann.page.keyboard.press("?")
    keys = ann.page.locator("dialog[open] dl")
    expect(keys).to_contain_text("Pick the card up")


def test_on_a_phone_a_finger_drags_a_card_and_from_near_one_that_has_rested(
    new_user: NewUser,
) -> None:
    ann = new_user("phone", touch=True)
    player = Player(ann, mode="coop", seats=1)
    card = player.cards()[0]
    x, y = player.middle(card)
    finger = TouchInput(ann)
    finger.down((x, y))
    finger.move(0, x + 20, y + 20)
    box = ann.page.locator(".free").first.bounding_box()
    assert box is not None
    finger.move(0, box["x"] + 10, box["y"] + 10)
    expect(ann.page.locator(".free.chosen")).to_have_count(1)
    finger.up()
    (told,) = player.wait_for_events("moved")
    assert told["card"] == card
    expect(ann.page.locator(f'[data-on="{card}"]')).to_have_count(0)
    for _ in range(3):
        ann.button("Look nearer").click()
    near = next(
        each
        for each in player.cards()
        if ann.page.locator(f'[data-card="{each}"]').evaluate(IN_SIGHT)
    )
    before = player.middle(near)
    player.drag_fingers(
        [before], [(before[0] + 25, before[1] + 25)], [(before[0] + 50, before[1] + 50)]
    )
    assert player.middle(near) != before  # the table was moved, and no card
    assert len(player.events("moved")) == 1
    x, y = player.middle(near)
    finger.down((x, y))
    ann.page.wait_for_timeout(400)
    finger.move(0, x + 20, y)
    expect(ann.page.locator(".free").first).to_be_attached()
    finger.up()
    expect(ann.page.locator(".free")).to_have_count(0)


IN_SIGHT = """each => {
  const { left, top, width, height } = each.getBoundingClientRect();
  const mat = each.closest('.mat').getBoundingClientRect();
  const inside = left > mat.left + 60 && left + width < mat.right - 60;
  return inside && top > mat.top + 60 && top + height < mat.bottom - 60;
}"""


def test_a_hand_that_lay_too_long_is_lifted_and_its_player_told(new_user: NewUser) -> None:
    ann = new_user()
    player = Player(ann, headless=1, mode="race", seats=2, hand_ms=700)
    one, _ = player.flip_until_pair()
    player.click(one)
    hand = ann.page.locator(f'[data-on="{one}"] .hand, [data-card="{one}"] .hand')
    expect(hand).to_have_count(1)
    expect(ann.page.locator(".told .expired")).to_contain_text("too long")
    expect(hand).to_have_count(0)


def test_the_larger_team_is_asked_in_the_waiting_room_and_the_taboo_goes_with_its_seats(
    new_user: NewUser,
) -> None:
    ann = new_user(locale="fr-FR")
    seat = ann.server.request(
        "/api/tables", {"game": "twinit", "name": "Ann", "options": {"seats": 4}}
    )
    ann.open_table({**seat, "game": "twinit", "used": 1})
    ann.expect_visible(".options fieldset")

    def chosen() -> object:
        return ann.server.request(f"/api/tables/{seat['table']}")["options"]["taboo_team"]

    def choose(legend: str, label: str) -> None:
        ann.page.get_by_role("group", name=legend).get_by_text(label, exact=True).click()

    team = ann.page.get_by_role("group", name=re.compile("^Tabou pour"))
    choose("Le jeu", "Équipes")
    expect(team).to_have_count(0)
    choose("Joueurs", "5")
    expect(team).to_contain_text("Jouez-vous avec le tabou")
    expect(team.locator("label.on")).to_contain_text("Non")
    for away in (("Joueurs", "6"), ("Le jeu", "Course")):
        team.get_by_text("Oui, avec le tabou").click()
        expect(team.locator("label.on")).to_contain_text("Oui")
        assert chosen() == 0
        choose(*away)
        expect(team).to_have_count(0)
        assert chosen() == "none"
        choose("Le jeu", "Équipes")  # which five may play: they stay five
        if away[1] == "6":
            choose("Joueurs", "5")
        expect(team.locator("label.on")).to_contain_text("Non")
    expect(ann.page.locator(".notice")).to_have_count(0)


READ = """() => {
  const sizes = {};
  for (const each of performance.getEntriesByType('resource'))
    if (each.name.includes('/pictures/'))
      sizes[new URL(each.name).pathname] = [each.transferSize, each.encodedBodySize,
        each.decodedBodySize, each.duration, each.startTime];
  const digits = (text) => [...text.matchAll(/[0-9.]+/g), 0, 0, 0, 0].slice(0, 4).map(Number);
  return [...document.querySelectorAll('.mat [data-card]')].map((tile) => {
    const style = getComputedStyle(tile);
    const sheet = style.backgroundImage.slice(5, -2);
    const path = new URL(sheet, location.href).pathname;
    const name = [...path.split('/').at(-1)].map((digit) => parseInt(digit, 16));
    return [Number(tile.dataset.card), {
      size: sizes[path], name, field: digits(style.backgroundPosition),
      html: [tile.outerHTML.length, tile.childElementCount, tile.attributes.length],
      face: digits(tile.dataset.face), label: digits(tile.ariaLabel),
      colours: digits(style.backgroundColor + style.borderColor),
    }];
  });
}"""
"""All that a script knows of each card on the table."""


def test_what_a_script_in_the_page_can_read_finds_no_pairs(new_user: NewUser) -> None:
    ann = new_user()
    player = Player(ann, mode="coop", seats=1)
    ann.page.wait_for_load_state("networkidle", timeout=2 * TIMEOUT)
    told = ann.page.evaluate(READ)
    motifs = player.state.motifs([int(card) for card, _ in told])
    assert len(motifs) - len(set(motifs)) > 20
    for what in told[0][1]:
        right = nearer([known[what] for _, known in told], motifs, 1)
        assert abs(right - 0.5) < BY_CHANCE, what
    ann.offline = True  # the answers are errors, as they should be
    status = ann.page.evaluate(
        """async () => {
          const shown = getComputedStyle(document.querySelector('.mat .tile')).backgroundImage;
          return (await fetch(shown.slice(5, -2))).status;
        }"""
    )
    assert status == 404
    ann.page.wait_for_timeout(100)
    ann.errors.clear()


@pytest.mark.parametrize(
    ("mode", "seats", "size", "language"),
    [
        ("race", 6, "phone", "fr"),
        ("race", 6, "side", "fr"),
        ("coop", 1, "phone", "es"),
        ("coop", 1, "phone", "fr"),
        ("coop", 1, "side", "fr"),
        ("rush", 6, "tablet", "en"),
        ("teams", 4, "desktop", "fr"),
    ],
)
def test_all_fits_in_one_language_and_axe_finds_nothing(
    new_user: NewUser, mode: str, seats: int, size: str, language: str
) -> None:
    ann = new_user(size, touch=size in ("phone", "side"), reduced_motion="reduce", locale=language)
    Player(ann, headless=seats - 1, mode=mode, seats=seats)
    least = {"phone": 33, "side": 29}[size] if mode == "coop" else 40
    assert layout_faults(ann, least) == []
    assert ann.page.locator(".catches").last.evaluate("e => e.scrollHeight <= e.clientHeight")
    check_language(ann, language)
    check_accessibility(ann, mode)


def test_a_replay_shows_the_pictures_again_and_where_cards_were_put(new_user: NewUser) -> None:
    ann = new_user()
    player = Player(ann, mode="coop", seats=1, minute_ms=4000)
    card = player.cards()[7]
    player.drag(card)
    ann.page.wait_for_selector(".result")
    ann.go(f"/r/{player.table}/1")
    ann.page.wait_for_selector(".mat .tile")
    shown = "getComputedStyle(document.querySelector('.mat .tile')).backgroundImage"
    assert "/pictures/" in ann.page.evaluate(shown)
    tile = ann.page.locator(f'[data-card="{card}"]')
    before = str(tile.get_attribute("aria-label"))
    ann.page.locator("input[type=range]").evaluate(
        "e => { e.value = e.max; e.dispatchEvent(new Event('input', { bubbles: true })); }"
    )
    expect(tile).not_to_have_attribute("aria-label", before)
