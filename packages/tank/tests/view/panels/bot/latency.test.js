import assert from "node:assert/strict";
import { test } from "node:test";
import { turnTimesOf, latencyText, quantile, topOf } from "../../../../src/turnwright_tank/view/panels/bot/latency.js";
import { frame } from "../making.js";

const turn = (answerUs, rttUs, skipped = false) =>
  new Map([[1, { skipped, lateUs: skipped ? 100 : null, answerUs, rttUs }]]);

test("a turn says whose time it was", () => {
  const frames = [
    frame(0, [], [], { timing: turn(800, 200), serverLateUs: 50 }),
    frame(1, []),
    frame(2, [], [], { timing: turn(null, null, true) }),
  ];
  assert.deepEqual(turnTimesOf(frames, 1), [
    { index: 0, bot: 800, network: 200, server: 50, skipped: false, late: false },
    { index: 2, bot: null, network: null, server: null, skipped: true, late: true },
  ]);
  assert.deepEqual(turnTimesOf(frames, 2), []);
});

test("the line of text has medians and the slowest", () => {
  const frames = Array.from({ length: 100 }, (_, k) => frame(k, [], [], { timing: turn(1000 * (k + 1), 200) }));
  assert.equal(latencyText(turnTimesOf(frames, 1)), "bot 51 ms (99 %: 100 ms) · network 0.2 ms (99 %: 0.2 ms)");
  assert.equal(latencyText([]), "");
});

test("quantiles of nothing are not known", () => {
  assert.ok(Number.isNaN(quantile([], 0.5)));
  assert.equal(quantile([3, 1, 2], 0.5), 2);
});

test("one slow turn does not flatten the others", () => {
  const frames = Array.from({ length: 100 }, (_, k) =>
    frame(k, [], [], { timing: turn(k === 50 ? 900_000 : 2000, 0) }),
  );
  assert.equal(topOf(turnTimesOf(frames, 1)), 2000);
  assert.equal(topOf([]), 1000);
});
