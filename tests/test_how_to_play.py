"""How to play, in pictures: what the panels on a page of rules say and draw holds by the rules.

The numbers and examples of a game stand once, in its `how-to-play.json` in the client. Drawings and
sentences are filled from there; here they are held against the rules' own constants, and every
example is played."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pli import games, motifs
from pli.games.marshmallow.rules import TRICKS_TO_GO_OUT, MarshmallowOptions
from pli.games.merci.state import BACKS, CARDS_A_HEART, HEARTS_TO_WIN, ROUND_HEARTS
from pli.games.plingo.rules import BOXES, HIGHEST
from pli.games.twinit.state import MINUTE, TwinitOptions
from pli.scenario import Scenario
from pli.texts import LANGUAGES
from tests.conftest import ROOT

CLIENT = ROOT / "web" / "src" / "games"

every_page = pytest.mark.parametrize("language", LANGUAGES)
every_game = pytest.mark.parametrize("game", games.names())


def shown(game: str) -> Any:
    return json.loads((CLIENT / game / "how-to-play.json").read_text())


def sentences(language: str, game: str) -> dict[str, str]:
    """The sentences of the panels by key, with their places to fill in."""
    texts = json.loads((CLIENT / game / "texts" / f"{language}.json").read_text())
    return {key: text for key, text in texts.items() if key.startswith("panel_")}


def holds(game: str, options: str, position: str, *steps: str) -> None:
    """The rules do what the steps of this scenario say."""
    text = f"game: {game}\nabout: []\noptions: {{{options}}}\nposition: {{{position}}}\nsteps:\n"
    assert Scenario(text + "".join(f"  - {step}\n" for step in steps)).run() is None


# The sentences


@every_game
@every_page
def test_a_panel_is_a_short_sentence_or_two(language: str, game: str) -> None:
    said = sentences(language, game)
    assert 4 <= len(said) <= 6
    assert list(said) == list(sentences("en", game))
    for text in said.values():
        assert len(text) <= 190, text
        assert len(re.findall(r"[.!?](?= |$)", text)) <= 2, text
        assert text.endswith(".")


@every_game
@every_page
def test_every_number_is_filled_in_from_the_game_s_facts(language: str, game: str) -> None:
    facts = shown(game)
    for key, text in sentences(language, game).items():
        assert not re.search(r"\d", text), text
        places = re.findall(r"\{(\w+)\}", text)
        assert sorted(places) == sorted(re.findall(r"\{(\w+)\}", sentences("en", game)[key]))
        assert all(isinstance(facts[place], int) for place in places), text


@every_game
def test_every_sentence_has_its_panel(game: str) -> None:
    panels = (CLIENT / game / "HowTo.svelte").read_text()
    assert re.findall(rf"m\.{game}_(panel_\w+)\(", panels) == list(sentences("en", game))


# Marshmallow Test


def test_marshmallow_is_won_and_left_with_the_numbers_shown() -> None:
    facts = shown("marshmallow")
    assert facts["target"] == MarshmallowOptions().target
    assert facts["tricks"] == TRICKS_TO_GO_OUT[facts["players"]]


@pytest.mark.parametrize("edition", ["en", "fr"])
def test_marshmallow_the_lit_cards_are_those_that_follow(edition: str) -> None:
    follow = shown("marshmallow")["follow"]
    legal = ", ".join(f"play {card}" for card in follow["may"])
    holds(
        "marshmallow",
        f"seats: 3, edition: {edition}",
        f"turn: 0, trump: B, hands: [{follow['led']} O1, {' '.join(follow['hand'])}, O2 O3]",
        f"0: play {follow['led']}",
        f"expect: {{turn: 1, legal: [{legal}]}}",
    )


def test_marshmallow_the_lit_trump_takes_the_trick() -> None:
    trick = shown("marshmallow")["trick"]
    hands = ", ".join(f"{card} O{i + 1}" for i, card in enumerate(trick["cards"]))
    holds(
        "marshmallow",
        f"seats: {len(trick['cards'])}",
        f"turn: 0, trump: {trick['trump']}, hands: [{hands}]",
        *(f"{seat}: play {card}" for seat, card in enumerate(trick["cards"])),
        f"expect: {{turn: {trick['taker']}}}",
    )


@pytest.mark.parametrize("example", ["paid", "soon"])
def test_marshmallow_going_out_pays_the_tricks_of_the_others(example: str) -> None:
    facts = shown("marshmallow")
    others, points = facts[example]["others"], facts[example]["points"]
    assert len(others) == facts["players"] - 1
    holds(
        "marshmallow",
        f"seats: {facts['players']}",
        f"turn: 0, tricks: {[facts['tricks'] - 1, *others]}, hands: [B12 G1, B3 G2, B4 G3, B5 G4]",
        "0: play B12",
        "1: play B3",
        "2: play B4",
        "3: play B5",
        f"expect: {{scores: {[points, 0, 0, 0]}, out: [0]}}",
    )


# Plingo


def test_plingo_has_the_boxes_and_the_joker_shown() -> None:
    facts = shown("plingo")
    assert (facts["boxes"], facts["joker"]) == (BOXES, HIGHEST)
    assert facts["wild"]["card"][1:] == str(HIGHEST)


def test_plingo_any_card_may_be_played() -> None:
    facts = shown("plingo")
    legal = ", ".join(f"play {card}" for card in facts["hand"])
    holds(
        "plingo",
        "seats: 2",
        f"master: 0, turn: 0, hands: [{facts['led']}, {' '.join(facts['hand'])}]",
        f"0: play {facts['led']}",
        f"expect: {{turn: 1, legal: [{legal}]}}",
    )


def test_plingo_equal_values_cancel_and_the_lit_card_takes_the_rest() -> None:
    trick = shown("plingo")["trick"]
    hands = ", ".join(f"{card} B{i + 1}" for i, card in enumerate(trick["cards"]))
    taken = [""] * len(trick["cards"])
    taken[trick["taker"]] = " ".join(c for c in trick["cards"] if c not in trick["cancelled"])
    holds(
        "plingo",
        f"seats: {len(trick['cards'])}",
        f"master: 0, turn: 0, hands: [{hands}]",
        *(f"{seat}: play {card}" for seat, card in enumerate(trick["cards"])),
        f"expect: {{turn: {trick['taker']}, taken: {json.dumps(taken)}}}",
    )


def test_plingo_the_reveal_ticks_what_was_taken_once() -> None:
    reveal = shown("plingo")["reveal"]
    holds(
        "plingo",
        "seats: 2",
        f"master: 1, turn: 1, hands: [P2, Y9], taken: [{' '.join(reveal['took'])}, '']",
        "1: play Y9",
        "0: play P2",
        f"expect: {{grids: [{reveal['ticks']}, [2, 9]]}}",
    )


def test_plingo_the_joker_ticks_the_box_shown() -> None:
    wild = shown("plingo")["wild"]
    holds(
        "plingo",
        "seats: 2",
        f"master: 1, turn: 1, hands: [P2, Y9], taken: [{wild['card']}, ''], "
        f"grids: [{wild['ticked']}, []]",
        "1: play Y9",
        "0: play P2",
        f"0: joker {wild['box']}",
        f"expect: {{grids: [{[*wild['ticked'], wild['box']]}, [2, 9]]}}",
    )


# Merci


def test_merci_is_won_with_the_hearts_shown() -> None:
    facts = shown("merci")
    for seats, hearts in HEARTS_TO_WIN.items():
        assert hearts == facts["fewer" if seats >= facts["from"] else "hearts"]
    assert (facts["round"], facts["cards"]) == (ROUND_HEARTS, CARDS_A_HEART)


def merci_table() -> tuple[Any, str]:
    """The facts, and the position of the panels in which a card is laid."""
    facts = shown("merci")
    cards = {name: facts[name]["card"] for name in ("lay", "combination", "identical")}
    return facts, (
        f"turn: 0, tops: [{', '.join(facts['tops'])}], "
        f"pile: [G1/{facts['effect']}, O1/one, O2/one], "
        f"hands: [{cards['lay']} {cards['combination']} O3, {cards['identical']} O4, O5 Y2]"
    )


@pytest.mark.parametrize("rules", ["start", "full"])
def test_merci_the_combination_shown_has_the_effect_shown(rules: str) -> None:
    facts, position = merci_table()
    assert facts["effect"] in BACKS
    made = facts["combination"]
    holds(
        "merci",
        f"seats: 3, rules: {rules}",
        position,
        f"0: siouplait {made['card']} on {made['on']}",
        "expect: {phase: choose, speaker: 0}",
        "0: choose 1",
        "1: merci-beaucoup",
        "expect: {phase: turn, cards: [2, 4, 2]}",
    )


@pytest.mark.parametrize("rules", ["start", "full"])
def test_merci_the_identical_card_is_laid_out_of_turn(rules: str) -> None:
    facts, position = merci_table()
    same = facts["identical"]
    holds(
        "merci",
        f"seats: 3, rules: {rules}",
        position,
        f"1: skuz {same['card']} on {same['on']}",
        "expect: {turn: 0, phase: turn, cards: [3, 1, 2]}",
    )


def test_merci_the_card_laid_without_a_word_is_not_impolite() -> None:
    facts, position = merci_table()
    lay = facts["lay"]
    tops = [*facts["tops"]]
    tops[lay["on"] - 1] = lay["card"]
    holds(
        "merci",
        "seats: 3, rules: full",
        position,
        f"0: play {lay['card']} on {lay['on']}",
        "1: denounce",
        f"expect: {{turn: 1, tops: [{', '.join(tops)}]}}",
    )


@pytest.mark.parametrize("rules", ["start", "full"])
def test_merci_taking_without_thanks_costs_one_card_more(rules: str) -> None:
    facts = shown("merci")
    made = facts["combination"]
    holds(
        "merci",
        f"seats: 3, rules: {rules}",
        f"turn: 0, tops: [{', '.join(facts['tops'])}], pile: [G1/one, O1/one, O2/one, Y3/one], "
        f"hands: [{made['card']} O3, O4, O5 Y2]",
        f"0: siouplait {made['card']} on {made['on']}",
        "0: choose 1",
        "1: take",
        "expect: {cards: [1, 2, 2]}",
        "0: denounce",
        "expect: {cards: [1, 3, 2]}",
    )


def test_merci_every_few_cards_cost_one_heart() -> None:
    facts = shown("merci")
    left = " ".join(["O3", "O4", "O5", "G2", "G3", "G4"][: facts["cards"]])
    holds(
        "merci",
        "seats: 3, rules: start",
        f"turn: 0, tops: [B3, G4, P6], hearts: [0, 3, 3], pile: [G1/one], hands: [B5, {left}, Y2]",
        "0: play B5 on 1",
        f"expect: {{round: 2, hearts: {[facts['round'], 2, 3]}}}",
    )


# Twin It!


def test_twinit_is_won_and_counted_with_the_numbers_shown() -> None:
    facts, book = shown("twinit"), TwinitOptions()
    assert facts["catches"] == book.catches
    assert 1000 * facts["count"] == book.count_ms
    assert MINUTE == 60_000  # "in one minute"


def test_twinit_the_motifs_shown_differ_and_the_wrong_pair_is_easily_mistaken() -> None:
    drawn = shown("twinit")["motifs"]
    assert len(set(drawn.values())) == len(drawn)
    assert drawn["near"] in motifs.lookalikes(drawn["pair"], 1)
    sources = (CLIENT / "twinit" / "HowTo.svelte").read_text()
    assert set(re.findall(r"\$generated/motifs/(\w+)\.svg", sources)) == set(drawn)
    made = Path(ROOT / "web" / "generated" / "motifs")
    if made.exists():  # the client is built
        for name, motif in drawn.items():
            assert (made / f"{name}.svg").read_text() == motifs.svg(motif)
