/** The table of bots: place, name, energy, score, missed turns. A row selects its bot. */
import { setBadge } from "./badge.js";
import { button, h, setAttribute, setText, showEach } from "./dom.js";
import { fixed, grouped, plural, shortName } from "./format.js";
import { standingsAt } from "./standings.js";
import { teamShape } from "../teams.js";

/** @typedef {import("./desk.js").Desk} Desk */
/** @typedef {import("./standings.js").Standing} Standing */

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
  /** @param {Desk} desk */
  constructor(desk) {
    this.desk = desk;
    this.body = h("tbody");
    /** @type {WeakMap<HTMLElement, Cells>} */
    this.cells = new WeakMap();
    const head = h("tr", {}, [
      heading("#", "place"),
      heading("Bot", null),
      heading("Energy", null),
      heading("Score", "score so far"),
      heading("Missed", "turns missed so far"),
    ]);
    this.empty = h("p", { class: "hint", text: "No bots yet." });
    const table = h("table", { class: "ranking" }, [
      h("caption", { class: "hidden-text", text: "Bots by score" }),
      h("thead", {}, [head]),
      this.body,
    ]);
    this.element = h("section", { class: "ranking-box", "aria-label": "Ranking" }, [table, this.empty]);
    desk.onRefresh(() => this.refresh());
    desk.onReset(() => this.refresh());
  }

  refresh() {
    const { chronicle, player } = this.desk;
    const rows = chronicle && player.frame ? standingsAt(chronicle, player.frame) : [];
    this.empty.hidden = rows.length > 0;
    showEach(
      this.body,
      rows,
      () => this.make(),
      (row, standing) => this.show(row, standing),
    );
  }

  /** @returns {HTMLTableRowElement} */
  make() {
    const row = h("tr");
    const choose = () => {
      const id = Number(row.dataset.bot);
      this.desk.player.select(this.desk.player.selected === id ? null : id);
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
   * @param {Standing} standing
   */
  show(row, standing) {
    const cells = this.cells.get(row);
    if (!cells) {
      return;
    }
    const { seat, state, alive } = standing;
    const selected = this.desk.player.selected === seat.id;
    setAttribute(row, "data-bot", String(seat.id));
    const head = standing.leads && standing.team !== null ? "head " : "";
    setAttribute(row, "class", `${head}${alive ? "" : "dead "}${selected ? "selected" : ""}`);
    setText(cells.place, standing.leads ? String(standing.place) : "");
    setBadge(cells.badge, this.desk, seat.id);
    setText(cells.name, this.desk.plainNameOf(seat.id));
    setAttribute(cells.name, "aria-pressed", String(selected));
    const shape = standing.team === null ? "" : `${teamShape(standing.teamOrder)} `;
    const total = plural(Math.round(standing.sideScore), "point");
    const heads = standing.leads && standing.team !== null;
    cells.team.hidden = !heads;
    setText(cells.team, heads ? `${shape}${shortName(standing.team ?? "", 40)} · ${total}` : "");
    setText(cells.version, seat.version === "" ? "" : shortName(seat.version, 12));
    const about = [shortName(seat.name, 80), seat.version && shortName(seat.version, 40), standing.team ?? ""];
    setAttribute(cells.name, "title", about.filter(Boolean).join(" · "));
    const energy = alive && state ? Math.max(state.energy, 0) : 0;
    cells.bar.style.transform = `scaleX(${Math.min(energy / 100, 1)})`;
    setAttribute(cells.bar, "class", energy < 20 ? "fill low" : "fill");
    setText(cells.energy, alive && state ? fixed(state.energy, 1) : "✕ dead");
    setText(cells.score, grouped(Math.round(standing.score)));
    const told = this.desk.player.frame?.timing !== null; // official recordings do not tell
    setText(cells.skips, standing.skips > 0 ? `▲ ${grouped(standing.skips)}` : told ? "0" : "–");
  }
}

/**
 * @param {string} text
 * @param {string | null} title
 */
function heading(text, title) {
  return h("th", { scope: "col", text, title, class: `col-${text.toLowerCase().replace("#", "place")}` });
}
