import assert from "node:assert/strict";
import { test } from "node:test";
import { overall } from "../../../src/turnwright/viewer/ui/campaign.js";
import { Chronicle } from "../../../src/turnwright/viewer/ui/chronicle.js";
import { RoundTally } from "../../../src/turnwright/viewer/ui/tally.js";
import { death, fired, frame, hit, nameOf, realBattle, skipped, wall } from "./making.js";

function round(number, turns) {
  const tally = new RoundTally(number, 0);
  turns.forEach(([bots, events, more = {}], k) => tally.add(frame(k, bots, events, { roundNumber: number, ...more })));
  return tally;
}

const WHOLE = [
  [1, 100],
  [2, 100],
  [3, 100],
];
const shot = (by) => [[[1, 100], [2, -4], [3, 100]], [fired(2, 3), hit(by, 2, 101, -4), death(2)]];

test("what happened in all rounds is added up, deaths first", () => {
  const crash = [[[1, 100], [2, -1], [3, 100]], [wall(2), death(2)]];
  const rounds = [
    round(1, [[WHOLE, []], shot(1)]),
    round(2, [[WHOLE, []], shot(3)]),
    round(3, [[WHOLE, [], { timing: skipped(2) }], shot(1)]),
    round(4, [[WHOLE, []], crash]),
  ];
  const told = overall(rounds, 2, nameOf);
  assert.equal(told[0], "It was killed in 4 of 4 rounds: by Ann in 2, by Cid in 1, by a wall in 1.");
  assert.equal(told[1], "Bullets took 303.0 energy: Ann 202.0 (2 hits), Cid 101.0 (1 hit).");
  assert.match(told.join(" "), /0 of 3 shots hit \(0 %\)\. Firing cost 9\.0 energy, hits brought back 0\.0\./);
  assert.match(told.join(" "), /missed 1 turn of 8\./);
  assert.match(told.join(" "), /drove into walls 1 time, which took 101\.0 energy/);
});

test("a bot that never died is told so; of one round there is nothing to add up", () => {
  const rounds = [round(1, [[WHOLE, []]]), round(2, [[WHOLE, []]])];
  assert.deepEqual(overall(rounds, 1, nameOf), ["It survived all 2 rounds."]);
  assert.deepEqual(overall(rounds.slice(0, 1), 1, nameOf), []);
  assert.deepEqual(overall(rounds, 9, nameOf), []);
});

test("of a real battle the sums are those of its rounds, and what one took is what others dealt", () => {
  const { battle, frames } = realBattle("melee");
  const chronicle = new Chronicle(battle.seats);
  frames.forEach((each) => chronicle.add(each));
  for (const seat of battle.seats) {
    const told = overall(chronicle.rounds, seat.id, (id) => `bot${id}.`).join(" ");
    const sum = (field) => chronicle.rounds.reduce((all, tally) => all + tally.bots.get(seat.id)[field], 0);
    const taken = Number(/Bullets took ([\d.]+)/.exec(told)?.[1] ?? 0);
    assert.ok(Math.abs(taken - sum("taken")) < 0.06, told);
    const fired = Number((/of ([\d,]+) shots? hit/.exec(told)?.[1] ?? "0").replace(",", ""));
    assert.equal(fired, sum("fired"));
  }
});

test("who was disqualified is out in the rounds after it", () => {
  const silent = [WHOLE, [], { timing: skipped(2) }];
  const gone = [[[1, 100], [2, -1], [3, 100]], [death(2)], { timing: skipped(2) }];
  const rounds = [round(1, [silent, silent, gone]), round(2, [gone.slice(0, 2)])];
  const [told] = overall(rounds, 2, nameOf);
  assert.equal(told, "It was killed in 2 of 2 rounds: by disqualification in 1, by being out already in 1.");
});
