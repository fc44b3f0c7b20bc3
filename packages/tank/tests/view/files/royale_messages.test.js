import assert from "node:assert/strict";
import { test } from "node:test";
import { battleOf, isTick, pictureOf, resultsOf, seatOf } from "../../../src/turnwright_tank/view/files/royale_messages.js";
import { gameStarted, tick } from "../resim/making.js";

test("a battle is as the message that started it says", () => {
  const battle = battleOf(gameStarted());
  assert.deepEqual(
    [battle.gameType, battle.width, battle.height, battle.rounds, battle.turnTimeoutUs, battle.seats.length],
    ["classic", 900, 700, 2, 30000, 2],
  );
  assert.deepEqual(battle.seats[0].authors, ["A"]);
});

test("without a setup a battle has the usual arena", () => {
  const { width, height, rounds, turnTimeoutUs } = battleOf({});
  assert.deepEqual([width, height, rounds, turnTimeoutUs], [800, 600, 1, null]);
});

test("all eight events are read, others are left out", () => {
  const bullet = { bulletId: 1, ownerId: 2, power: 3, x: 4, y: 5, direction: 6, color: "#ff0000" };
  const types = [
    { type: "BotDeathEvent", victimId: 1 },
    { type: "BotHitWallEvent", victimId: 1 },
    { type: "BotHitBotEvent", botId: 1, victimId: 2, energy: 3, x: 4, y: 5, rammed: true },
    { type: "BulletFiredEvent", bullet },
    { type: "BulletHitWallEvent", bullet },
    { type: "BulletHitBotEvent", victimId: 1, bullet, damage: 2, energy: 3 },
    { type: "BulletHitBulletEvent", bullet, hitBullet: bullet },
    { type: "ScannedBotEvent", scannedByBotId: 1, scannedBotId: 2, energy: 3, x: 4, y: 5, direction: 6, speed: 7 },
  ];
  const events = [...types.map((event) => ({ ...event, turnNumber: 9 })), { type: "WonRoundEvent" }, null, 5];
  assert.deepEqual(pictureOf(tick(1, 9, { events })).events, types.map((event) => ({ ...event, turnNumber: 9 })));
});

test("a value of a wrong type becomes empty", () => {
  const wrong = { id: "1", name: 5, energy: "full", x: null, isDroid: "yes", bodyColor: "red", stdOut: 7, debugGraphics: {} };
  const picture = pictureOf(tick(1, 1, { botStates: [wrong, null, "bot"], bulletStates: { length: 3 }, events: "none" }));
  const [bot] = picture.botStates;
  assert.equal(picture.botStates.length, 1);
  assert.deepEqual([bot.id, bot.name, bot.energy, bot.x, bot.isDroid, bot.bodyColor, bot.stdOut], [0, "", 0, 0, false, null, null]);
  assert.deepEqual([picture.bulletStates, picture.events], [[], []]);
});

test("a list is read up to a bound", () => {
  const botStates = Array.from({ length: 10001 }, (_, id) => ({ id }));
  assert.equal(pictureOf(tick(1, 1, { botStates })).botStates.length, 10000);
});

test("a message is a tick only with numbers and tanks", () => {
  assert.equal(isTick(tick(1, 1)), true);
  assert.deepEqual([tick("1", 1), tick(1, 1.5), tick(1, 1, { botStates: {} }), { type: "Tick" }].map(isTick), [false, false, false, false]);
  assert.equal(pictureOf(null), null);
});

test("results and seats have all their fields", () => {
  const [row] = resultsOf([{ id: 1, name: "A", rank: 1, totalScore: 5, isTeam: true }]);
  assert.deepEqual([row.version, row.survival, row.isTeam], ["", 0, true]);
  assert.deepEqual(resultsOf("none"), []);
  assert.deepEqual(seatOf({ id: 4, teamId: 2, teamName: "T", platform: "JVM" }).teamId, 2);
});
