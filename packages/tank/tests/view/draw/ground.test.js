import assert from "node:assert/strict";
import { test } from "node:test";
import { DrawTarget } from "../../../src/turnwright_tank/view/draw/draw_target.js";
import { Camera } from "../../../src/turnwright_tank/view/draw/camera.js";
import { drawGround, niceStep } from "../../../src/turnwright_tank/view/draw/ground.js";
import { themeNamed } from "../../../src/turnwright_tank/view/draw/palette.js";
import { fakeContext } from "../fake_canvas.js";

function ground(width, height, overlay = false) {
  const context = fakeContext(1600, 1200);
  const camera = new Camera();
  camera.resize(800, 600);
  camera.setArena(width, height);
  drawGround(new DrawTarget(context, 2, camera, themeNamed("dark")), overlay);
  return context.calls;
}

test("steps are 1, 2 or 5 times a power of ten", () => {
  assert.deepEqual([1, 60, 130, 600, 2400].map((least) => niceStep(50, least)), [50, 100, 250, 1000, 2500]);
});

test("the numbers along the walls are the arena's, and few", () => {
  for (const [width, height] of [[100, 100], [800, 600], [10_000, 10_000], [1_000_000, 1_000_000]]) {
    const numbers = ground(width, height).filter(([name]) => name === "fillText").map(([, text]) => Number(text));
    assert.ok(numbers.length >= 2 && numbers.length < 40, `${width}: ${numbers.length}`);
    assert.ok(numbers.every((number) => number >= 0 && number <= width));
  }
});

test("there are few lines in a large arena", () => {
  assert.ok(ground(1_000_000, 1_000_000).filter(([name]) => name === "lineTo").length < 400);
});

test("as an overlay it is a line around nothing", () => {
  const names = ground(800, 600, true).map(([name]) => name);
  assert.deepEqual(names.filter((name) => name.startsWith("fill")), []);
  assert.ok(names.includes("strokeRect"));
});
