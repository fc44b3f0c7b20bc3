import assert from "node:assert/strict";
import { test } from "node:test";
import { readIntent } from "../../src/turnwright/viewer/intents.js";
import { readSetup } from "../../src/turnwright/viewer/setup.js";
import { Simulation } from "../../src/turnwright/viewer/simulate.js";
import { Tape } from "../../src/turnwright/viewer/tape.js";
import { header } from "./making.js";

const FACING = [100, 300].map((x, k) => ({ initial_position: { x, y: 150, direction: k === 0 ? 0 : 180 } }));

/** A duel of two tanks that face each other and fire. */
function duel(turns, count = 2) {
  const seats = Array.from({ length: count }, (_, k) => ({ name: `Tank ${k}`, options: FACING[k] ?? {} }));
  const said = { arena_width: 400, arena_height: 300, gun_cooling_rate: 3, max_inactivity_turns: 100000 };
  const setup = readSetup(header({ seats, setup: said }), 1n);
  const battle = new Simulation(setup);
  const tape = new Tape(setup);
  const intent = readIntent({ firepower: 1, radarTurnRate: 10, bodyColor: "#abc", stdOut: "hi", debugGraphics: "<svg/>" });
  const none = { skipped: [], lateNs: new Map(), gone: [], disqualified: [], failed: [], digest: "", answers: "" };
  for (let k = 0; k < turns; k++) {
    const intents = new Map(battle.alive.map((seat) => [seat, intent]));
    battle.play({ ...none, number: k + 1, intents, serverLateNs: null });
    tape.put(battle);
  }
  return { tape, battle };
}

test("a frame has tanks, bullets and events in the official shape", () => {
  const { tape } = duel(12);
  const frames = Array.from({ length: 12 }, (_, k) => tape.at(k));
  const [bot] = frames[5].botStates;
  assert.deepEqual([bot.id, bot.name, bot.x, bot.y, bot.bodyColor, bot.gunColor], [1, "Tank 0", 100, 150, "#AABBCC", null]);
  assert.deepEqual([bot.stdOut, bot.debugGraphics, bot.isDebuggingEnabled, bot.enemyCount], ["hi", "<svg/>", true, 1]);
  const types = new Set(frames.flatMap(({ events }) => events.map(({ type }) => type)));
  assert.ok(types.has("BulletFiredEvent") && types.has("ScannedBotEvent") && types.has("BulletHitBulletEvent"));
  const fired = frames.flatMap(({ events }) => events).find(({ type }) => type === "BulletFiredEvent");
  assert.deepEqual([fired.bullet.ownerId, fired.bullet.power, fired.bullet.x], [1, 1, 100]);
});

test("frames are read in any order, again and again the same", () => {
  const { tape } = duel(50);
  const forward = Array.from({ length: 50 }, (_, k) => JSON.stringify(tape.at(k)));
  for (let k = 49; k >= 0; k--) {
    assert.equal(JSON.stringify(tape.at(k)), forward[k]);
  }
});

test("there is no frame outside", () => {
  const { tape } = duel(3);
  assert.deepEqual([tape.at(-1), tape.at(3), tape.at(1.5), tape.at(NaN)], [null, null, null, null]);
});

test("more frames than one chunk holds are kept", () => {
  const { tape } = duel(3000, 10);
  assert.ok(tape.chunks.length > 2);
  assert.equal(tape.at(2999).turnNumber, 3000);
  assert.equal(tape.at(1500).turnNumber, 1501);
});
