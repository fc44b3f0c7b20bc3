import assert from "node:assert/strict";
import { test } from "node:test";
import { wayToWall } from "../../../src/turnwright_tank/view/draw/scans.js";

const ARENA = { arenaWidth: 800, arenaHeight: 600 };
const FROM = { x: 200, y: 150 };

test("a beam ends at the wall that it meets first", () => {
  const ways = [0, 90, 180, 270].map((angle) => wayToWall(ARENA, FROM, (angle * Math.PI) / 180));
  assert.deepEqual(ways.map(Math.round), [600, 450, 200, 150]);
  const slant = wayToWall(ARENA, FROM, Math.PI / 4);
  assert.ok(Math.abs(FROM.y + slant * Math.SQRT1_2 - 600) < 1e-9, "it meets the wall above");
});

test("a tank in a wall or outside has no way outwards", () => {
  assert.equal(wayToWall(ARENA, { x: 800, y: 300 }, 0), 0);
  assert.equal(wayToWall(ARENA, { x: 900, y: 300 }, 0), 0);
});
