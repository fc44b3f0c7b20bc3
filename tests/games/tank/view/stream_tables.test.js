/** Tables of whole numbers: each way of predicting, each way of writing, rows that come and go. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { TableReader, column } from "../../../../src/turnwright/games/tank/view/stream_tables.js";

const COLUMNS = [
  column("held", 1),
  column("linear", 1, { predicted: "linear" }),
  column("angle", 1, { predicted: "linear", modulus: 3600 }),
  column("rate", 1, { predicted: "follows", follows: 2 }),
  column("less", 1, { predicted: "follows", follows: 2, less: 1 }),
];

/** Two rows, the second of them moving. */
function begun() {
  const reader = new TableReader(COLUMNS);
  const values = [[5, 6], [10, 20], [3590, 5], [0, 0], [0, 0]];
  reader.begin({ ids: [1, 3], values, carry: [0, [0, 2], [20, -10], 0, [0, 1]] });
  return reader;
}

test("with nothing told everything goes on as it did", () => {
  const reader = begun();
  reader.read(undefined);
  assert.deepEqual(reader.values, [[5, 6], [10, 22], [10, 3595], [20, -10], [20, -11]]);
  reader.read({});
  assert.deepEqual(reader.values, [[5, 6], [10, 24], [30, 3585], [20, -10], [20, -11]]);
});

test("residuals come for each row, or for a few", () => {
  const reader = begun();
  reader.read({ columns: [[1, -1], [[1], [3]], 0, [[0, 1], [7, 8]]] });
  assert.deepEqual(reader.values, [[6, 5], [10, 25], [10, 3595], [27, -2], [20, -14]]);
  assert.deepEqual(reader.carry[1], [0, 5]);
});

test("rows leave, and come with zero in every column", () => {
  const reader = begun();
  reader.read({ out: [1], come: [2], columns: [[[0], [9]]] });
  assert.deepEqual(reader.ids, [2, 3]);
  assert.deepEqual(reader.values[0], [9, 6]);
  assert.deepEqual(reader.values[1], [0, 22]);
});

test("a copy goes its own way", () => {
  const reader = begun();
  const copy = reader.clone();
  reader.read({ columns: [[1, 1], [1, 1]] });
  copy.read(undefined);
  assert.deepEqual(copy.values, [[5, 6], [10, 22], [10, 3595], [20, -10], [20, -11]]);
  assert.deepEqual(copy.carry[1], [0, 2]);
});
