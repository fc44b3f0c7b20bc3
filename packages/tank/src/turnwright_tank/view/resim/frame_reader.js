/**
 * Reads frames from the rows of numbers that `frames.js` stores.
 *
 * This module defines the layout for both modules.
 *
 * A frame begins with round, turn, bullets of earlier rounds, and the numbers of tanks, bullets and events. The tanks,
 * bullets and events follow. A tank has its seat, twelve numbers, enemies, and its colours (a place in the palette). A
 * bullet has id, x and y. An event has its kind and values.
 */

import { colorText } from "./intents.js";
import { EVENT_PLACES, readEvent } from "../events.js";

/** @typedef {import("../model.js").BotState} BotState */
/** @typedef {import("../model.js").BulletState} BulletState */
/** @typedef {import("../model.js").GameEvent} GameEvent */
/** @typedef {import("./frames.js").FrameTable} FrameTable */

export const HEAD_PLACES = 6;
export const TANK_PLACES = 15;
export const BULLET_PLACES = 3;
export const FACT_PLACES = 4;

/** @typedef {(string | null)[]} Colors seven texts */
/** @typedef {{ out: string | null, err: string | null, graphics: string | null }} Shown */

/**
 * A frame without the values that only a source has.
 * @typedef {{ roundNumber: number, turnNumber: number, botStates: BotState[], bulletStates: BulletState[],
 *   events: GameEvent[], fallen: import("../model.js").Prints[] }} Picture
 */

/** Makes one frame from the numbers of a tape. */
export class FrameReader {
  /**
   * @param {FrameTable} tape
   * @param {number} index
   */
  constructor(tape, index) {
    this.tape = tape;
    this.numbers = tape.chunks[tape.chunkOf[index]];
    this.place = tape.placeOf[index];
    this.texts = tape.texts.get(index);
    this.turn = this.numbers[this.place + 1];
    this.bulletsBefore = this.numbers[this.place + 2];
  }

  /** @returns {Picture} */
  read() {
    const [round, turn, , tanks, bullets, events] = this.numbers.subarray(this.place, this.place + HEAD_PLACES);
    this.place += HEAD_PLACES;
    const botStates = Array.from({ length: tanks }, () => this.readTank());
    const bulletStates = Array.from({ length: bullets }, () => this.readBullet());
    const happened = Array.from({ length: events }, () => this.readEvent());
    const fallen = this.texts === undefined ? [] : this.readFallen(botStates);
    return { roundNumber: round, turnNumber: turn, botStates, bulletStates, events: happened, fallen };
  }

  /**
   * @param {BotState[]} botStates
   * @returns {import("../model.js").Prints[]} output of bots without a tank
   */
  readFallen(botStates) {
    const gone = [...(this.texts ?? [])].filter(([seat]) => botStates.every((bot) => bot.id !== seat + 1));
    return gone.map(([seat, { out, err }]) => ({ id: seat + 1, stdOut: out, stdErr: err }));
  }

  /** @returns {BotState} */
  readTank() {
    const { numbers, place: at } = this;
    const seat = numbers[at];
    const info = this.tape.setup.seats[seat];
    const colors = this.tape.palette[numbers[at + 14]];
    const texts = this.texts?.get(seat);
    const graphics = texts?.graphics ?? null;
    this.place += TANK_PLACES;
    return {
      id: seat + 1,
      name: info.name,
      version: info.version,
      isDroid: info.isDroid,
      energy: numbers[at + 1],
      x: numbers[at + 2],
      y: numbers[at + 3],
      direction: numbers[at + 4],
      gunDirection: numbers[at + 5],
      radarDirection: numbers[at + 6],
      radarSweep: numbers[at + 7],
      speed: numbers[at + 8],
      turnRate: numbers[at + 9],
      gunTurnRate: numbers[at + 10],
      radarTurnRate: numbers[at + 11],
      gunHeat: numbers[at + 12],
      enemyCount: numbers[at + 13],
      bodyColor: colors[0],
      turretColor: colors[1],
      radarColor: colors[2],
      bulletColor: colors[3],
      scanColor: colors[4],
      tracksColor: colors[5],
      gunColor: colors[6],
      isDebuggingEnabled: graphics !== null,
      stdOut: texts?.out ?? null,
      stdErr: texts?.err ?? null,
      debugGraphics: graphics,
    };
  }

  /** @returns {BulletState} */
  readBullet() {
    const { numbers, place: at } = this;
    this.place += BULLET_PLACES;
    return this.bullet(numbers[at], numbers[at + 1], numbers[at + 2]);
  }

  /**
   * @param {number} id
   * @param {number} x
   * @param {number} y
   * @returns {BulletState}
   */
  bullet(id, x, y) {
    const { facts } = this.tape;
    const at = (this.bulletsBefore + id - 1) * FACT_PLACES;
    return {
      bulletId: id,
      ownerId: facts[at] + 1,
      power: facts[at + 1],
      x,
      y,
      direction: facts[at + 2],
      color: colorText(facts[at + 3]),
    };
  }

  /** @returns {GameEvent} */
  readEvent() {
    const { numbers, place } = this;
    this.place += EVENT_PLACES[numbers[place]];
    return readEvent(numbers, place, this.turn, (id, x, y) => this.bullet(id, x, y));
  }
}
