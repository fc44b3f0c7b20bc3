import assert from "node:assert/strict";
import { test } from "node:test";
import { noise } from "../../../src/turnwright_tank/view/draw/effects_art.js";

test("the shapes of explosions are the same each time, spread evenly, within bounds", () => {
  assert.equal(noise(12, 3), noise(12, 3));
  const values = Array.from({ length: 4000 }, (_, place) => noise(place >> 5, place & 31));
  assert.ok(values.every((value) => value >= 0 && value < 1));
  const tenths = new Array(10).fill(0);
  values.forEach((value) => (tenths[Math.floor(value * 10)] += 1));
  assert.ok(Math.min(...tenths) > 300 && Math.max(...tenths) < 500, String(tenths));
});
