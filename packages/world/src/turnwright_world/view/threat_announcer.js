/**
 * Announces threats to screen readers.
 *
 * It announces each threat when it comes, and again when one second is left.
 */
import { announcement } from "./threat_times.js";

/** @typedef {import("./state.js").WorldState} WorldState */

const WAITING_MAX = 4;
const PAUSE_MS = 700;

export class ThreatAnnouncer {
  /** @param {HTMLElement} element a live region */
  constructor(element) {
    this.element = element;
    /** @type {Map<number, number>} how often each threat was announced */
    this.said = new Map();
    /** @type {string[]} */
    this.waiting = [];
    this.spokenMs = -Infinity;
  }

  /**
   * Announce threats. Return how many are new, and how many have one second left.
   * @param {WorldState} state
   * @param {number} ringUs
   * @param {number} nowMs
   */
  look(state, ringUs, nowMs) {
    const heard = { came: 0, soon: 0 };
    for (const id of [...this.said.keys()].filter((known) => !state.threats.has(known))) {
      this.said.delete(id);
    }
    for (const threat of state.threats.values()) {
      const said = this.said.get(threat.id) ?? 0;
      const words = threat.predicted === "" ? announcement(threat, said, ringUs, state.reactions) : null;
      if (words !== null) {
        heard.came += said === 0 ? 1 : 0;
        heard.soon += said === 1 ? 1 : 0;
        this.said.set(threat.id, said + 1);
        this.waiting = [...this.waiting, words].slice(-WAITING_MAX);
      }
    }
    this.speak(nowMs);
    return heard;
  }

  /** @param {number} nowMs */
  speak(nowMs) {
    if (this.waiting.length > 0 && nowMs - this.spokenMs >= PAUSE_MS) {
      this.spokenMs = nowMs;
      this.element.textContent = this.waiting.splice(0).join(" ");
    }
  }
}
