import assert from "node:assert/strict";
import { test } from "node:test";
import { bytes, counts, floats, integers, lastNotAbove } from "../../../src/turnwright/viewer/widgets/growing_arrays.js";

test("a column keeps all that was pushed, however often it grew", () => {
  const column = counts();
  for (let k = 0; k < 10_000; k += 1) {
    column.push(3 * k);
  }
  assert.equal(column.length, 10_000);
  assert.deepEqual([column.at(0), column.at(9999)], [0, 29_997]);
});

test("a missing value is NaN", () => {
  const column = floats();
  column.push(1.5);
  assert.deepEqual([column.at(0), column.at(1), column.at(-1)], [1.5, NaN, NaN]);
});

test("halving keeps an odd last number", () => {
  const column = integers();
  [-1, 2, -3, 4, -5].forEach((value) => column.push(value));
  column.halve((a, b) => a + b);
  assert.deepEqual([...column.values.slice(0, column.length)], [1, 1, -5]);
});

test("a row of bytes holds codes", () => {
  const column = bytes();
  column.push(255);
  assert.equal(column.at(0), 255);
});

test("the last number not above a value is found", () => {
  const row = [2, 4, 4, 9];
  const find = (value) => lastNotAbove(row.length, (k) => row[k], value);
  assert.deepEqual([find(1), find(2), find(4), find(8), find(100)], [-1, 0, 2, 2, 3]);
});
