import assert from "node:assert/strict";
import { test } from "node:test";
import { readIntent } from "../../../src/turnwright_tank/view/resim/intents.js";
import { readSetup } from "../../../src/turnwright_tank/view/resim/setup.js";
import { Simulation } from "../../../src/turnwright_tank/view/resim/simulate.js";
import { header } from "./making.js";

function turn(changes = {}) {
  const none = { number: 1, intents: new Map(), skipped: [], lateNs: new Map(), gone: [], disqualified: [] };
  return { ...none, failed: [], digest: "", opening: false, answers: "", serverLateNs: null, ...changes };
}

function simulation(rules = {}, changes = {}) {
  return new Simulation(readSetup(header({ rules, ...changes }), 1n));
}

const DRIVE = readIntent({ targetSpeed: 5, stdOut: "hello", debugGraphics: "<svg/>" });

test("the first turn of a round places tanks and takes no intents", () => {
  const battle = simulation();
  battle.play(turn({ intents: new Map([[0, DRIVE]]) }));
  assert.deepEqual([battle.round, battle.turn, battle.openedRound, battle.started], [1, 1, true, [0, 1]]);
  assert.equal(battle.tables.world.tanks[0].has_intent, 0);
});

test("a missed turn repeats the last intent, or with idle wants nothing", () => {
  for (const [on_skip, speed] of [["repeat", 2], ["idle", 0]]) {
    const battle = simulation({ on_skip });
    battle.play(turn());
    battle.play(turn({ intents: new Map([[0, DRIVE]]) }));
    battle.play(turn({ skipped: [0] }));
    assert.equal(battle.tables.world.tanks[0].speed, speed);
  }
});

test("a seat that left is idle, repeats, or dies, as the rules say", () => {
  const after = (on_disconnect) => {
    const battle = simulation({ on_disconnect });
    battle.play(turn());
    battle.play(turn({ intents: new Map([[0, DRIVE], [1, DRIVE]]) }));
    battle.play(turn({ intents: new Map([[1, DRIVE]]), gone: [0], skipped: [0] }));
    return [battle.tables.world.tanks[0].speed, battle.alive.length];
  };
  assert.deepEqual(after("skip"), [0, 2]);
  assert.deepEqual(after("official"), [2, 2]);
  assert.deepEqual(after("dead")[1], 1);
});

test("a number of skipped turns in a row disqualifies a seat once, and an answer restarts the count", () => {
  const battle = simulation({ max_skipped: 2 });
  const out = [];
  const answered = turn({ intents: new Map([[0, DRIVE]]) });
  for (const next of [turn(), turn({ skipped: [0] }), answered, turn({ skipped: [0] }), turn({ skipped: [0] })]) {
    battle.play(next);
    out.push(battle.disqualified);
  }
  assert.deepEqual(out, [[], [], [], [], [0]]);
  battle.play(turn({ skipped: [0] }));
  assert.deepEqual([battle.disqualified, battle.alive, battle.roundOver, battle.gameOver], [[], [1], true, true]);
});

test("the record says whether skipped turns lasted long enough to put a seat out", () => {
  const battle = simulation({ max_skipped: 2, max_silence_ns: 5e9, max_rounds_out: 3 });
  const out = [];
  for (const disqualified of [[], [0], [], [], [0, 1], []]) {
    battle.play(turn({ skipped: battle.alive.includes(0) ? [0] : [], disqualified }));
    out.push(battle.disqualified);
  }
  assert.deepEqual(out, [[], [], [], [], [0], []]);
});

test("a seat is out of the round, and of the battle after so many rounds", () => {
  const setup = { arena_width: 400, arena_height: 300, number_of_rounds: 5 };
  const battle = simulation({ max_skipped: 2, max_rounds_out: 3 }, { setup });
  const turns = [];
  for (let k = 0; !battle.gameOver; k++) {
    battle.play(turn({ skipped: battle.alive.includes(0) ? [0] : [], intents: new Map([[1, DRIVE]]) }));
    turns[battle.round - 1] = battle.turn;
  }
  assert.deepEqual(turns, [4, 4, 4, 1, 1]);
});

test("texts are shown when the intent is executed; graphics stay, prints do not", () => {
  const battle = simulation();
  const shown = () => [battle.texts[0]?.out ?? null, battle.texts[0]?.graphics ?? null];
  battle.play(turn());
  battle.play(turn({ intents: new Map([[0, DRIVE]]) }));
  assert.deepEqual(shown(), ["hello", "<svg/>"]);
  battle.play(turn({ skipped: [0] }));
  assert.deepEqual(shown(), [null, "<svg/>"]);
});

test("a digest tells two states apart", () => {
  const [one, two] = [simulation(), simulation()];
  one.play(turn());
  two.play(turn());
  assert.equal(one.digest(), two.digest());
  one.play(turn());
  assert.notEqual(one.digest(), two.digest());
});
