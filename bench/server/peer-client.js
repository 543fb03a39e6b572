// Four clients at one boardgame.io match, on bare WebSockets. They send and read what its own
// client sends and reads: its messages, in socket.io's text packets ("40/space,": connect, "42/space,":
// event), in engine.io's ("2", "3": ping, pong). They choose the first card that they may play.

import WebSocket from "ws";
import { ask } from "./ask.js";
import { playable, SEATS } from "./game.js";

const GAME = "marshmallow";
const CONNECT = `40/${GAME},`;
const EVENT = `42/${GAME},`;

export async function openTable(load, number, table, fail) {
  const lobby = `${load.url}/games/${GAME}`;
  const setupData = { target: load.target };
  const { matchID } = await ask(`${lobby}/create`, { numPlayers: SEATS, setupData });
  for (let seat = 0; seat < SEATS; seat++) {
    const who = { playerID: String(seat), playerName: `player ${seat}` };
    const { playerCredentials } = await ask(`${lobby}/${matchID}/join`, who);
    await sit(load, matchID, seat, playerCredentials, table, fail);
  }
}

function sit(load, matchID, seat, credentials, table, fail) {
  const playerID = String(seat);
  const address = load.url.replace("http", "ws") + "/socket.io/?EIO=4&transport=websocket";
  const socket = new WebSocket(address, { skipUTF8Validation: true });
  const emit = (...message) => socket.send(EVENT + JSON.stringify(message));

  function look(state) {
    const { G } = state;
    if (G.winner !== null || G.turn !== seat) return;
    const [type, choice] =
      G.phase === "trump" ? ["nameTrump", 0] : ["play", playable(G, G.hand)[0]];
    table.awaited(seat, () => {
      const payload = { type, args: [choice], playerID, credentials };
      emit("update", { type: "MAKE_MOVE", payload }, state._stateID, matchID, playerID);
    });
  }

  return new Promise((resolve) => {
    socket.on("error", (error) => fail(`boardgame.io: ${error}`));
    socket.on("close", () => fail("boardgame.io closed a connection"));
    socket.on("message", (data) => {
      const text = data.toString();
      if (text === "2") socket.send("3");
      else if (text.startsWith("0")) socket.send(CONNECT);
      else if (text.startsWith(CONNECT)) emit("sync", matchID, playerID, credentials, SEATS);
      else if (text.startsWith(EVENT)) {
        const [type, , body] = JSON.parse(text.slice(EVENT.length));
        if (type === "update") {
          table.heard(seat, 1);
          look(body);
        } else if (type === "sync") {
          look(body.state);
          resolve();
        }
      } else fail(`boardgame.io sent ${text.slice(0, 80)}`);
    });
  });
}
