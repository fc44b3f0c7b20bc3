/** What stands in the arena while there is nothing to see: what it waits for, or what went wrong and what to do. */
import { button, h, setText } from "../ui/dom.js";

/** @typedef {import("../player.js").Player} Player */

/** @type {Record<string, string>} */
const HEADS = {
  none: "Drop a battle here",
  loading: "Reading the record…",
  connecting: "Connecting…",
  failed: "This did not work",
};
const HINT = "A .twr record of turnwright, or a .battle.gz of Tank Royale. It is read in this page and sent nowhere.";

export class Welcome {
  /**
   * @param {Player} player
   * @param {HTMLElement} stage
   * @param {() => void} openFile
   */
  constructor(player, stage, openFile) {
    this.player = player;
    this.head = h("h2");
    this.line = h("p");
    this.progress = h("progress", { class: "progress", max: 1, "aria-label": "Read so far" });
    this.open = button({ class: "big-button" }, ["Open a record…"], openFile);
    this.hint = h("p", { text: HINT });
    this.element = h("div", { id: "welcome" }, [this.head, this.line, this.progress, this.open, this.hint]);
    stage.append(this.element);
    this.problem = "";
    for (const name of /** @type {const} */ (["source", "battle", "frame", "state"])) {
      player.on(name, () => this.refresh());
    }
    this.refresh();
  }

  /** @param {string} message why there is nothing to see */
  fail(message) {
    this.problem = message;
    this.refresh();
  }

  /** @returns {string} */
  phase() {
    const { source } = this.player;
    if (!source) {
      return "none";
    }
    return source.kind === "live" && source.status.phase === "loading" ? "connecting" : source.status.phase;
  }

  /** Show what is so now. */
  refresh() {
    const { source, frame } = this.player;
    const status = source?.status;
    const failed = status?.phase === "failed";
    this.element.hidden = frame !== null;
    if (frame) {
      this.problem = "";
      return;
    }
    const phase = failed || this.problem !== "" ? "failed" : this.phase();
    setText(this.head, HEADS[phase] ?? "Waiting for a battle");
    const waits = this.problem || status?.message || (phase === "none" ? "" : "It shows as soon as it begins.");
    const mayStart = phase === "waiting" && source?.operator; // the button is at the top of the page
    setText(this.line, mayStart ? `${waits} Start one with “New battle”, above.` : waits);
    this.progress.hidden = phase !== "loading" || status?.progress === null;
    if (status?.progress !== null && status?.progress !== undefined) {
      this.progress.value = status.progress;
    }
    this.open.hidden = phase === "loading";
    this.hint.hidden = phase === "loading";
  }
}
