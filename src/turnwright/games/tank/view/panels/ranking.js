/**
 * The table of bots: place, name, energy, score, missed turns.
 *
 * A row selects its bot.
 */
import { setBadge } from "../../../../viewer/widgets/badge.js";
import { ReorderingRows } from "../../../../viewer/page/reordering_rows.js";
import { button, h, setAttribute, setText } from "../../../../viewer/widgets/dom.js";
import { fixed, grouped, plural, shortName } from "../../../../viewer/widgets/format.js";
import { leadersIn, rankingOf } from "./standings.js";
import { teamShape } from "../team_shapes.js";

/** @typedef {import("../../../../viewer/page/panel_context.js").PanelContext} PanelContext */
/** @typedef {import("./standings.js").RankingRow} RankingRow */

/**
 * One row and what in it changes.
 * @typedef {object} Cells
 * @property {HTMLElement} place
 * @property {HTMLElement} badge
 * @property {HTMLButtonElement} name
 * @property {HTMLElement} version
 * @property {HTMLElement} team
 * @property {HTMLElement} bar
 * @property {HTMLElement} energy
 * @property {HTMLElement} score
 * @property {HTMLElement} skips
 */

export class Ranking {
  /** @param {PanelContext} shared */
  constructor(shared) {
    this.shared = shared;
    this.body = h("tbody");
    /** @type {ReorderingRows<RankingRow>} */
    this.rows = new ReorderingRows(this.body, ({ seat }) => seat.id, () => this.make(), () => shared.player.playing, () => shared.touch());
    /** @type {WeakMap<HTMLElement, Cells>} */
    this.cells = new WeakMap();
    this.scoreHead = heading("Score", "");
    const head = h("tr", {}, [
      heading("#", "place"),
      heading("Bot", null),
      heading("Energy", null),
      this.scoreHead,
      heading("Missed", "turns missed so far"),
    ]);
    this.empty = h("p", { class: "hint", text: "No bots yet." });
    const table = h("table", { class: "ranking" }, [
      h("caption", { class: "hidden-text", text: "Bots by score" }),
      h("thead", {}, [head]),
      this.body,
    ]);
    this.element = h("section", { class: "ranking-box", "aria-label": "Ranking" }, [table, this.empty]);
    shared.onRefresh(() => this.refresh());
    shared.onReset(() => this.refresh());
  }

  refresh() {
    const { seats, player } = this.shared;
    const rows = player.frame ? rankingOf(seats, player.frame) : [];
    const told = player.source?.kind === "royale" ? "score of the rounds that are over" : "score so far";
    setAttribute(this.scoreHead, "title", told);
    this.empty.hidden = rows.length > 0;
    this.rows.show(leadersIn(this.rows.order(rows)), (row, ranked) => this.show(/** @type {HTMLTableRowElement} */ (row), ranked));
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
      version: h("span", { class: "version" }),
      team: h("div", { class: "team" }),
      bar: h("span", { class: "fill" }),
      energy: h("span", { class: "number" }),
      score: h("td", { class: "number score" }),
      skips: h("td", { class: "number" }),
    };
    row.append(
      cells.place,
      h("td", {}, [cells.team, h("div", { class: "who" }, [cells.badge, name, cells.version])]),
      h("td", { class: "energy-cell" }, [
        h("div", { class: "energy" }, [cells.energy, h("span", { class: "bar" }, [cells.bar])]),
      ]),
      cells.score,
      cells.skips,
    );
    row.addEventListener("click", choose);
    this.cells.set(row, cells);
    return row;
  }

  /**
   * @param {HTMLTableRowElement} row
   * @param {RankingRow} ranked
   */
  show(row, ranked) {
    const cells = this.cells.get(row);
    if (!cells) {
      return;
    }
    const { seat, state, alive } = ranked;
    const selected = this.shared.player.selected === seat.id;
    setAttribute(row, "data-bot", String(seat.id));
    const heads = ranked.leads && ranked.team !== null;
    setAttribute(row, "class", `${heads ? "head " : ""}${alive ? "" : "dead "}${selected ? "selected" : ""}`);
    setText(cells.place, ranked.leads ? String(ranked.place ?? "–") : "");
    setBadge(cells.badge, this.shared, seat.id);
    setText(cells.name, this.shared.plainNameOf(seat.id));
    setAttribute(cells.name, "aria-pressed", String(selected));
    const shape = ranked.team === null ? "" : `${teamShape(ranked.teamOrder)} `;
    const total = ranked.sideScore === null ? "" : ` · ${plural(ranked.sideScore, "point")}`;
    cells.team.hidden = !heads;
    setText(cells.team, heads ? `${shape}${shortName(ranked.team ?? "", 40)}${total}` : "");
    setText(cells.version, seat.version === "" ? "" : shortName(seat.version, 12));
    const about = [shortName(seat.name, 80), seat.version && shortName(seat.version, 40), ranked.team ?? ""];
    setAttribute(cells.name, "title", about.filter(Boolean).join(" · "));
    const energy = alive && state ? Math.max(state.energy, 0) : 0;
    cells.bar.style.transform = `scaleX(${Math.min(energy / 100, 1)})`;
    setAttribute(cells.bar, "class", energy < 20 ? "fill low" : "fill");
    setText(cells.energy, alive && state ? fixed(state.energy, 1) : "✕ dead");
    setText(cells.score, ranked.score === null ? "–" : grouped(ranked.score));
    const missed = ranked.missed ?? 0;
    setText(cells.skips, missed > 0 ? `▲ ${grouped(missed)}` : ranked.missed === null ? "–" : "0");
  }
}

/**
 * @param {string} text
 * @param {string | null} title
 */
function heading(text, title) {
  return h("th", { scope: "col", text, title, class: `col-${text.toLowerCase().replace("#", "place")}` });
}
