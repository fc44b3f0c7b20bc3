/** An operator's page stops, begins again and says when it can. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { OperatorCommands } from "../../../src/turnwright/viewer/sources/operator_commands.js";

const BOTS = ["a", "b"].map((name, port) => ({ name, version: "1", host: "127.0.0.1", port }));
const MESSAGES = {
  stop: { type: "stop" },
  restart: (names, bots) => ({ type: "restart", names, bots: bots.map(({ name }) => name) }),
  botsOf: (names, lobby) => lobby.filter(({ name }) => names.includes(name)),
};

function operator() {
  const said = [];
  const it = new OperatorCommands((message) => said.push(message), MESSAGES);
  it.bots = BOTS;
  return { it, said };
}

test("a restart stops a running battle first, and begins when it has ended, once", () => {
  const { it, said } = operator();
  it.began(["b", "gone"]);
  it.restart();
  assert.deepEqual(said, [{ type: "stop" }]);
  it.ended();
  assert.deepEqual(said[1], { type: "restart", names: ["b", "gone"], bots: ["b"] });
  it.ended();
  assert.equal(said.length, 2);
});

test("a finished battle can be restarted immediately, and one that never began cannot", () => {
  const { it, said } = operator();
  assert.equal(it.canRestart, false);
  it.restart();
  assert.deepEqual(said, []);
  it.began(["a"]);
  assert.equal(it.canRestart, true);
  it.ended();
  it.bots = [BOTS[1]];
  assert.equal(it.canRestart, false, "none of its bots is here");
  it.bots = BOTS;
  assert.equal(it.canRestart, true);
  it.restart();
  assert.equal(said[0].type, "restart");
});

test("a stop cancels a restart", () => {
  const { it, said } = operator();
  it.began(["a"]);
  it.restart();
  it.stop();
  it.ended();
  assert.deepEqual(said.map(({ type }) => type), ["stop", "stop"]);
});
