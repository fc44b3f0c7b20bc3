/**
 * The text in the empty arena.
 *
 * It says what the page waits for, or names a mistake and how to fix it.
 */
import { button, h, setText } from "../widgets/dom.js";
import { shortName } from "../widgets/format.js";

/** @typedef {import("../time/player.js").Player} Player */

/** The largest number of records that are listed. Only the number of others is shown. */
const RECORDS_MAX = 20;

/** @typedef {{ name: string, address: string }} ListedRecord */

/** @type {Record<string, string>} */
const HEADS = {
  none: "Drop a battle here",
  loading: "Reading the record…",
  connecting: "Connecting…",
  failed: "The file cannot be shown",
};
const REFUSED = "The battle cannot be watched";

const TITLE = "Records of this server";

/**
 * @param {string} phase
 * @param {boolean} isLive whether it is of a server's battle, not of a file
 * @returns {string} the state in a few words
 */
export function headText(phase, isLive) {
  return phase === "failed" && isLive ? REFUSED : HEADS[phase] ?? "Waiting for a battle";
}

export class Welcome {
  /**
   * @param {Player} player
   * @param {HTMLElement} stage
   * @param {string} files which files this page plays
   * @param {() => void} openFile
   * @param {() => void} listAgain asks the server for its records
   */
  constructor(player, stage, files, openFile, listAgain) {
    this.player = player;
    this.head = h("h2");
    this.line = h("p");
    this.progress = h("progress", { class: "progress", max: 1, "aria-label": "Read" });
    this.open = button({ class: "big-button" }, ["Open a record…"], openFile);
    this.hint = h("p", { class: "files-hint", text: `${files} The file stays in your browser.` });
    this.records = h("section", { class: "records", "aria-label": "Records of this server" });
    this.records.hidden = true;
    this.element = h("div", { id: "welcome" }, [this.head, this.line, this.progress, this.open, this.hint, this.records]);
    this.later = h("details", { class: "records-later" });
    this.later.hidden = true;
    this.later.addEventListener("toggle", () => this.later.open && listAgain());
    stage.append(this.element, this.later);
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

  /**
   * Offer the records of the server.
   * @param {ListedRecord[]} found newest first
   */
  list(found) {
    this.records.hidden = found.length === 0;
    this.records.replaceChildren(h("h3", { text: TITLE }), ...listOf(found));
    this.later.replaceChildren(h("summary", { text: TITLE }), ...listOf(found));
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

  /** Show the current state. */
  refresh() {
    const { source, frame } = this.player;
    const status = source?.status;
    const failed = status?.phase === "failed";
    this.element.hidden = frame !== null;
    const ended = source?.kind === "live" && (status?.phase === "over" || status?.phase === "aborted");
    this.later.hidden = frame === null || !ended || this.records.hidden;
    if (frame) {
      this.problem = "";
      return;
    }
    const phase = failed || this.problem !== "" ? "failed" : this.phase();
    setText(this.head, headText(phase, failed && source?.kind === "live"));
    const waits = this.problem || status?.message || (phase === "none" ? "" : "The battle appears here when it begins.");
    const mayStart = phase === "waiting" && source?.operator; // the button is at the top of the page
    setText(this.line, mayStart ? `${waits} Start a battle with “New battle”, above.` : waits);
    this.progress.hidden = phase !== "loading" || status?.progress === null;
    if (status?.progress !== null && status?.progress !== undefined) {
      this.progress.value = status.progress;
    }
    this.open.hidden = phase === "loading";
    this.hint.hidden = phase === "loading";
  }
}

/**
 * Return the links to records.
 * @param {ListedRecord[]} found newest first
 * @returns {HTMLElement[]}
 */
function listOf(found) {
  const items = found.slice(0, RECORDS_MAX).map(({ name, address }) => h("li", {}, [h("a", { href: address, text: shortName(name, 80) })]));
  const more = found.length > RECORDS_MAX ? [h("p", { class: "hint", text: `and ${found.length - RECORDS_MAX} more, in /records.json` })] : [];
  return [h("ul", {}, items), ...more];
}
