import assert from "node:assert/strict";
import { test } from "node:test";
import { FileProblem, messageOf, objectOf, text } from "../../../src/turnwright_tank/view/files/file_problem.js";

test("a long value is cut in messages", () => {
  assert.equal(text("x".repeat(50), 5), "xxxxx…");
  assert.equal(text(undefined, 10), "missing");
  assert.throws(() => objectOf("y".repeat(5000), "thing"), (error) => error.message.length < 100);
});

test("a JSON object is returned, and nothing else is taken for one", () => {
  assert.deepEqual(objectOf({ a: 1 }, "setup"), { a: 1 });
  for (const value of [null, [], "text", 5, undefined]) {
    assert.throws(() => objectOf(value, "setup"), FileProblem);
  }
});

test("an error of several lines becomes one line", () => {
  assert.equal(messageOf(new Error("first\n  second")), "first second");
  assert.equal(messageOf("no error"), "no error");
});
