import assert from "node:assert/strict";
import { test } from "node:test";
import { rowsInSight, scrollToRow } from "../../../src/turnwright/viewer/widgets/virtual_list.js";

test("only rows in sight and a few more of 50,000 exist", () => {
  assert.deepEqual(rowsInSight(24_000, 480, 24, 50_000, 6), { first: 994, last: 1026 });
  assert.deepEqual(rowsInSight(0, 480, 24, 50_000, 6), { first: 0, last: 26 });
  assert.deepEqual(rowsInSight(0, 480, 24, 3, 6), { first: 0, last: 3 });
});

test("a list that became shorter shows its end", () => {
  assert.deepEqual(rowsInSight(24_000, 480, 24, 10, 6), { first: 10, last: 10 });
});

test("scrolling to a row moves only as far as it must", () => {
  assert.deepEqual(
    [scrollToRow(5, 0, 240, 24), scrollToRow(20, 0, 240, 24), scrollToRow(2, 240, 240, 24)],
    [0, 264, 48],
  );
});
