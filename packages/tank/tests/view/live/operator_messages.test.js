/** What an operator's page says is what the official controller messages are, and ours. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { OPERATOR_MESSAGES } from "../../../src/turnwright_tank/view/live/operator_messages.js";
import { OperatorCommands } from "../../../../core/src/turnwright/viewer/sources/operator_commands.js";

const BOTS = [
  { name: "A", version: "1", host: "127.0.0.1", port: 5001, sessionId: "a" },
  { name: "B", version: "1", host: "127.0.0.1", port: 5002, sessionId: "b" },
];

function operator() {
  const said = [];
  const it = new OperatorCommands((message) => said.push(message), OPERATOR_MESSAGES);
  it.bots = BOTS;
  return { it, said };
}

test("each command is one message", () => {
  const { it, said } = operator();
  it.pause();
  it.resume();
  it.step();
  it.setTps(-1);
  it.setPolicy(2, { debugging: true });
  it.setPolicy(3, { breakpoint: false });
  it.requestDirectories();
  it.boot(["x"]);
  assert.deepEqual(said, [
    { type: "PauseGame" },
    { type: "ResumeGame" },
    { type: "NextTurn" },
    { type: "ChangeTps", tps: -1 },
    { type: "BotPolicyUpdate", botId: 2, debuggingEnabled: true },
    { type: "BotPolicyUpdate", botId: 3, breakpointEnabled: false },
    { type: "ListDirectories" },
    { type: "BootBots", ids: ["x"] },
  ]);
});

test("a game is started with a preset, changed where asked, and addresses alone", () => {
  const { it, said } = operator();
  it.start({ gameType: "melee", rounds: 3, addresses: BOTS });
  it.start({ gameType: "custom", rounds: 1, width: 400, height: 500, addresses: [BOTS[1]] });
  assert.deepEqual(said[0].botAddresses, [
    { host: "127.0.0.1", port: 5001 },
    { host: "127.0.0.1", port: 5002 },
  ]);
  assert.deepEqual([said[0].gameSetup.arenaWidth, said[0].gameSetup.numberOfRounds], [1000, 3]);
  assert.deepEqual([said[1].gameSetup.arenaWidth, said[1].gameSetup.arenaHeight], [400, 500]);
});

test("a restart stops a running game first, and begins with the bots that are still connected", () => {
  const { it, said } = operator();
  it.began({ gameSetup: { gameType: "1v1" }, sessionIds: ["b", "gone", "a"] });
  it.restart();
  assert.deepEqual(said, [{ type: "StopGame" }]);
  it.ended();
  const botAddresses = [
    { host: "127.0.0.1", port: 5002 },
    { host: "127.0.0.1", port: 5001 },
  ];
  assert.deepEqual(said[1], { type: "StartGame", gameSetup: { gameType: "1v1" }, botAddresses });
  it.ended();
  assert.equal(said.length, 2);
});
