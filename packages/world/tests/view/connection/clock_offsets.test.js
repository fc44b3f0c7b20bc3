import assert from "node:assert/strict";
import { test } from "node:test";
import { ClockOffsets } from "../../../src/turnwright_world/view/connection/clock_offsets.js";

/** Ten minutes of messages: our clock gains `ppm`, each way takes `up` and `down`. */
function fed(ppm, up, down, seconds = 600) {
  const offsets = new ClockOffsets();
  const ours = (now) => Math.floor(now * (1 + ppm / 1e6));
  for (let now = 0; now < seconds * 1e6; now += 5e6) {
    offsets.add(ours(now), now + up + 1e9, now + up + 1e9, ours(now + up + down));
  }
  return offsets;
}

test("the estimate is the middle of its bounds, and half of them is the error", () => {
  const offsets = new ClockOffsets();
  offsets.add(1000, 51_000, 51_000, 41_000);
  assert.equal(offsets.offsetUs(1000), 30_000);
  assert.equal(offsets.errorUs, 20_000);
  assert.deepEqual(offsets.tripsUs(), [20_000]);
  offsets.add(100_000, 145_000, 146_000, 121_000);
  assert.equal(offsets.offsetUs(100_000), 35_000);
});

test("a drift of 80 ppm is found and followed", () => {
  const offsets = fed(80, 20_000, 20_000);
  assert.ok(Math.abs(offsets.rate + 80e-6) < 2e-6, String(offsets.rate));
  const later = 605e6;
  assert.ok(Math.abs(offsets.offsetUs(Math.floor(later * (1 + 80e-6))) - (later + 1e9 - later * (1 + 80e-6))) < 500);
});

test("a clock that was set, or slept, makes it begin again", () => {
  const offsets = fed(0, 20_000, 20_000, 100);
  assert.ok(offsets.samples.length > 10);
  offsets.add(100e6, 90e6, 90e6, 100.04e6);
  assert.equal(offsets.samples.length, 1);
  assert.ok(Math.abs(offsets.offsetUs(100e6) + 10.02e6) < 1);
});

test("the number of samples is bounded", () => {
  const offsets = new ClockOffsets();
  for (let k = 0; k < 5000; k++) {
    offsets.add(k * 1e6, k * 1e6 + 50, k * 1e6 + 60, k * 1e6 + 100);
  }
  assert.ok(offsets.samples.length <= 64);
  assert.ok(offsets.spans.length <= 20);
});
