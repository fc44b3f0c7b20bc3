import assert from "node:assert/strict";
import { test } from "node:test";

import { preset } from "../../../src/turnwright_tank/view/live/presets.js";

test("a preset has the values and the lock flags of its game type", () => {
  const { arenaHeight, maxNumberOfParticipants, isNumberOfRoundsLocked } = preset("twinduel");
  assert.deepEqual([arenaHeight, maxNumberOfParticipants, isNumberOfRoundsLocked], [800, 4, false]);
  assert.ok(preset("classic").isMaxInactivityTurnsLocked);
  assert.ok(!("maxNumberOfParticipants" in preset("custom")));
});

test("an unknown game type is like custom", () => {
  assert.deepEqual(preset("odd"), { ...preset("custom"), gameType: "odd" });
});
