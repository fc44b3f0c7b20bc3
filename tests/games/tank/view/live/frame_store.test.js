/** Frames are kept as messages: any of them is there again, in any order, and there is an end to what is kept. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { BLOCK, FRAMES_MAX, FrameStore } from "../../../../../src/turnwright/games/tank/view/live/frame_store.js";
import { SEAT_COLUMNS, TANK_COLUMNS } from "../../../../../src/turnwright/games/tank/view/stream.js";

/** @returns {any} a tank at x */
function keyframe(frame, x, said = {}) {
  const table = (columns, value) => ({
    ids: [1],
    values: columns.map((_, k) => [k === 0 ? value : 0]),
    carry: columns.map(() => 0),
  });
  const tables = { tanks: table(TANK_COLUMNS, 10 * x), seats: table(SEAT_COLUMNS, 0) };
  return { type: "Keyframe", frame, roundNumber: 1, turnNumber: frame, ...tables, ...said };
}

/** A store in which the tank stands at x = 2, 3, 4 … from frame `from` to frame `to`. */
function filled(from, to) {
  const store = new FrameStore(new Map());
  for (let frame = from; frame <= to; frame++) {
    const message =
      frame === from
        ? keyframe(frame, frame + 1)
        : { type: "Delta", frame, tanks: frame === from + 1 ? { columns: [[10]] } : undefined };
    assert.ok(store.put(JSON.stringify(message), JSON.parse(JSON.stringify(message))));
  }
  return store;
}

test("any frame is there, in any order", () => {
  const store = filled(1, 5 * BLOCK + 7);
  assert.equal(store.length, 5 * BLOCK + 7);
  const order = [0, store.length - 1, 3 * BLOCK, 3 * BLOCK - 1, 2 * BLOCK + 5, 2 * BLOCK + 4, 1, 300, 0];
  for (const index of order) {
    const frame = store.at(index);
    assert.equal(frame?.index, index);
    assert.equal(frame?.botStates[0].x, index + 2);
  }
  assert.equal(store.at(5), store.at(5));
});

test("what is not there is null", () => {
  assert.equal(new FrameStore(new Map()).at(0), null);
  const store = filled(100, 110);
  assert.deepEqual([store.first, store.length], [99, 110]);
  assert.deepEqual([store.at(98), store.at(110), store.at(-1), store.at(NaN)], [null, null, null, null]);
});

test("of a frame that was lost the one before is shown", () => {
  const store = filled(1, 10);
  assert.equal(store.put("{}", { type: "Delta", frame: 15 }), false);
  const key = keyframe(20, 77);
  assert.ok(store.put(JSON.stringify(key), key));
  assert.equal(store.length, 20);
  assert.deepEqual([store.at(14)?.index, store.at(14)?.botStates[0].x], [14, 11]);
  assert.equal(store.at(19)?.botStates[0].x, 77);
});

test("what does not fit together is not kept", () => {
  const store = filled(1, 3);
  const broken = { type: "Delta", frame: 4, tanks: { columns: [[1, 2, 3]] } };
  assert.throws(() => store.put(JSON.stringify(broken), /** @type {any} */ (broken)));
  assert.equal(store.at(2)?.botStates[0].x, 4);
  assert.equal(store.put("{}", { type: "Delta", frame: 4 }), false);
  const key = keyframe(5, 9);
  assert.ok(store.put(JSON.stringify(key), key));
  assert.equal(store.at(4)?.botStates[0].x, 9);
});

test("events that name a bullet that nobody told are left out, and the frame is shown", () => {
  const store = new FrameStore(new Map());
  const key = keyframe(1, 5, { events: [[8, 99]] });
  store.put(JSON.stringify(key), key);
  assert.deepEqual([store.at(0)?.events, store.at(0)?.botStates[0].x], [[], 5]);
});

test("the oldest frames are forgotten", () => {
  const store = filled(1, FRAMES_MAX + 3 * BLOCK);
  assert.ok(store.length - store.first <= FRAMES_MAX);
  assert.ok(store.length - store.first > FRAMES_MAX - 2 * BLOCK);
  assert.equal(store.at(store.first - 1), null);
  assert.equal(store.at(store.first)?.botStates[0].x, store.first + 2);
});
