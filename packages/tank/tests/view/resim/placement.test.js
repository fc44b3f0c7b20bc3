import assert from "node:assert/strict";
import { test } from "node:test";
import { placeTanks } from "../../../src/turnwright_tank/view/resim/placement.js";
import { readSetup } from "../../../src/turnwright_tank/view/resim/setup.js";
import { header } from "./making.js";

function setupOf(changes, seed = 1n) {
  return readSetup(header(changes), seed);
}

test("as many tanks as there are cells all have a place of their own", () => {
  const seats = Array.from({ length: 48 }, (_, k) => ({ name: `Tank ${k}` }));
  const tanks = placeTanks(setupOf({ seats }), seats.map(() => false), 1);
  const cells = new Set(tanks.map(({ x, y }) => `${Math.floor(x / 50)} ${Math.floor(y / 50)}`));
  assert.equal(cells.size, 48);
});

test("another round or seed places them elsewhere, the same ones in the same places", () => {
  const x = (round, seed) => placeTanks(setupOf({}, seed), [false, false], round)[0].x;
  assert.equal(x(1, 1n), x(1, 1n));
  assert.notEqual(x(1, 1n), x(2, 1n));
  assert.notEqual(x(1, 1n), x(1, 2n));
});

test("a wish is followed as far as the walls let it", () => {
  const seats = [{ name: "A", options: { initial_position: { x: -5, y: 100, direction: 725 } } }, { name: "B" }];
  const [tank] = placeTanks(setupOf({ seats }), [true, false], 1);
  assert.deepEqual([tank.x, tank.y, tank.direction, tank.radar_direction, tank.retired], [18, 100, 725, 725, 1]);
});

test("a droid begins with more energy", () => {
  const seats = [{ name: "A", options: { droid: true } }, { name: "B" }];
  const tanks = placeTanks(setupOf({ seats }), [false, false], 1);
  assert.deepEqual(tanks.map(({ energy, droid, gun_heat }) => [energy, droid, gun_heat]), [[120, 1, 3], [100, 0, 3]]);
});

test("an arena with millions of cells costs nothing", () => {
  const setup = { arena_width: 1000000, arena_height: 1000000 };
  assert.equal(placeTanks(setupOf({ setup }), [false, false], 1).length, 2);
});
