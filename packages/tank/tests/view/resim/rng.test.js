import assert from "node:assert/strict";
import { test } from "node:test";
import { Stream, streamOf } from "../../../src/turnwright_tank/view/resim/rng.js";

test("the numbers of a stream are those of the server", () => {
  const stream = streamOf(2n ** 63n - 1n, "place", 3);
  assert.equal(stream.bits64(), 3410135904391826094n);
  assert.equal(stream.uniform(), 0.11813322371006718);
  assert.deepEqual([stream.below(7), stream.below(192), stream.below(1)], [6, 87, 0]);
});

test("another purpose, round or seed gives other numbers", () => {
  const first = [streamOf(1n, "place", 1), streamOf(1n, "place", 2), streamOf(1n, "other", 1), streamOf(2n, "place", 1)];
  assert.equal(new Set(first.map((stream) => stream.bits64())).size, 4);
});

test("whole numbers below a limit reach all of them", () => {
  const stream = new Stream(5n);
  const seen = new Set(Array.from({ length: 200 }, () => stream.below(5)));
  assert.deepEqual([...seen].sort(), [0, 1, 2, 3, 4]);
});
