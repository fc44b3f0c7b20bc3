/** Keeps the page's address at the turn shown, out of the browser's history. */
import { addressWithout, hashOf, readHash, readSearch } from "./links.js";

/** @typedef {import("../time/player.js").Player} Player */

/** The address is changed at most this often, ms: browsers limit it. */
const WRITE_MS = 1000;

export class Address {
  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    this.writtenMs = 0;
    this.written = "";
    /** Whether the reader has chosen a turn, so that the address may name it. */
    this.used = readHash(location.hash) !== null;
    window.addEventListener("hashchange", () => this.go());
    player.on("state", () => this.note());
    player.on("draw", () => this.write());
  }

  /** Go to the turn that the address names. */
  go() {
    const target = readHash(location.hash);
    if (!target || location.hash === this.written) {
      return;
    }
    this.player.pause();
    if (target.kind === "turn") {
      this.player.toTurn(target.round, target.turn);
    } else {
      this.player.toIndex(target.index);
    }
  }

  /**
   * Another battle is shown, to which no address leads.
   *
   * The old one must not claim to.
   */
  leave() {
    if (this.written === "" && readSearch(location.search).replay === null) {
      return; // a turn that a link names, of the file that is opened now
    }
    this.written = "";
    this.used = false;
    try {
      history.replaceState(null, "", addressWithout(location.href));
    } catch {
      // A browser may refuse for a page from disk.
    }
  }

  note() {
    this.used ||= !this.player.playing && this.player.frame !== null && this.player.frame.index > 0;
  }

  /** Write the turn into the address while time stands still. */
  write() {
    const { frame, playing } = this.player;
    const now = performance.now();
    if (!frame || playing || !this.used || now - this.writtenMs < WRITE_MS || this.player.wish) {
      return;
    }
    const hash = hashOf(frame);
    if (hash !== this.written) {
      this.written = hash;
      this.writtenMs = now;
      try {
        history.replaceState(null, "", hash);
      } catch {
        // A browser may refuse; the link button still has it.
      }
    }
  }
}
