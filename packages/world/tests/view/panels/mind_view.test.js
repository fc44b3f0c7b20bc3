import assert from "node:assert/strict";
import { test } from "node:test";
import { SOURCE_BYTES_MAX, lineRange, readMind, whyNot } from "../../../src/turnwright_world/view/panels/mind_view.js";

test("a line of a source is found, also where there is no such line", () => {
  const source = "a\n  bc\n\nd";
  const of = (/** @type {number} */ line) => {
    const { from, to } = lineRange(source, line);
    return source.slice(from, to);
  };
  assert.deepEqual([1, 2, 3, 4].map(of), ["a", "  bc", "", "d"]);
  assert.equal(of(0), "a");
  assert.equal(of(99), "d");
});

test("an empty source or one with too many bytes is not sent", () => {
  assert.equal(whyNot("x"), "");
  assert.notEqual(whyNot(" \n"), "");
  assert.equal(whyNot("x".repeat(SOURCE_BYTES_MAX)), "");
  assert.notEqual(whyNot("x".repeat(SOURCE_BYTES_MAX + 1)), "");
  assert.notEqual(whyNot("é".repeat(SOURCE_BYTES_MAX / 2 + 1)), "");
});

test("whatever a row holds becomes a mind", () => {
  const mind = readMind({
    body: 7, name: "wolf", own: false, hash: "ab12", on: true, bytes: 40,
    plans: { planned: 3, error: "x" }, looks: [{ turn: 4, what: "error", text: "line 2\u0007" }, null],
  });
  assert.equal(mind.plans, "planned 3, error 0");
  assert.deepEqual(mind.looks[0], { turn: 4, what: "error", text: "line 2 " });
  for (const row of [null, 5, [], "x", { looks: "x", plans: [] }]) {
    assert.equal(readMind(row).hash, "");
  }
});
