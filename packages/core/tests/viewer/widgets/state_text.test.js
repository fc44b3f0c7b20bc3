import assert from "node:assert/strict";
import { test } from "node:test";
import { messageOf, stateOf, verifiedOf } from "../../../src/turnwright/viewer/widgets/state_text.js";

const source = (kind, phase, more = {}) => ({
  kind,
  verified: null,
  ...more,
  status: { phase, tps: null, progress: null, message: "", ...more.status },
});

test("live, behind live and a record have different words", () => {
  assert.equal(stateOf(source("live", "running"), true).label, "live");
  assert.equal(stateOf(source("live", "running"), false).label, "behind live");
  assert.equal(stateOf(source("live", "over"), true).label, "over");
  assert.equal(stateOf(source("record", "over"), false).label, "record");
});

test("the page tells whether bots wait for it", () => {
  assert.match(stateOf(source("live", "running"), true).detail, /same time/);
  for (const atEdge of [true, false]) {
    assert.match(stateOf(source("live", "running", { apart: true }), atEdge).detail, /do not wait/);
  }
});

test("loading shows its progress, trouble shows its message", () => {
  assert.equal(stateOf(source("record", "loading", { status: { progress: 0.427 } }), false).label, "loading 42 %");
  const failed = stateOf(source("live", "failed", { status: { message: "connection lost" } }), true);
  assert.deepEqual([failed.kind, failed.label, failed.detail], ["bad", "failed", "connection lost"]);
  assert.match(stateOf(null, false).detail, /Drop a record/);
});

test("the result of verification is shown only for records", () => {
  assert.equal(verifiedOf(source("live", "running")), null);
  assert.equal(verifiedOf(source("record", "over", { verified: "ok" })).label, "verified here");
  const differs = source("record", "over", {
    verified: "differs",
    status: { message: "turn 7 comes out differently" },
  });
  assert.deepEqual([verifiedOf(differs).kind, verifiedOf(differs).detail], ["bad", "turn 7 comes out differently"]);
});

test("no state is shown by colour alone", () => {
  for (const phase of ["loading", "waiting", "running", "paused", "over", "aborted", "failed"]) {
    const { sign, label } = stateOf(source("live", phase), true);
    assert.ok(sign !== "" && label !== "");
  }
});

test("a record that was cut off is verified up to its last turn, and no further", () => {
  const cut = source("record", "over", { verified: "ok", endsAt: { round: 2, turn: 436 } });
  assert.equal(verifiedOf(cut).label, "verified up to 2.436");
  assert.match(verifiedOf(cut).detail, /turn 436 of round 2/);
});

test("a message has its own line as soon as all is loaded, as a sentence", () => {
  const told = (kind, phase, message, more = {}) => messageOf(source(kind, phase, { ...more, status: { message } }));
  assert.equal(told("live", "running", ""), null);
  assert.equal(told("live", "loading", "Connecting …"), null, "it would move the arena for a moment");
  assert.deepEqual(told("live", "running", "mine crashed in turn 3."), { kind: "warn", text: "mine crashed in turn 3." });
  assert.deepEqual(told("record", "over", "the battle was stopped"), { kind: "warn", text: "The battle was stopped." });
  assert.equal(told("record", "over", "line 7 cannot be read", { verified: "differs" }).kind, "bad");
  assert.equal(told("live", "failed", "gone").kind, "bad");
});
