import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { gameOfRecord, openFrames } from "../../../src/turnwright/viewer/generic/file_source.js";

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

test("a truncated file shows its readable part", async () => {
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
    await assert.rejects(openFrames("x.twr", bytes), /^Error: x\.twr: this is not a file of frames; run `turnwright replay x\.twr` to see it$/);
  }
});

test("a record is refused in one line that names its game and the command that shows it", async () => {
  const packed = (text) => new Uint8Array(gzipSync(text));
  const header = { turnwright: 2, kind: "header", game: "tank", seats: Array(1000).fill({ name: "A bot of a long name" }) };
  const record = packed(`${JSON.stringify(header)}\n{"d":"00"}\n`);
  await assert.rejects(openFrames("my 'b.twr", record), {
    message: "my 'b.twr: this is a record of tank, which this page cannot play; run `turnwright replay 'my '\\''b.twr'` to see it (and `--game FOLDER` if its game is in a folder)",
  });
  assert.equal(await gameOfRecord(record), "tank");
  const hostile = packed(`${JSON.stringify({ kind: "header", game: "x\u202e".repeat(99) })}\n`);
  await assert.rejects(openFrames("h.twr", hostile), (/** @type {Error} */ { message }) => message.length < 220 && !message.includes("\u202e"));
});

test("a file that is not a record has no game", async () => {
  const bytes = [gzipSync("{}\n"), gzipSync('{"kind":"header","game":3}\n'), gzipSync("x".repeat(3 << 20)), new Uint8Array([31, 139, 0]), new Uint8Array()];
  for (const one of bytes) {
    assert.equal(await gameOfRecord(new Uint8Array(one)), null);
  }
});
