import assert from "node:assert/strict";
import { test } from "node:test";
import { scoreOfSide, sidesOf, standingOfSide } from "../../../src/turnwright_tank/view/panels/teams.js";
import { frame, seat, standings } from "./making.js";

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

test("a side has the points and the place that the frame tells of it", () => {
  const [team, solo] = sidesOf([seat(1, "Ann", 2), seat(2, "Bob"), seat(3, "Cid", 2)]);
  const now = frame(0, [], [], { standings: standings([30, 2, 0, 70], [80, 1], [40, 2, 0, 70]) });
  assert.deepEqual([scoreOfSide(team, now), scoreOfSide(solo, now)], [70, 80]);
  assert.deepEqual([standingOfSide(team, now).place, standingOfSide(solo, now).place], [2, 1]);
  assert.deepEqual([scoreOfSide(team, frame(0, [])), standingOfSide(solo, frame(0, []))], [null, null]);
});
