/** Keeps the current turn in the page's address, without adding to the browser's history. */
import { addressWithout, hashOf, readHash, readSearch } from "./links.js";

/** @typedef {import("../time/player.js").Player} Player */

/** The shortest time between two changes of the address, ms. Browsers limit them. */
const WRITE_MS = 1000;

export class Address {
  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    this.writtenMs = 0;
    this.written = "";
    /** Whether the user has chosen a turn, so that the address may name it. */
    this.used = readHash(location.hash) !== null;
    window.addEventListener("hashchange", () => this.go());
    player.on("state", () => this.note());
    player.on("draw", () => this.write());
  }

  /** Go to the turn in the address. */
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
   * Remove the turn from the address, because another battle is shown, which has no address.
   */
  leave() {
    if (this.written === "" && readSearch(location.search).replay === null) {
      return; // the address names a turn of the file that is being opened
    }
    this.written = "";
    this.used = false;
    try {
      history.replaceState(null, "", addressWithout(location.href));
    } catch {
      // A browser may refuse this for a page from disk.
    }
  }

  note() {
    this.used ||= !this.player.playing && this.player.frame !== null && this.player.frame.index > 0;
  }

  /** Write the turn into the address while the display is paused. */
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
        // A browser may refuse this. The link button still works.
      }
    }
  }
}
