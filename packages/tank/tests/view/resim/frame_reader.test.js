import assert from "node:assert/strict";
import { test } from "node:test";
import { duel } from "./making.js";

test("a frame has tanks, bullets and events in the official shape", () => {
  const tape = duel(12);
  const frames = Array.from({ length: 12 }, (_, k) => tape.at(k));
  const [bot] = frames[5].botStates;
  assert.deepEqual([bot.id, bot.name, bot.x, bot.y, bot.bodyColor, bot.gunColor], [1, "Tank 0", 100, 150, "#AABBCC", null]);
  assert.deepEqual([bot.stdOut, bot.debugGraphics, bot.isDebuggingEnabled, bot.enemyCount], ["hi", "<svg/>", true, 1]);
  const types = new Set(frames.flatMap(({ events }) => events.map(({ type }) => type)));
  assert.ok(types.has("BulletFiredEvent") && types.has("ScannedBotEvent") && types.has("BulletHitBulletEvent"));
  const fired = frames.flatMap(({ events }) => events).find(({ type }) => type === "BulletFiredEvent");
  assert.deepEqual([fired.bullet.ownerId, fired.bullet.power, fired.bullet.x], [1, 1, 100]);
});

test("a bullet in a frame and in an event is the one that was fired, in every round of the tape", () => {
  const tape = duel(200);
  const power = new Set();
  for (let k = 0; k < tape.length; k++) {
    const { bulletStates, events } = tape.at(k);
    const bullets = [...bulletStates, ...events.flatMap((event) => ("bullet" in event ? [event.bullet] : []))];
    bullets.forEach((bullet) => power.add(`${bullet.power} ${bullet.ownerId} ${bullet.color}`));
    assert.equal(new Set(bulletStates.map(({ bulletId }) => bulletId)).size, bulletStates.length);
  }
  assert.deepEqual([...power].sort(), ["1 1 null", "1 2 null"]);
});

test("a death is shown in the turn in which it happens, and the tank is gone from the next", () => {
  const tape = duel(150, 3, 1);
  const frames = Array.from({ length: tape.length }, (_, k) => tape.at(k));
  const at = frames.findIndex(({ events }) => events.some(({ type }) => type === "BotDeathEvent"));
  assert.ok(at > 0);
  const death = frames[at].events.find(({ type }) => type === "BotDeathEvent");
  assert.ok(frames[at].botStates.some(({ id }) => id === death.victimId));
  assert.ok(frames[at + 1].botStates.every(({ id }) => id !== death.victimId));
});
