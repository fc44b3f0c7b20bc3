/**
 * Replays a battle from its record, turn by turn.
 *
 * It is kernel/battle.py and turnwright_tank/game.py in JavaScript.
 *
 * Participants, clocks and sockets are not needed, because the record contains which seats answered, were skipped or
 * left.
 */

import { IDLE } from "./intents.js";
import { placeTanks } from "./placement.js";
import { Scores } from "./scores.js";
import { Tables } from "./tables.js";

/** @typedef {import("./intents.js").Intent} Intent */
/** @typedef {import("./setup.js").Setup} Setup */

/**
 * One turn of a record. Seats count from 0.
 * @typedef {object} Turn
 * @property {number} number
 * @property {Map<number, Intent>} intents accepted, by seat
 * @property {number[]} skipped
 * @property {Map<number, number>} lateNs delays of late answers, by seat
 * @property {number[]} gone seats whose participant left
 * @property {number[]} disqualified
 * @property {Map<number, import("../../../../viewer/model.js").Failure>} [out] why seats are out of only this round
 * @property {Map<number, import("../../../../viewer/model.js").Failure>} [failures] new failures, by seat
 * @property {Map<number, Printed>} [printed] output of bots in the turn, by seat
 * @property {string[]} failed stages of the rules that failed and were skipped
 * @property {string} digest of the state after the turn, or its beginning; "" if not stored or the rules failed
 * @property {boolean} opening whether the turn began a round, according to the record
 * @property {string} answers codes of the answer times, a character for each seat; "" if the turn has none
 * @property {number | null} serverLateNs delay of the server itself; null if unknown
 */

/** @typedef {{ out: string, err: string }} Printed lines, each with its newline */

/**
 * The texts of a tank: texts that are shown, and texts that wait for its intent.
 * @typedef {object} Texts
 * @property {string | null} waitingOut
 * @property {string | null} waitingErr
 * @property {string | null} waitingGraphics
 * @property {string | null} out
 * @property {string | null} err
 * @property {string | null} graphics
 */

/**
 * The battle after a turn, as a record has it.
 *
 * A row of `ledger` has the seat, missed turns, missed turns in a row, and whether the seat is disqualified. Then
 * follow the rounds that it was out, and whether it is out of the battle. These two may be missing.
 * @typedef {{ ledger: number[][], gone: number[], game: import("./tables.js").SavedRows & { scores: number[][], texts?: (SavedTexts | null)[] } }} Keyframe
 */
/** @typedef {{ waiting_out?: string, waiting_err?: string, waiting_graphics?: string, out?: string, err?: string, graphics?: string }} SavedTexts */

export class Simulation {
  /** @param {Setup} setup */
  constructor(setup) {
    const count = setup.seats.length;
    this.setup = setup;
    this.tables = new Tables(setup);
    this.scores = new Scores(setup.seats);
    this.round = 0;
    /** Of the round. */
    this.turn = 0;
    this.openedRound = false;
    this.roundOver = false;
    this.gameOver = false;
    /** @type {number[]} seats of the living tanks, now and when the turn began */
    this.alive = [];
    /** @type {number[]} */
    this.started = [];
    /** @type {(Texts | null)[]} */
    this.texts = [];
    this.texting = false;
    /** @type {boolean[]} */
    this.retired = new Array(count).fill(false);
    /** @type {Set<number>} */
    this.gone = new Set();
    /** @type {number[]} */
    this.skippedInRow = new Array(count).fill(0);
    /** @type {number[]} turns missed, by seat */
    this.missed = new Array(count).fill(0);
    /** @type {number[]} seats disqualified by the last turn */
    this.disqualified = [];
    /** @type {Set<number>} seats that are out of the round or the battle */
    this.out = new Set();
    /** @type {number[]} rounds from which a seat was disqualified */
    this.roundsOut = new Array(count).fill(0);
    /** @type {Set<number>} */
    this.outOfBattle = new Set();
  }

  /**
   * Continue from a keyframe.
   * @param {Keyframe} keyframe
   */
  restore({ ledger, gone, game }) {
    this.tables.restore(game);
    this.scores.restore(game.scores);
    const { arena, tanks } = this.tables.world;
    this.round = arena.round;
    this.turn = arena.turn;
    this.roundOver = arena.round_over !== 0;
    this.gameOver = this.roundOver && this.round >= this.setup.rounds;
    this.alive = this.started = tanks.filter((tank) => tank.alive !== 0).map((tank) => tank.seat);
    this.retired = tanks.map((tank) => tank.retired !== 0);
    this.gone = new Set(gone);
    for (const [seat, missed, inRow, disqualified, roundsOut = disqualified, outOfBattle = disqualified] of ledger) {
      this.missed[seat] = missed;
      this.skippedInRow[seat] = inRow;
      this.roundsOut[seat] = roundsOut;
      if (disqualified) {
        this.out.add(seat);
      }
      if (outOfBattle) {
        this.outOfBattle.add(seat);
      }
    }
    this.texting = game.texts !== undefined;
    this.texts = tanks.map(({ seat }) => textsOf(game.texts?.[seat]));
  }

  /**
   * Play one turn.
   * @param {Turn} turn
   */
  play(turn) {
    turn.gone.forEach((seat) => this.gone.add(seat));
    this.openedRound = this.round === 0 || this.roundOver;
    if (this.openedRound) {
      this.reinstate();
    }
    for (const seat of turn.gone) {
      if (this.setup.onDisconnect === "dead") {
        this.retire(seat);
      }
    }
    if (this.openedRound) {
      this.beginRound();
    } else {
      this.storeIntents(turn);
    }
    this.turn += 1;
    this.started = this.alive;
    this.tables.step(new Set(turn.failed));
    this.finish();
    this.judge(turn);
  }

  /**
   * Return the scores if the round ended now.
   * @returns {Scores}
   */
  scoresSoFar() {
    const { arena, tanks, duels } = this.tables.world;
    return this.roundOver ? this.scores : this.scores.withRound(tanks, duels.slice(0, arena.duels));
  }

  /**
   * Return the digest of the state after the last turn.
   * @returns {string}
   */
  digest() {
    return this.tables.digest(this.scores);
  }

  beginRound() {
    const count = this.setup.seats.length;
    this.round += 1;
    this.turn = 0;
    this.alive = this.setup.seats.map((_, seat) => seat);
    this.texts = new Array(count).fill(null);
    this.texting = false;
    this.tables.beginRound(this.round, placeTanks(this.setup, this.retired, this.round));
  }

  /**
   * Store the intents of the seats that got an observation.
   *
   * A seat that missed the turn repeats its stored intent, or does nothing.
   * @param {Turn} turn
   */
  storeIntents(turn) {
    const { onSkip, onDisconnect } = this.setup;
    for (const seat of this.gameOver ? [] : this.alive) {
      const intent = turn.intents.get(seat);
      if (intent !== undefined) {
        this.store(seat, intent);
        continue;
      }
      const policy = !this.gone.has(seat) ? onSkip : onDisconnect === "official" ? "repeat" : "idle";
      if (policy === "idle") {
        this.store(seat, IDLE);
      }
    }
  }

  /**
   * @param {number} seat
   * @param {Intent} intent
   */
  store(seat, intent) {
    this.tables.store(seat, intent);
    const { out, err, graphics } = intent;
    if (out === null && err === null && graphics === null) {
      return;
    }
    this.texting = true;
    const texts = (this.texts[seat] ??= {
      waitingOut: null, waitingErr: null, waitingGraphics: null, out: null, err: null, graphics: null,
    });
    texts.waitingOut = out ?? texts.waitingOut;
    texts.waitingErr = err ?? texts.waitingErr;
    texts.waitingGraphics = graphics ?? texts.waitingGraphics;
  }

  /** Find living tanks, show texts, and count the scores of a round that is over. */
  finish() {
    const { arena, tanks, duels } = this.tables.world;
    this.roundOver = arena.round_over !== 0;
    if (arena.deaths > 0) {
      this.alive = tanks.filter((tank) => tank.alive !== 0).map((tank) => tank.seat);
    }
    if (this.texting) {
      this.showTexts();
    }
    if (this.roundOver) {
      this.scores.addRound(tanks, duels.slice(0, arena.duels));
      this.gameOver = this.round >= this.setup.rounds;
    }
  }

  showTexts() {
    for (const seat of this.started) {
      const texts = this.texts[seat];
      if (texts !== null && this.tables.world.tanks[seat].executed !== 0) {
        texts.out = texts.waitingOut;
        texts.err = texts.waitingErr;
        texts.graphics = texts.waitingGraphics;
        texts.waitingOut = texts.waitingErr = null;
      }
    }
  }

  /**
   * Count skipped turns.
   *
   * A seat is out after too many in a row, if the record shows that they took long enough. Each round counts from 0.
   * @param {Turn} turn
   */
  judge(turn) {
    this.disqualified = [];
    if (this.openedRound) {
      return;
    }
    for (const seat of this.started) {
      if (turn.intents.has(seat)) {
        this.skippedInRow[seat] = 0;
      }
    }
    for (const seat of turn.skipped) {
      if (this.setup.onDisconnect === "official" && this.gone.has(seat)) {
        continue;
      }
      this.skippedInRow[seat] += 1;
      this.missed[seat] += 1;
      const { maxSkipped, maxSilenceNs } = this.setup;
      const isDue = maxSkipped > 0 && this.skippedInRow[seat] >= maxSkipped && !this.out.has(seat);
      if (isDue && (maxSilenceNs === 0 || turn.disqualified.includes(seat))) {
        this.disqualified.push(seat);
      }
    }
    for (const seat of this.disqualified) {
      this.retire(seat);
      this.out.add(seat);
      this.roundsOut[seat] += 1;
      if (this.gone.has(seat) || this.roundsOut[seat] >= this.setup.maxRoundsOut) {
        this.outOfBattle.add(seat);
      }
    }
  }

  /**
   * Let seats that were out of the last round play again.
   *
   * Seats whose participants left stay out.
   */
  reinstate() {
    for (const seat of this.out) {
      const stays = this.outOfBattle.has(seat) || (this.setup.onDisconnect === "dead" && this.gone.has(seat));
      if (!stays) {
        this.out.delete(seat);
        this.retired[seat] = false;
        this.skippedInRow[seat] = 0;
      }
    }
  }

  /**
   * Let a seat's tank die in the next turn, and in turn 1 of later rounds until it is reinstated.
   * @param {number} seat
   */
  retire(seat) {
    if (!this.retired[seat]) {
      this.retired[seat] = true;
      this.tables.retire(seat);
    }
  }
}

/**
 * @param {SavedTexts | null | undefined} saved
 * @returns {Texts | null}
 */
function textsOf(saved) {
  if (!saved) {
    return null;
  }
  return {
    waitingOut: saved.waiting_out ?? null,
    waitingErr: saved.waiting_err ?? null,
    waitingGraphics: saved.waiting_graphics ?? null,
    out: saved.out ?? null,
    err: saved.err ?? null,
    graphics: saved.graphics ?? null,
  };
}
