import assert from "node:assert/strict";
import { test } from "node:test";
import { energyColor, labelEnergyText, shownName } from "../../../src/turnwright_tank/view/draw/labels.js";

test("names are one line, short, with nothing invisible and no towers of accents", () => {
  assert.equal(shownName("Ace"), "Ace");
  assert.equal(shownName("a\n\u202eb\u0000\u2028 c"), "a b c");
  assert.equal([...shownName("x".repeat(500))].length, 18);
  assert.equal(shownName("🤖".repeat(30)), `${"🤖".repeat(17)}…`);
  assert.ok(shownName(`z${"\u0301".repeat(400)}`).length < 5);
  assert.equal(shownName("  "), "");
});

test("energy is written short, and its colour goes with its size", () => {
  assert.deepEqual([100, 99.6, 9.96, 9.4, 0.04, 0, -0.3].map(labelEnergyText), ["100", "100", "10", "9.4", "<0.1", "0.0", "0"]);
  assert.equal(new Set([80, 40, 10].map(energyColor)).size, 3);
});
