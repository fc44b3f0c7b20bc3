import assert from "node:assert/strict";
import { test } from "node:test";
import { headText } from "../../../src/turnwright/viewer/page/welcome.js";

test("a live battle that a server refuses is not called a file", () => {
  assert.notEqual(headText("failed", true), headText("failed", false));
  assert.doesNotMatch(headText("failed", true), /file/i);
  assert.match(headText("failed", false), /file/i);
});

test("a phase without its own text waits for a battle", () => {
  assert.equal(headText("waiting", true), headText("paused", false));
  assert.equal(headText("loading", true), headText("loading", false));
});
