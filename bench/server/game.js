// Marshmallow Test for four as a boardgame.io game: the peer plays what our server plays.
// Written the way its documentation teaches: moves change G, turns follow a custom order, the
// random plugin shuffles, playerView hides what a seat may not know.

import { createRequire } from "node:module";

// It has no "exports" for modules: its folders are found by require only.
const { INVALID_MOVE } = createRequire(import.meta.url)("boardgame.io/core");

export const SEATS = 4;
const COLOURS = 5;
const HIGHEST = 12;
const CARDS = COLOURS * HIGHEST;
const HAND = 12;
const TRICKS_TO_GO_OUT = 3;

const colourOf = (card) => Math.floor(card / HIGHEST);

/** The cards of a hand that may be played to the trick, in order. */
export function playable(G, hand) {
  const led = G.trick[G.leader];
  if (led === null) return hand;
  const suit = colourOf(led);
  const following = hand.filter((card) => colourOf(card) === suit);
  if (following.length === 0) return hand;
  if (suit === G.trump || !G.trick.some((card) => card !== null && colourOf(card) === G.trump))
    return following;
  return hand.filter((card) => colourOf(card) === suit || colourOf(card) === G.trump);
}

/** The next seat clockwise after this one for which the test holds. */
function clockwise(seat, test) {
  for (let step = 1; step <= SEATS; step++) {
    const next = (seat + step) % SEATS;
    if (test(next)) return next;
  }
  return seat;
}

function deal(G, random) {
  const deck = random.Shuffle(Array.from({ length: CARDS }, (_, card) => card));
  for (let seat = 0; seat < SEATS; seat++)
    G.hands[seat] = deck.slice(HAND * seat, HAND * (seat + 1)).sort((a, b) => a - b);
  G.tricks = Array(SEATS).fill(0);
  G.trick = Array(SEATS).fill(null);
  G.lastTrick = Array(SEATS).fill(null);
  G.out = [];
  G.round += 1;
  G.trump = null;
  G.phase = G.round === 1 ? "play" : "trump";
  G.leader = G.turn = G.dealer;
}

function winnerOf(G) {
  const suit = colourOf(G.trick[G.leader]);
  let winner = G.leader;
  let best = -1;
  G.trick.forEach((card, seat) => {
    if (card === null) return;
    const strength =
      (card % HIGHEST) +
      (colourOf(card) === suit ? HIGHEST : 0) +
      (colourOf(card) === G.trump ? 3 * HIGHEST : 0);
    if (strength > best) [winner, best] = [seat, strength];
  });
  return winner;
}

function takeTrick(G, random) {
  const winner = winnerOf(G);
  G.lastTrick = G.trick;
  G.trick = Array(SEATS).fill(null);
  G.lastWinner = winner;
  G.tricks[winner] += 1;
  if (G.tricks[winner] === TRICKS_TO_GO_OUT) {
    G.scores[winner] += G.tricks.reduce((sum, tricks) => sum + tricks, 0) - TRICKS_TO_GO_OUT;
    G.hands[winner] = [];
    G.out.push(winner);
    if (G.scores[winner] >= G.target) {
      G.winner = winner;
      return;
    }
  }
  const isIn = (seat) => !G.out.includes(seat);
  const holds = (seat) => isIn(seat) && G.hands[seat].length > 0;
  if (G.out.length >= SEATS - 1 || !G.hands.some((_, seat) => holds(seat))) {
    G.dealer = isIn(winner) ? winner : clockwise(winner, isIn);
    deal(G, random);
  } else {
    G.leader = G.turn = holds(winner) ? winner : clockwise(winner, holds);
  }
}

function play({ G, playerID, random }, card) {
  const seat = Number(playerID);
  if (G.phase !== "play" || !playable(G, G.hands[seat]).includes(card)) return INVALID_MOVE;
  G.hands[seat] = G.hands[seat].filter((held) => held !== card);
  G.trick[seat] = card;
  const waits = (each) =>
    G.trick[each] === null && !G.out.includes(each) && G.hands[each].length > 0;
  const next = clockwise(seat, waits);
  if (waits(next)) G.turn = next;
  else takeTrick(G, random);
}

function nameTrump({ G }, colour) {
  if (G.phase !== "trump" || !(colour >= 0 && colour < COLOURS)) return INVALID_MOVE;
  G.trump = colour;
  G.phase = "play";
}

export const Marshmallow = {
  name: "marshmallow",
  minPlayers: SEATS,
  maxPlayers: SEATS,
  disableUndo: true, // nobody takes a card back; keeping all states would cost it memory

  setup: ({ random }, { target = 20 } = {}) => {
    const G = { target, hands: [], scores: Array(SEATS).fill(0), round: 0, winner: null };
    G.lastWinner = null;
    G.dealer = random.Die(SEATS) - 1;
    deal(G, random);
    return G;
  },

  // A move runs on the server only: the client can't know what the others hold.
  moves: {
    play: { move: play, client: false },
    nameTrump: { move: nameTrump, client: false },
  },

  turn: {
    minMoves: 1,
    maxMoves: 1,
    order: { first: ({ G }) => G.turn, next: ({ G }) => G.turn },
  },

  endIf: ({ G }) => (G.winner === null ? undefined : { winner: String(G.winner) }),

  playerView: ({ G, playerID }) => {
    const { hands, ...open } = G;
    return { ...open, cards: hands.map((hand) => hand.length), hand: hands[playerID] ?? [] };
  },
};
