import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { LiveSource } from "../../../../core/src/turnwright/viewer/sources/source_live.js";
import { ROYALE } from "../../../src/turnwright_tank/view/live/royale.js";
import { NO_FRAMES, RecordStore, TRIPS_MAX } from "../../../src/turnwright_tank/view/live/record_store.js";

const LINES = gunzipSync(readFileSync(new URL("../resim/samples/departures.twr", import.meta.url)))
  .toString()
  .split("\n")
  .slice(0, -1);
/** The battle after its turn 99. */
const START = JSON.parse(readFileSync(new URL("../resim/samples/departures.start.json", import.meta.url)).toString());
const STARTED = {
  type: "GameStartedEventForObserver",
  gameSetup: { gameType: "classic", arenaWidth: 800, arenaHeight: 600, numberOfRounds: 2, turnTimeout: 30000 },
  participants: [{ id: 1, sessionId: "a", name: "A", version: "1" }],
};

/** A page at a server whose battles wait for no spectator. */
function joined() {
  const socket = { said: [], send: (text) => socket.said.push(JSON.parse(text)), close() {}, onmessage: null, onclose: null };
  const source = new LiveSource({ url: "ws://x", connect: () => socket }, ROYALE);
  const hear = (text) => socket.onmessage({ data: text });
  hear(JSON.stringify({ type: "ServerHandshake", sessionId: "s" }));
  hear(JSON.stringify({ type: "TpsChangedEvent", tps: 30, pacing: "apart" }));
  hear(JSON.stringify(STARTED));
  const history = (first, lines, start) => hear([JSON.stringify({ type: "History", first, start }), ...lines, ""].join("\n"));
  return { source, socket, hear, history };
}

async function until(holds) {
  for (let k = 0; k < 2000 && !holds(); k++) {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  assert.ok(holds());
}

test("the page asks for the whole battle", () => {
  const { source, socket } = joined();
  assert.equal(socket.said[0].history, 1);
  assert.equal(source.apart, true);
});

test("turns are played from the record's lines as they come, and verified at the end", async () => {
  const { source, history } = joined();
  history(0, LINES.slice(0, 100));
  assert.ok(source.store instanceof RecordStore);
  await until(() => source.length === 99);
  assert.deepEqual([source.status.phase, source.verified, source.battle.results], ["running", "running", null]);
  assert.equal(source.at(98).index, 98);
  history(100, LINES.slice(100));
  await until(() => source.status.phase === "over");
  assert.deepEqual([source.length, source.verified, source.battle.results[0].rank], [243, "ok", 1]);
});

test("a page that reconnects skips the lines that it has", async () => {
  const { source, history } = joined();
  history(0, LINES.slice(0, 100));
  history(0, LINES.slice(0, 150));
  history(150, LINES.slice(150));
  await until(() => source.status.phase === "over");
  assert.deepEqual([source.length, source.verified], [243, "ok"]);
});

test("a changed line is reported, and the turns before it stay", async () => {
  const { source, history } = joined();
  history(0, [...LINES.slice(0, 100), LINES[100].replace(/"d":"."/, '"d":"x"').replace("{", "{ "), ...LINES.slice(101)]);
  await until(() => source.verified === "differs");
  assert.equal(source.length, 99);
  assert.match(source.status.message, /line 101/);
});

test("a page that has missed the beginning is played from a keyframe, verified, and says so", async () => {
  const { source, history } = joined();
  history(100, [LINES[0], ...LINES.slice(100, 150)], START);
  await until(() => source.length === 50);
  assert.match(source.status.message, /Earlier turns .* cannot be shown/);
  assert.equal(source.status.phase, "running");
  history(150, LINES.slice(150));
  await until(() => source.status.phase === "over");
  assert.deepEqual([source.length, source.verified, source.battle.results[0].rank], [144, "ok", 1]);
  assert.match(source.status.message, /Earlier turns/);
});

test("the same lines from a keyframe come once, however often the page connects", async () => {
  const { source, history } = joined();
  history(100, [LINES[0], ...LINES.slice(100, 150)], START);
  history(0, LINES.slice(0, 160));
  history(100, [LINES[0], ...LINES.slice(100, 170)], START);
  history(170, LINES.slice(170));
  await until(() => source.status.phase === "over");
  assert.deepEqual([source.length, source.verified], [144, "ok"]);
});

test("a page that falls behind the history continues at a keyframe", async () => {
  const { source, history } = joined();
  history(0, LINES.slice(0, 50));
  await until(() => source.length === 49);
  const battles = source.battles;
  history(100, [LINES[0], ...LINES.slice(100)], START);
  await until(() => source.status.phase === "over");
  assert.deepEqual([source.length, source.verified, source.battles], [144, "ok", battles + 1]);
  assert.match(source.status.message, /Earlier turns/);
});

test("a page that follows a battle from near its newest turn says nothing of the turns before", async () => {
  const { source, hear, history } = joined();
  hear(JSON.stringify({ type: "TpsChangedEvent", tps: 30 }));
  hear(JSON.stringify(STARTED));
  history(100, [LINES[0], ...LINES.slice(100, 150)], START);
  await until(() => source.length === 50);
  assert.deepEqual([source.apart, source.status.phase, source.status.message], [false, "running", ""]);
  history(150, LINES.slice(150));
  await until(() => source.status.phase === "over");
  assert.deepEqual([source.verified, source.battle.results[0].rank], ["ok", 1]);
});

test("round trips are shown from the frame on after which they came", async () => {
  const { source, hear, history } = joined();
  const trips = (...pairs) => hear(JSON.stringify({ type: "RoundTrips", trips: pairs }));
  const shown = (index) => source.at(index).timing.get(1).rttUs;
  trips([1, 5]);
  history(0, LINES.slice(0, 41));
  await until(() => source.length === 40);
  trips([1, 100], [9, 7]);
  history(41, LINES.slice(41, 61));
  await until(() => source.length === 60);
  trips([2, 300]);
  history(61, LINES.slice(61, 81));
  await until(() => source.length === 80);
  assert.deepEqual([1, 39, 40, 59, 60, 79].map(shown), [null, null, 100, 100, null, null]);
  for (let k = 0; k < TRIPS_MAX + 5; k++) trips([1, k]);
  assert.equal(source.store.trips.length, TRIPS_MAX);
});

test("a keyframe without its numbers fails with a message and ends nothing else", async () => {
  const { source, history } = joined();
  history(100, [LINES[0], ...LINES.slice(100)], { ...START, keyframe: { ledger: [], gone: [], game: { arena: [] } } });
  await until(() => source.status.phase === "failed");
  assert.notEqual(source.status.message, "");
});

test("the next battle may wait for its spectators though it has the same bots, and the one after it may not", async () => {
  const { source, hear, history } = joined();
  const begin = (fields) => [{ type: "TpsChangedEvent", tps: 30, ...fields }, STARTED].forEach((told) => hear(JSON.stringify(told)));
  history(0, LINES.slice(0, 100));
  await until(() => source.length === 99);
  begin({});
  assert.equal(source.store, NO_FRAMES);
  assert.deepEqual([source.apart, source.length, source.status.phase], [false, 0, "running"]);
  begin({ pacing: "apart" });
  history(0, LINES.slice(0, 50));
  await until(() => source.length === 49);
  assert.equal(source.apart, true);
});

test("a warning is shown with its turn, and at the latest at the end of the battle", async () => {
  const { source, hear, history } = joined();
  history(0, LINES.slice(0, 100));
  await until(() => source.length === 99);
  const warn = (message, place) => hear(JSON.stringify({ type: "ErrorReply", code: "failed", message, ...place }));
  warn("A crashed", { roundNumber: 1, turnNumber: 50 });
  source.shown(source.at(48), false);
  assert.equal(source.status.message, "");
  source.shown(source.at(49), false);
  assert.equal(source.status.message, "A crashed");
  warn("B left", { roundNumber: 7, turnNumber: 1 });
  source.shown(source.at(98), false);
  assert.equal(source.status.message, "A crashed");
  source.shown(source.at(98), true);
  assert.equal(source.status.message, "B left");
  warn("at once");
  assert.equal(source.status.message, "at once");
});
