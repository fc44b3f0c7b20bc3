import assert from "node:assert/strict";
import { test } from "node:test";
import { Chronicle } from "../../../src/turnwright/viewer/ui/chronicle.js";
import { RoundTally } from "../../../src/turnwright/viewer/ui/tally.js";
import { explain } from "../../../src/turnwright/viewer/ui/why.js";
import { death, fired, frame, hit, nameOf, realBattle, scan, skipped, wall } from "./making.js";

function accountOf(frames, id) {
  const tally = new RoundTally(1, 0);
  frames.forEach((each) => tally.add(each));
  return explain(tally, id, nameOf);
}

/** The account of a round of four bots that is seen from turn 100 on, when the fourth has died. */
function lateAccountOf(frames, id) {
  const tally = new RoundTally(1, 0, [1, 2, 3, 4]);
  frames.forEach((each, k) => tally.add({ ...each, turnNumber: 100 + k }));
  return explain(tally, id, nameOf);
}

const text = (account) => [account.headline, ...account.reasons].join("\n");

test("who killed it, with what, and when, comes first", () => {
  const account = accountOf(
    [
      frame(0, [
        [1, 100],
        [2, 30],
        [3, 100],
      ]),
      frame(
        1,
        [
          [1, 100],
          [2, 14],
          [3, 100],
        ],
        [hit(1, 2, 16, 14, 3)],
      ),
      frame(
        2,
        [
          [1, 100],
          [2, -2],
          [3, 100],
        ],
        [hit(1, 2, 16, -2, 3), death(2)],
      ),
    ],
    2,
  );
  assert.equal(account.headline, "Bob died in turn 3 of round 1 (1st of 3 to die) by a bullet of Ann that took 16.0.");
  assert.match(account.reasons[0], /^Bullets took 32\.0 energy: Ann 32\.0 \(2 hits\)\.$/);
  assert.deepEqual(
    account.blows.map((blow) => blow.turn),
    [3, 2],
  );
  assert.equal(account.seek, 2);
});

test("who came late is told no places and no nevers that are not known, and from when is counted", () => {
  const both = [
    [1, 100],
    [2, 14],
    [3, 100],
  ];
  const still = Array.from({ length: 40 }, (_, k) => frame(k, both));
  const last = [
    [1, 100],
    [2, -2],
    [3, 100],
  ];
  const frames = [...still, frame(40, last, [hit(1, 2, 16, -2, 3), death(2)])];
  const late = lateAccountOf(frames, 2);
  assert.equal(late.headline, "Bob died in turn 140 of round 1 (2nd of 4 to die) by a bullet of Ann that took 16.0.");
  assert.equal(late.reasons[late.reasons.length - 1], "This page came in turn 100: what was before is not counted.");
  assert.doesNotMatch(text(late), /never/);
  assert.deepEqual(late.ledger[0], { label: "before turn 100", value: 14 });
  const whole = text(accountOf(frames, 2));
  assert.match(whole, /radar never saw Ann/);
  assert.match(whole, /It never fired/);
  assert.doesNotMatch(whole, /This page came/);
});

test("of several blows in the last turn the one that took the last energy is the cause, whatever came after it", () => {
  const before = frame(0, [
    [1, 90],
    [2, 10],
    [3, 90],
  ]);
  const shot = [wall(2), hit(1, 2, 16, -8, 3), hit(3, 2, 4, -12), death(2)];
  const account = accountOf([before, frame(1, [[1, 90], [2, -12], [3, 90]], shot)], 2);
  assert.match(account.headline, /by a bullet of Ann that took 16\.0\.$/);
  assert.deepEqual(
    account.blows.map(({ kind, energy }) => [kind, energy]),
    [
      ["bullet", -12],
      ["bullet", -8],
      ["wall", 8],
    ],
    "the wall, which took 2, came first",
  );
  const crash = [wall(2), hit(1, 2, 16, -17, 3), death(2)];
  assert.match(
    accountOf([frame(0, [[1, 90], [2, 1]]), frame(1, [[1, 90], [2, -17]], crash)], 2).headline,
    /by driving into a wall/,
  );
});

test("an unseen killer is told", () => {
  const turns = Array.from({ length: 50 }, (_, k) =>
    frame(
      k,
      [
        [1, 50],
        [2, 50],
      ],
      k === 3 ? [scan(2, 1)] : [],
    ),
  );
  const last = frame(
    50,
    [
      [1, 50],
      [2, -1],
    ],
    [hit(1, 2, 51, -1), death(2)],
  );
  assert.match(text(accountOf([...turns, last], 2)), /last saw its killer Ann 47 turns before it died/);
  assert.match(
    text(
      accountOf(
        [
          frame(0, [
            [1, 5],
            [2, 5],
          ]),
          { ...last, index: 1 },
        ],
        2,
      ),
    ),
    /never saw Ann, which killed it/,
  );
});

test("missed turns are told with how many came right before the end", () => {
  const turns = Array.from({ length: 80 }, (_, k) => frame(k, [[2, 50]], [], { timing: k >= 70 ? skipped(2) : null }));
  const last = frame(80, [[2, -1]], [hit(1, 2, 51, -1), death(2)]);
  assert.match(text(accountOf([...turns, last], 2)), /missed 10 turns of 81 \(10 in its last 60 turns\)/);
});

test("a gun that hits nothing is compared with the best one", () => {
  const turns = Array.from({ length: 12 }, (_, k) =>
    frame(
      k,
      [
        [1, 100],
        [2, 100 - 3 * k],
      ],
      [fired(1, 1), fired(2, 3), hit(1, 3, 4, 50)],
    ),
  );
  assert.match(text(accountOf(turns, 2)), /0 of 12 shots hit \(0 %\); Ann hit with 100 %\. Firing cost 36\.0 energy/);
});

test("walls, standing still and never firing are told", () => {
  const turns = Array.from({ length: 60 }, (_, k) =>
    frame(k, [[1, 100 - 2 * k, { speed: 0 }]], k > 0 ? [wall(1)] : []),
  );
  const told = text(accountOf(turns, 1));
  assert.match(told, /drove into walls 59 times, which took 118\.0 energy/);
  assert.match(told, /stood still in 100 % of its turns/);
  assert.match(told, /never fired/);
});

test("the ledger adds up to the last energy for every bot of real battles", () => {
  for (const name of ["melee", "team"]) {
    const { battle, frames } = realBattle(name);
    const chronicle = new Chronicle(battle.seats);
    frames.forEach((each) => chronicle.add(each));
    for (const tally of chronicle.rounds) {
      for (const bot of tally.bots.values()) {
        const account = explain(tally, bot.id, (id) => battle.seats[id - 1].name);
        const sum = account.ledger.reduce((total, line) => total + line.value, 0);
        assert.ok(Math.abs(sum - bot.energy) < 0.3, `${account.headline} ${sum}`);
        assert.ok(account.reasons.length >= 1 && account.reasons.length <= 6);
        assert.doesNotMatch(account.headline, /left the battle/);
      }
    }
  }
});

test("who lives is told so, and a bot that was not there has no account", () => {
  assert.match(accountOf([frame(0, [[1, 80]])], 1).headline, /^Ann is alive in round 1, with 80\.0 energy/);
  assert.match(accountOf([frame(0, [[1, 80]], [], { roundResults: [] })], 1).headline, /lived to the end of round 1/);
  assert.equal(accountOf([frame(0, [[1, 80]])], 2), null);
});

test("a bot that dies without a blow has left", () => {
  assert.match(accountOf([frame(0, [[1, 80]]), frame(1, [[1, -1]], [death(1)])], 1).headline, /it left the battle/);
});

test("a bot that was disqualified missed turns in a row; in the next round it is out at once", () => {
  const silent = Array.from({ length: 90 }, (_, k) => frame(k, [[1, 80]], [], { timing: k < 10 ? null : skipped(1) }));
  const account = accountOf([...silent, frame(90, [[1, -1]], [death(1)], { timing: skipped(1) })], 1);
  assert.match(account.headline, /by disqualification: it had missed 81 turns in a row/);
  assert.doesNotMatch(account.reasons.join(), /no event tells/, "what it had left went with it");
  assert.match(accountOf([frame(0, [[1, -1]], [death(1)])], 1).headline, /at once: it was out of the battle already/);
});
