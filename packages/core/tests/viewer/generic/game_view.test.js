import assert from "node:assert/strict";
import { test } from "node:test";
import { fit } from "../../../src/turnwright/viewer/generic/game_canvas.js";
import { eventText, framesAddress, sayEntry } from "../../../src/turnwright/viewer/generic/game_view.js";
import { standingsAt } from "../../../src/turnwright/viewer/generic/standings.js";

const NAMES = (seat) => ["Ann", "Bob"][seat];

test("an event of which nothing is known is its type and fields", () => {
  assert.equal(eventText({ type: "ate", seat: 0, points: 5 }, NAMES), "Ann: ate, points 5");
  assert.equal(eventText({ type: "wind" }, NAMES), "wind");
  assert.equal(eventText("begin", NAMES), "begin");
});

test("a view may say events in its own words", () => {
  const view = { say: (event, nameOf) => `${nameOf(event.seat)} ate` };
  const entry = { index: 0, round: 1, turn: 1, bot: 0 };
  assert.equal(sayEntry(view, { ...entry, kind: "mark", event: { type: "ate", seat: 0 } }, NAMES), "Ann ate");
  assert.equal(sayEntry(view, { ...entry, kind: "skip", event: null }, NAMES), "Ann missed the turn");
});

test("standings take the results, else the frame's scores, and count nothing", () => {
  const seats = [{ id: 0 }, { id: 1 }];
  const view = { score: () => 99 };
  const frame = { state: { points: [1, 2] }, scores: [1, 2], roundResults: null };
  const order = (shown) => standingsAt(view, seats, shown).map(({ seat, place, score }) => [seat.id, place, score]);
  assert.deepEqual(order(frame), [[1, 1, 2], [0, 2, 1]]);
  assert.deepEqual(order({ ...frame, scores: [4, 4] }), [[0, 1, 4], [1, 1, 4]]);
  assert.deepEqual(order({ ...frame, scores: null }), [[0, 1, null], [1, 1, null]]);
  assert.deepEqual(order({ ...frame, roundResults: [{ id: 0, score: 9 }] }), [[0, 1, 9], [1, 2, 2]]);
});

test("the arena is as large as it fits, in the middle", () => {
  assert.deepEqual(fit({ width: 232, height: 132 }, { width: 10, height: 10 }), { x: 66, y: 16, unit: 10 });
});

test("a record of a server is asked for as its frames", () => {
  assert.equal(framesAddress("/records/a.twr"), "/records/a.twr.frames");
  assert.equal(framesAddress("/records/a.twr.frames"), "/records/a.twr.frames");
});
