import assert from "node:assert/strict";
import { test } from "node:test";
import { sideOfRow, sidesOf } from "../../../src/turnwright/viewer/ui/sides.js";
import { row, seat } from "./making.js";

test("a team is one side, a bot that plays alone is one side", () => {
  const sides = sidesOf([seat(1, "Ann", 7), seat(2, "Bob"), seat(3, "Cid", 7)]);
  assert.deepEqual(
    sides.map((side) => [side.name, side.ids]),
    [
      ["Team 7", [1, 3]],
      ["Bob", [2]],
    ],
  );
});

test("a team and a bot with the same number are told apart", () => {
  const sides = sidesOf([seat(1, "Ann", 2), seat(2, "Bob")]);
  assert.equal(sideOfRow(sides, row(2, "Team 2", 5, { isTeam: true })), 0);
  assert.equal(sideOfRow(sides, row(2, "Bob", 5)), 1);
  assert.equal(sideOfRow(sides, { ...row(2, "Bob", 5), isTeam: undefined }), 1);
  assert.equal(sideOfRow(sides, row(9, "Nobody", 5)), -1);
});
