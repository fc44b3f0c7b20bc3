import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import "./browser_streams.js";
import { RecordSource } from "../../../src/turnwright_tank/view/resim/source_record.js";
import { chained, header, twr } from "./making.js";

const SAMPLE = readFileSync(new URL("samples/departures.twr", import.meta.url));

async function opened(bytes) {
  const source = new RecordSource(bytes);
  await source.loaded;
  return source;
}

test("a record is played again and verified", async () => {
  const source = await opened(SAMPLE);
  assert.deepEqual([source.kind, source.verified, source.status.phase, source.status.message], ["record", "ok", "over", ""]);
  assert.equal(source.length, 243);
  assert.equal(source.battle.results[0].rank, 1);
  const ends = Array.from({ length: source.length }, (_, k) => source.at(k)).filter((frame) => frame.roundResults !== null);
  assert.deepEqual(ends.map(({ roundNumber }) => roundNumber), [1, 2]);
  assert.deepEqual(ends[1].roundResults, source.battle.results);
});

test("the same record unpacked is read too", async () => {
  assert.equal((await opened(gunzipSync(SAMPLE))).verified, "ok");
});

test("first frames are there while the rest is worked out", async () => {
  const source = new RecordSource(SAMPLE);
  const seen = [];
  source.on("frames", () => seen.push([source.length, source.status.phase, source.verified]));
  await source.loaded;
  assert.ok(seen.length >= 2);
  assert.ok(seen[0][0] > 0);
  assert.deepEqual(seen[0].slice(1), ["loading", "running"]);
  assert.deepEqual(seen.at(-1), [243, "over", "ok"]);
});

test("a record cut off anywhere plays up to there and says so", async () => {
  for (const part of [0.3, 0.6, 0.99]) {
    const source = await opened(SAMPLE.subarray(0, Math.floor(SAMPLE.length * part)));
    assert.deepEqual([source.verified, source.status.phase], ["ok", "over"]);
    const { roundNumber: round, turnNumber: turn } = source.at(source.length - 1);
    assert.match(source.status.message, new RegExp(`truncated after turn ${turn} of round ${round}; the existing part is shown`));
    assert.deepEqual(source.endsAt, { round, turn });
    assert.ok(source.length > 0 && source.length <= 243);
    assert.equal(source.at(source.length), null);
  }
});

test("a changed line is named, and the part before it can be watched", async () => {
  const lines = gunzipSync(SAMPLE).toString().split("\n");
  lines[50] = lines[50].replace(/\d/, (digit) => String((Number(digit) + 1) % 10));
  const source = await opened(gzipSync(lines.join("\n")));
  assert.equal(source.verified, "differs");
  assert.match(source.status.message, /^line 51 of the record cannot be read: .*the part before it is shown$/);
  assert.equal(source.length, 49);
});

test("a turn that comes out differently is named", async () => {
  const lines = gunzipSync(SAMPLE).toString().trimEnd().split("\n").map((line) => line.replace(/,"h":"[0-9a-f]*"\}$/, "}"));
  lines[30] = lines[30].replace(/"d":"[0-9a-f]{3}/, '"d":"fff');
  const source = await opened(gzipSync(chained(lines)));
  assert.equal(source.verified, "differs");
  assert.match(source.status.message, /^turn 30 of round 1 \(turn 30 of the battle\) differs when replayed here: the digest is/);
  assert.deepEqual([source.length, source.status.phase], [29, "over"]);
});

test("a round that begins in another turn, or a wrong number of turns, is reported", async () => {
  const over = { kind: "footer", ending: "over", turns: 5 };
  for (const [lines, message] of [
    [[header(), { o: true }, { o: true }], /^turn 2 .*: a round begins in this turn of the record/],
    [[header(), { o: true }, {}, over], /^the record has 2 turns; its last line says 5$/],
  ]) {
    const source = await opened(twr(lines));
    assert.equal(source.verified, "differs");
    assert.match(source.status.message, message);
  }
});

test("without a single turn there is nothing to watch", async () => {
  for (const [lines, message] of [
    [[header()], "the record is truncated before its first turn"],
    [[header(), { o: true, d: "0123456789abcdef" }], /^turn 1 .* in the record 0123456789abcdef$/],
    [[header(), { kind: "footer", ending: "aborted", turns: 0 }], "the battle was stopped"],
  ]) {
    const { status, length } = await opened(twr(lines));
    assert.deepEqual([status.phase, length], ["failed", 0]);
    assert.match(status.message, new RegExp(message));
  }
});

test("a record without digests can be watched, unchecked", async () => {
  const source = await opened(twr([header(), { o: true }, {}, { kind: "footer", ending: "aborted", turns: 2 }]));
  assert.deepEqual([source.verified, source.status.phase, source.length], ["unchecked", "aborted", 2]);
  assert.equal(source.status.message, "the battle was stopped");
});

test("disqualified seats have to agree", async () => {
  const source = await opened(twr([header({ rules: { max_skipped: 1 } }), { o: true }, { s: [1] }]));
  assert.match(source.status.message, /turn 2 .* seats disqualified are 1, in the record ;/);
});

for (const [name, bytes, message] of [
  ["nothing", new Uint8Array(0), /it is empty, or its first line is truncated/],
  ["another text", new TextEncoder().encode("hello\n"), /this is not a record of turnwright/],
  ["a newer version", twr([header({ turnwright: 3 })]), /version 3 of the format/],
  ["another game", twr([header({ game: "countdown" })]), /of the game "countdown"/],
  ["other behaviour", twr([header({ behaviour_version: 9 })]), /behaviour version 9/],
  ["damaged gzip", Buffer.concat([SAMPLE.subarray(0, 10), Buffer.from([7, 7, 7])]), /the file is damaged/],
]) {
  test(`${name} is refused in one line`, async () => {
    const source = await opened(bytes);
    assert.deepEqual([source.status.phase, source.verified, source.battle, source.at(0)], ["failed", null, null, null]);
    assert.match(source.status.message, message);
    assert.ok(!source.status.message.includes("\n"));
  });
}

test("a closed source stops reading and says nothing more", async () => {
  const source = new RecordSource(SAMPLE);
  source.close();
  await source.loaded;
  assert.equal(source.status.phase, "loading");
});
