/**
 * A turnwright record as a source of frames.
 *
 * The page replays the record and checks it turn by turn.
 *
 * The first frames are available at once, while the others are computed. Nothing is sent anywhere.
 */

import { FileSource } from "../files/file_source.js";
import { messageOf } from "../files/file_problem.js";
import { Lines } from "../files/lines.js";
import { RecordReader } from "./record_lines.js";
import { Simulation } from "./simulate.js";
import { FrameTable } from "./frames.js";
import { StandingTable } from "./standings.js";
import { Timings } from "./timings.js";
import { inSlices } from "../files/time_slices.js";
import { NS_PER_US } from "../model.js";

/** @typedef {import("../model.js").BattleInfo} BattleInfo */
/** @typedef {import("../model.js").Frame} Frame */
/** @typedef {import("./record_lines.js").Footer} Footer */
/** @typedef {import("./setup.js").Setup} Setup */
/** @typedef {import("./simulate.js").Turn} Turn */
/** @typedef {import("../files/file_source.js").RecordLines} RecordLines */
/** A battle after one of its turns, and what the next line refers to. @typedef {{ turn: number, hash: string, intents: Record<string, import("./setup.js").Json>, answering: number[], keyframe: import("./simulate.js").Keyframe }} Start */

const BEFORE = "; the part before it is shown";

export class RecordSource extends FileSource {
  /**
   * @param {Uint8Array | RecordLines} given the bytes of a `.twr` file, or its lines as they come
   * @param {number} [chunksMax] limit of `FrameTable`
   */
  constructor(given, chunksMax) {
    super();
    this.chunksMax = chunksMax;
    /** @type {"record"} */
    this.kind = "record";
    /** @type {null | "running" | "ok" | "differs" | "unchecked"} */
    this.verified = "running";
    /** @type {{ round: number, turn: number } | null} the last turn of a truncated record */
    this.endsAt = null;
    this.reader = new RecordReader();
    /** @type {Simulation | null} */
    this.simulation = null;
    /** @type {FrameTable | null} */
    this.tape = null;
    /** @type {Timings | null} */
    this.timings = null;
    /** @type {StandingTable | null} */
    this.standings = null;
    /** The number of turns with a correct digest. */
    this.checked = 0;
    /** Settles when all has been read. */
    this.loaded = this.load(given instanceof Uint8Array ? new Lines(given) : given);
  }

  /**
   * Return a frame, or null if it does not exist (yet).
   * @param {number} index
   * @returns {Frame | null}
   */
  at(index) {
    const picture = this.tape?.at(index) ?? null;
    if (picture === null || this.timings === null || this.standings === null) {
      return null;
    }
    const timing = this.timings.at(index);
    const serverLateUs = this.timings.serverLateUs(index);
    const roundResults = this.roundResults.get(index) ?? null;
    return { index, ...picture, timing, serverLateUs, roundResults, standings: this.standings.at(index) };
  }

  /** @param {RecordLines} lines */
  async load(lines) {
    try {
      this.lines = lines;
      await inSlices(() => this.step(lines), () => this.report(), () => !this.closed);
      if (!this.closed) {
        this.end();
      }
    } catch (error) {
      this.fail(messageOf(error));
    }
    this.lines?.close();
    this.lines = this.simulation = null;
    this.tell();
  }

  /**
   * Read one line and play its turn.
   * @param {RecordLines} lines
   * @returns {boolean | Promise<boolean>} whether there may be more
   */
  step(lines) {
    const line = lines.next();
    if (line === null) {
      this.report();
      return lines.fill();
    }
    const said = this.reader.read(line);
    if (said === null) {
      return false;
    }
    if ("setup" in said) {
      this.begin(said.setup);
      if (lines.start) {
        this.reader.resume(lines.start);
        this.simulation?.restore(lines.start.keyframe);
      }
    } else if ("turn" in said) {
      return this.play(said.turn);
    } else {
      this.tape?.addPrinted(this.tape.length - 1, said.footer.printed);
    }
    return true;
  }

  /** @param {Setup} setup */
  begin(setup) {
    this.simulation = new Simulation(setup);
    this.tape = new FrameTable(setup, this.chunksMax);
    this.timings = new Timings(setup.seats.length);
    this.standings = new StandingTable(setup.seats);
    this.battle = battleOf(setup);
    this.emitter.emit("battle");
  }

  /**
   * @param {Turn} turn
   * @returns {boolean} whether to continue
   */
  play(turn) {
    const { simulation, tape, timings, standings } = this;
    if (simulation === null || tape === null || timings === null || standings === null) {
      return false;
    }
    if (turn.digest === "" && this.checked > 0) {
      return true; // the turn in which the rules failed
    }
    turn.failures?.forEach((failure, seat) => this.failures.set(seat + 1, failure));
    turn.out?.forEach((failure, seat) => this.outOfRounds.set(seat + 1, [...(this.outOfRounds.get(seat + 1) ?? []), failure]));
    simulation.play(turn);
    const differs = this.differenceOf(turn, simulation);
    if (differs !== "") {
      this.verified = "differs";
      const where = `turn ${simulation.turn} of round ${simulation.round} (turn ${turn.number} of the battle)`;
      this.status.message = `${where} differs when replayed here: ${differs}${this.length > 0 ? BEFORE : ""}`;
      return false;
    }
    tape.put(simulation);
    tape.addPrinted(tape.length - 1, turn.printed);
    timings.put(turn, simulation);
    standings.put(simulation);
    if (simulation.roundOver) {
      this.roundResults.set(tape.length - 1, simulation.scores.results());
    }
    this.first = tape.first;
    this.length = tape.length;
    return true;
  }

  /**
   * Return the difference between a turn of the record and of the replay, or "".
   * @param {Turn} turn
   * @param {Simulation} simulation
   * @returns {string}
   */
  differenceOf(turn, simulation) {
    if (turn.disqualified.join() !== simulation.disqualified.join()) {
      return `seats disqualified are ${simulation.disqualified.join(", ")}, in the record ${turn.disqualified.join(", ")}`;
    }
    if (turn.opening !== simulation.openedRound) {
      return simulation.openedRound
        ? "a round begins in this turn, but not in the record"
        : "a round begins in this turn of the record, but not here";
    }
    if (turn.digest === "") {
      return "";
    }
    const digest = simulation.digest();
    this.checked += 1;
    return digest.startsWith(turn.digest) ? "" : `the digest is ${digest}, in the record ${turn.digest}`;
  }

  /** Finish, because all lines are read or no further line can be used. */
  end() {
    const { footer } = this.reader;
    if (this.simulation === null) {
      this.fail("this is not a record of turnwright: it is empty, or its first line is truncated");
      return;
    }
    this.setStatus({ phase: this.length > 0 ? "over" : "failed", progress: null });
    if (this.verified === "differs") {
      return;
    }
    this.verified = this.checked > 0 ? "ok" : "unchecked";
    if (footer === null) {
      const { round, turn } = this.simulation;
      this.endsAt = this.length > 0 ? { round, turn } : null;
      this.status.message = this.length > 0
        ? `the record is truncated after turn ${turn} of round ${round}; the existing part is shown`
        : "the record is truncated before its first turn";
    } else if (footer.ending === "over" && footer.turns !== this.reader.turns) {
      this.verified = "differs";
      this.status.message = `the record has ${this.reader.turns} turns; its last line says ${footer.turns}`;
    } else if (footer.ending !== "over") {
      this.status.phase = this.length > 0 ? "aborted" : "failed";
      this.status.message = footer.ending === "void" ? "the rules failed: the battle does not count" : "the battle was stopped";
    } else if (this.battle !== null && this.simulation.gameOver) {
      this.battle = { ...this.battle, results: this.simulation.scores.results() };
      this.emitter.emit("battle");
    }
  }

  /**
   * Stop, because the file cannot be read any further.
   * @param {string} message
   */
  fail(message) {
    const some = this.length > 0;
    this.verified = some ? "differs" : null;
    this.setStatus({ phase: some ? "over" : "failed", progress: null, message: some ? message + BEFORE : message });
  }
}

/**
 * @param {Setup} setup
 * @returns {BattleInfo}
 */
function battleOf(setup) {
  const seats = setup.seats.map((info, seat) => ({
    id: seat + 1,
    name: info.name,
    version: info.version,
    teamId: info.team,
    teamName: info.team === null || info.teamName === "" ? null : info.teamName,
    isDroid: info.isDroid,
    authors: info.authors,
    platform: info.platform,
  }));
  const { gameType, width, height, rounds } = setup;
  const turnTimeoutUs = Math.floor(setup.timeoutNs / NS_PER_US);
  return { gameType, width, height, rounds, turnTimeoutUs, seed: String(setup.seed), seats, results: null };
}
