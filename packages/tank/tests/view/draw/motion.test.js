import assert from "node:assert/strict";
import { test } from "node:test";
import { botsOf, flightsAt, posesAt, shortest, turnBetween } from "../../../src/turnwright_tank/view/draw/motion.js";
import { botState, bulletState, frame } from "../../../../core/tests/viewer/films.js";

const bots = (...botStates) => ({ botStates });

test("angles go the shorter way", () => {
  assert.equal(turnBetween(350, 10, 0.5), 360);
  assert.equal(turnBetween(10, 350, 0.5), 0);
  assert.equal(shortest(190), -170);
  assert.equal(shortest(-190), 170);
  assert.equal(shortest(720), 0);
});

test("half way through a turn a tank is half way", () => {
  const one = frame(0, 1, 5, bots(botState(1, { x: 100, y: 100, direction: 355, gunDirection: 10 })));
  const two = frame(1, 1, 6, bots(botState(1, { x: 108, y: 100, direction: 5, gunDirection: 30 })));
  const [pose] = posesAt(one, two, 0.5);
  assert.deepEqual([pose.x, pose.body, pose.gun, pose.dead], [104, 360, 20, false]);
});

test("a radar that turns by more than half a circle goes the way it went", () => {
  const one = frame(0, 1, 5, bots(botState(1, { radarDirection: 10 })));
  const two = frame(1, 1, 6, bots(botState(1, { radarDirection: 85, radarSweep: 75 })));
  assert.equal(posesAt(one, two, 1)[0].radar, 85);
  assert.equal(posesAt(one, two, 0.5)[0].radar, 47.5);
  const odd = frame(1, 1, 6, bots(botState(1, { radarDirection: 85, radarSweep: -3 })));
  assert.equal(posesAt(one, odd, 1)[0].radar, 85, "a sweep that is not true is not believed");
});

test("a new round, a leap and a missing tank are no drive", () => {
  const here = bots(botState(1, { x: 100 }));
  const there = bots(botState(1, { x: 600 }));
  const one = frame(5, 1, 6, here);
  assert.equal(posesAt(one, frame(6, 2, 1, there), 0.5)[0].x, 100);
  assert.equal(posesAt(one, frame(6, 1, 7, there), 0.5)[0].x, 100);
  assert.equal(posesAt(one, frame(6, 1, 7, bots()), 0.5)[0].x, 100);
  assert.equal(posesAt(one, null, 0.5)[0].x, 100);
});

test("frames that are missing in between are bridged, if they are few", () => {
  const one = frame(0, 1, 5, bots(botState(1, { x: 100 })));
  assert.equal(posesAt(one, frame(1, 1, 8, bots(botState(1, { x: 124 }))), 0.5)[0].x, 112);
  assert.equal(posesAt(one, frame(1, 1, 80, bots(botState(1, { x: 124 }))), 0.5)[0].x, 100);
});

test("a tank dies in the frame that says so", () => {
  const died = { type: "BotDeathEvent", turnNumber: 5, victimId: 2 };
  const poses = posesAt(frame(0, 1, 5, { events: [died] }), frame(1, 1, 6), 0.9);
  assert.deepEqual(poses.map((pose) => pose.dead), [false, true]);
  assert.equal(poses[1].x, 200);
});

test("bullets fly, and one that hits flies to where it hits", () => {
  const bullet = bulletState(7, { x: 300, power: 1, direction: 0 });
  const one = frame(0, 1, 5, { bulletStates: [bullet] });
  const flying = frame(1, 1, 6, { bulletStates: [{ ...bullet, x: 317 }] });
  assert.equal(flightsAt(one, flying, 0.5)[0].x, 308.5);
  const hit = { type: "BulletHitBotEvent", turnNumber: 6, victimId: 2, bullet: { ...bullet, x: 310 }, damage: 4, energy: 9 };
  assert.equal(flightsAt(one, frame(1, 1, 6, { events: [hit] }), 1)[0].x, 310);
  assert.equal(flightsAt(one, frame(1, 1, 6), 1)[0].x, 317, "one that is just gone flew on");
  assert.equal(flightsAt(one, frame(1, 2, 1), 0.5)[0].x, 300);
});

test("both bullets of a clash fly to it", () => {
  const [a, b] = [bulletState(1, { x: 300 }), bulletState(2, { x: 330, direction: 180 })];
  const clash = { type: "BulletHitBulletEvent", turnNumber: 6, bullet: { ...a, x: 315 }, hitBullet: { ...b, x: 316 } };
  const flights = flightsAt(frame(0, 1, 5, { bulletStates: [a, b] }), frame(1, 1, 6, { events: [clash] }), 1);
  assert.deepEqual(flights.map((flight) => flight.x), [315, 316]);
});

test("tanks are found by id", () => {
  const one = frame(0, 1, 1);
  assert.equal(botsOf(one).get(2).id, 2);
  assert.equal(botsOf(one), botsOf(one));
});
