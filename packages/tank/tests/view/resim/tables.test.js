import assert from "node:assert/strict";
import { test } from "node:test";
import { readIntent } from "../../../src/turnwright_tank/view/resim/intents.js";
import { placeTanks } from "../../../src/turnwright_tank/view/resim/placement.js";
import { Scores } from "../../../src/turnwright_tank/view/resim/scores.js";
import { readSetup } from "../../../src/turnwright_tank/view/resim/setup.js";
import { Tables } from "../../../src/turnwright_tank/view/resim/tables.js";
import { header } from "./making.js";

const NONE = new Set();

function begun(changes = {}) {
  const setup = readSetup(header(changes), 1n);
  const tables = new Tables(setup);
  tables.beginRound(1, placeTanks(setup, setup.seats.map(() => false), 1));
  return { tables, scores: new Scores(setup.seats) };
}

test("a stored intent moves the tank in the next turn", () => {
  const { tables } = begun();
  const [tank] = tables.world.tanks;
  tables.step(NONE);
  const before = tank.direction;
  tables.store(0, readIntent({ turnRate: 4, bodyColor: "#123456" }));
  tables.step(NONE);
  assert.equal(tank.executed, 1);
  assert.equal(tank.body_color, 0x123456);
  assert.ok(Math.abs(((tank.direction - before + 360) % 360) - 4) < 1e-9);
});

test("the same colours again paint nothing", () => {
  const { tables } = begun();
  tables.store(0, readIntent({ gunColor: "#fff" }));
  tables.world.tanks[0].repaint = 0;
  tables.store(0, readIntent({ gunColor: "#ffffff" }));
  assert.equal(tables.world.tanks[0].repaint, 0);
});

test("the digest is another one when any digit of the state is", () => {
  const { tables, scores } = begun();
  const before = tables.digest(scores);
  assert.match(before, /^[0-9a-f]{16}$/);
  assert.equal(tables.digest(scores), before);
  tables.world.tanks[1].energy += 1e-13;
  assert.notEqual(tables.digest(scores), before);
});

test("a seat is retired once", () => {
  const { tables } = begun();
  tables.retire(1);
  tables.retire(1);
  assert.equal(tables.world.arena.retired, 1);
});

test("tables grow when many bullets are in the air and many tanks scan", () => {
  const seats = Array.from({ length: 30 }, (_, k) => ({ name: `Tank ${k}` }));
  const setup = { arena_width: 4000, arena_height: 4000, gun_cooling_rate: 5 };
  const { tables } = begun({ seats, setup });
  const { world } = tables;
  const [bullets, events] = [world.bullets.length, world.events.length];
  for (let turn = 0; turn < 40; turn++) {
    seats.forEach((_, seat) => tables.store(seat, readIntent({ radarTurnRate: 45, gunTurnRate: 7, firepower: 0.1 })));
    tables.step(NONE);
  }
  assert.ok(world.bullets.length > bullets && world.events.length > events);
  assert.equal(new Set(world.bullets).size, world.bullets.length);
});

test("a stage that failed when the battle was played is left out", () => {
  const { tables } = begun({ tolerant: true });
  tables.step(NONE);
  tables.store(0, readIntent({ turnRate: 4 }));
  const before = tables.world.tanks[0].direction;
  tables.step(new Set(["execute intents"]));
  assert.equal(tables.world.tanks[0].direction, before);
});
