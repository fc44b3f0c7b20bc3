/** The presets are the server's, which packages/tank/tests/view/test_stream.py writes into the file that PRESETS names. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { preset } from "../../../src/turnwright_tank/view/live/presets.js";

const FILE = process.env.PRESETS;

test("each preset is the server's", { skip: !FILE }, () => {
  const theirs = JSON.parse(readFileSync(FILE ?? "", "utf8"));
  assert.ok(Object.keys(theirs).length >= 5);
  for (const [name, meant] of Object.entries(theirs)) {
    assert.deepEqual(preset(name), meant, name);
  }
});

test("an unknown game type is like custom", () => {
  assert.deepEqual(preset("odd"), { ...preset("custom"), gameType: "odd" });
});
