import assert from "node:assert/strict";
import { test } from "node:test";
import { inSlices } from "../../../src/turnwright_tank/view/files/time_slices.js";

test("all steps are made, and others get their turn in between", async () => {
  let steps = 0;
  let rests = 0;
  const seen = [];
  const work = inSlices(
    () => {
      const end = performance.now() + 3;
      while (performance.now() < end);
      steps += 1;
      return steps < 40;
    },
    () => (rests += 1),
    () => true,
  );
  setImmediate(() => seen.push(steps));
  await work;
  assert.equal(steps, 40);
  assert.ok(rests > 1);
  assert.ok(seen[0] < 40);
});

test("unwanted work is abandoned", async () => {
  let steps = 0;
  await inSlices(() => (steps += 1) > 0, () => {}, () => steps === 0);
  assert.ok(steps > 0);
});

test("an error in a step ends the work and is passed on", async () => {
  await assert.rejects(inSlices(() => { throw new Error("no"); }, () => {}, () => true), /no/);
});
