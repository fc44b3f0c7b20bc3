import assert from "node:assert/strict";
import { test } from "node:test";
import { signOf, tracePath } from "../../../../src/turnwright_tank/view/draw/tanks/shapes.js";
import { marksOf } from "../../../../src/turnwright_tank/view/draw/palette.js";
import { teamShape } from "../../../../src/turnwright_tank/view/team_shapes.js";
import { seat } from "../../../../../core/tests/viewer/films.js";

/** The path of a sign as text. */
function pathOf(sign) {
  const calls = [];
  const note = (name) => (...given) => calls.push(`${name} ${given.map((value) => value.toFixed(2))}`);
  tracePath({ arc: note("arc"), moveTo: note("move"), lineTo: note("line"), closePath: note("close"), beginPath: note("begin") }, sign, 5, 7, 10);
  return calls.join("; ");
}

test("each of eight sides has its own shape, around its centre and not much wider than a circle", () => {
  const paths = Array.from({ length: 8 }, (_, k) => pathOf(teamShape(k)));
  assert.equal(new Set(paths).size, 8);
  for (const path of paths) {
    for (const [, x, y] of path.matchAll(/(?:move|line) (-?[\d.]+),(-?[\d.]+)/g)) {
      assert.ok(Math.hypot(x - 5, y - 7) <= 16.1, path);
    }
  }
});

test("mates have the sign of their team, and single tanks have one by seat", () => {
  const alone = marksOf({ seats: [seat(1), seat(2), seat(3)] }, "dark");
  assert.equal(new Set([1, 2, 3].map((id) => signOf(alone.get(id)))).size, 3);
  const teams = marksOf({ seats: [seat(1, { teamId: 7 }), seat(2, { teamId: 9 }), seat(3, { teamId: 7 })] }, "dark");
  assert.equal(signOf(teams.get(1)), signOf(teams.get(3)));
  assert.notEqual(signOf(teams.get(1)), signOf(teams.get(2)));
});
