import assert from "node:assert/strict";
import { test } from "node:test";
import { TIMEOUT_MS_MAX, readSettings, readTimeout, textOf } from "../../../src/turnwright/viewer/generic/settings.js";

const LIKE = { width: 24, name: "a", walls: true, cells: [1, 2] };
const read = (name, text) => readSettings(new Map([[name, text]]), LIKE);

test("settings become texts, and texts become settings of the same types", () => {
  const texts = new Map(Object.entries(LIKE).map(([name, value]) => [name, textOf(value)]));
  assert.deepEqual(readSettings(texts, LIKE), { settings: LIKE });
  assert.deepEqual(read("width", "-2.5"), { settings: { width: -2.5 } });
  assert.deepEqual(read("name", " 5"), { settings: { name: " 5" } });
});

test("an unreadable value is named with an example", () => {
  assert.match(read("width", " ").problem, /^width: " " is not a number such as 24$/);
  assert.match(read("width", "many").problem, /^width: "many" is not a number/);
  assert.match(read("cells", "[1").problem, /^cells: this is not JSON such as \[1,2\]$/);
});

test("a time for an answer is above nothing and at most an hour", () => {
  assert.deepEqual([readTimeout("30"), readTimeout("0.001")], [{ turnTimeoutUs: 30000 }, { turnTimeoutUs: 1 }]);
  assert.ok("turnTimeoutUs" in readTimeout(String(TIMEOUT_MS_MAX)));
  assert.ok(["", "0", "-1", "x", "0.0001", String(TIMEOUT_MS_MAX + 1)].every((text) => "problem" in readTimeout(text)));
});
