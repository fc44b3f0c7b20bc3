/**
 * The analysis of a battle.
 *
 * Facts worked out by turnwright itself (`turnwright trace`), shown here as they are.
 *
 * A page on disk holds them; a server answers `/analysis` for the battle that it plays and for its records. A file that
 * the reader opened is sent nowhere, so there are none, and the message says how to get them.
 */

import { Emitter } from "../widgets/emitter.js";

/** A line of `turnwright trace --format json`: see packages/tank/docs/trace.md. @typedef {{ kind: string, [key: string]: any }} Fact */
/** @typedef {{ status: number, text: string }} Answer */

/** The time until a running battle is asked for again, ms. */
export const REST_MS = 2000;
/** The wait after a server said that it is busy or has not seen the end, ms. */
export const RETRY_MS = 500;
/** The server works out something already; ask again. */
export const BUSY = 202;
/** The number of times that the end of a battle is asked for. */
export const TRIES_MAX = 60;

/** The message about a file that the page was given by its reader. */
export const NOT_SENT =
  "turnwright analyses why a bot lost, and a file opened in this page is sent nowhere. " +
  "“turnwright replay FILE” shows the file with the analysis; “turnwright trace FILE” prints it.";

export class Analysis {
  /**
   * @param {(() => Promise<Answer>) | null} ask gets the facts; null: they are not available
   * @param {string} message said while there are none
   * @param {(call: () => void, ms: number) => void} later
   */
  constructor(ask, message = "Analysing the battle …", later = (call, ms) => void setTimeout(call, ms)) {
    this.ask = ask;
    this.message = message;
    this.later = later;
    /** @type {Fact[] | null} null: not here (yet) */
    this.lines = null;
    /** @type {Emitter} */
    this.emitter = new Emitter();
    this.asking = false;
    this.resting = false;
    /** The number of frames that the page had when it asked last. */
    this.askedAt = -1;
    /** Counts battles, so that an answer about the one before is not taken. */
    this.battle = 0;
  }

  /**
   * Take facts that are here already.
   * @param {string} text JSON
   * @returns {this}
   */
  give(text) {
    try {
      this.lines = JSON.parse(text).lines ?? null;
    } catch {
      this.message = "The analysis in this page is damaged; create the page again with turnwright replay --html.";
    }
    return this;
  }

  /** Whether the facts are of a battle that has ended. */
  get whole() {
    return (this.lines?.[0]?.ending ?? null) !== null;
  }

  /**
   * Ask again if the panel is open and there may be more.
   * @param {number} length how many frames the page has
   */
  refresh(length) {
    if (this.ask === null || this.asking || this.resting || this.whole || length === this.askedAt || length === 0) {
      return;
    }
    this.askedAt = length;
    void this.fetch().then(() => this.rest(this.lines === null ? RETRY_MS : REST_MS));
  }

  /** Another battle is shown. */
  forget() {
    this.battle += 1;
    this.lines = null;
    this.askedAt = -1;
    this.emitter.emit("change");
  }

  /**
   * The battle has ended: get all of it, while its server is there.
   * @param {number} tries
   */
  async settle(tries = TRIES_MAX) {
    const { battle } = this;
    if (this.ask === null || this.whole || tries === 0) {
      return;
    }
    if (!this.asking) {
      await this.fetch();
    }
    if (battle === this.battle && !this.whole) {
      this.later(() => void (battle === this.battle && this.settle(tries - 1)), RETRY_MS);
    }
  }

  async fetch() {
    const { battle, ask } = this;
    this.asking = true;
    /** @type {Answer} */
    let answer = { status: 0, text: "" };
    try {
      answer = (await ask?.()) ?? answer;
    } catch {
      // as good as no answer
    }
    this.asking = false;
    if (battle === this.battle) {
      this.take(answer);
    }
  }

  /** @param {Answer} answer */
  take({ status, text }) {
    if (status === 200) {
      this.give(text);
    } else if (status === BUSY) {
      this.askedAt = -1;
    } else if (this.lines === null) {
      this.message = status === 0 ? "The server does not answer: the newest analysis is missing." : text.trim();
    }
    this.emitter.emit("change");
  }

  /** @param {number} ms */
  rest(ms) {
    this.resting = true;
    this.later(() => {
      this.resting = false;
      this.emitter.emit("change");
    }, ms);
  }
}

/**
 * Return what asks a server.
 * @param {string} url
 * @param {() => string | null} secret what opens it, null: nothing is needed
 * @returns {() => Promise<Answer>}
 */
export function askServer(url, secret = () => null) {
  return async () => {
    const given = secret();
    const headers = given === null ? undefined : { Authorization: `Bearer ${encodeURIComponent(given)}` };
    const answer = await fetch(url, { headers });
    return { status: answer.status, text: await answer.text() };
  };
}
