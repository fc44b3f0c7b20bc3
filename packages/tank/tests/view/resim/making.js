/** Makes records and recordings for tests. */

import { gzipSync } from "node:zlib";
import { Blake2b } from "../../../src/turnwright_tank/view/resim/blake2b.js";
import { IDLE, readIntent } from "../../../src/turnwright_tank/view/resim/intents.js";
import { readSetup } from "../../../src/turnwright_tank/view/resim/setup.js";
import { Simulation } from "../../../src/turnwright_tank/view/resim/simulate.js";
import { FrameTable } from "../../../src/turnwright_tank/view/resim/frames.js";

const ENCODER = new TextEncoder();

/** A header of two tanks in a small arena, with changes. */
export function header(changes = {}) {
  return {
    turnwright: 2,
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
export function chained(lines) {
  let before = "turnwright record 2";
  const hasher = new Blake2b();
  const texts = lines.map((line) => {
    const body = typeof line === "string" ? line : JSON.stringify(line);
    const covered = body.length > 2 ? `${body.slice(0, -1)},` : "{";
    before = hasher.hex(ENCODER.encode(before + covered));
    return `${covered}"h":"${before.slice(0, 4)}"}\n`;
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

const FACING = [100, 300].map((x, k) => ({ initial_position: { x, y: 150, direction: k === 0 ? 0 : 180 } }));

/** The tape of two tanks that face each other and fire, and of more that spin. */
export function duel(turns, count = 2, armed = count, chunksMax = Infinity) {
  const seats = Array.from({ length: count }, (_, k) => ({ name: `Tank ${k}`, options: FACING[k] ?? {} }));
  const said = { arena_width: 400, arena_height: 300, gun_cooling_rate: 3, max_inactivity_turns: 100000 };
  const setup = readSetup(header({ seats, setup: said }), 1n);
  const battle = new Simulation(setup);
  const tape = new FrameTable(setup, chunksMax);
  const intent = readIntent({ firepower: 1, radarTurnRate: 10, bodyColor: "#abc", stdOut: "hi", debugGraphics: "<svg/>" });
  const none = { skipped: [], lateNs: new Map(), gone: [], disqualified: [], failed: [], digest: "", answers: "" };
  for (let k = 0; k < turns; k++) {
    const intents = new Map(battle.alive.map((seat) => [seat, seat < armed ? intent : IDLE]));
    battle.play({ ...none, number: k + 1, intents, serverLateNs: null });
    tape.put(battle);
  }
  return tape;
}
