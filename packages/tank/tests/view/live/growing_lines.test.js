import assert from "node:assert/strict";
import { test } from "node:test";
import { GrowingLines } from "../../../src/turnwright_tank/view/live/growing_lines.js";

const text = (line) => (line === null ? null : new TextDecoder().decode(line));

test("lines come in order, each with its newline", () => {
  const lines = new GrowingLines();
  lines.add(["one", "two"]);
  assert.equal(text(lines.next()), "one\n");
  lines.add(["three"]);
  assert.equal(text(lines.next()), "two\n");
  assert.equal(text(lines.next()), "three\n");
  assert.equal(lines.next(), null);
});

test("a reader that waits is woken by new lines", async () => {
  const lines = new GrowingLines();
  const more = lines.fill();
  lines.add(["one"]);
  assert.equal(await more, true);
  assert.equal(await lines.fill(), true);
});

test("it ends with the last line of a record, which is read first", async () => {
  const lines = new GrowingLines();
  lines.add(['{"d":"00"}', '{"kind":"footer"}']);
  assert.equal(await lines.fill(), true);
  lines.next();
  lines.next();
  assert.equal(await lines.fill(), false);
});

test("it can be ended before that", async () => {
  const lines = new GrowingLines();
  const more = lines.fill();
  lines.close();
  assert.equal(await more, false);
});
