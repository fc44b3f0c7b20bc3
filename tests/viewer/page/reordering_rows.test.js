import assert from "node:assert/strict";
import { test } from "node:test";
import { inOrderOf } from "../../../src/turnwright/viewer/page/reordering_rows.js";

const keyOf = ({ id }) => id;
const items = (...ids) => ids.map((id) => ({ id }));

test("items keep the order that is shown, whatever their own", () => {
  assert.deepEqual(inOrderOf(items(3, 1, 2), keyOf, [1, 2, 3]).map(keyOf), [1, 2, 3]);
});

test("what is new stands after what it follows, and what is gone leaves no gap", () => {
  assert.deepEqual(inOrderOf(items(9, 3, 1, 4), keyOf, [1, 2, 3]).map(keyOf), [9, 1, 4, 3]);
});
