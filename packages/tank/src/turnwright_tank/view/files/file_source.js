/** A source of frames that is read from a file, piece by piece. */

import { Emitter } from "../../../../viewer/widgets/emitter.js";

/** @typedef {import("../model.js").BattleInfo} BattleInfo */
/** @typedef {import("../model.js").ResultRow} ResultRow */
/** @typedef {import("../model.js").SourceEvent} SourceEvent */
/** @typedef {import("../model.js").SourceStatus} SourceStatus */
/** The lines of a file, or of a record that is being written. For `start` see `GrowingLines`. @typedef {{ start?: import("../resim/source_record.js").Start | null, progress: number, next(): Uint8Array | null, fill(): Promise<boolean>, close(): void }} RecordLines */

export class FileSource {
  constructor() {
    /** @type {BattleInfo | null} */
    this.battle = null;
    this.first = 0;
    this.length = 0;
    /** @type {SourceStatus} */
    this.status = { phase: "loading", tps: null, progress: 0, message: "" };
    this.operator = null;
    /** @type {import("../../../../viewer/sources/analysis.js").Analysis | undefined} the analysis, if there is one */
    this.analysis = undefined;
    this.emitter = new Emitter();
    this.closed = false;
    /** @type {RecordLines | null} while the file is read */
    this.lines = null;
    /** @type {Map<number, ResultRow[]>} by the last frame of each round */
    this.roundResults = new Map();
    /** @type {Map<number, import("../../../../viewer/model.js").Failure>} of bots that have stopped playing, by id */
    this.failures = new Map();
    /** @type {Map<number, import("../../../../viewer/model.js").Failure[]>} why bots were out of rounds, by id */
    this.outOfRounds = new Map();
  }

  /** @param {Partial<SourceStatus>} change */
  setStatus(change) {
    this.status = { ...this.status, ...change };
  }

  /**
   * Listen; see `Source`.
   * @param {SourceEvent} name
   * @param {() => void} listener
   * @returns {() => void}
   */
  on(name, listener) {
    return this.emitter.on(name, listener);
  }

  /** Stop reading. The frames that were read stay. */
  close() {
    this.closed = true;
  }

  /** Report how much of the file has been read. */
  report() {
    this.status = { ...this.status, progress: this.lines === null ? 0 : this.lines.progress };
    this.tell();
  }

  /** Report new frames and a new status. */
  tell() {
    this.emitter.emit("frames");
    this.emitter.emit("status");
  }
}
