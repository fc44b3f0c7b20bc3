import assert from "node:assert/strict";
import { test } from "node:test";
import { RoundTally } from "../../../src/turnwright/viewer/ui/tally.js";
import { death, fired, frame, hit, ram, realBattle, scan, skipped, wall } from "./making.js";

function tallyOf(frames) {
  const tally = new RoundTally(1, 0);
  frames.forEach((each) => tally.add(each));
  return tally;
}

test("shots cost, hits bring back three times their power", () => {
  const tally = tallyOf([
    frame(0, [
      [1, 100],
      [2, 100],
    ]),
    frame(
      1,
      [
        [1, 98],
        [2, 100],
      ],
      [fired(1, 2)],
    ),
    frame(
      2,
      [
        [1, 104],
        [2, 90],
      ],
      [hit(1, 2, 10, 90, 2)],
    ),
  ]);
  const { spent, won, fired: shots, hits, dealt, otherLoss } = tally.bot(1);
  assert.deepEqual(
    { spent, won, shots, hits, dealt, otherLoss },
    { spent: 2, won: 6, shots: 1, hits: 1, dealt: 10, otherLoss: 0 },
  );
  assert.deepEqual(tally.bot(2).from.get(1), { hits: 1, damage: 10 });
});

test("a shooter that is dead gets no energy back", () => {
  const tally = tallyOf([frame(0, [[2, 100]]), frame(1, [[2, 90]], [hit(1, 2, 10, 90, 2)])]);
  assert.equal(tally.bot(1).won, 0);
});

test("what an event does not explain is the wall's, or comes from a field that does not fight", () => {
  const tally = tallyOf([
    frame(0, [[1, 100]]),
    frame(1, [[1, 97]], [wall(1)]),
    frame(2, [[1, 96.9]]),
    frame(3, [[1, 96.8]]),
    frame(4, [[1, 90]]),
  ]);
  const { walls, wallLoss, idleLoss, otherLoss } = tally.bot(1);
  assert.deepEqual([walls, wallLoss], [1, 3]);
  assert.ok(Math.abs(idleLoss - 0.2) < 1e-9);
  assert.ok(Math.abs(otherLoss - 6.8) < 1e-9);
});

test("collisions that follow each other are one blow", () => {
  const tally = tallyOf([
    frame(0, [
      [1, 50],
      [2, 50],
    ]),
    frame(
      1,
      [
        [1, 49.4],
        [2, 49.4],
      ],
      [ram(1, 2, 49.4), ram(2, 1, 49.4, false)],
    ),
    frame(
      2,
      [
        [1, 48.8],
        [2, 48.8],
      ],
      [ram(1, 2, 48.8), ram(2, 1, 48.8, false)],
    ),
  ]);
  assert.deepEqual(
    tally.bot(2).blows.map(({ kind, by, turn }) => [kind, by, turn]),
    [["ram", 1, 3]],
  );
  assert.equal(tally.bot(2).ramLoss, 1.2);
  assert.deepEqual([tally.bot(1).rams, tally.bot(2).rams], [2, 0]);
});

test("missed turns, sights and deaths are kept with their turns", () => {
  const tally = tallyOf([
    frame(
      0,
      [
        [1, 50],
        [2, 50],
      ],
      [scan(1, 2)],
    ),
    frame(
      1,
      [
        [1, 50],
        [2, 50],
      ],
      [],
      { timing: skipped(2) },
    ),
    frame(
      2,
      [
        [1, 50],
        [2, -1],
      ],
      [hit(1, 2, 51, -1), death(2)],
    ),
  ]);
  assert.deepEqual([...tally.bot(1).saw], [[2, 1]]);
  assert.deepEqual([tally.bot(2).skips, tally.bot(2).skippedTurns], [1, [2]]);
  assert.deepEqual([tally.bot(2).diedTurn, tally.bot(2).diedIndex, tally.deaths], [3, 2, [[2]]]);
});

test("a course stays short in the longest round", () => {
  const tally = tallyOf(Array.from({ length: 5000 }, (_, k) => frame(k, [[1, 100]])));
  const { points, stride } = tally.bot(1).course;
  assert.ok(points.length < 96 && points.length * stride >= 5000 - stride);
});

test("in a real battle every loss of energy is explained", () => {
  for (const name of ["melee", "team"]) {
    const { frames } = realBattle(name);
    const tally = new RoundTally(1, 0);
    frames.filter((each) => each.roundNumber === 1).forEach((each) => tally.add(each));
    for (const bot of tally.bots.values()) {
      const lost = bot.spent + bot.taken + bot.ramLoss + bot.wallLoss + bot.idleLoss + bot.otherLoss;
      assert.ok(Math.abs(bot.started + bot.won - lost - bot.energy) < 1e-6, `bot ${bot.id}`);
      assert.ok(bot.otherLoss < 1e-6, `bot ${bot.id} lost ${bot.otherLoss} without a reason`);
    }
  }
});
