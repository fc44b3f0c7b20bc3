import assert from "node:assert/strict";
import { test } from "node:test";
import { ReorderingRows, inOrderOf } from "../../../src/turnwright/viewer/page/reordering_rows.js";

const keyOf = ({ id }) => id;
const items = (...ids) => ids.map((id) => ({ id }));

test("items keep the order that is shown, whatever their own", () => {
  assert.deepEqual(inOrderOf(items(3, 1, 2), keyOf, [1, 2, 3]).map(keyOf), [1, 2, 3]);
});

test("a new row follows its predecessor, and a removed one leaves no gap", () => {
  assert.deepEqual(inOrderOf(items(9, 3, 1, 4), keyOf, [1, 2, 3]).map(keyOf), [9, 1, 4, 3]);
});

/** Rows of a page that is not there. */
function rowsIn(time) {
  const listeners = new Map();
  const body = {
    addEventListener: (name, listener) => listeners.set(name, listener),
    querySelector: () => null,
    replaceChildren() {},
  };
  const row = () => ({ offsetTop: 0, finished: 0, getAnimations() { return [{ finish: () => (this.finished += 1) }]; } });
  const rows = new ReorderingRows(body, keyOf, row, { onFree() {}, ...time });
  return { rows, point: () => listeners.get("pointerenter")() };
}

test("the last order of a battle is shown even under a pointer", () => {
  const time = { moving: () => true, over: false, ended: () => time.over };
  const { rows, point } = rowsIn(time);
  rows.show(items(1, 2, 3), () => {});
  point();
  assert.deepEqual(rows.order(items(3, 2, 1)).map(keyOf), [1, 2, 3], "it stays under a pointer");
  time.over = true;
  assert.deepEqual(rows.order(items(3, 2, 1)).map(keyOf), [3, 2, 1]);
});

test("rows that glide are put into their places when time stops", () => {
  const time = { plays: true, moving: () => time.plays, ended: () => false };
  const { rows } = rowsIn(time);
  rows.show(items(1, 2), () => {});
  const [first] = rows.rows.values();
  assert.equal(first.finished, 0);
  time.plays = false;
  rows.show(items(1, 2), () => {});
  assert.equal(first.finished, 1);
});
