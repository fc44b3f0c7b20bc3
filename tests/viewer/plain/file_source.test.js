import assert from "node:assert/strict";
import { test } from "node:test";
import { openFrames } from "../../../src/turnwright/viewer/plain/file_source.js";

const LINES = [
  { type: "ready", game: "snake", seats: [{ name: "A", version: "1" }], settings: {}, turnTimeoutUs: 1, verified: true },
  { type: "frame", turn: 1, frame: { a: 1 } },
  { type: "frame", turn: 2, frame: { a: 2 } },
  { type: "result", ending: "over", rows: [{ rank: 1, seat: 0, name: "A", score: 3 }], details: null },
];
const bytesOf = (lines) => new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));

test("a file of frames is a source with its results in the last frame", async () => {
  const source = await openFrames("x", bytesOf(LINES));
  assert.deepEqual([source.length, source.verified, source.status.phase], [2, "ok", "over"]);
  assert.deepEqual([source.at(0).roundResults, source.at(1).roundResults[0].score, source.at(2)], [null, 3, null]);
});

test("a file that was cut off shows what it holds", async () => {
  const source = await openFrames("x", bytesOf(LINES.slice(0, 2)));
  assert.deepEqual([source.length, source.status.phase], [1, "aborted"]);
  assert.match(source.status.message, /is truncated/);
});

test("a battle that was stopped has no results and is not cut off", async () => {
  const source = await openFrames("x", bytesOf([...LINES.slice(0, 3), { type: "result", ending: "aborted", rows: [], details: null }]));
  assert.deepEqual([source.battle.results, source.status.phase, source.status.message], [null, "aborted", ""]);
});

test("anything else is refused in one line", async () => {
  for (const bytes of [new Uint8Array([255, 254]), bytesOf([]), bytesOf([{ type: "other" }]), new TextEncoder().encode("text")]) {
    await assert.rejects(openFrames("x.twr", bytes), /^Error: x\.twr: this is not a file of frames/);
  }
});
