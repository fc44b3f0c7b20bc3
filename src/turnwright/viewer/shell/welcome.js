/** What stands in the arena while there is nothing to see: what it waits for, or what went wrong and what to do. */
import { button, h, setText } from "../ui/dom.js";

/** @typedef {import("../player.js").Player} Player */

const HEADS = {
  none: "Drop a battle here",
  loading: "Reading the record…",
  waiting: "Waiting for a battle",
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
    this.head = h("h1");
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
    const phase = failed || this.problem !== "" ? "failed" : !status ? "none" : status.phase;
    setText(this.head, phase === "none" || phase === "loading" || phase === "failed" ? HEADS[phase] : HEADS.waiting);
    setText(this.line, this.problem || status?.message || (phase === "none" ? "" : "It shows as soon as it begins."));
    this.progress.hidden = phase !== "loading";
    if (status?.progress !== null && status?.progress !== undefined) {
      this.progress.value = status.progress;
    }
    this.open.hidden = phase === "loading";
    this.hint.hidden = phase === "loading";
  }
}
