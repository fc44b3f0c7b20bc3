import assert from "node:assert/strict";
import { test } from "node:test";
import { beatsOf, latencyText, quantile, topOf } from "../../../../../src/turnwright/games/tank/view/panels/latency.js";
import { frame } from "./making.js";

const beat = (answerUs, rttUs, skipped = false) =>
  new Map([[1, { skipped, lateUs: skipped ? 100 : null, answerUs, rttUs }]]);

test("a beat says whose time it was", () => {
  const frames = [
    frame(0, [], [], { timing: beat(800, 200), serverLateUs: 50 }),
    frame(1, []),
    frame(2, [], [], { timing: beat(null, null, true) }),
  ];
  assert.deepEqual(beatsOf(frames, 1), [
    { index: 0, bot: 800, network: 200, server: 50, skipped: false, late: false },
    { index: 2, bot: null, network: null, server: null, skipped: true, late: true },
  ]);
  assert.deepEqual(beatsOf(frames, 2), []);
});

test("the line of text has medians and the slowest", () => {
  const frames = Array.from({ length: 100 }, (_, k) => frame(k, [], [], { timing: beat(1000 * (k + 1), 200) }));
  assert.equal(latencyText(beatsOf(frames, 1)), "bot 51 ms (99 %: 100 ms) · network 0.2 ms (99 %: 0.2 ms)");
  assert.equal(latencyText([]), "");
});

test("quantiles of nothing are not known", () => {
  assert.ok(Number.isNaN(quantile([], 0.5)));
  assert.equal(quantile([3, 1, 2], 0.5), 2);
});

test("one slow turn does not flatten the others", () => {
  const frames = Array.from({ length: 100 }, (_, k) =>
    frame(k, [], [], { timing: beat(k === 50 ? 900_000 : 2000, 0) }),
  );
  assert.equal(topOf(beatsOf(frames, 1)), 2000);
  assert.equal(topOf([]), 1000);
});
