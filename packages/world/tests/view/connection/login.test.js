import assert from "node:assert/strict";
import { test } from "node:test";
import { Login } from "../../../src/turnwright_world/view/connection/login.js";

function made() {
  /** @type {string[]} */
  const sent = [];
  return { entrance: new Login((line) => sent.push(line)), sent };
}

function inside() {
  const { entrance, sent } = made();
  entrance.opened();
  entrance.asked();
  entrance.enter("Ann");
  entrance.welcomed("Ann");
  return { entrance, sent };
}

test("a name is sent when it is asked for", () => {
  const { entrance, sent } = made();
  entrance.opened();
  entrance.enter("Ann");
  assert.deepEqual(sent, []);
  entrance.asked();
  assert.deepEqual([entrance.stage, ...sent], ["entering", "Ann"]);
  entrance.welcomed("Ann");
  assert.equal(entrance.stage, "playing");
});

test("a name that is refused is asked for again, with the reason", () => {
  const { entrance } = made();
  entrance.opened();
  entrance.asked();
  entrance.enter("Bob");
  entrance.line("Bob is here already. Take another name.");
  entrance.asked();
  assert.equal(entrance.stage, "name");
  assert.match(entrance.problem, /here already/);
  assert.equal(entrance.again, false);
});

test("a kept name needs its passphrase; a wrong one is asked for again", () => {
  const { entrance, sent } = made();
  entrance.opened();
  entrance.asked();
  entrance.enter("Kept");
  entrance.secret = true;
  entrance.asked();
  assert.equal(entrance.stage, "passphrase");
  entrance.unlock("wrong");
  entrance.line("That is not the passphrase.");
  entrance.asked();
  assert.deepEqual([entrance.stage, entrance.problem], ["passphrase", "That is not the passphrase."]);
  entrance.unlock("right");
  assert.deepEqual(sent, ["Kept", "wrong", "right"]);
});

test("after a lost line the same character comes back by itself, also with its passphrase", () => {
  const { entrance, sent } = inside();
  entrance.passphrase = "secret";
  entrance.closed(1006, "");
  assert.equal(entrance.stage, "lost");
  entrance.opened();
  entrance.asked();
  entrance.secret = true;
  entrance.asked();
  assert.deepEqual(sent, ["Ann", "Ann", "secret"]);
  assert.equal(entrance.stage, "checking");
});

test("while the world still holds the lost connection, the name is sent again after a while", () => {
  const { entrance, sent } = inside();
  entrance.closed(1006, "");
  entrance.opened();
  entrance.asked();
  entrance.line("Ann is here already. Take another name.");
  entrance.asked();
  assert.equal(entrance.again, true);
  entrance.sayAgain();
  assert.deepEqual(sent, ["Ann", "Ann", "Ann"]);
  for (let k = 0; k < 20; k += 1) {
    entrance.asked();
    entrance.sayAgain();
  }
  assert.equal(entrance.again, false);
});

test("a farewell is the end, a world that stops is not", () => {
  const { entrance } = inside();
  entrance.closed(1000, "Farewell.");
  assert.equal(entrance.stage, "over");
  const { entrance: other } = inside();
  other.closed(1000, "The world is stopping; come back soon.");
  assert.equal(other.stage, "lost");
});

test("it waits longer each time, and not too long", () => {
  const { entrance } = inside();
  const waits = [];
  for (let k = 0; k < 7; k += 1) {
    entrance.closed(1006, "");
    waits.push(entrance.waitMs);
  }
  assert.deepEqual(waits, [500, 1000, 2000, 4000, 8000, 8000, 8000]);
});

test("a spectator names a target in place of a name, and watches it again after a lost connection", () => {
  const { entrance, sent } = made();
  entrance.opened();
  entrance.asked();
  entrance.watch(" square ");
  assert.deepEqual([entrance.stage, ...sent], ["entering", "watch square"]);
  entrance.welcomed("");
  assert.deepEqual([entrance.stage, entrance.watching, entrance.returning], ["playing", true, true]);
  entrance.typed("look");
  entrance.typed("Watch Ada");
  entrance.closed(1006, "");
  entrance.opened();
  entrance.asked();
  assert.deepEqual(sent, ["watch square", "Watch Ada"]);
});

test("a spectator may let the world choose the target", () => {
  const { entrance, sent } = made();
  entrance.opened();
  entrance.asked();
  entrance.watch("");
  assert.deepEqual(sent, ["watch"]);
});

test("an unknown target is reported, and the door stays open", () => {
  const { entrance } = made();
  entrance.opened();
  entrance.asked();
  entrance.watch("nowhere");
  entrance.line("There is nobody and no place called nowhere.");
  entrance.asked();
  assert.deepEqual([entrance.stage, entrance.watching, entrance.returning], ["name", false, false]);
  assert.match(entrance.problem, /no place called nowhere/);
});

test("a player is not a spectator, whatever was typed or watched before", () => {
  const { entrance } = inside();
  entrance.typed("watch the wolf");
  assert.deepEqual([entrance.name, entrance.watching], ["Ann", false]);
  entrance.watch("square");
  entrance.closed(1000, "Farewell.");
  assert.equal(entrance.watching, false);
});
