/** Announces events to screen readers, slowly enough to be heard. */
import { h } from "./dom.js";

/** @typedef {import("../page/panel_context.js").PanelContext} PanelContext */

const PAUSE_MS = 1500;
const WAITING_MAX = 4;
const JUMP_TURNS = 40;

export class Announcer {
  /**
   * @param {PanelContext} shared
   * @param {(frame: any) => string[]} announce returns sentences about a frame
   */
  constructor(shared, announce) {
    this.shared = shared;
    this.announce = announce;
    this.element = h("p", { class: "hidden-text", role: "status", "aria-live": "polite" });
    /** @type {string[]} */
    this.waiting = [];
    this.saidMs = -Infinity;
    this.index = -1;
    shared.onRefresh(() => this.look());
    shared.onReset(() => {
      this.index = -1;
      this.waiting = [];
    });
  }

  /** Read the frames since the last call. After a jump nothing is announced. */
  look() {
    const { player, index } = this.shared;
    const from = this.index;
    this.index = index;
    if (player.playing && from >= 0 && index > from && index - from <= JUMP_TURNS) {
      for (const frame of this.shared.lastFrames()) {
        if (frame.index > from) {
          this.hear(frame);
        }
      }
    }
    this.speak();
  }

  /** @param {import("../model.js").Frame} frame */
  hear(frame) {
    const sentences = this.announce(frame);
    this.waiting = frame.roundResults ? sentences : [...this.waiting, ...sentences];
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
