/** Says deaths and the ends of rounds to those who hear the page, not faster than one can listen. */
import { h } from "./dom.js";
import { shortName } from "./format.js";
import { roundText } from "./verdict.js";

/** @typedef {import("./desk.js").Desk} Desk */

const PAUSE_MS = 1500;
const WAITING_MAX = 4;
const JUMP_TURNS = 40;

export class Announcer {
  /** @param {Desk} desk */
  constructor(desk) {
    this.desk = desk;
    this.element = h("p", { class: "hidden-text", role: "status", "aria-live": "polite" });
    /** @type {string[]} */
    this.waiting = [];
    this.saidMs = -Infinity;
    this.index = -1;
    desk.onRefresh(() => this.look());
    desk.onReset(() => {
      this.index = -1;
      this.waiting = [];
    });
  }

  /** Look at the frames since the last look; after a jump there is nothing to say. */
  look() {
    const { player, index } = this.desk;
    const from = this.index;
    this.index = index;
    if (player.playing && from >= 0 && index > from && index - from <= JUMP_TURNS) {
      for (const frame of this.desk.lastFrames()) {
        if (frame.index > from) {
          this.hear(frame);
        }
      }
    }
    this.speak();
  }

  /** @param {import("../model.js").Frame} frame */
  hear(frame) {
    const died = [];
    for (const event of frame.events) {
      if (event.type === "BotDeathEvent") {
        died.push(this.desk.nameOf(event.victimId));
      }
    }
    if (died.length > 0) {
      this.waiting.push(`${died.join(" and ")} died.`);
    }
    if (frame.roundResults) {
      this.waiting = [roundText(frame.roundNumber, frame.roundResults, (row) => shortName(row.name))];
    }
  }

  speak() {
    const now = performance.now();
    if (this.waiting.length === 0 || now - this.saidMs < PAUSE_MS) {
      return;
    }
    this.saidMs = now;
    const told = this.waiting.slice(-WAITING_MAX);
    this.waiting = [];
    this.element.textContent = told.join(" ");
  }
}
