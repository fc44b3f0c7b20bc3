/**
 * The analysis of a battle.
 *
 * It has facts that `turnwright trace` computes. The page shows them unchanged.
 *
 * A page on disk contains the facts. A server answers `/analysis` for its running battle and for its records. A file that
 * the user opened is not sent anywhere, so it has no analysis. The message then says how to get one.
 */

import { Emitter } from "../widgets/emitter.js";

/** A line of `turnwright trace --format json` (see packages/tank/docs/trace.md). @typedef {{ kind: string, [key: string]: any }} Fact */
/** @typedef {{ status: number, text: string }} Answer */

/** The time between two requests about a running battle, ms. */
export const REST_MS = 2000;
/** The wait after a server answered that it is busy or does not have the end yet, ms. */
export const RETRY_MS = 500;
/** The status of a server that is busy with an analysis. The page must ask again. */
export const BUSY = 202;
/** The largest number of requests for the end of a battle. */
export const TRIES_MAX = 60;

/** The message about a file that the user opened in the page. */
export const NOT_SENT =
  "turnwright analyses why a bot lost. This page does not send the file that you opened to any server. " +
  "“turnwright replay FILE” shows the file with the analysis, and “turnwright trace FILE” prints the analysis.";

export class Analysis {
  /**
   * @param {(() => Promise<Answer>) | null} ask requests the facts; null: they are not available
   * @param {string} message the text while there are no facts
   * @param {(call: () => void, ms: number) => void} later
   */
  constructor(ask, message = "Analysing the battle …", later = (call, ms) => void setTimeout(call, ms)) {
    this.ask = ask;
    this.message = message;
    this.later = later;
    /** @type {Fact[] | null} null: they are not here yet */
    this.lines = null;
    /** @type {Emitter} */
    this.emitter = new Emitter();
    this.asking = false;
    this.resting = false;
    /** The number of frames that the page had at its last request. */
    this.askedAt = -1;
    /** The number of battles, to ignore an answer about an earlier one. */
    this.battle = 0;
  }

  /**
   * Take facts that the page already has.
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

  /** Whether the facts are about a battle that has ended. */
  get whole() {
    return (this.lines?.[0]?.ending ?? null) !== null;
  }

  /**
   * Ask again if the panel is open and there may be more facts.
   * @param {number} length the number of frames that the page has
   */
  refresh(length) {
    if (this.ask === null || this.asking || this.resting || this.whole || length === this.askedAt || length === 0) {
      return;
    }
    this.askedAt = length;
    void this.fetch().then(() => this.rest(this.lines === null ? RETRY_MS : REST_MS));
  }

  /** Forget the facts, because another battle is shown. */
  forget() {
    this.battle += 1;
    this.lines = null;
    this.askedAt = -1;
    this.emitter.emit("change");
  }

  /**
   * After the end of the battle, get the complete analysis while the server is still running.
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
      // the same as no answer
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
      this.message = status === 0 ? "The server does not answer. The newest analysis is missing." : text.trim();
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
 * Return a function that sends the request to a server.
 * @param {string} url
 * @param {() => string | null} secret returns the secret for the server; null: none is needed
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
