import assert from "node:assert/strict";
import { test } from "node:test";
import { LineStore } from "../../../src/turnwright_tank/view/files/line_store.js";

test("lines are kept as they were, in order, small and large", () => {
  const store = new LineStore();
  const sizes = [0, 1, 5_000_000, 3, 4_194_304, ...Array.from({ length: 3000 }, (_, k) => k)];
  for (const size of sizes) {
    store.add(new Uint8Array(size).fill(size % 251));
  }
  assert.equal(store.length, sizes.length);
  sizes.forEach((size, index) => {
    const line = store.at(index);
    assert.equal(line.length, size);
    assert.ok(line.every((byte) => byte === size % 251));
  });
});

test("there is no line before the first or behind the last", () => {
  const store = new LineStore();
  store.add(new Uint8Array(1));
  assert.deepEqual([store.at(-1), store.at(1), store.at(0.5)], [null, null, null]);
});

test("a line is a copy", () => {
  const store = new LineStore();
  const line = new Uint8Array([1, 2]);
  store.add(line);
  line[0] = 9;
  assert.deepEqual([...store.at(0)], [1, 2]);
});
