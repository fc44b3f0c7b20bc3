/**
 * The results over the arena.
 *
 * They are shown at a round's end, and at the battle's end until the reader closes them. While the next round begins,
 * the page's head shows the first three, so that nothing covers a playing tank.
 */
import { button, h, setAttribute } from "../../../../viewer/widgets/dom.js";
import { grouped, shortName } from "../../../../viewer/widgets/format.js";
import { icon } from "../../../../viewer/widgets/icons.js";
import { resultsTable } from "./results_table.js";

/** @typedef {import("../../../../viewer/page/panel_context.js").PanelContext} PanelContext */
/** @typedef {import("../../../../viewer/widgets/dialog.js").DialogBox} DialogBox */
/** @typedef {import("../model.js").ResultRow} ResultRow */
/** @typedef {import("../model.js").Frame} Frame */

/** Turns from the end of a round until its results are shown, so that the last explosion is seen. */
const SHOWN_AFTER_TURNS = 12;
/** The time that the results of a round stay while the next round begins, ms. */
const STAY_MS = 4500;
const STAY_TURNS = 400;
const ROWS_BETWEEN = 8;
const SHORT_ROWS = 3;

export class ResultsCard {
  /**
   * @param {PanelContext} shared
   * @param {(id: number) => void} why
   */
  constructor(shared, why) {
    this.shared = shared;
    this.why = why;
    this.element = h("section", { class: "results-card", "aria-label": "Results" });
    this.element.hidden = true;
    this.shownIndex = -1;
    this.shownMs = 0;
    this.closedIndex = -1;
    this.final = false;
    /** The first three in a line. */
    this.short = "";
    shared.onDraw(() => this.watch());
    shared.onReset(() => this.hide());
  }

  /**
   * Show the results while time pauses at a round's end.
   *
   * They disappear after a while, or when the reader goes elsewhere.
   */
  watch() {
    const { player, index } = this.shared;
    if (this.shownIndex >= 0 && this.shownIndex !== index && this.isPast(index)) {
      this.hide();
    }
    if (this.shownIndex >= 0 && !this.final) {
      this.element.hidden = index > this.shownIndex;
      this.shared.note = this.element.hidden ? this.short : "";
    }
    const rows = player.frame?.roundResults ?? null;
    const due = rows !== null && player.overtime >= SHOWN_AFTER_TURNS;
    if (due && this.shownIndex !== index && this.closedIndex !== index) {
      this.show(/** @type {Frame} */ (player.frame), rows);
    }
  }

  /**
   * @param {number} index the frame that is shown now
   * @returns {boolean} whether the results are in the way
   */
  isPast(index) {
    const away = index < this.shownIndex || index > this.shownIndex + STAY_TURNS || !this.shared.player.playing;
    return this.final || away || performance.now() - this.shownMs > STAY_MS;
  }

  /**
   * @param {Frame} frame
   * @param {ResultRow[]} rows
   */
  show(frame, rows) {
    this.shownIndex = frame.index;
    this.shownMs = performance.now();
    const { battle } = this.shared;
    this.final = battle !== null && frame.roundNumber >= battle.rounds;
    const title = this.final ? "Final results" : `After round ${frame.roundNumber} of ${battle?.rounds ?? "?"}`;
    const close = button(
      { class: "icon-button", "aria-label": "Close the results", title: "Close (Escape)" },
      [icon("close")],
      () => this.close(),
    );
    const shown = this.final ? rows : rows.slice(0, ROWS_BETWEEN);
    this.element.replaceChildren(
      h("header", {}, [h("h2", { text: title }), close]),
      h("div", { class: "results-scroll" }, [resultsTable(this.shared, shown, (id) => this.explain(id), false, !this.final)]),
    );
    setAttribute(this.element, "class", this.final ? "results-card final" : "results-card between");
    this.element.hidden = false;
    this.short = `${title}: ${shortText(rows)}`;
  }

  /**
   * Hide the results while the reasons are shown, because a death at a round's end is in the same frame.
   * @param {number} id
   */
  explain(id) {
    this.close();
    this.why(id);
  }

  /**
   * Close the results for this frame.
   * @returns {boolean} whether it was open
   */
  close() {
    const open = this.shownIndex >= 0;
    this.closedIndex = this.shownIndex;
    this.hide();
    return open;
  }

  hide() {
    this.shownIndex = -1;
    this.shared.note = "";
    this.element.hidden = true;
    this.element.replaceChildren();
  }
}

/**
 * @param {ResultRow[]} rows best first
 * @returns {string} the first three, in a line
 */
function shortText(rows) {
  return rows.slice(0, SHORT_ROWS).map((row) => `${shortName(row.name, 16)} ${grouped(row.totalScore)}`).join(" · ");
}

/**
 * @param {PanelContext} shared
 * @returns {string} why there are no results to show
 */
export function noResultsText({ player, history, index }) {
  const reads = player.source?.status.phase === "loading" || (history?.next ?? 0) <= index;
  return reads ? "Loading …" : "No round is over yet. The standings next to the arena show the scores so far.";
}

/**
 * The dialog with all parts of the scores.
 *
 * It has the results of the last round that is over in the turn shown, and nothing from later turns.
 * @param {PanelContext} shared
 * @param {DialogBox} dialog
 * @param {(id: number) => void} why
 */
export function showResults(shared, dialog, why) {
  const { battle, history } = shared;
  const now = shared.player.frame;
  /** @type {Map<number, ResultRow[]>} */
  const results = history?.results ?? new Map();
  const over = (/** @type {number} */ entry) => entry < now.roundNumber || now.roundResults !== null;
  const round = now === null ? undefined : [...results.keys()].filter((entry) => entry <= now.roundNumber && over(entry)).pop();
  const atEnd = shared.player.finished && shared.index >= shared.player.last;
  const last = battle !== null && (now?.roundNumber ?? 0) >= battle.rounds ? (now?.roundResults ?? (atEnd ? battle.results : null)) : null;
  const rows = last ?? (round === undefined ? null : (results.get(round) ?? null)); // the history may still be reading
  const explained = (/** @type {number} */ id) => {
    dialog.close();
    why(id);
  };
  if (!rows || rows.length === 0) {
    dialog.show("Results", [h("p", { text: noResultsText(shared) })]);
    return;
  }
  const final = last !== null || (battle !== null && (round ?? 0) >= battle.rounds);
  dialog.show(final ? "Final results" : `Results after round ${round}`, [
    h("div", { class: "results-scroll" }, [resultsTable(shared, rows, explained, true)]),
    h("p", {
      class: "hint",
      text: "Why? explains how a bot fared in the round shown, and jumps to the turn of its death.",
    }),
  ]);
}
