/** The results over the arena: for a moment between rounds, and at the end until it is closed. */
import { button, h, setAttribute } from "./dom.js";
import { icon } from "./icons.js";
import { resultsTable } from "./results_table.js";

/** @typedef {import("./desk.js").Desk} Desk */
/** @typedef {import("./dialog.js").DialogBox} DialogBox */
/** @typedef {import("../model.js").ResultRow} ResultRow */
/** @typedef {import("../model.js").Frame} Frame */

/** Turns after a round's last one until its results are shown: the last explosion is seen first. */
const SHOWN_AFTER_TURNS = 12;

export class ResultsCard {
  /**
   * @param {Desk} desk
   * @param {(id: number) => void} why
   */
  constructor(desk, why) {
    this.desk = desk;
    this.why = why;
    this.element = h("section", { class: "results-card", "aria-label": "Results" });
    this.element.hidden = true;
    this.shownIndex = -1;
    this.closedIndex = -1;
    desk.onRefresh(() => this.refresh());
    desk.onDraw(() => this.watch());
    desk.onReset(() => this.hide());
  }

  /** Appears while time stands at a round's end, goes with the next frame. */
  watch() {
    const { player } = this.desk;
    const rows = player.frame?.roundResults ?? null;
    if (rows === null) {
      if (this.shownIndex >= 0) {
        this.hide();
      }
      return;
    }
    const index = this.desk.index;
    const due = player.playing && player.overtime >= SHOWN_AFTER_TURNS;
    if (due && this.shownIndex !== index && this.closedIndex !== index) {
      this.show(/** @type {Frame} */ (player.frame), rows);
    }
  }

  refresh() {
    if (this.shownIndex >= 0 && this.shownIndex !== this.desk.index) {
      this.hide();
    }
  }

  /**
   * @param {Frame} frame
   * @param {ResultRow[]} rows
   */
  show(frame, rows) {
    this.shownIndex = frame.index;
    const { battle } = this.desk;
    const last = battle !== null && frame.roundNumber >= battle.rounds;
    const title = last ? `Final results after ${frame.roundNumber} rounds` : `After round ${frame.roundNumber} of ${battle?.rounds ?? "?"}`;
    const close = button({ class: "icon-button", "aria-label": "Close the results", title: "Close" }, [icon("close")], () => {
      this.closedIndex = frame.index;
      this.hide();
    });
    this.element.replaceChildren(
      h("header", {}, [h("h2", { text: title }), close]),
      h("div", { class: "results-scroll" }, [resultsTable(this.desk, rows, (id) => this.why(id), false)]),
    );
    setAttribute(this.element, "class", last ? "results-card final" : "results-card");
    this.element.hidden = false;
  }

  hide() {
    this.shownIndex = -1;
    this.element.hidden = true;
    this.element.replaceChildren();
  }
}

/**
 * The dialog with all parts of the scores: the final results, else those of the last round that is over.
 * @param {Desk} desk
 * @param {DialogBox} dialog
 * @param {(id: number) => void} why
 */
export function showResults(desk, dialog, why) {
  const results = desk.chronicle?.results ?? new Map();
  const shown = desk.player.frame?.roundNumber ?? Infinity;
  const rounds = [...results.keys()];
  const round = rounds.filter((entry) => entry <= shown).pop() ?? rounds.pop();
  const rows = round === undefined ? desk.battle?.results ?? null : results.get(round) ?? null;
  const explained = (/** @type {number} */ id) => {
    dialog.close();
    why(id);
  };
  if (!rows || rows.length === 0) {
    dialog.show("Results", [h("p", { text: "No round is over yet. The table beside the arena has the scores so far." })]);
    return;
  }
  const final = desk.battle !== null && (round === undefined || round >= desk.battle.rounds);
  dialog.show(final ? "Final results" : `Results after round ${round}`, [
    h("div", { class: "results-scroll" }, [resultsTable(desk, rows, explained, true)]),
    h("p", { class: "hint", text: "Why? shows what became of a bot in the round shown, and goes to the turn of its death." }),
  ]);
}
