/**
 * The table of seats of a generic game: place, name, score, state, missed turns.
 *
 * A row selects its seat.
 */
import { setBadge } from "../widgets/badge.js";
import { ReorderingRows } from "../page/reordering_rows.js";
import { button, h, setAttribute, setText } from "../widgets/dom.js";
import { amount, grouped, shortName } from "../widgets/format.js";

/** @typedef {import("../page/panel_context.js").PanelContext} PanelContext */
/** @typedef {import("./game_view.js").SimpleView} SimpleView */

/** `missed`: 0 before the end. @typedef {{ seat: any, place: number, score: number | null, status: string, missed: number }} Standing */

/**
 * Return the seats, best first.
 *
 * A score is the battle's result at its end, else what the rules say in the frame; null: they say nothing.
 * @param {SimpleView} view
 * @param {any[]} seats
 * @param {any} frame
 * @returns {Standing[]}
 */
export function standingsAt(view, seats, frame) {
  const final = new Map((frame.roundResults ?? []).map((/** @type {any} */ row) => [row.id, row]));
  const rows = seats.map((seat, k) => ({
    seat,
    place: 0,
    score: final.get(seat.id)?.score ?? frame.scores?.[k] ?? null,
    status: view.status?.(frame.state, seat.id) ?? "",
    missed: final.get(seat.id)?.skipped ?? 0,
  }));
  rows.sort((one, other) => (other.score ?? 0) - (one.score ?? 0));
  rows.forEach((row, k) => {
    row.place = k > 0 && rows[k - 1].score === row.score ? rows[k - 1].place : k + 1;
  });
  return rows;
}

/**
 * One row and what in it changes.
 * @typedef {object} Cells
 * @property {HTMLElement} place
 * @property {HTMLElement} badge
 * @property {HTMLButtonElement} name
 * @property {HTMLElement} status
 * @property {HTMLElement} score
 * @property {HTMLElement} missed
 */

export class Standings {
  /**
   * @param {PanelContext} shared
   * @param {SimpleView} view
   */
  constructor(shared, view) {
    this.shared = shared;
    this.view = view;
    this.body = h("tbody");
    /** @type {ReorderingRows<Standing>} */
    this.rows = new ReorderingRows(this.body, ({ seat }) => seat.id, () => this.make(), () => shared.player.playing, () => shared.touch());
    /** @type {WeakMap<HTMLElement, Cells>} */
    this.cells = new WeakMap();
    const head = [
      h("th", { scope: "col", class: "col-place", text: "#" }),
      h("th", { scope: "col", class: "col-bot", text: "Bot" }),
      h("th", { scope: "col", class: "col-energy", text: "State" }),
      h("th", { scope: "col", class: "col-score", text: "Score" }),
      h("th", { scope: "col", class: "col-missed", text: "Missed" }),
    ];
    this.empty = h("p", { class: "hint", text: "No participants yet." });
    const table = h("table", { class: "ranking" }, [
      h("caption", { class: "hidden-text", text: "Participants by score" }),
      h("thead", {}, [h("tr", {}, head)]),
      this.body,
    ]);
    this.element = h("section", { class: "ranking-box", "aria-label": "Ranking" }, [table, this.empty]);
    shared.onRefresh(() => this.refresh());
    shared.onReset(() => this.refresh());
  }

  refresh() {
    const { seats, player } = this.shared;
    const rows = player.frame ? standingsAt(this.view, seats, player.frame) : [];
    this.empty.hidden = rows.length > 0;
    this.rows.show(this.rows.order(rows), (row, standing) => this.show(/** @type {HTMLTableRowElement} */ (row), standing));
  }

  /** @returns {HTMLTableRowElement} */
  make() {
    const row = h("tr");
    const choose = () => {
      const id = Number(row.dataset.bot);
      this.shared.player.select(this.shared.player.selected === id ? null : id);
    };
    const name = button({ class: "plain name" }, [], (event) => {
      event.stopPropagation();
      choose();
    });
    const cells = {
      place: h("td", { class: "place-cell" }),
      badge: h("span"),
      name,
      status: h("td"),
      score: h("td", { class: "number score" }),
      missed: h("td", { class: "number" }),
    };
    const who = h("td", {}, [h("div", { class: "who" }, [cells.badge, name])]);
    row.append(cells.place, who, cells.status, cells.score, cells.missed);
    row.addEventListener("click", choose);
    this.cells.set(row, cells);
    return row;
  }

  /**
   * @param {HTMLTableRowElement} row
   * @param {Standing} standing
   */
  show(row, { seat, place, score, status, missed: told }) {
    const cells = this.cells.get(row);
    if (cells) {
      const selected = this.shared.player.selected === seat.id;
      const missed = Math.max(told, this.shared.history?.missed.get(seat.id) ?? 0); // who comes late has not seen all
      setAttribute(row, "data-bot", String(seat.id));
      setAttribute(row, "class", selected ? "selected" : "");
      setText(cells.place, score === null ? "" : String(place));
      setBadge(cells.badge, this.shared, seat.id);
      setText(cells.name, this.shared.plainNameOf(seat.id));
      setAttribute(cells.name, "aria-pressed", String(selected));
      setAttribute(cells.name, "title", [shortName(seat.name, 80), shortName(seat.version, 40)].filter(Boolean).join(" · "));
      setText(cells.status, status);
      setText(cells.score, score === null ? "–" : amount(score));
      setText(cells.missed, missed > 0 ? `▲ ${grouped(missed)}` : "0");
    }
  }
}
