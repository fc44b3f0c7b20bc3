import assert from "node:assert/strict";
import { test } from "node:test";
import {
  neighbour,
  rateKey,
  rateOf,
  ratesOffered,
  rateText,
  stepOfTps,
  TPS_STEPS,
  tpsOfStep,
  tpsText,
} from "../../../src/turnwright/viewer/time/rates.js";

test("speeds from 0.1 to 16 and turns per second from -1 and 0 to 1000 are offered", () => {
  const offered = ratesOffered();
  const of = (kind) => offered.filter((rate) => rate.kind === kind).map((rate) => rate.value);
  assert.deepEqual([of("speed")[0], of("speed").pop()], [0.1, 16]);
  assert.deepEqual([of("tps")[0], of("tps")[1], of("tps").pop()], [-1, 0, 1000]);
});

test("a rate is a key and back", () => {
  for (const rate of ratesOffered()) {
    assert.deepEqual(rateOf(rateKey(rate)), rate);
  }
  assert.deepEqual([rateOf("custom"), rateOf("speed x"), rateOf("warp 9")], [null, null, null]);
});

test("rates are said shortly", () => {
  const say = (kind, value) => rateText({ kind, value });
  assert.deepEqual(
    [say("speed", 0.25), say("tps", 30), say("tps", -1), say("tps", 0)],
    ["0.25×", "30 TPS", "max", "0 (still)"],
  );
});

test("faster and slower stay of their kind and stop at the ends", () => {
  const next = (kind, value, way) => neighbour({ kind, value }, way).value;
  assert.deepEqual(
    [next("speed", 1, 1), next("speed", 1, -1), next("speed", 16, 1), next("speed", 0.7, 1)],
    [2, 0.5, 16, 1],
  );
  assert.deepEqual(
    [next("tps", 1000, 1), next("tps", -1, -1), next("tps", -1, 1), next("tps", 0, -1)],
    [-1, 1000, -1, 0],
  );
});

test("the operator's slider begins at 0 and ends at max", () => {
  assert.deepEqual([tpsOfStep(0), tpsOfStep(TPS_STEPS), tpsOfStep(99)], [0, -1, -1]);
  for (let step = 0; step <= TPS_STEPS; step += 1) {
    assert.equal(stepOfTps(tpsOfStep(step)), step);
  }
  assert.equal(tpsOfStep(stepOfTps(31)), 30);
});

test("turns per second are said", () => {
  assert.deepEqual([tpsText(null), tpsText(-1), tpsText(0), tpsText(60)], ["–", "max", "0 (still)", "60"]);
});
