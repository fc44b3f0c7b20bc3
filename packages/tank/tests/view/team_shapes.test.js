import assert from "node:assert/strict";
import { test } from "node:test";
import { teamShape } from "../../src/turnwright_tank/view/team_shapes.js";

test("the first eight teams have shapes of their own, then they come again with other colours", () => {
  const shapes = Array.from({ length: 64 }, (_, order) => teamShape(order));
  assert.equal(new Set(shapes.slice(0, 8)).size, 8);
  assert.equal(new Set(shapes.map((shape, order) => `${shape} ${order % 8}`)).size, 64);
  assert.ok(shapes.every((shape) => shape.length === 1));
});
