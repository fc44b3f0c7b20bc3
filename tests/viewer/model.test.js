import assert from "node:assert/strict";
import { test } from "node:test";
import { NORMAL_TPS, RADAR_RADIUS, TANK_RADIUS } from "../../src/turnwright/viewer/model.js";

test("the numbers of the rules that drawing needs", () => {
  assert.deepEqual([TANK_RADIUS, RADAR_RADIUS, NORMAL_TPS], [18, 1200, 30]);
});
