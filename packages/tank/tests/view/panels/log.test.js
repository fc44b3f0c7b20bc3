import assert from "node:assert/strict";
import { test } from "node:test";
import { EventLog, KINDS, say } from "../../../src/turnwright_tank/view/panels/log.js";
import { searchText } from "../../../../core/src/turnwright/viewer/widgets/format.js";
import { death, fired, frame, hit, nameOf, ram, scan, skipped, wall } from "./making.js";

function logOf(frames, most) {
  const log = new EventLog(most);
  frames.forEach((each) => log.add(each));
  return log;
}

const ALL = new Set(KINDS);
const texts = (log, filter) =>
  log.find({ kinds: ALL, bot: null, text: "", ...filter }, nameOf, 0, log.length).map((k) => say(log.at(k), nameOf));

const BATTLE = [
  frame(
    0,
    [
      [1, 100],
      [2, 100],
    ],
    [scan(1, 2)],
  ),
  frame(
    1,
    [
      [1, 98],
      [2, 100],
    ],
    [fired(1, 2)],
  ),
  frame(
    2,
    [
      [1, 104],
      [2, 90],
    ],
    [hit(1, 2, 10, 90.04), wall(2)],
    { timing: skipped(2) },
  ),
  frame(
    3,
    [
      [1, 104],
      [2, -1],
    ],
    [ram(1, 2, -0.2), ram(2, 1, 103, false), death(2)],
    { roundResults: [] },
  ),
];

test("events become sentences; radar contacts are left out", () => {
  assert.deepEqual(texts(logOf(BATTLE), {}), [
    "Round 1 begins",
    "Ann fired, power 2.0",
    "Ann hit Bob: −10.0, 90.0 left",
    "Bob drove into a wall",
    "Bob missed the turn: no answer",
    "Ann rammed Bob: −0.6, none left",
    "Bob died",
    "Round 1 is over",
  ]);
});

test("a filter is by kind, by bot and by text", () => {
  const log = logOf(BATTLE);
  assert.deepEqual(texts(log, { kinds: new Set(["death"]) }), ["Bob died"]);
  assert.equal(texts(log, { bot: 3 }).length, 2);
  assert.deepEqual(texts(log, { text: " WALL" }), ["Bob drove into a wall"]);
  assert.deepEqual(texts(log, { text: "1.2" }), ["Ann fired, power 2.0"]);
});

test("an entry leads to its frame", () => {
  const log = logOf(BATTLE);
  const { kind, index, round, turn, bot, other } = log.at(2);
  assert.deepEqual(
    { kind, index, round, turn, bot, other },
    { kind: "hit", index: 2, round: 1, turn: 3, bot: 2, other: 1 },
  );
});

test("a late answer says by how much", () => {
  const timing = new Map([[1, { skipped: true, lateUs: 1500, answerUs: null, rttUs: null }]]);
  assert.deepEqual(
    texts(logOf([frame(0, [[1, 9]], [], { timing })]), { bot: 1 }).pop(),
    "Ann missed the turn: late by 1.5 ms",
  );
});

test("an answer that comes in a later turn says how late it was for the one that was missed", () => {
  const late = (skips) => new Map([[1, { skipped: skips, lateUs: 20_600, answerUs: null, rttUs: null }]]);
  const frames = [skipped(1), late(true), null, late(false)].map((timing, k) => frame(k, [[1, 9]], [], { timing }));
  const missed = (all) => texts(logOf(all), { bot: 1 }).filter((text) => text.includes("missed"));
  assert.deepEqual(missed(frames), [
    "Ann missed the turn: late by 20.6 ms",
    "Ann missed the turn: late by 20.6 ms",
  ]);
  const round = [frame(0, [[1, 9]], [], { timing: skipped(1) }), frame(1, [[1, 9]], [], { roundNumber: 2, timing: late(false) })];
  assert.deepEqual(missed(round), ["Ann missed the turn: no answer"], "a round's end pays all");
});

test("a full log keeps the important events", () => {
  const shots = Array.from({ length: 100 }, (_, k) => frame(k, [[1, 50]], [fired(1, 1)]));
  const log = logOf([...shots, frame(100, [[1, -1]], [death(1)])], 10);
  assert.equal(log.length, 11);
  assert.equal(log.at(10).kind, "death");
});

test("50,000 events are searched in well under a second", () => {
  const log = logOf(Array.from({ length: 50_000 }, (_, k) => frame(k, [[1, 50]], [hit(1, 2, 4, k % 100)])));
  const begun = process.cpuUsage().user;
  assert.equal(texts(log, { text: "17.0 left" }).length, 500);
  assert.ok(process.cpuUsage().user - begun < 2_000_000);
});

test("the progress of a search is shown during the search", () => {
  assert.deepEqual([searchText(1, 4), searchText(4, 4)], ["searching … 25 %", ""]);
});
