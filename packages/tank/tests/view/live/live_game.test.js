/** What is played, from what the server tells when a game begins. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { battleOf } from "../../../src/turnwright_tank/view/live/live_game.js";

test("a battle has its arena and its seats, and missing fields of a bot are null", () => {
  const gameSetup = { gameType: "1v1", arenaWidth: 800, arenaHeight: 600, numberOfRounds: 3, turnTimeout: 30000 };
  const participants = [
    { id: 1, sessionId: "a", name: "A", version: "1" },
    { id: 2, sessionId: "b", name: "B", version: "2", authors: ["x"], platform: "C", teamId: 0, teamName: "T", isDroid: true },
  ];
  assert.deepEqual(battleOf({ gameSetup, participants }), {
    gameType: "1v1",
    width: 800,
    height: 600,
    rounds: 3,
    turnTimeoutUs: 30000,
    seed: null,
    seats: [
      { id: 1, name: "A", version: "1", teamId: null, teamName: null, isDroid: false, authors: [], platform: null },
      { id: 2, name: "B", version: "2", teamId: 0, teamName: "T", isDroid: true, authors: ["x"], platform: "C" },
    ],
    results: null,
  });
});
