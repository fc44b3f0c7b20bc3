/**
 * The table of bots: place, name, energy, score and missed turns.
 *
 * A click on a row selects its bot.
 */
import { RankingTable } from "../../../../viewer/page/ranking_table.js";
import { h, setAttribute, setText } from "../../../../viewer/widgets/dom.js";
import { grouped, plural, shortName } from "../../../../viewer/widgets/format.js";
import { failureAt, failureText, failureWord } from "../failures.js";
import { energyText } from "../energy_text.js";
import { leadersIn, rankingOf } from "./standings.js";
import { teamShape } from "../team_shapes.js";

/** @typedef {import("../../../../viewer/page/panel_context.js").PanelContext} PanelContext */
/** @typedef {import("../../../../viewer/page/ranking_table.js").Who} Who */
/** @typedef {import("./standings.js").RankingRow} RankingRow */
/** @typedef {import("../../../../viewer/model.js").Failure} Failure */
/** @typedef {ReturnType<typeof make>["cells"]} Cells */

export class Ranking {
  /** @param {PanelContext} shared */
  constructor(shared) {
    this.shared = shared;
    this.scoreHead = heading("Score", "");
    const head = [
      heading("#", "place"),
      heading("Bot", null),
      heading("Energy", null),
      this.scoreHead,
      heading("Missed", "turns missed so far"),
    ];
    /** @type {RankingTable<RankingRow, Cells>} */
    this.table = new RankingTable(shared, { caption: "Standings", empty: "No bots yet.", head, make, show: (cells, ranked, selected) => show(cells, ranked, selected, failureAt(shared.player.source, ranked.seat.id, shared.player.frame)) });
    this.element = this.table.element;
    shared.onTurn(() => this.refresh());
    shared.onReset(() => this.refresh());
  }

  refresh() {
    const { seats, player } = this.shared;
    const told = player.source?.kind === "royale" ? "score of the rounds that are over" : "score so far";
    setAttribute(this.scoreHead, "title", told);
    this.table.show(player.frame ? rankingOf(seats, player.frame) : [], leadersIn);
  }
}

/** @param {Who} who */
function make({ badge, name }) {
  const cells = {
    version: h("span", { class: "version" }),
    team: h("div", { class: "team" }),
    failure: h("div", { class: "failure" }),
    bar: h("span", { class: "fill" }),
    energy: h("span", { class: "number" }),
    score: h("td", { class: "number score" }),
    skips: h("td", { class: "number" }),
  };
  const columns = [
    h("td", {}, [cells.team, h("div", { class: "who" }, [badge, name, cells.version]), cells.failure]),
    h("td", { class: "energy-cell" }, [
      h("div", { class: "energy" }, [cells.energy, h("span", { class: "bar" }, [cells.bar])]),
    ]),
    cells.score,
    cells.skips,
  ];
  return { cells, columns };
}

/**
 * @param {Cells & Who} cells
 * @param {RankingRow} ranked
 * @param {boolean} selected
 * @param {Failure | null} failure null: it plays, or died in play
 * @returns {string} the class of the row
 */
function show(cells, ranked, selected, failure) {
  const { seat, state, alive } = ranked;
  const heads = ranked.leads && ranked.team !== null;
  setText(cells.place, ranked.leads ? String(ranked.place ?? "–") : "");
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
  setText(cells.energy, alive && state ? energyText(state.energy) : "✕ dead");
  cells.failure.hidden = failure === null;
  setText(cells.failure, failure ? `⚠ ${failureWord(failure)}` : "");
  setAttribute(cells.failure, "title", failure ? failureText(failure) : null);
  setText(cells.score, ranked.score === null ? "–" : grouped(ranked.score));
  const missed = ranked.missed ?? 0;
  setText(cells.skips, missed > 0 ? `▲ ${grouped(missed)}` : ranked.missed === null ? "–" : "0");
  return `${heads ? "head " : ""}${alive ? "" : "dead "}${selected ? "selected" : ""}`;
}

/**
 * @param {string} text
 * @param {string | null} title
 */
function heading(text, title) {
  return h("th", { scope: "col", text, title, class: `col-${text.toLowerCase().replace("#", "place")}` });
}
