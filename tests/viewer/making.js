/** Makes records and recordings for tests. */

import { gzipSync } from "node:zlib";
import { Blake2b } from "../../src/turnwright/viewer/blake2b.js";

const ENCODER = new TextEncoder();

/** A header of two tanks in a small arena, with changes. */
export function header(changes = {}) {
  return {
    turnwright: 1,
    kind: "header",
    game: "tank",
    behaviour_version: 1,
    seed: 1,
    setup: { arena_width: 400, arena_height: 300, number_of_rounds: 1 },
    seats: [{ name: "One" }, { name: "Two", version: "2.0" }],
    rules: {},
    ...changes,
  };
}

/** The bytes of lines (JSON values, or their text), each chained to the one before by its hash. */
export function chained(lines, digits = 16) {
  let before = "turnwright record 1";
  const hasher = new Blake2b();
  const texts = lines.map((line) => {
    const body = typeof line === "string" ? line : JSON.stringify(line);
    before = hasher.hex(ENCODER.encode(before + body));
    return `${body.slice(0, -1)},"h":"${before.slice(0, body.includes('"kind"') ? 16 : digits)}"}\n`;
  });
  return ENCODER.encode(texts.join(""));
}

/** A `.twr` file of these lines. */
export function twr(lines) {
  return gzipSync(chained(lines));
}

/** The bytes of messages, one a line. */
export function messages(list, end = "\n") {
  return ENCODER.encode(list.map((message) => JSON.stringify(message) + end).join(""));
}

export function bot(id, changes = {}) {
  return { id, name: `Bot ${id}`, version: "1.0", isDroid: false, energy: 100, x: 50 * id, y: 60, direction: 90, ...changes };
}

export function tick(roundNumber, turnNumber, changes = {}) {
  const type = "TickEventForObserver";
  return { type, roundNumber, turnNumber, botStates: [bot(1), bot(2)], bulletStates: [], events: [], ...changes };
}

export function gameStarted(changes = {}) {
  return {
    type: "GameStartedEventForObserver",
    gameSetup: { gameType: "classic", arenaWidth: 900, arenaHeight: 700, numberOfRounds: 2, turnTimeout: 30000 },
    participants: [{ id: 1, name: "Bot 1", version: "1.0", authors: ["A"] }, { id: 2, name: "Bot 2", version: "1.0" }],
    ...changes,
  };
}
