/**
 * Results of a generic battle.
 *
 * They are shown on a card over the arena at the end, and in a dialog.
 */
import { setBadge } from "../widgets/badge.js";
import { button, h } from "../widgets/dom.js";
import { amount, shortName } from "../widgets/format.js";
import { icon } from "../widgets/icons.js";

/** @typedef {import("../page/panel_context.js").PanelContext} PanelContext */

/** The largest number of the game's columns that are shown. `turnwright battle --json` has all of them. */
const COLUMNS_MAX = 12;

export class ResultsBox {
  /**
   * @param {PanelContext} shared
   * @param {import("../widgets/dialog.js").DialogBox} dialog
   */
  constructor(shared, dialog) {
    this.shared = shared;
    this.dialog = dialog;
    this.card = h("section", { class: "results-card final", "aria-label": "Results" });
    this.card.hidden = true;
    /** The index of the frame whose card was closed. */
    this.closedIndex = -1;
    shared.onRefresh(() => this.watch());
    shared.onReset(() => this.watch());
  }

  /** Show the card while the last frame is shown, until it is closed. */
  watch() {
    const { player, index } = this.shared;
    const rows = player.frame?.roundResults ?? null;
    const due = rows !== null && this.closedIndex !== index;
    if (due && this.card.hidden) {
      const close = button(
        { class: "icon-button", "aria-label": "Close the results", title: "Close (Escape)" },
        [icon("close")],
        () => this.close(),
      );
      const head = h("header", {}, [h("h2", { text: "Final results" }), close]);
      this.card.replaceChildren(head, h("div", { class: "results-scroll" }, [this.table(rows)]));
    }
    this.card.hidden = !due;
  }

  /** @returns {boolean} whether it was open */
  close() {
    const open = !this.card.hidden;
    this.closedIndex = this.shared.index;
    this.card.hidden = true;
    return open;
  }

  show() {
    const rows = this.shared.player.frame?.roundResults ?? null; // not those of a later turn
    const none = h("p", { text: "The battle is not over in this turn. The standings next to the arena show the scores so far." });
    this.dialog.show(rows ? "Final results" : "Results", [rows ? this.table(rows) : none]);
  }

  /**
   * @param {any} rows as `resultsOf` returns them
   * @returns {HTMLTableElement}
   */
  table(rows) {
    const own = rows.headings.slice(0, COLUMNS_MAX).map((/** @type {string} */ text) => shortName(text));
    const head = ["#", "Bot", "Score", ...own, "Missed"].map((text) => h("th", { scope: "col", text }));
    const body = rows.map((/** @type {any} */ { id, name, rank, score, columns, skipped, marks }) => {
      const badge = h("span");
      setBadge(badge, this.shared, id);
      const said = marks.length === 0 ? [] : [h("span", { class: "marks", text: ` (${marks.join(", ")})` })];
      const numbers = [score, ...own.map((/** @type {string} */ _, /** @type {number} */ k) => columns[k]), skipped];
      return h("tr", { class: rank === 1 ? "winner" : null }, [
        h("td", { text: rank }),
        h("td", {}, [h("span", { class: "name-tag" }, [badge, h("span", { class: "name", text: shortName(name) }), ...said])]),
        ...numbers.map((value) => h("td", { class: "number", text: amount(value) })),
      ]);
    });
    return h("table", { class: "results whole" }, [h("thead", {}, [h("tr", {}, head)]), h("tbody", {}, body)]);
  }
}
