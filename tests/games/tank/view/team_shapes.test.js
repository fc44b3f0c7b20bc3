import assert from "node:assert/strict";
import { test } from "node:test";
import { teamShape } from "../../../../src/turnwright/games/tank/view/team_shapes.js";

test("the first eight teams have shapes of their own, then they come again", () => {
  const shapes = Array.from({ length: 9 }, (_, order) => teamShape(order));
  assert.equal(new Set(shapes).size, 8);
  assert.equal(shapes[8], shapes[0]);
  assert.ok(shapes.every((shape) => shape.length === 1));
});
