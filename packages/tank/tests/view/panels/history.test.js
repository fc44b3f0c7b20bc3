import assert from "node:assert/strict";
import { test } from "node:test";
import { TankHistory } from "../../../src/turnwright_tank/view/panels/history.js";
import { catchUp } from "../../../../core/src/turnwright/viewer/time/turns.js";
import { death, frame, hit, realBattle, row, seat, SEATS, skipped, sourceOf, standings } from "./making.js";

test("a real battle is read frame by frame, in slices as in one go", () => {
  const { battle, frames } = realBattle("melee");
  const [whole, sliced] = [new TankHistory(battle.seats), new TankHistory(battle.seats)];
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

test("energies end with a bot; scores are those that the frames tell", () => {
  const history = new TankHistory(SEATS);
  const both = [
    [1, 100],
    [2, 80],
  ];
  history.add(frame(0, both, [], { standings: standings([0, 0], [0, 0], [0, 0]) }));
  history.add(frame(1, [[1, 104]], [hit(1, 2, 4, 76)], { standings: standings([4, 1], [1, 2], [0, 3]) }));
  const at = (series, turn) => [0, 1, 2].map((k) => series.at(k, turn));
  assert.deepEqual(at(history.energies, 1), [104, NaN, NaN]);
  assert.deepEqual([at(history.scores, 0), at(history.scores, 1)], [
    [0, 0, 0],
    [4, 1, 0],
  ]);
  assert.deepEqual([history.topScore, history.topEnergy], [4, 104]);
});

test("unknown scores are gaps, and a team has one line", () => {
  const history = new TankHistory([seat(1, "Ann", 5), seat(2, "Bob"), seat(3, "Cid", 5)]);
  history.add(frame(0, []));
  history.add(frame(1, [], [], { standings: standings([1, 1, 0, 9], [2, 2], [8, 1, 0, 9]) }));
  assert.deepEqual(
    [0, 1].map((turn) => [0, 1].map((side) => history.scores.at(side, turn))),
    [
      [NaN, NaN],
      [9, 2],
    ],
  );
  assert.equal(history.topScore, 9);
});

test("frames that a live source has forgotten are passed over", () => {
  const history = new TankHistory(SEATS, 10);
  const all = Array.from({ length: 30 }, (_, k) => frame(10 + k, [[1, 100]]));
  catchUp(history, sourceOf(all.slice(0, 5), 10), () => false);
  catchUp(history, sourceOf(all.slice(20), 30), () => false);
  assert.equal(history.next, 40);
});

test("a frame that is not there yet is waited for", () => {
  const history = new TankHistory(SEATS);
  assert.equal(
    catchUp(history, { first: 0, length: 5, at: () => null }, () => false),
    false,
  );
  assert.equal(history.next, 0);
});

test("the results of a round are kept", () => {
  const history = new TankHistory(SEATS);
  const results = [row(1, "Ann", 60)];
  history.add(frame(0, [[1, 1]], [], { roundResults: results }));
  history.add(frame(1, [[1, 1]], [], { roundNumber: 2, turnNumber: 1 }));
  assert.equal(history.results.get(1), results);
  assert.equal(history.round(2).first, 1);
  assert.equal(history.round(3), null);
});

test("a frame that replaces a lost one is not counted again", () => {
  const history = new TankHistory(SEATS);
  const last = frame(0, [[1, 100]], [hit(1, 2, 4, 96)]);
  history.add(last);
  history.add({ ...last, index: 1 });
  history.add(frame(2, [[1, 100]]));
  assert.deepEqual([history.next, history.marks.hits.sum(0, 9)], [3, 1]);
  assert.equal(history.energies.at(0, 1), 100);
});

test("results that come after the last turn of a round are taken in, once", () => {
  const [late, whole] = [new TankHistory(SEATS), new TankHistory(SEATS)];
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
  assert.equal(late.round(1).over, false);
  assert.equal(late.settle(ended), true);
  assert.equal(late.settle(ended), false);
  assert.equal(late.settle(frame(0, bots, [], { roundResults: [] })), false, "not the last turn");
  assert.equal(late.round(1).over, true);
  const next = frame(2, bots, [hit(2, 1, 4, 96)], { roundNumber: 2, turnNumber: 1 });
  for (const each of [late, whole]) {
    each.add(next);
  }
  const entries = ({ log }) => Array.from({ length: log.length }, (_, k) => log.at(k));
  assert.deepEqual(entries(late), entries(whole));
  assert.deepEqual(late.results, whole.results);
});

test("a round has its deaths, missed turns and length", () => {
  const history = new TankHistory(SEATS);
  const both = [
    [1, 100],
    [2, 60],
  ];
  history.add(frame(0, both, [], { timing: skipped(2) }));
  history.add(frame(1, both, [death(2)], { timing: skipped(2) }));
  history.add(frame(2, [[1, 90]]));
  const span = history.round(1);
  assert.deepEqual([...span.died], [[2, { turn: 2, index: 1 }]]);
  assert.deepEqual([span.first, span.last, span.turns, span.missed.get(2), span.late.get(2)], [0, 2, 3, 2, undefined]);
  assert.deepEqual(history.courseOf(span, 2), { stride: 1, points: [60, 60] });
  assert.deepEqual(history.courseOf(span, 1).points, [100, 100, 90]);
  assert.deepEqual([history.longestLived(span, 1), history.longestLived(span, 2)], [3, 1]);
});
