import assert from "node:assert/strict";
import { test } from "node:test";
import { Treads } from "../../../../src/turnwright_tank/view/draw/tanks/treads.js";
import { TREAD } from "../../../../src/turnwright_tank/view/draw/tanks/tank_art.js";
import { botState } from "../../../../../core/tests/viewer/films.js";

const pose = (x, y, body) => ({ bot: botState(1), x, y, body });
const near = (value, wanted) => assert.ok(Math.abs(value - wanted) < 1e-9, `${value} is not ${wanted}`);

test("tracks move with the way driven, backwards too", () => {
  const treads = new Treads();
  treads.roll(pose(100, 100, 90));
  near(treads.roll(pose(100, 100 + TREAD / 2, 90)).left, 0.5);
  const back = treads.roll(pose(100, 100 + TREAD / 4, 90));
  near(back.left, 0.25);
  near(back.right, 0.25);
});

test("turning on the spot moves them against each other", () => {
  const treads = new Treads();
  treads.roll(pose(0, 0, 0));
  const { left, right } = treads.roll(pose(0, 0, 10));
  near(left + right, 1);
  assert.notEqual(left, right);
});

test("a tank that is put elsewhere has not driven there", () => {
  const treads = new Treads();
  treads.roll(pose(0, 0, 0));
  assert.equal(treads.roll(pose(503, 0, 0)).left, 0);
});
