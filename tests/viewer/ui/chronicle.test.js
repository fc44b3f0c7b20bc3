import assert from "node:assert/strict";
import { test } from "node:test";
import { catchUp, Chronicle } from "../../../src/turnwright/viewer/ui/chronicle.js";
import { frame, hit, realBattle, row, SEATS, skipped, sourceOf } from "./making.js";

test("a real battle is read frame by frame, in slices as in one go", () => {
  const { battle, frames } = realBattle("melee");
  const [whole, sliced] = [new Chronicle(battle.seats), new Chronicle(battle.seats)];
  assert.equal(
    catchUp(whole, sourceOf(frames), () => false),
    true,
  );
  let slices = 0;
  while (!catchUp(sliced, sourceOf(frames), () => sliced.next % 100 === 0)) {
    slices += 1;
  }
  assert.ok(slices >= 14);
  assert.deepEqual(sliced.marks.deaths, whole.marks.deaths);
  assert.deepEqual(sliced.marks.bins(0, 1000, 50), whole.marks.bins(0, 1000, 50));
  assert.equal(sliced.log.length, whole.log.length);
  assert.deepEqual([...whole.results.keys()], [1, 2]);
  assert.deepEqual(
    whole.rounds.map((tally) => [tally.round, tally.over]),
    [
      [1, true],
      [2, true],
    ],
  );
});

test("energies end with a bot, scores and missed turns add up", () => {
  const chronicle = new Chronicle(SEATS);
  chronicle.add(
    frame(
      0,
      [
        [1, 100],
        [2, 80],
      ],
      [],
      { timing: skipped(2) },
    ),
  );
  chronicle.add(frame(1, [[1, 104]], [hit(1, 2, 4, 76)], { timing: skipped(2) }));
  assert.deepEqual(
    [0, 1, 2].map((k) => chronicle.energies.at(k, 1)),
    [104, NaN, NaN],
  );
  assert.deepEqual(
    [0, 1, 2].map((k) => chronicle.botScores.at(k, 1)),
    [4, 0, 0],
  );
  assert.deepEqual([chronicle.skips.at(1, 0), chronicle.skips.at(1, 1)], [1, 2]);
  assert.deepEqual([chronicle.topScore, chronicle.topEnergy], [4, 104]);
});

test("frames that a live source has forgotten are passed over", () => {
  const chronicle = new Chronicle(SEATS, 10);
  const all = Array.from({ length: 30 }, (_, k) => frame(10 + k, [[1, 100]]));
  catchUp(chronicle, sourceOf(all.slice(0, 5), 10), () => false);
  catchUp(chronicle, sourceOf(all.slice(20), 30), () => false);
  assert.equal(chronicle.next, 40);
});

test("a frame that is not there yet is waited for", () => {
  const chronicle = new Chronicle(SEATS);
  assert.equal(
    catchUp(chronicle, { first: 0, length: 5, at: () => null }, () => false),
    false,
  );
  assert.equal(chronicle.next, 0);
});

test("the results of a round are kept", () => {
  const chronicle = new Chronicle(SEATS);
  const results = [row(1, "Ann", 60)];
  chronicle.add(frame(0, [[1, 1]], [], { roundResults: results }));
  chronicle.add(frame(1, [[1, 1]], [], { roundNumber: 2, turnNumber: 1 }));
  assert.equal(chronicle.results.get(1), results);
  assert.equal(chronicle.round(2).first, 1);
  assert.equal(chronicle.round(3), null);
});

test("a frame that stands for a lost one is not counted again", () => {
  const chronicle = new Chronicle(SEATS);
  const last = frame(0, [[1, 100]], [hit(1, 2, 4, 96)]);
  chronicle.add(last);
  chronicle.add({ ...last, index: 1 });
  chronicle.add(frame(2, [[1, 100]]));
  assert.deepEqual([chronicle.next, chronicle.keeper.of(1), chronicle.marks.hits.sum(0, 9)], [3, 4, 1]);
  assert.equal(chronicle.energies.at(0, 1), 100);
});

test("results that come after the last turn of a round are taken in, once", () => {
  const [late, whole] = [new Chronicle(SEATS), new Chronicle(SEATS)];
  const bots = [
    [1, 100],
    [2, 80],
  ];
  const last = frame(1, bots, [hit(1, 2, 4, 76)]);
  const ended = { ...last, roundResults: [row(1, "Ann", 64), row(2, "Bob", 9)] };
  for (const each of [late, whole]) {
    each.add(frame(0, bots));
  }
  whole.add(ended);
  late.add(last);
  assert.equal(late.settle(last), false, "there are none yet");
  assert.deepEqual([late.round(1).over, late.scores.at(0, 1)], [false, 4]);
  assert.equal(late.settle(ended), true);
  assert.equal(late.settle(ended), false);
  assert.equal(late.settle(frame(0, bots, [], { roundResults: [] })), false, "not the last turn");
  assert.deepEqual([late.round(1).over, late.scores.at(0, 1), late.scores.at(1, 1)], [true, 64, 9]);
  const next = frame(2, bots, [hit(2, 1, 4, 96)], { roundNumber: 2, turnNumber: 1 });
  for (const each of [late, whole]) {
    each.add(next);
  }
  const points = ({ scores }) => [0, 1, 2].map((turn) => [0, 1, 2].map((k) => scores.at(k, turn)));
  const entries = ({ log }) => Array.from({ length: log.length }, (_, k) => log.at(k));
  assert.deepEqual(points(late), points(whole));
  assert.deepEqual(entries(late), entries(whole));
  assert.deepEqual(late.results, whole.results);
  assert.equal(late.scores.at(1, 2), 13);
});

test("who comes late begins with the points and missed turns that the server tells", () => {
  const soFar = [
    { before: 700, now: 40.5, missed: 3 },
    { before: 90, now: 0, missed: 0 },
    { before: 10, now: 12, missed: 7 },
  ];
  const chronicle = new Chronicle(SEATS, 50);
  chronicle.add(frame(50, [[1, 100]], [hit(1, 2, 16, 50)], { soFar, timing: skipped(1) }));
  chronicle.add(frame(51, [[1, 100]], [hit(1, 2, 4, 46)], { timing: skipped(1) }));
  assert.deepEqual(
    [0, 1, 2].map((k) => chronicle.botScores.at(k, 0)),
    [740.5, 90, 22],
    "its own events are among them",
  );
  assert.deepEqual([chronicle.botScores.at(0, 1), chronicle.scores.at(0, 1)], [744.5, 744.5]);
  assert.deepEqual([chronicle.skips.at(0, 0), chronicle.skips.at(0, 1), chronicle.skips.at(2, 1)], [3, 4, 7]);
});

test("the bonus of a kill counts damage that was done before one came", () => {
  const soFar = SEATS.map(() => ({ before: 0, now: 40, missed: 0 }));
  const duels = [{ attacker: 1, victim: 2, damage: 30, rams: 5, bulletKill: false, ramKill: false }];
  const chronicle = new Chronicle(SEATS, 50);
  chronicle.add(frame(50, [[1, 100]], [hit(1, 2, 4, 7)], { soFar, duels }));
  chronicle.add(frame(51, [[1, 100]], [hit(1, 2, 16, -9), hit(1, 3, 16, -9)]));
  const both = 7 + 0.2 * (30 + 5 * 0.6 + 7) + 7 + 0.2 * 7;
  assert.ok(Math.abs(chronicle.botScores.at(0, 1) - (40 + both)) < 1e-3);
});

test("who has seen everything counts on; after a gap the server's figures count", () => {
  const soFar = SEATS.map(() => ({ before: 500, now: 5, missed: 9 }));
  const chronicle = new Chronicle(SEATS);
  chronicle.add(frame(0, [[1, 100]], [], { soFar, timing: skipped() }));
  assert.deepEqual([chronicle.botScores.at(0, 0), chronicle.skips.at(0, 0)], [0, 0]);
  chronicle.add(frame(7, [[1, 100]], [], { soFar, timing: skipped() }));
  assert.deepEqual([chronicle.botScores.at(0, 7), chronicle.skips.at(0, 7)], [505, 9]);
});
