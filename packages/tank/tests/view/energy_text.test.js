import assert from "node:assert/strict";
import { test } from "node:test";
import { energyText } from "../../src/turnwright_tank/view/energy_text.js";

test("a tank that has a little energy left does not read as one that has none", () => {
  assert.deepEqual([100, 9.96, 0.05, 0.04, 0, -3].map(energyText), ["100.0", "10.0", "0.1", "<0.1", "0.0", "0.0"]);
});
