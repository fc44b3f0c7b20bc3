import assert from "node:assert/strict";
import { test } from "node:test";
import { partsOf } from "../../../src/turnwright/viewer/generic/frame_text.js";

test("fields are lines, lists of objects are tables", () => {
  assert.deepEqual(partsOf({ turn: 3, grid: { width: 2 }, snakes: [{ alive: true }, { alive: false, eaten: 1 }] }), [
    { kind: "line", depth: 0, name: "turn", text: "3" },
    { kind: "line", depth: 0, name: "grid", text: "" },
    { kind: "line", depth: 1, name: "width", text: "2" },
    { kind: "table", depth: 0, name: "snakes", columns: ["alive", "eaten"], rows: [["true", ""], ["false", "1"]], more: 0 },
  ]);
});

test("long values are cut, with the number of omitted parts", () => {
  assert.match(partsOf({ cells: Array.from({ length: 61 }, () => 0) })[0].text, /\] and 1 more$/);
  assert.equal(partsOf({ text: "x".repeat(401) })[0].text, `${"x".repeat(400)}…`);
  const [table] = partsOf({ rows: Array.from({ length: 202 }, () => ({ a: 1 })) });
  assert.deepEqual([table.rows.length, table.more], [200, 2]);
});

test("a value without fields is a line", () => {
  assert.deepEqual([partsOf(5)[0].text, partsOf([])[0].text, partsOf("a")[0].text], ["5", "[]", "a"]);
});
