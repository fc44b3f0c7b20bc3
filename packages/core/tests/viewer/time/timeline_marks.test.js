import assert from "node:assert/strict";
import { test } from "node:test";
import { Marks } from "../../../src/turnwright/viewer/time/timeline_marks.js";
import { frame } from "../films.js";

const death = (id) => ({ death: id });
const hit = () => ({ hit: true });
const skipped = (...ids) => new Map(ids.map((id) => [id, { skipped: true, lateUs: null, answerUs: null, rttUs: null }]));
const nameOf = (id) => ["Ann", "Bob", "Cid"][id - 1];

/** The marks of a turn of one of our games. */
function marksOf({ events }) {
  return { deaths: events.filter((each) => each.death).map((each) => each.death), hits: events.filter((each) => each.hit).length };
}

function marked(frames) {
  const marks = new Marks(marksOf);
  frames.forEach((each) => marks.add(each));
  return marks;
}

const at = (index, round, turn, events = [], more = {}) => frame(index, round, turn, { events, ...more });

const BATTLE = [
  at(0, 1, 1),
  at(1, 1, 2, [hit(), hit()]),
  at(2, 1, 3, [death(2)]),
  at(3, 2, 1),
  at(4, 2, 2, [], { timing: skipped(1, 2) }),
  at(5, 2, 3, [death(1), death(3)]),
];

test("rounds, deaths, hits and missed turns are marked", () => {
  const marks = marked(BATTLE);
  assert.deepEqual(marks.rounds, [
    { index: 0, round: 1, turn: 1 },
    { index: 3, round: 2, turn: 1 },
  ]);
  assert.deepEqual(marks.deaths, [
    { index: 2, ids: [2] },
    { index: 5, ids: [1, 3] },
  ]);
  assert.deepEqual(
    marks.bins(0, 6, 6).map(({ hits, skips }) => [hits, skips]),
    [
      [0, 0],
      [2, 0],
      [0, 0],
      [0, 0],
      [0, 2],
      [0, 0],
    ],
  );
});

test("an index is a round and a turn, and back, also when we joined in the middle", () => {
  const marks = marked([at(700, 3, 41), at(701, 3, 42), at(702, 4, 1)]);
  assert.deepEqual(marks.turnAt(701), { round: 3, turn: 42 });
  assert.deepEqual([marks.indexOf(3, 42), marks.indexOf(4, 5), marks.indexOf(9, 1)], [701, 706, null]);
  assert.equal(marks.turnAt(3), null);
});

test("the next death and the one before are found", () => {
  const marks = marked(BATTLE);
  assert.deepEqual(
    [marks.deathFrom(2, 1), marks.deathFrom(2, -1), marks.deathFrom(5, -1), marks.deathFrom(0, -1)],
    [5, null, 2, null],
  );
});

test("a preview says turn and deaths nearby", () => {
  const marks = marked(BATTLE);
  assert.equal(marks.preview(4, 1, nameOf), "round 2, turn 2 · ✕ Ann, Cid");
  assert.equal(marks.preview(0, 1, nameOf), "round 1, turn 1");
  assert.equal(marks.preview(0, 1, nameOf, { rounds: null }), "turn 1");
});

test("20,000 turns with 40,000 hits are marked and drawn quickly", () => {
  const marks = new Marks(marksOf);
  for (let k = 0; k < 20_000; k += 1) {
    marks.add(at(k, 1 + Math.floor(k / 1000), 1 + (k % 1000), [hit(), hit()]));
  }
  const begun = process.cpuUsage().user;
  for (let k = 0; k < 20; k += 1) {
    assert.equal(marks.bins(0, 20_000, 640).length, 640);
  }
  assert.ok(process.cpuUsage().user - begun < 500_000, "25 ms for each drawing at most");
  assert.equal(marks.hits.sum(0, 20_000), 40_000);
});
