/**
 * Plays the records of a folder again and compares every frame, bit for bit, with Python's.
 *
 *     node packages/tank/tests/view/resim/compare_frames.js FOLDER
 *
 * Reads NAME.twr and NAME.jsonl; exit code 1 and one line for each record that differs. Where there is a
 * NAME.starts, the record is played from each of its places, too.
 */

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { GrowingLines } from "../../../src/turnwright_tank/view/live/growing_lines.js";
import { RecordSource } from "../../../src/turnwright_tank/view/resim/source_record.js";

const OURS = new Set(["fallen", "index", "timing", "serverLateUs"]);

/** Where two JSON values differ, or "". null is like absent; -0 is not like 0. */
function difference(here, there, path) {
  if (typeof here !== "object" || here === null || typeof there !== "object" || there === null) {
    return Object.is(here ?? null, there ?? null) ? "" : `${path}: ${show(here)}, in Python ${show(there)}`;
  }
  if (Array.isArray(here) && here.length !== there.length) {
    return `${path}: ${here.length} things, in Python ${there.length}`;
  }
  for (const key of new Set([...Object.keys(here), ...Object.keys(there)])) {
    const found = difference(here[key], there[key], `${path}.${key}`);
    if (found !== "") {
      return found;
    }
  }
  return "";
}

function show(value) {
  return Object.is(value, -0) ? "-0" : JSON.stringify(value);
}

function linesOf(path) {
  return readFileSync(path, "utf8").split("\n").filter((line) => line !== "");
}

async function compare(twr) {
  const expected = linesOf(twr.replace(/twr$/, "jsonl"));
  let found = await compareFrames(new RecordSource(readFileSync(twr)), expected);
  const starts = twr.replace(/twr$/, "starts");
  const [header, ...turns] = gunzipSync(readFileSync(twr)).toString().split("\n").slice(0, -1);
  for (const start of existsSync(starts) ? linesOf(starts).map((line) => JSON.parse(line)) : []) {
    const lines = new GrowingLines(start);
    lines.add([header, ...turns.slice(start.turn)]);
    const different = await compareFrames(new RecordSource(lines), expected.slice(start.turn));
    found ||= different && `from turn ${start.turn} on, ${different}`;
  }
  return found;
}

async function compareFrames(source, lines) {
  await source.loaded;
  if (source.verified !== "ok") {
    return `verified: ${source.verified}: ${source.status.message}`;
  }
  if (lines.length !== source.length) {
    return `${source.length} frames, in Python ${lines.length}`;
  }
  for (const [index, line] of lines.entries()) {
    const frame = Object.fromEntries(Object.entries(source.at(index)).filter(([key]) => !OURS.has(key)));
    frame.standings = Object.fromEntries(frame.standings);
    const found = difference({ ...frame, type: "TickEventForObserver" }, JSON.parse(line), `frame ${index}`);
    if (found !== "") {
      return found;
    }
  }
  const last = source.at(source.length - 1);
  const over = last.roundNumber === source.battle.rounds && last.roundResults !== null;
  return over ? difference(source.battle.results, last.roundResults, "results") : "";
}

let wrong = 0;
let turns = 0;
const names = readdirSync(process.argv[2]).filter((name) => name.endsWith(".twr"));
for (const name of names.sort()) {
  const path = join(process.argv[2], name);
  const found = await compare(path);
  turns += readFileSync(path.replace(/twr$/, "jsonl"), "utf8").split("\n").length - 1;
  if (found !== "") {
    wrong += 1;
    console.log(`${name}: ${found}`);
  }
}
console.log(`${names.length} records, ${turns} turns, ${wrong} differ`);
process.exit(wrong === 0 && names.length > 0 ? 0 : 1);
