/** A live server that speaks the generic protocol: joining, watching, commanding. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GENERIC, botsOf } from "../../../src/turnwright/viewer/generic/protocol.js";
import { LiveSource } from "../../../src/turnwright/viewer/sources/source_live.js";

const BATTLE = { type: "ready", game: "snake", settings: { turns: 9 }, turnTimeoutUs: 7000, seats: [{ name: "A", version: "1" }, { name: "B", version: "1" }] };
const ROWS = [{ rank: 1, seat: 1, name: "B", score: 4 }, { rank: 2, seat: 0, name: "A", score: 1 }];

function joined(code = null) {
  const socket = { said: [], send: (text) => socket.said.push(JSON.parse(text)), close() {}, onmessage: null, onclose: null };
  const source = new LiveSource({ url: "ws://localhost/", code, connect: () => socket }, GENERIC);
  const hear = (...messages) => messages.forEach((message) => socket.onmessage({ data: JSON.stringify(message) }));
  hear({ type: "hello", protocol: 1, server: "turnwright", game: "snake", session: "s", settings: { turns: 500 } });
  return { source, socket, hear };
}

test("a page without a code watches, one with a code commands", () => {
  assert.deepEqual(joined().socket.said[0], { type: "hello", protocol: 1, role: "spectator", name: "turnwright viewer", version: "1", history: true, session: "s" });
  const { role, code } = joined("x").socket.said[0];
  assert.deepEqual([role, code], ["operator", "x"]);
});

test("a battle is watched from its beginning to its results", () => {
  const { source, hear } = joined();
  hear({ type: "bots", bots: [] }, BATTLE, { type: "frame", turn: 1, frame: { a: 1 } }, { type: "frame", turn: 2, frame: { a: 2 } });
  assert.deepEqual([source.length, source.at(1).state, source.status.phase], [2, { a: 2 }, "running"]);
  hear({ type: "result", ending: "over", rows: ROWS, details: null });
  assert.deepEqual(source.battle.results.map(({ name }) => name), ["B", "A"]);
  assert.deepEqual([source.status.phase, source.at(1).roundResults.length, source.at(0).roundResults], ["over", 2, null]);
});

test("a page that comes after the end shows the last frame and the results", () => {
  const { source, hear } = joined();
  hear({ type: "bots", bots: [] }, { type: "speed", tps: 30 }, BATTLE, { type: "frame", turn: 40, frame: { a: 1 } }, { type: "result", ending: "over", rows: ROWS });
  assert.deepEqual([source.length, source.status.phase, source.at(0).roundResults.length], [1, "over", 2]);
  hear({ type: "bots", bots: [] });
  assert.deepEqual([source.status.phase, source.status.message], ["over", ""]);
});

test("a page that was there keeps its frames when it comes again after the end", () => {
  const { source, socket, hear } = joined();
  const end = [{ type: "frame", turn: 2, frame: { a: 2 } }, { type: "result", ending: "over", rows: ROWS }];
  hear({ type: "bots", bots: [] }, BATTLE, { type: "frame", turn: 1, frame: { a: 1 } }, ...end);
  socket.onclose({ code: 1006, reason: "" });
  source.connect();
  hear({ type: "hello", session: "t" }, { type: "bots", bots: [] }, BATTLE, ...end);
  assert.deepEqual([source.length, source.status.phase, source.at(1).roundResults.length], [2, "over", 2]);
});

test("an operator pauses, steps, changes the speed and begins again", () => {
  const { source, socket, hear } = joined("x");
  const bots = [{ name: "A", version: "1", host: "h", port: 1 }, { name: "C", version: "1", host: "h", port: 2 }];
  hear({ type: "bots", bots }, BATTLE);
  socket.said.length = 0;
  source.operator.pause();
  source.operator.step();
  source.operator.setTps(-1);
  source.operator.restart();
  hear({ type: "result", ending: "aborted", rows: [], details: null });
  assert.deepEqual(socket.said, [
    { type: "pause" },
    { type: "step" },
    { type: "speed", tps: -1 },
    { type: "stop" },
    { type: "start", settings: { turns: 9 }, bots: [{ host: "h", port: 1 }], turnTimeoutUs: 7000 },
  ]);
});

test("a battle that was stopped has no results", () => {
  const { source, hear } = joined();
  hear(BATTLE, { type: "frame", turn: 0, frame: {} }, { type: "result", ending: "aborted", rows: [], details: null });
  assert.deepEqual([source.status.phase, source.battle.results], ["aborted", null]);
});

test("the server proposes settings and reports awaited bots and mistakes", () => {
  const { source, hear } = joined("x");
  hear({ type: "bots", bots: [] }, BATTLE, { type: "policies", debugging: [], breakpoints: [1], waitedFor: [1] });
  assert.deepEqual([source.settings, source.policies.waitedFor], [{ turns: 500 }, [1]]);
  hear({ type: "error", code: "bad-setup", message: "snake has no setting 'turn'", about: "start" });
  assert.match(source.status.message, /no setting/);
});

test("the bots of a battle are found again by seat, also two of one name", () => {
  const bots = ["Greedy", "Other", "Greedy", "Mine (2)"].map((name, port) => ({ name, version: "1", host: "h", port }));
  const ports = (names) => botsOf(names, bots).map(({ port }) => port);
  assert.deepEqual(ports(["Other", "Greedy", "Greedy (2)"]), [1, 0, 2]);
  assert.deepEqual(ports(["Mine (2)", "Gone", "Greedy (2)"]), [3, 0]);
});

test("unknown messages are skipped", () => {
  const { source, hear } = joined();
  hear({ type: "weather", rain: true }, { type: "paused", cause: "pause" });
  assert.equal(source.status.phase, "paused");
});
