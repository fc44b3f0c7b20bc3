/** The last frames of one bot, up to the turn shown or up to its death. */
import { RecentFrames } from "../../../../../viewer/page/recent_frames.js";

/** @typedef {import("../../../../../viewer/page/panel_context.js").PanelContext} PanelContext */
/** @typedef {import("../../model.js").Frame} Frame */

export class LastFrames {
  /** @param {PanelContext} shared */
  constructor(shared) {
    this.shared = shared;
    this.trail = new RecentFrames(shared.trail.turns);
    this.id = -1;
    shared.onReset(() => this.trail.clear());
  }

  /**
   * Return the frames of a bot to show, oldest first.
   *
   * The frames of a dead bot end with the turn of its death, so that its panels show its last actions and sightings.
   * @param {number} id
   * @returns {Frame[]}
   */
  of(id) {
    const { history, index, player } = this.shared;
    const span = player.frame ? (history?.round(player.frame.roundNumber) ?? null) : null;
    const died = span?.died.get(id)?.index ?? Infinity;
    if (died >= index || player.source === null) {
      return this.shared.lastFrames();
    }
    if (id !== this.id) {
      this.id = id;
      this.trail.clear();
    }
    this.trail.moveTo(player.source, died);
    return this.trail.frames;
  }
}
