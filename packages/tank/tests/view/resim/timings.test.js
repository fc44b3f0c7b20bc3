import assert from "node:assert/strict";
import { test } from "node:test";
import { Timings } from "../../../src/turnwright_tank/view/resim/timings.js";

const PLAYING = { openedRound: false, started: [0, 1], gone: new Set() };

function turn(changes = {}) {
  return { skipped: [], lateNs: new Map(), answers: "", serverLateNs: null, ...changes };
}

test("asked seats have an entry by bot id, except in a round's first turn", () => {
  const timings = new Timings(3);
  timings.put(turn(), { openedRound: true, started: [0, 1, 2] });
  timings.put(turn({ skipped: [1] }), PLAYING);
  assert.equal(timings.at(0).size, 0);
  assert.deepEqual([...timings.at(1)].map(([id, { skipped }]) => [id, skipped]), [[1, false], [2, true]]);
});

test("a seat whose participant has left is disconnected from then on", () => {
  const timings = new Timings(2);
  timings.put(turn(), PLAYING);
  timings.put(turn({ skipped: [1] }), { ...PLAYING, gone: new Set([1]) });
  assert.deepEqual([0, 1].map((k) => timings.at(k).get(2).status), [null, "disconnected"]);
  assert.deepEqual([timings.at(1).get(2).skipped, timings.at(1).get(1).status], [true, null]);
});

test("late answers are given in µs", () => {
  const timings = new Timings(2);
  timings.put(turn({ lateNs: new Map([[0, 1500]]) }), PLAYING);
  assert.equal(timings.at(0).get(1).lateUs, 1.5);
  assert.equal(timings.at(0).get(2).lateUs, null);
});

test("answer times count for the turns before that had none, not for skipped ones", () => {
  const timings = new Timings(2);
  timings.put(turn(), PLAYING);
  timings.put(turn({ skipped: [1] }), PLAYING);
  timings.put(turn({ answers: "K-" }), PLAYING);
  timings.put(turn(), PLAYING);
  const answers = [0, 1, 2, 3].map((k) => timings.at(k).get(1).answerUs);
  assert.ok(answers[0] > 1024 && answers[0] < 1448);
  assert.deepEqual(answers, [answers[0], answers[0], answers[0], null]);
  assert.equal(timings.at(1).get(2).answerUs, null);
});

test("the server's lateness is 0 where it is known and not said, null where it is not known", () => {
  const timings = new Timings(2);
  timings.put(turn(), PLAYING);
  assert.equal(timings.serverLateUs(0), null);
  timings.put(turn({ serverLateNs: 2000 }), PLAYING);
  assert.deepEqual([timings.serverLateUs(0), timings.serverLateUs(1)], [0, 2]);
});

test("thousands of turns are kept", () => {
  const timings = new Timings(20);
  for (let k = 0; k < 5000; k++) {
    timings.put(turn({ skipped: k % 7 === 0 ? [3] : [], answers: k % 10 === 0 ? "A".repeat(20) : "" }), PLAYING);
  }
  assert.equal(timings.at(4900).get(4).skipped, true);
  assert.equal(timings.at(4901).get(4), undefined);
});
