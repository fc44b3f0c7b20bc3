import assert from "node:assert/strict";
import { test } from "node:test";
import { Chronicle } from "../../../src/turnwright/viewer/ui/chronicle.js";
import { standingsAt } from "../../../src/turnwright/viewer/ui/standings.js";
import { death, frame, hit, realBattle, seat, SEATS, skipped } from "./making.js";

test("the table is the one of the frame shown, not of the newest", () => {
  const frames = [
    frame(0, [
      [1, 100],
      [2, 100],
      [3, 100],
    ]),
    frame(
      1,
      [
        [1, 100],
        [2, 100],
        [3, 96],
      ],
      [hit(2, 3, 4, 96)],
      { timing: skipped(3) },
    ),
    frame(
      2,
      [
        [1, 100],
        [2, 100],
        [3, -1],
      ],
      [hit(1, 3, 97, -1), death(3)],
    ),
  ];
  const chronicle = new Chronicle(SEATS);
  frames.forEach((each) => chronicle.add(each));
  const shown = (k) => standingsAt(chronicle, frames[k]).map((row) => [row.place, row.seat.id, row.alive, row.skips]);
  assert.deepEqual(shown(0), [
    [1, 1, true, 0],
    [1, 2, true, 0],
    [1, 3, true, 0],
  ]);
  assert.deepEqual(shown(1), [
    [1, 2, true, 0],
    [2, 1, true, 0],
    [2, 3, true, 1],
  ]);
  assert.deepEqual(shown(2), [
    [1, 1, true, 0],
    [2, 2, true, 0],
    [3, 3, false, 1],
  ]);
});

test("a team's bots stand together under its place", () => {
  const seats = [seat(1, "Ann", 5), seat(2, "Bob", 6), seat(3, "Cid", 5)];
  const chronicle = new Chronicle(seats);
  const now = frame(
    0,
    [
      [1, 100],
      [2, 100],
      [3, 100],
    ],
    [hit(3, 2, 4, 96), hit(2, 1, 2, 98)],
  );
  chronicle.add(now);
  const rows = standingsAt(chronicle, now).map((row) => [row.place, row.seat.id, row.leads, row.team, row.sideScore]);
  assert.deepEqual(rows, [
    [1, 3, true, "Team 5", 4],
    [1, 1, false, "Team 5", 4],
    [2, 2, true, "Team 6", 2],
  ]);
  const orders = standingsAt(chronicle, now).map((row) => row.teamOrder);
  assert.deepEqual(orders, [0, 0, 1], "by first seats, as in the arena, not by place");
});

test("at the end of a real battle the order is that of its results", () => {
  const { battle, frames } = realBattle("melee");
  const chronicle = new Chronicle(battle.seats);
  frames.forEach((each) => chronicle.add(each));
  const last = frames[frames.length - 1];
  assert.deepEqual(
    standingsAt(chronicle, last).map((row) => row.seat.id),
    last.roundResults.map((row) => row.id),
  );
});
