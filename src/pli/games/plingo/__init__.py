"""Plingo, by Quentin Lammerant: take every number once. 2-6 seats."""

from pli.games.plingo import bots, events, rules, view
from pli.games.plingo.observation import OBSERVATION
from pli.games.plingo.position import PLACED, place
from pli.tricks import Choice, TrickGame, any_card
from pli.zones import card_zones

GAME = TrickGame(
    name="plingo",
    version=2,
    deck=rules.DECK,
    options=rules.PlingoOptions,
    state=rules.State,
    setup=rules.setup,
    hand=rules.HAND,
    clear=rules.clear,
    begin=rules.begin,
    choices=[
        Choice("trump", [rules.TRUMPS], rules.name_trump, told=events.trump_told),
        Choice(
            "joker",
            [rules.JOKERS],
            rules.use_joker,
            rules.boxes_of_joker,
            told=events.joker_told,
        ),
        Choice(
            "bid",
            rules.BIDS,
            rules.bid,
            rules.higher_bids,
            told=events.bid_told,
            rollout=bots.timid_bid,
        ),
    ],
    playable=any_card,
    winning=rules.winning,
    took=rules.took,
    leads=rules.leads,
    end_round=rules.reveal,
    points=rules.boxes_ticked,
    view=view.PlingoView,
    show=view.shown,
    own=view.own,
    happened=events.happened,
    tell_trick=events.trick_over,
    tell_round=events.round_over,
    board=view.board,
    placed=PLACED,
    place=place,
    piles=["taken"],
    zones=card_zones(face_up=["taken", "trick", "cancelled"], face_down=["hidden"]),
    heuristic=bots.choose,
    plausible=bots.plausible,
    worth=bots.worth,
    left=bots.bids_and_cards_left,
    recall=bots.recall,
    note=bots.note,
    remembered=bots.remembered,
    observation=OBSERVATION,
).game()
