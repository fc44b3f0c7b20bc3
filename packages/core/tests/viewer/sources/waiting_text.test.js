import assert from "node:assert/strict";
import { test } from "node:test";

import { runsText, standsText } from "../../../src/turnwright/viewer/sources/waiting_text.js";

const battle = { seats: [1, 2, 3, 4].map((id) => ({ id, name: `Bot${id}` })) };
const nothing = { debugging: [], breakpoints: [], waitedFor: [] };

test("a pause that an operator asked for needs no words", () => {
  assert.equal(standsText("pause", nothing, battle), "");
});

test("a pause of a debugger names whom it waits for", () => {
  assert.match(standsText("breakpoint", { ...nothing, waitedFor: [2] }, battle), /Bot2/);
  assert.match(standsText("breakpoint", nothing, battle), /breakpoint/);
  assert.match(standsText("debug_step", nothing, battle), /debug/);
});

test("a few names and the number of the others are shown", () => {
  assert.match(runsText({ ...nothing, waitedFor: [1, 2, 3, 4] }, battle), /Bot1, Bot2, Bot3 and 1 more/);
  assert.match(runsText({ ...nothing, breakpoints: [9] }, null), /bot 9/);
  assert.equal(runsText(nothing, battle), "");
});
