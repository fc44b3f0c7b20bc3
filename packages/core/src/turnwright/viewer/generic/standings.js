/**
 * The table of seats of a generic game: place, name, score, state, missed turns.
 *
 * Clicking a row selects its seat.
 */
import { RankingTable } from "../page/ranking_table.js";
import { h, setAttribute, setText } from "../widgets/dom.js";
import { amount, grouped, shortName } from "../widgets/format.js";

/** @typedef {import("../page/panel_context.js").PanelContext} PanelContext */
/** @typedef {import("../page/ranking_table.js").Who} Who */
/** @typedef {import("./game_view.js").SimpleView} SimpleView */
/** @typedef {ReturnType<typeof make>["cells"]} Cells */

/** `missed`: 0 before the end. @typedef {{ seat: any, place: number, score: number | null, status: string, missed: number }} Standing */

/**
 * Return the seats, best first.
 *
 * At the end the score is the battle's result. Before that it is the score in the frame. null: the frame has none.
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

export class Standings {
  /**
   * @param {PanelContext} shared
   * @param {SimpleView} view
   */
  constructor(shared, view) {
    this.shared = shared;
    this.view = view;
    const head = [
      h("th", { scope: "col", class: "col-place", text: "#" }),
      h("th", { scope: "col", class: "col-bot", text: "Bot" }),
      h("th", { scope: "col", class: "col-energy", text: "State" }),
      h("th", { scope: "col", class: "col-score", text: "Score" }),
      h("th", { scope: "col", class: "col-missed", text: "Missed" }),
    ];
    /** @type {RankingTable<Standing, Cells>} */
    this.table = new RankingTable(shared, {
      caption: "Standings",
      empty: "No participants yet.",
      head,
      make,
      show: (cells, standing, selected) => this.show(cells, standing, selected),
    });
    this.element = this.table.element;
    shared.onTurn(() => this.refresh());
    shared.onReset(() => this.refresh());
  }

  refresh() {
    const { seats, player } = this.shared;
    const rows = player.frame ? standingsAt(this.view, seats, player.frame) : [];
    this.element.classList.toggle("no-state", rows.every(({ status }) => status === "")); // the names get its space
    this.table.show(rows);
  }

  /**
   * @param {Cells & Who} cells
   * @param {Standing} standing
   * @param {boolean} selected
   * @returns {string} the class of the row
   */
  show(cells, { seat, place, score, status, missed: told }, selected) {
    const missed = Math.max(told, this.shared.history?.missed.get(seat.id) ?? 0); // a late spectator has not seen all
    setText(cells.place, score === null ? "" : String(place));
    setAttribute(cells.name, "title", [shortName(seat.name, 80), shortName(seat.version, 40)].filter(Boolean).join(" · "));
    setText(cells.status, status);
    setText(cells.score, score === null ? "–" : amount(score));
    setText(cells.missed, missed > 0 ? `▲ ${grouped(missed)}` : "0");
    return selected ? "selected" : "";
  }
}

/** @param {Who} who */
function make({ badge, name }) {
  const cells = { status: h("td"), score: h("td", { class: "number score" }), missed: h("td", { class: "number" }) };
  const who = h("td", {}, [h("div", { class: "who" }, [badge, name])]);
  return { cells, columns: [who, cells.status, cells.score, cells.missed] };
}
