// The load: many tables of four clients in one process, the same for both servers.
// `node load.js '{"protocol": "peer", "url": ..., "tables": 10, ...}'` prints a JSON line when all
// tables are open, when the clock starts, and at the end with the figures.
//
// The awaited seat's client acts as soon as it is told that it is awaited (or at its table's next
// beat, where a pace is set). An action's time runs from being sent until the last of the four
// clients has been told of it. Clients read and write the servers' own messages on bare sockets,
// with no framework of either side in between, so that the load stays far cheaper than the server.

import { setTimeout as sleep } from "node:timers/promises";

const SEATS = 4;
const OPENING_AT_ONCE = 16;
const SETTLING = 500; // ms between open and begin: nothing of the opening is left to be done
const PATIENCE = 15_000; // ms without any action after which something is wrong
const SLICE = 1000; // actions of each table for which a rate is told, where a number is asked for

const load = {
  target: 1_000_000, // points: a match that does not end
  pace: 0, // ms between the actions of a table; 0: as fast as they can
  warm: 2, // seconds before the clock starts
  seconds: 5,
  actions: 0, // of each table: instead of seconds
  play: null, // another server's address: tables are made at `url`, and played there
  ...JSON.parse(process.argv[2]),
};
const { openTable } = await import(`./${load.protocol}-client.js`);

const tell = (at, figures = {}) => console.log(JSON.stringify({ at, ...figures }));
const fail = (why) => {
  tell("failed", { why });
  process.exit(1);
};

let running = false;
let finished = 0;
let times = [];

class Table {
  sent = []; // when the actions that not all were told of yet were sent
  acted = 0;
  known = 0; // by all
  told = Array(SEATS).fill(0);
  waiting = null;
  beat = 0;

  /** A client was told of so many further actions. */
  heard(seat, actions) {
    this.told[seat] += actions;
    while (this.sent.length > 0 && this.told.every((each) => each > this.known)) {
      this.known += 1;
      times.push(performance.now() - this.sent.shift());
      finished += 1;
    }
  }

  /** A client sees that it is awaited. It may see that twice: nothing is sent twice. */
  awaited(seat, act) {
    if (this.told[seat] !== this.acted) return;
    if (!running || load.pace) this.waiting = [seat, act];
    else this.act(act);
    if (running && load.pace) this.keepTime();
  }

  act(act) {
    this.acted += 1;
    this.sent.push(performance.now());
    act();
  }

  keepTime() {
    const now = performance.now();
    this.beat = Math.max(this.beat, now);
    setTimeout(() => {
      const waiting = this.waiting;
      this.waiting = null;
      if (waiting && this.told[waiting[0]] === this.acted) this.act(waiting[1]);
    }, this.beat - now);
    this.beat += load.pace;
  }

  begin(place) {
    this.beat = performance.now() + place * load.pace;
    if (load.pace) this.keepTime();
    else if (this.waiting) {
      const [, act] = this.waiting;
      this.waiting = null;
      this.act(act);
    }
  }
}

function percentile(sorted, share) {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return Math.round(value * 100) / 100;
}

const tables = Array.from({ length: load.tables }, () => new Table());
const queue = [...tables.entries()];
async function open() {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const [number, table] = next;
    await openTable(load, number, table, fail);
  }
}
await Promise.all(Array.from({ length: OPENING_AT_ONCE }, open)).catch((error) => fail(error.message));
tell("open");
await sleep(SETTLING);

running = true;
tables.forEach((table, number) => table.begin(number / tables.length));
let before = -1;
setInterval(() => {
  if (finished === before) fail(`no action in ${PATIENCE / 1000} s, after ${finished}`);
  before = finished;
}, PATIENCE).unref();

await sleep(load.warm * 1000);
const cpu = process.cpuUsage();
const start = performance.now();
const first = finished;
times = [];
tell("begin");

const rates = [];
if (load.actions) {
  // Whole slices, the last of which ends with the last action that is asked for.
  const step = SLICE * load.tables;
  const goal = load.actions * load.tables;
  let [since, count] = [0, 0];
  for (let mark = first + ((goal - first) % step); mark <= goal; mark += step) {
    while (finished < mark) await sleep(10);
    const now = performance.now();
    if (since) rates.push((1000 * (finished - count)) / (now - since));
    [since, count] = [now, finished];
  }
} else {
  await sleep(load.seconds * 1000);
}

const seconds = (performance.now() - start) / 1000;
const actions = finished - first;
const { user, system } = process.cpuUsage(cpu);
const sorted = times.sort((a, b) => a - b);
tell("end", {
  actions,
  seconds,
  rate: actions / seconds,
  median: percentile(sorted, 0.5),
  p99: percentile(sorted, 0.99),
  cpu: (user + system) / 1e6 / seconds,
  rates,
});
process.exit(0);
