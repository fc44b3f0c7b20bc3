import assert from "node:assert/strict";
import { test } from "node:test";
import { nextShow, seenIn } from "../../../src/turnwright/viewer/room/kiosk.js";

const LIVE = { kind: "live" };
const record = (address) => ({ kind: "record", address });
const LONG = 1e6;

test("what can be seen stays, and what has ended stays for a moment", () => {
  assert.equal(nextShow(LIVE, "busy", LONG, ["a"], null), null);
  assert.equal(nextShow(record("a"), "busy", LONG, ["a"], "a"), null);
  assert.equal(nextShow(record("a"), "done", 9_999, ["a"], "a"), null);
  assert.equal(nextShow(LIVE, "empty", 5_999, ["a"], null), null);
});

test("records are shown in turn, with a look at the battle between two", () => {
  assert.deepEqual(nextShow(LIVE, "empty", LONG, ["a", "b"], null), record("a"));
  assert.deepEqual(nextShow(record("a"), "done", LONG, [], "a"), LIVE);
  assert.deepEqual(nextShow(LIVE, "done", LONG, ["a", "b"], "a"), record("b"));
  assert.deepEqual(nextShow(LIVE, "empty", LONG, ["a", "b"], "b"), record("a"), "and again from the first");
  assert.deepEqual(nextShow(LIVE, "empty", LONG, ["c", "a"], "gone"), record("c"));
  assert.equal(nextShow(LIVE, "empty", LONG, [], "a"), null, "without records it waits");
});

test("a battle that is paused is seen, one that is over has ended", () => {
  const live = (phase, frame = {}) => seenIn({ source: { kind: "live", status: { phase } }, frame, playing: true });
  assert.deepEqual(["running", "paused", "over", "aborted"].map((phase) => live(phase)), ["busy", "busy", "done", "done"]);
  assert.equal(live("waiting", null), "empty");
  const file = { kind: "record", status: { phase: "over" } };
  assert.equal(seenIn({ source: file, frame: {}, playing: true }), "busy");
  assert.equal(seenIn({ source: file, frame: {}, playing: false }), "done");
  assert.equal(seenIn({ source: null, frame: null, playing: false }), "empty");
});
