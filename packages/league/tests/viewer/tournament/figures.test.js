import assert from "node:assert/strict";
import { test } from "node:test";

import {
  aboutText,
  battlesOf,
  inOrder,
  leftText,
  lineScale,
  momentText,
  problems,
  replayOf,
  scaleOf,
  settingsText,
} from "../../../src/turnwright_league/viewer/tournament/figures.js";

const ID = "0123456789abcdef0123456789abcdef01234567";

function row(id, entries, state = "ok", suspect = []) {
  const scores = entries.map((entry) => [entry, 1, 0, 0, 0, 0, 0, null]);
  return [id, state, "7", 100, 5, 1, 0, suspect, true, false, scores];
}

const DATA = {
  game: "tank", format: "swiss", counted: 3, forfeits: 1, suspect: 1, void: 0, replays: "command", folder: "'my cup'",
  battles: [row("a", [0, 1]), row("b", [1, 2], "forfeit"), row("c", [0, 1, 2], "ok", ["the server was late"]), row("d", [0, 2], "void")],
};

test("a pairing's battles are those in which both were", () => {
  assert.deepEqual(battlesOf(DATA, [1, 0]).map((one) => one.id), ["a", "c"]);
  assert.deepEqual(battlesOf(DATA, [2]).map((one) => one.id), ["b", "c", "d"]);
});

test("problems are forfeits, void and suspect battles", () => {
  assert.deepEqual(problems(DATA).map((one) => one.id), ["b", "c", "d"]);
});

test("a battle is replayed by a link of the server, a neighbouring page, or a command", () => {
  const battle = { ...battlesOf(DATA, [0])[0], id: ID };
  const way = (replays, more = {}) => replayOf({ ...DATA, replays }, { ...battle, ...more });
  assert.deepEqual(way("server"), { kind: "link", text: `/?replay=/records/${ID}.twr` });
  assert.deepEqual(way("frames"), { kind: "link", text: `/?replay=/records/${ID}.twr.frames` });
  assert.deepEqual(way("files", { hasPage: true }), { kind: "link", text: `replays/${ID}.html` });
  assert.deepEqual(way("files"), { kind: "command", text: `turnwright replay 'my cup'/records/01/${ID}.twr` });
  assert.equal(way("command").kind, "command");
  const never = way("server", { hasRecord: false });
  const deleted = way("server", { hasRecord: "deleted" });
  assert.deepEqual([never.kind, deleted.kind], ["none", "none"]);
  assert.notEqual(deleted.text, never.text);
});

test("no id but a battle's becomes a link", () => {
  for (const id of ["javascript:canary(1)", "../../etc/passwd", `${ID}/`, `${ID}\n`, ID.toUpperCase(), ""]) {
    for (const replays of ["server", "frames", "files", "command"]) {
      assert.equal(replayOf({ ...DATA, replays }, { ...battlesOf(DATA, [0])[0], id, hasPage: true }).kind, "none");
    }
  }
});

test("entries without a value come last both ways, equal ones stay in order", () => {
  const entries = [{ v: 1 }, { v: null }, { v: 3 }, { v: 1 }, {}];
  assert.deepEqual(inOrder(entries, (one) => one.v, false), [0, 3, 2, 1, 4]);
  assert.deepEqual(inOrder(entries, (one) => one.v, true), [2, 0, 3, 1, 4]);
  assert.deepEqual(inOrder([{ v: "b" }, { v: "a" }], (one) => one.v, false), [1, 0]);
});

test("a scale has whole tens around all values", () => {
  assert.deepEqual(scaleOf([31, 68.2, null]), { low: 30, high: 70 });
  assert.deepEqual(scaleOf([]), { low: 0, high: 100 });
  assert.deepEqual(scaleOf([100]), { low: 90, high: 100 });
  assert.deepEqual(scaleOf([0]), { low: 0, high: 10 });
});

test("lines of ratings have a scale of round steps, those of percentages whole tens", () => {
  assert.deepEqual(lineScale([1388, 1611.5, null], false), { low: 1350, high: 1650 });
  assert.deepEqual(lineScale([21.3, 33.9], false), { low: 20, high: 35 });
  const flat = lineScale([1500, 1500], false);
  assert.ok(flat.low === 1500 && flat.high > 1500);
  assert.deepEqual(lineScale([null], false), { low: 0, high: 1 });
  assert.deepEqual(lineScale([31, 68.2], true), { low: 30, high: 70 });
});

test("times and counts are words", () => {
  assert.equal(leftText(0.3), "nearly done");
  assert.equal(leftText(61), "about 61 s left");
  assert.equal(leftText(600), "about 10 min left");
  assert.equal(leftText(12_000), "about 3 h 20 min left");
  assert.equal(momentText(1_790_000_000_000_000), "2026-09-21 14:13:20 UTC");
  assert.equal(momentText(0), "–");
  assert.equal(aboutText(DATA), "tank · swiss · 3 battles · 1 forfeit among them · 1 suspect, not counted");
  assert.equal(settingsText('{"rounds":10,"game_type":"1v1"}'), "rounds 10, game type 1v1");
  assert.equal(settingsText("no JSON"), "no JSON");
});
