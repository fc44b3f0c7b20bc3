import assert from "node:assert/strict";
import { test } from "node:test";
import { apart, inside, placeLabels } from "../../../src/turnwright_tank/view/draw/label_layout.js";
import { noise } from "../../../src/turnwright_tank/view/draw/effects_art.js";

const VIEW = { width: 800, height: 600 };
const wish = (id, x, y, more = {}) => ({ id, x, y, radius: 18, width: 100, smallWidth: 20, height: 20, first: false, ...more });

function boxes(wishes, spots) {
  const byId = new Map(wishes.map((one) => [one.id, one]));
  return spots.map((spot) => {
    const { width, smallWidth, height } = byId.get(spot.id);
    return { x: spot.x, y: spot.y, width: spot.small ? smallWidth : width, height };
  });
}

function overlaps(all) {
  return all.flatMap((a, k) => all.slice(k + 1).filter((b) =>
    a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height));
}

test("a label is above its tank, and stays in place while that is free", () => {
  const [spot] = placeLabels([wish(1, 400, 300)], new Map(), VIEW);
  assert.equal(spot.side, 0);
  assert.ok(spot.y + 20 <= 300 - 18);
  assert.equal(placeLabels([wish(1, 400, 300)], new Map([[1, 2]]), VIEW)[0].side, 2);
});

test("labels do not lie over each other, nor outside, however many there are", () => {
  const wishes = Array.from({ length: 100 }, (_, id) => wish(id, noise(id, 1) * 800, noise(id, 2) * 600, { radius: 7 }));
  const spots = placeLabels(wishes, new Map(), VIEW);
  const all = boxes(wishes, spots);
  assert.deepEqual(overlaps(all), []);
  assert.ok(spots.length > 60, `${spots.length} of 100`);
  assert.ok(all.every((box) => box.x >= 0 && box.y >= 0 && box.x + box.width <= 800 && box.y + box.height <= 600));
});

test("a box that hangs out of view is moved just inside", () => {
  const box = { width: 100, height: 20 };
  assert.deepEqual(inside({ ...box, x: -40, y: 300 }, VIEW), { x: 3, y: 300 });
  assert.deepEqual(inside({ ...box, x: 790, y: 595 }, VIEW), { x: 697, y: 577 });
  assert.deepEqual(inside({ ...box, x: 40, y: 30 }, VIEW), { x: 40, y: 30 });
});

test("a selected tank keeps a whole label", () => {
  const wishes = Array.from({ length: 30 }, (_, id) => wish(id, 400, 300, { first: id === 29 }));
  const spot = placeLabels(wishes, new Map(), VIEW).find(({ id }) => id === 29);
  assert.equal(spot.small, false);
});

test("two side by side both get a whole label", () => {
  const spots = placeLabels([wish(1, 400, 300), wish(2, 440, 300)], new Map(), VIEW);
  assert.deepEqual(spots.map(({ small }) => small), [false, false]);
});

test("labels on their way to their places do not cover each other", () => {
  const box = (x, y) => ({ x, y, width: 100, height: 20 });
  const spots = [box(0, 0), box(200, 0), box(0, 300)];
  const going = [box(90, 0), box(120, 0), box(0, 250)];
  const places = apart(going, spots);
  assert.deepEqual(overlaps(places), []);
  assert.deepEqual(places, [spots[0], going[1], going[2]]);
});

test("labels keep inside of the arena's frame, left as well", () => {
  const frame = { left: 100, top: 50, width: 700, height: 500 };
  const wishes = [wish(1, 105, 300), wish(2, 695, 495), wish(3, 400, 55)];
  const all = boxes(wishes, placeLabels(wishes, new Map(), frame));
  assert.ok(all.every(({ x, y, width, height }) => x >= 100 && y >= 50 && x + width <= 700 && y + height <= 500));
});
