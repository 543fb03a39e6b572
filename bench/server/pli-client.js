// Four clients at one of our tables, on bare WebSockets, with the messages of docs/protocol.md.
// They choose the first action that they are told they may do.

import { randomBytes } from "node:crypto";
import WebSocket from "ws";
import { ask } from "./ask.js";

const GAME = "marshmallow";
const SEATS = 4;
const ACTIONS = new Set(["played", "trump"]); // events that are a player's action

let highest; // the highest target that our server takes: with it a game is as long as can be

async function highestTarget(url) {
  const { games } = await ask(`${url}/api/games`);
  return games.find(({ name }) => name === GAME).options.find(({ name }) => name === "target").most;
}

export async function openTable(load, number, table, fail) {
  const tables = `${load.url}/api/tables`;
  highest ??= highestTarget(load.url);
  const options = { target: Math.min(load.target, await highest) };
  const host = await ask(tables, { game: GAME, name: "player 0", options });
  const seats = [host];
  for (let seat = 1; seat < SEATS; seat++)
    seats.push(await ask(`${tables}/${host.table}/seats`, { name: `player ${seat}` }));
  const pages = [];
  for (const seated of seats) pages.push(await sit(load, seated, table, fail));
  await Promise.all(pages.map((page) => page.dealt));
}

/** Takes a seat with its token; `dealt` is kept once the game has begun. */
function sit(load, { table: id, seat, token }, table, fail) {
  const address = (load.play ?? load.url).replace("http", "ws") + `/api/tables/${id}/play`;
  const socket = new WebSocket(address, { skipUTF8Validation: true });
  const send = (message) => socket.send(JSON.stringify(message));
  const name = `Pli, table ${id}`;
  let acted = 0;
  let given = 0; // the last game for whose shuffles this client gave its randomness
  let wanted = 0; // the last game after which it asked for another
  let begins = false;
  let begun;
  const dealt = new Promise((resolve) => (begun = resolve));

  function look(legal) {
    if (legal.length === 0) return;
    table.awaited(seat, () => send({ type: "do", id: ++acted, action: legal[0] }));
  }

  function around({ state, number, host, seats }) {
    if (state === "waiting" && given < number) {
      given = number;
      send({ type: "random", hex: randomBytes(16).toString("hex") });
    } else if (state === "waiting" && host === seat && !begins && seats.every((s) => s.ready)) {
      begins = true; // a rematch begins by itself
      send({ type: "begin" });
    } else if (state === "over" && wanted < number) {
      wanted = number;
      send({ type: "again" });
    }
  }

  return new Promise((resolve) => {
    socket.on("error", (error) => fail(`${name}: ${error}`));
    socket.on("close", (code) => fail(`${name}: the connection was closed, ${code}`));
    socket.on("open", () => send({ type: "hello", token }));
    socket.on("message", (data) => {
      const message = JSON.parse(data.toString());
      switch (message.type) {
        case "update": {
          let actions = 0;
          for (const { event } of message.events) if (ACTIONS.has(event)) actions += 1;
          if (actions) table.heard(seat, actions);
          else begun();
          look(message.legal);
          break;
        }
        case "table":
          around(message.table);
          break;
        case "welcome":
          around(message.table);
          resolve({ dealt });
          break;
        case "line":
          break;
        default:
          fail(`${name}, seat ${seat}: ${data.toString().slice(0, 200)}`);
      }
    });
  });
}
