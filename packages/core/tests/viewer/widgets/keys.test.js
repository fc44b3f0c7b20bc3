import assert from "node:assert/strict";
import { test } from "node:test";
import { actionOf, isForElement, keyLines } from "../../../src/turnwright/viewer/widgets/keys.js";

const press = (key, more = {}) =>
  actionOf({ key, shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, ...more });

test("keys act according to the help", () => {
  assert.deepEqual(press(" "), { name: "toggle", value: 0 });
  assert.deepEqual(press("ArrowLeft"), { name: "step", value: -1 });
  assert.deepEqual(press("ArrowRight", { shiftKey: true }), { name: "step", value: 10 });
  assert.deepEqual([press("7").value, press("0").value], [7, 10]);
  assert.deepEqual(press("W", { shiftKey: true }), { name: "tab why", value: 0 });
});

test("the browser's own keys are left to it", () => {
  assert.equal(press("r", { ctrlKey: true }), null);
  assert.equal(press("c", { metaKey: true }), null);
  assert.equal(press("ArrowLeft", { altKey: true }), null);
});

test("other keys do nothing", () => {
  for (const key of ["q", "F5", "Tab", "Enter", "constructor", "toString"]) {
    assert.equal(press(key), null);
  }
});

test("a key pressed in a field belongs to the field", () => {
  assert.ok(isForElement("input", "search", "w"));
  assert.ok(isForElement("select", null, "ArrowLeft"));
  assert.ok(isForElement("button", null, " "));
  assert.ok(!isForElement("button", null, "w"));
  assert.ok(!isForElement("input", "search", "Escape"));
  assert.ok(!isForElement("input", "checkbox", "n"));
  assert.ok(!isForElement("canvas", null, " "));
});

test("the help names each key once", () => {
  const all = keyLines({ death: "death" }).map((line) => line.keys);
  assert.equal(new Set(all).size, all.length);
});

test("the help has the game's own word for the crosses of the timeline", () => {
  const texts = keyLines({ death: "out" }).map((line) => line.text).join("\n");
  assert.match(texts, /previous ✕, next ✕ \(out\)/);
  assert.doesNotMatch(texts, /death|%/);
});
