import assert from "node:assert/strict";
import { test } from "node:test";
import { clockText, roundToTell } from "../../../src/turnwright/viewer/room/overlay.js";

const at = (roundNumber, turnNumber, roundResults = null) => ({ roundNumber, turnNumber, roundResults });
const tell = (frame, { playing = true, overtime = 0, over = [] } = {}) =>
  roundToTell({ frame, playing, overtime }, new Map(over.map((round) => [round, []])));

test("the clock is that of 30 turns a second", () => {
  assert.deepEqual([0, 29, 30, 1800, 3750].map(clockText), ["0:00", "0:00", "0:01", "1:00", "2:05"]);
});

test("a winner is announced after the last explosion, and into the next round", () => {
  assert.equal(tell(null), null);
  assert.equal(tell(at(1, 50)), null);
  assert.equal(tell(at(1, 99, [])), null, "the last explosion is seen first");
  assert.equal(tell(at(1, 99, []), { overtime: 12 }), 1);
  assert.equal(tell(at(1, 99, []), { playing: false }), 1, "who goes to the end sees it at once");
  assert.equal(tell(at(2, 90), { over: [1] }), 1);
  assert.equal(tell(at(2, 91), { over: [1] }), null);
  assert.equal(tell(at(2, 5), { over: [1], playing: false }), null, "who goes to a turn sees that turn");
  assert.equal(tell(at(2, 5), { over: [2, 3] }), null, "not what is still to come");
});
