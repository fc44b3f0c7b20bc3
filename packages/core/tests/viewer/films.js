// Small battles made by hand, for tests: frames, a source that can grow, a clock that is moved by hand.
import { Emitter } from "../../src/turnwright/viewer/widgets/emitter.js";

export function botState(id, more = {}) {
  return {
    id, name: `Bot ${id}`, version: "1.0", isDroid: false, energy: 100, x: 100 * id, y: 200, direction: 0, gunDirection: 0,
    radarDirection: 0, radarSweep: 0, speed: 0, turnRate: 0, gunTurnRate: 0, radarTurnRate: 0, gunHeat: 0, enemyCount: 1,
    bodyColor: null, turretColor: null, radarColor: null, bulletColor: null, scanColor: null, tracksColor: null,
    gunColor: null, isDebuggingEnabled: false, stdOut: null, stdErr: null, debugGraphics: null, ...more,
  };
}

export function bulletState(bulletId, more = {}) {
  return { bulletId, ownerId: 1, power: 1, x: 300, y: 300, direction: 0, color: null, ...more };
}

export function frame(index, round, turn, more = {}) {
  return {
    index, roundNumber: round, turnNumber: turn, botStates: [botState(1), botState(2)], bulletStates: [], events: [],
    timing: null, serverLateUs: null, roundResults: null, ...more,
  };
}

// Frames of rounds with so many turns each.
export function rounds(...lengths) {
  return lengths.flatMap((length, round) =>
    Array.from({ length }, (_, turn) => ({ round: round + 1, turn: turn + 1 })),
  ).map(({ round, turn }, index) => frame(index, round, turn));
}

export function seat(id, more = {}) {
  return { id, name: `Bot ${id}`, version: "1.0", teamId: null, teamName: null, isDroid: false, authors: [], platform: null, ...more };
}

export class FilmSource {
  constructor(frames, kind = "record", held = frames.length) {
    this.kind = kind;
    this.frames = frames;
    this.first = 0;
    this.length = held;
    this.battle = {
      gameType: "classic", width: 800, height: 600, rounds: 2, turnTimeoutUs: null, seed: null, seats: [seat(1), seat(2)], results: null,
    };
    this.status = { phase: kind === "live" ? "running" : "over", tps: kind === "live" ? 30 : null, progress: null, message: "" };
    this.verified = null;
    this.operator = null;
    this.emitter = new Emitter();
    this.closed = false;
  }

  at(index) {
    return index >= this.first && index < this.length ? (this.frames[index] ?? null) : null;
  }

  grow(count = 1) {
    this.length = Math.min(this.frames.length, this.length + count);
    this.emitter.emit("frames");
  }

  become(phase) {
    this.status = { ...this.status, phase };
    this.emitter.emit("status");
  }

  on(name, listener) {
    return this.emitter.on(name, listener);
  }

  close() {
    this.closed = true;
  }
}

// Pictures are asked for one at a time; `run` lets time go by.
export class FakeScreen {
  constructor() {
    this.nowMs = 0;
    this.waiting = [];
    this.request = (callback) => this.waiting.push(callback);
  }

  run(ms, eachMs = 1000 / 60, before = () => {}) {
    for (const end = this.nowMs + ms - 1e-6; this.nowMs < end; ) {
      this.nowMs += eachMs;
      before(this.nowMs);
      const callbacks = this.waiting;
      this.waiting = [];
      callbacks.forEach((callback) => callback(this.nowMs));
    }
  }
}
