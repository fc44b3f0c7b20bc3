import assert from "node:assert/strict";
import { test } from "node:test";
import { Counter, Series } from "../../../src/turnwright/viewer/widgets/turn_series.js";

test("a line that grows too long keeps every second point, and its bounds", () => {
  const series = new Series(2, 8);
  for (let turn = 0; turn < 1000; turn += 1) {
    series.add(turn, [turn, -turn]);
  }
  assert.ok(series.length < 8);
  for (const turn of [0, 300, 640]) {
    const known = Math.floor(turn / series.stride) * series.stride;
    assert.deepEqual([series.at(0, turn), series.at(1, turn)], [known, -known]);
  }
});

test("after the last point its value stays", () => {
  const series = new Series(1, 100);
  series.add(0, [5]);
  series.add(1, [7]);
  assert.equal(series.at(0, 50), 7);
});

test("the last turn may come again with other values, also when its point is the last one kept or was left out", () => {
  const series = new Series(1, 4);
  for (const turn of [0, 1, 2, 3, 4, 5]) {
    series.add(turn, [turn]);
    series.add(turn, [10 * turn]);
  }
  assert.equal(series.stride, 2);
  assert.deepEqual([0, 2, 4].map((turn) => series.at(0, turn)), [0, 20, 40]);
  assert.equal(series.length, 3);
});

test("a counter loses nothing when its buckets grow", () => {
  const counter = new Counter(16);
  for (let turn = 0; turn < 1000; turn += 10) {
    counter.add(turn, 2);
  }
  assert.equal(counter.sum(0, 1000), 200);
  assert.ok(counter.buckets.length <= 16);
});

test("a counter tells where things happened", () => {
  const counter = new Counter();
  counter.add(3, 1);
  counter.add(70, 4);
  assert.deepEqual([counter.sum(0, 4), counter.sum(4, 70), counter.sum(60, 80)], [1, 0, 4]);
});
