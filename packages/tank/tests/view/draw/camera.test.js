import assert from "node:assert/strict";
import { test } from "node:test";
import { Camera, MARGIN_PX } from "../../../src/turnwright_tank/view/draw/camera.js";

function cameraFor(viewWidth, viewHeight, arenaWidth, arenaHeight) {
  const camera = new Camera();
  camera.resize(viewWidth, viewHeight);
  camera.setArena(arenaWidth, arenaHeight);
  return camera;
}

const near = (value, wanted) => assert.ok(Math.abs(value - wanted) < 1e-6, `${value} is not ${wanted}`);

for (const [view, arena] of [
  [[1280, 720], [800, 600]],
  [[390, 844], [800, 600]],
  [[1920, 1080], [10000, 10000]],
  [[1920, 1080], [100, 100]],
  [[60, 40], [5000, 100]],
]) {
  test(`an arena of ${arena} fits a view of ${view}`, () => {
    const camera = cameraFor(...view, ...arena);
    for (const [x, y] of [[0, 0], arena]) {
      const slack = Math.max(0, MARGIN_PX - 20);
      assert.ok(camera.screenX(x) >= -slack && camera.screenX(x) <= view[0] + slack);
      assert.ok(camera.screenY(y) >= -slack && camera.screenY(y) <= view[1] + slack);
    }
    assert.ok(camera.screenY(arena[1]) < camera.screenY(0), "y goes up");
  });
}

test("an arena that fits begins below the cover of the upper edge", () => {
  const camera = cameraFor(360, 300, 800, 600);
  const scale = camera.scale;
  camera.cover(20, 0);
  assert.ok(Math.abs(camera.screenY(300) - 150) < 1e-6, "in the middle: nothing is covered there");
  camera.cover(60, 0);
  near(camera.screenY(600), 60);
  assert.ok(camera.screenY(0) <= 300 - camera.margin + 1e-6);
  assert.ok(camera.scale <= scale);
  camera.cover(290, 0);
  assert.ok(camera.scale > 0.1, "something is left to see");
});

test("an arena that fits ends before the cover of the right edge, and is centred where there is room", () => {
  const camera = cameraFor(1000, 500, 800, 600);
  camera.cover(0, 60);
  near(camera.screenX(400), 500);
  near(camera.screenY(300), 250);
  camera.resize(620, 500);
  near(camera.screenX(800), 620 - 60);
  assert.ok(camera.screenX(0) >= MARGIN_PX - 1e-6);
});

test("the point under the pointer stays there while zooming", () => {
  const camera = cameraFor(1000, 800, 800, 600);
  const before = camera.toArena(480, 420);
  camera.zoomAt(480, 420, 2.5);
  const after = camera.toArena(480, 420);
  near(after.x, before.x);
  near(after.y, before.y);
  assert.equal(camera.fits, false);
});

test("zooming has ends and the view does not leave the arena", () => {
  const camera = cameraFor(1000, 800, 800, 600);
  camera.zoom(1e9);
  assert.equal(camera.scale, camera.scaleMax);
  camera.zoom(1e-9);
  assert.ok(camera.scale < camera.fitScale && camera.scale > camera.fitScale / 2);
  camera.zoom(0);
  camera.zoom(Number.NaN);
  camera.pan(1e9, -1e9);
  assert.deepEqual([camera.x, camera.y], [0, 0]);
});

test("dragging moves the arena with the pointer", () => {
  const camera = cameraFor(1000, 800, 800, 600);
  camera.zoom(3);
  const before = camera.screenX(400);
  camera.pan(50, 0);
  near(camera.screenX(400), before + 50);
});

test("following approaches smoothly, or immediately on request", () => {
  const camera = cameraFor(1000, 800, 5000, 5000);
  camera.follow(4000, 1000, 1 / 60);
  assert.ok(camera.x > 2500 && camera.x < 4000);
  camera.follow(4000, 1000, Infinity);
  assert.deepEqual([camera.x, camera.y], [4000, 1000]);
});

test("another size keeps a view that fits fitting; its key tells of every change", () => {
  const camera = cameraFor(1000, 800, 800, 600);
  const key = camera.key;
  camera.resize(500, 400);
  assert.equal(camera.scale, camera.fitScale);
  assert.notEqual(camera.key, key);
});
