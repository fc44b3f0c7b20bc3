import assert from "node:assert/strict";
import { test } from "node:test";
import { leadersIn, placeOf, rankingOf, roundText, worstFirst } from "../../../src/turnwright_tank/view/panels/standings.js";
import { standingsOf } from "../../../src/turnwright_tank/view/files/royale_messages.js";
import { death, frame, realBattle, row, seat, SEATS, standings } from "./making.js";

test("places and points are those of the shown frame, and a tank that died in it is dead", () => {
  const bots = [1, 2, 3].map((id) => [id, 100]);
  const shown = (one) => rankingOf(SEATS, one).map((row) => [row.place, row.seat.id, row.alive, row.score, row.missed]);
  assert.deepEqual(shown(frame(0, bots, [], { standings: standings([0, 0], [0, 0], [0, 0]) })), [
    [null, 1, true, 0, 0],
    [null, 2, true, 0, 0],
    [null, 3, true, 0, 0],
  ]);
  const later = { standings: standings([50, 2], [154, 1], [50, 2, 7]) };
  assert.deepEqual(shown(frame(1, bots, [death(3)], later)), [
    [1, 2, true, 154, 0],
    [2, 1, true, 50, 0],
    [2, 3, false, 50, 7],
  ]);
});

test("facts that a recording lacks are unknown, and the seats keep their order", () => {
  const rows = rankingOf(SEATS, frame(0, [[1, 9], [2, 100]]));
  assert.deepEqual(
    rows.map((row) => [row.place, row.seat.id, row.score, row.sideScore, row.missed, row.alive]),
    [
      [null, 1, null, null, null, true],
      [null, 2, null, null, null, true],
      [null, 3, null, null, null, false],
    ],
  );
});

test("a team's bots stand together under its place", () => {
  const seats = [seat(1, "Ann", 5), seat(2, "Bob", 6), seat(3, "Cid", 5)];
  const bots = [1, 2, 3].map((id) => [id, 100]);
  const now = frame(0, bots, [], { standings: standings([1, 1, 0, 5], [2, 2, 0, 2], [4, 1, 0, 5]) });
  const rows = rankingOf(seats, now).map((row) => [row.place, row.seat.id, row.leads, row.team, row.sideScore]);
  assert.deepEqual(rows, [
    [1, 3, true, "Team 5", 5],
    [1, 1, false, "Team 5", 5],
    [2, 2, true, "Team 6", 2],
  ]);
  const orders = rankingOf(seats, now).map((row) => row.teamOrder);
  assert.deepEqual(orders, [0, 0, 1], "by first seats, as in the arena, not by place");
});

test("at the end of a real battle the order is that of its results", () => {
  for (const name of ["melee", "team"]) {
    const { battle, frames } = realBattle(name);
    const last = frames[frames.length - 1];
    const ranking = rankingOf(battle.seats, { ...last, standings: standingsOf(battle.seats, last.roundResults) });
    assert.deepEqual(
      ranking.filter((row) => row.leads).map((row) => [row.place, row.sideScore]),
      last.roundResults.map((row) => [row.rank, row.totalScore]),
    );
  }
});

test("place and points are shown when the battle is over", () => {
  const rows = [row(2, "Bob", 1513, { rank: 1 }), row(1, "Ann", 7, { rank: 2 })];
  assert.equal(placeOf(rows, SEATS[0]), "2nd, 7 points");
  assert.equal(placeOf(rows, SEATS[1]), "1st, 1,513 points");
  assert.equal(placeOf(rows, seat(9, "Eve", 1)), "", "a team of that number is another one");
  assert.equal(placeOf(null, SEATS[0]), "");
});

test("the worst is listed first, by the results or else by the current ranking", () => {
  const so = SEATS.map((seat) => ({ seat }));
  const ids = (rows) => worstFirst(rows, so).map(({ seat }) => seat.id);
  assert.deepEqual(ids(null), [3, 2, 1]);
  const results = [row(2, "Bob", 9, { rank: 1 }), row(3, "Cid", 8, { rank: 2 }), row(1, "Ann", 7, { rank: 3 })];
  assert.deepEqual(ids(results), [1, 3, 2]);
});

test("a round is summarized in one line with the best three", () => {
  const rows = [row(1, "Ann", 1200), row(2, "Bob", 9), row(3, "Cid", 8), row(4, "Dan", 7)];
  assert.equal(roundText(2, rows, ({ name }) => name), "Round 2 is over. Ann 1,200, Bob 9, Cid 8.");
});

test("the first row of a side leads it, in whatever order rows stand", () => {
  const rows = [seat(1, "Ann", 7), seat(2, "Bob"), seat(3, "Cid", 7)].map((each) => ({ seat: each, leads: true }));
  assert.deepEqual(leadersIn(rows).map(({ leads }) => leads), [true, true, false]);
  assert.deepEqual(leadersIn(rows.toReversed()).map(({ leads }) => leads), [true, true, false]);
});
