// The peer: a boardgame.io server with one game. `node peer.js PORT [FOLDER]`: with a folder its
// file storage keeps the matches there, without one they are in memory only.

import { createRequire } from "node:module";
import { Marshmallow } from "./game.js";

const { FlatFile, Origins, Server } = createRequire(import.meta.url)("boardgame.io/server");

const [port, folder] = process.argv.slice(2);
const server = Server({
  games: [Marshmallow],
  origins: [Origins.LOCALHOST],
  ...(folder ? { db: new FlatFile({ dir: folder }) } : {}),
});
await server.run(Number(port));
console.log("ready");
