import assert from "node:assert/strict";
import { test } from "node:test";
import { effectsAt, effectsOf, lossText } from "../../../src/turnwright_tank/view/draw/effects.js";
import { botState, bulletState, frame, rounds } from "../../../../core/tests/viewer/films.js";

const ARENA = { width: 800, height: 600 };
const death = { type: "BotDeathEvent", turnNumber: 5, victimId: 2 };

function film(index, events, lengths = [60]) {
  const frames = rounds(...lengths);
  frames[index].events = events;
  return (at) => frames[at] ?? null;
}

test("effects age with the turns, and the same position shows the same", () => {
  const at = film(5, [death]);
  assert.deepEqual(effectsAt(at, 4, 0.9, ARENA), []);
  assert.equal(effectsAt(at, 5, 0, ARENA)[0].age, 0);
  assert.equal(effectsAt(at, 9, 0.5, ARENA)[0].age, 4.5);
  assert.deepEqual(effectsAt(at, 9, 0.5, ARENA), effectsAt(at, 9, 0.5, ARENA));
  assert.deepEqual(effectsAt(at, 59, 0, ARENA), []);
});

test("an explosion continues after the last frame, and not into the next round", () => {
  const at = film(9, [death], [10, 10]);
  assert.equal(effectsAt(at, 9, 20, ARENA)[0].age, 20);
  assert.deepEqual(effectsAt(at, 10, 0, ARENA), []);
});

test("each event has its effect, where it happened", () => {
  const bullet = bulletState(1, { x: 300, y: 310, power: 2, ownerId: 1 });
  const kinds = (event) => effectsOf(frame(0, 1, 5, { events: [event] }), ARENA).map((effect) => effect.kind);
  const turnNumber = 5;
  assert.deepEqual(kinds(death), ["death"]);
  assert.deepEqual(kinds({ type: "BulletFiredEvent", turnNumber, bullet }), ["flash"]);
  assert.deepEqual(kinds({ type: "BulletHitBotEvent", turnNumber, victimId: 2, bullet, damage: 10, energy: 3 }), ["hit", "loss"]);
  assert.deepEqual(kinds({ type: "BulletHitBulletEvent", turnNumber, bullet, hitBullet: bullet }), ["clash"]);
  assert.deepEqual(kinds({ type: "BulletHitWallEvent", turnNumber, bullet }), ["puff"]);
  assert.deepEqual(kinds({ type: "BotHitWallEvent", turnNumber, victimId: 1 }), ["scrape"]);
  const ram = { type: "BotHitBotEvent", turnNumber, botId: 1, victimId: 2, energy: 1, x: 0, y: 0, rammed: true };
  assert.deepEqual(kinds(ram), ["ram"]);
  assert.deepEqual(kinds({ ...ram, botId: 2, victimId: 1 }), [], "two events of one ram are one effect");
  assert.deepEqual(kinds({ type: "ScannedBotEvent", turnNumber }), []);
  assert.deepEqual(kinds({ type: "BotDeathEvent", turnNumber, victimId: 99 }), [], "nobody known");
});

test("a tank scrapes at its wall", () => {
  const events = [{ type: "BotHitWallEvent", turnNumber: 5, victimId: 1 }];
  const botStates = [botState(1, { x: 782, y: 300 })];
  const [scrape] = effectsOf(frame(0, 1, 5, { events, botStates }), ARENA);
  assert.deepEqual([scrape.x, scrape.y], [800, 300]);
});

test("losses are written short", () => {
  assert.deepEqual([16, 10.4, 4.24, 0.6, 0.01, 0, Number.NaN].map(lossText), ["−16", "−10", "−4.2", "−0.6", "", "", ""]);
});
