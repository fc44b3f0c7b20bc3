import assert from "node:assert/strict";
import { test } from "node:test";
import { clamp, niceStep, Scale, spread, ticks } from "../../../src/turnwright/viewer/widgets/scale.js";

test("a scale goes there and back", () => {
  const scale = new Scale(100, 300, 10, 50);
  assert.equal(scale.pixels(200), 30);
  assert.equal(scale.value(30), 200);
});

test("a scale of a single value does not divide by nothing", () => {
  assert.equal(new Scale(5, 5, 0, 10).pixels(5), 0);
});

test("steps are 1, 2 or 5 times a power of ten", () => {
  assert.deepEqual([niceStep(100, 5), niceStep(7, 5), niceStep(0.9, 4), niceStep(12_000, 4)], [20, 2, 0.5, 5000]);
  assert.equal(niceStep(0, 4), 1);
});

test("ticks are round numbers inside", () => {
  assert.deepEqual(ticks(3, 47, 5), [10, 20, 30, 40]);
  assert.deepEqual(ticks(0, 100, 4), [0, 50, 100]);
});

test("labels move apart and stay inside", () => {
  const places = spread([10, 11, 99, 100], 12, 0, 100);
  const sorted = places.slice().sort((a, b) => a - b);
  assert.deepEqual(places, sorted);
  sorted.forEach((place, k) => assert.ok(k === 0 || place - sorted[k - 1] >= 12));
  assert.ok(sorted[3] <= 100);
});

test("a value is brought between two bounds", () => {
  assert.deepEqual([clamp(-1, 0, 5), clamp(3, 0, 5), clamp(9, 0, 5)], [0, 3, 5]);
});
