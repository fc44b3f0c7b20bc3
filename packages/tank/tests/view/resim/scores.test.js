import assert from "node:assert/strict";
import { test } from "node:test";
import { Duel, Tank } from "../../../src/turnwright_tank/view/resim/rules.js";
import { Scores } from "../../../src/turnwright_tank/view/resim/scores.js";

function seats(...teams) {
  return teams.map((team, seat) => ({ name: `Seat ${seat}`, version: "1", team, teamName: `Team ${team}`, teamVersion: "9" }));
}

function tanks(count, ...changes) {
  return Array.from({ length: count }, (_, seat) => Object.assign(new Tank(), { seat }, changes[seat]));
}

function duel(attacker, victim, changes) {
  return Object.assign(new Duel(), { attacker, victim }, changes);
}

test("a round's points are counted, ranked and rounded as the official server does", () => {
  const scores = new Scores(seats(null, null));
  const duels = [duel(1, 0, { bullet_damage: 39.5, ram_hits: 1, bullet_kill: 1 })];
  scores.addRound(tanks(2, {}, { deaths_survived: 1, deaths_before: 1 }), duels);
  const [first, second] = scores.results();
  assert.deepEqual(
    [first.id, first.rank, first.bulletDamage, first.bulletKillBonus, first.ramDamage, first.survival, first.totalScore],
    [2, 1, 40, 8, 1, 50, 109],
  );
  assert.deepEqual([first.firstPlaces, second.secondPlaces, second.rank, second.totalScore], [1, 1, 2, 0]);
});

test("without any score all have rank 0 in the order of seats", () => {
  const scores = new Scores(seats(null, null, null));
  scores.addRound(tanks(3), []);
  assert.deepEqual(scores.results().map(({ id, rank, firstPlaces }) => [id, rank, firstPlaces]), [[1, 0, 0], [2, 0, 0], [3, 0, 0]]);
});

test("equal totals share a rank, and the next one is left out", () => {
  const scores = new Scores(seats(null, null, null));
  scores.addRound(tanks(3, { deaths_survived: 1 }, { deaths_survived: 2 }, { deaths_survived: 2 }), []);
  assert.deepEqual(scores.results().map(({ id, rank }) => [id, rank]), [[2, 1], [3, 1], [1, 3]]);
});

test("a team is one row with the points of all its seats", () => {
  const scores = new Scores(seats(5, null, 5));
  scores.addRound(tanks(3, { deaths_survived: 1 }, { deaths_survived: 1 }, { deaths_survived: 3 }), []);
  const [team, solo] = scores.results();
  assert.deepEqual([team.id, team.name, team.version, team.isTeam, team.survival], [5, "Team 5", "9", true, 200]);
  assert.deepEqual([solo.id, solo.isTeam, solo.survival], [2, false, 50]);
});

test("the reached points of each seat are those of the results, for it or its team", () => {
  const scores = new Scores(seats(5, null, 5));
  scores.addRound(tanks(3, { deaths_survived: 1 }, { deaths_survived: 1 }, { deaths_survived: 3 }), []);
  assert.deepEqual(scores.reached(), [
    { points: 50, teamPoints: 200, place: 1 },
    { points: 50, teamPoints: null, place: 2 },
    { points: 150, teamPoints: 200, place: 1 },
  ]);
});

test("scores with a round that is not over leave those before as they are", () => {
  const scores = new Scores(seats(null, null));
  scores.addRound(tanks(2, { deaths_survived: 1 }), []);
  const after = scores.withRound(tanks(2), [duel(1, 0, { bullet_damage: 70.5 })]);
  assert.deepEqual(after.reached().map(({ points, place }) => [points, place]), [[50, 2], [71, 1]]);
  assert.deepEqual(scores.reached().map(({ points, place }) => [points, place]), [[50, 1], [0, 2]]);
});

test("nine numbers a seat are written down to be hashed", () => {
  const scores = new Scores(seats(null, null));
  scores.addRound(tanks(2, { deaths_survived: 1 }), []);
  const floats = new Float64Array(20);
  assert.equal(scores.write(floats, 1), 19);
  assert.deepEqual([...floats.subarray(1, 10)], [50, 0, 0, 0, 0, 0, 1, 0, 0]);
});
