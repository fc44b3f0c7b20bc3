import assert from "node:assert/strict";
import { test } from "node:test";
import { placesOf, ScoreKeeper } from "../../../src/turnwright/viewer/ui/scores.js";
import { death, frame, hit, ram, realBattle, row, seat, SEATS } from "./making.js";

function score(
  events,
  bots = [
    [1, 100],
    [2, 100],
    [3, 100],
  ],
  seats = SEATS,
) {
  const keeper = new ScoreKeeper(seats);
  keeper.turn(frame(0, bots, events));
  return seats.map(({ id }) => Math.round(keeper.of(id) * 1e6) / 1e6);
}

test("damage of bullets counts as far as there was energy", () => {
  assert.deepEqual(score([hit(1, 2, 4, 96)]), [4, 0, 0]);
  assert.deepEqual(score([hit(1, 2, 16, -6)]), [10 + 0.2 * 10, 0, 0]);
  assert.deepEqual(score([hit(1, 2, 4, -9)]), [0, 0, 0]);
});

test("a ram counts 1.2, a ram that kills 30 % of all damage done to the victim besides", () => {
  assert.deepEqual(score([ram(1, 2, 50)]), [1.2, 0, 0]);
  assert.deepEqual(score([ram(1, 2, 50, false)]), [0, 0, 0]);
  assert.deepEqual(score([hit(1, 2, 10, 0.5), ram(1, 2, -0.1)]), [14.38, 0, 0]);
});

test("who outlives others gets 50 for each turn with deaths, the last one 10 for each other bot", () => {
  assert.deepEqual(score([death(2)]), [50, 0, 50]);
  assert.deepEqual(score([death(2), death(3)]), [50 + 20, 0, 0]);
});

test("those who die together as the last ones share the last survivor's bonus", () => {
  assert.deepEqual(
    score(
      [death(2), death(3)],
      [
        [2, 1],
        [3, 1],
      ],
    ),
    [0, 30, 30],
  );
});

test("a victim that comes back to life and dies again is one kill with all the damage", () => {
  const [first] = score([hit(1, 2, 16, -3), hit(1, 2, 0.4, -0.4)]);
  assert.equal(first, 13 + 0 + 0.2 * 13);
});

for (const name of ["melee", "team"]) {
  test(`the provisional scores of a real battle (${name}) are the results at each round's end`, () => {
    const { battle, frames } = realBattle(name);
    const keeper = new ScoreKeeper(battle.seats);
    let rounds = 0;
    for (const each of frames) {
      if (each.turnNumber === 1 && each.index > 0) {
        keeper.beginRound();
      }
      keeper.turn({ ...each, roundResults: null });
      if (each.roundResults) {
        rounds += 1;
        for (const result of each.roundResults) {
          const k = keeper.sides.findIndex((side) => side.name === result.name);
          assert.ok(
            Math.abs(keeper.ofSide(k) - result.totalScore) <= 0.5 * rounds + 1e-6,
            `${result.name}, round ${rounds}`,
          );
        }
      }
    }
    assert.equal(rounds, 2);
  });
}

for (const name of ["melee", "team"]) {
  test(`who comes late counts on as if it had seen all (${name})`, () => {
    const { battle, frames } = realBattle(name);
    const all = frames.filter((each) => each.roundNumber === 1);
    let kills = 0;
    for (let joined = 0; joined < all.length; joined += 25) {
      const [whole, late] = [new ScoreKeeper(battle.seats), new ScoreKeeper(battle.seats)];
      for (const each of all.slice(0, joined + 1)) whole.turn({ ...each, roundResults: null });
      const duels = [...whole.duels].map(([key, done]) => {
        const [attacker, victim] = key.split(" ").map(Number);
        return { attacker, victim, ...done };
      });
      late.know(battle.seats.map(({ id }) => ({ before: 0, now: whole.of(id), missed: 0 })), duels);
      for (const each of all.slice(joined + 1)) {
        for (const keeper of [whole, late]) keeper.turn({ ...each, roundResults: null });
      }
      for (const { id } of battle.seats) assert.ok(Math.abs(whole.of(id) - late.of(id)) < 1e-9, `bot ${id} from ${joined}`);
      kills += [...late.duels.values()].filter(({ bulletKill }) => bulletKill).length;
    }
    assert.ok(kills > 0);
  });
}

test("at a round's end the server's word counts", () => {
  const keeper = new ScoreKeeper(SEATS);
  keeper.turn(frame(0, [[1, 1]], [hit(1, 2, 4, 96)], { roundResults: [row(1, "Ann", 500), row(2, "Bob", 20)] }));
  keeper.beginRound();
  keeper.turn(frame(1, [[1, 1]], [hit(1, 2, 4, 96)]));
  assert.deepEqual([keeper.of(1), keeper.of(2), keeper.of(3)], [504, 20, 0]);
});

test("a round whose results were not seen counts with what was seen", () => {
  const keeper = new ScoreKeeper(SEATS);
  keeper.turn(frame(0, [[1, 1]], [hit(1, 2, 4, 96)]));
  keeper.beginRound();
  assert.equal(keeper.of(1), 4);
});

test("a team's score is the sum of its bots'", () => {
  const keeper = new ScoreKeeper([seat(1, "Ann", 5), seat(2, "Bob", 5), seat(3, "Cid", 6)]);
  keeper.turn(
    frame(
      0,
      [
        [1, 1],
        [2, 1],
        [3, 1],
      ],
      [hit(1, 3, 4, 96), hit(2, 3, 4, 92)],
    ),
  );
  assert.deepEqual([keeper.ofSide(0), keeper.ofSide(1)], [8, 0]);
});

test("equal scores share a place", () => {
  assert.deepEqual(placesOf([9, 5, 5, 1]), [1, 2, 2, 4]);
});
