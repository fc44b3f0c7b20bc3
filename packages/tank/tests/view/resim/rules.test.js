import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  Arena, STAGES, Tank, absolute_degrees, atan2_degrees, clamp, lay_out, new_speed, sincos, write_tank,
} from "../../../src/turnwright_tank/view/resim/rules.js";

test("a turn has the stages of stages.py, in order", () => {
  const step = readFileSync(new URL("../../../src/turnwright_tank/rules/stages.py", import.meta.url), "utf8");
  const titles = [...step.matchAll(/^ {4}\("([a-z ]+)", \w+\),$/gm)].map(([, title]) => title);
  assert.deepEqual(STAGES.map(([title]) => title), titles);
  assert.ok(titles.length > 10);
});

test("numbers written out by Python are met to the last bit", () => {
  assert.deepEqual(sincos(123.456), [0.8343094333148064, -0.5512964442855826]);
  assert.deepEqual(sincos(-721.5), [-0.026176948307873545, 0.9996573249755573]);
  assert.equal(atan2_degrees(-3.7, 1.9), -62.81888891452279);
  assert.deepEqual([new_speed(3.3, -8), new_speed(-7.9, -8), new_speed(1, 0)], [0.6499999999999999, -8.0, 0.0]);
  assert.deepEqual([absolute_degrees(-1e-20), absolute_degrees(1e18)], [360.0, 280.0]);
});

test("a bound keeps the sign of a zero", () => {
  assert.ok(Object.is(clamp(-0, -0, 5), -0));
});

test("whole numbers are written as 8 bytes, those below 0 too", () => {
  const buffer = new ArrayBuffer(8 * 64);
  const floats = new Float64Array(buffer);
  const tank = Object.assign(new Tank(), { death_turn: 2 ** 33 + 5, energy: 1.5 });
  const behind = write_tank(tank, floats, new Int32Array(buffer), 1);
  const view = new DataView(buffer);
  assert.equal(view.getBigInt64(16, true), 2n ** 33n + 5n);
  assert.equal(view.getFloat64(24, true), 1.5);
  assert.equal(view.getBigInt64(8 * (1 + 14), true), -1n);
  assert.equal(behind, 1 + 49);
});

test("a grid is laid out over the arena", () => {
  const arena = Object.assign(new Arena(), { width: 800, height: 600 });
  assert.equal(lay_out(arena), 138);
});
