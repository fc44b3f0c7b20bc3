/** The standings: a table that can be sorted by each column. */
import { button, h } from "../widgets/dom.js";
import { fixed } from "../widgets/format.js";
import { scrollBox } from "./scroll_box.js";
import { draw } from "./drawing.js";
import { inOrder, scaleOf } from "./figures.js";

/** @typedef {import("./model.js").Tournament} Tournament */
/** @typedef {import("./model.js").Entry} Entry */

/** The number of rows at first. A button shows the others. */
export const ROWS_MAX = 200;
/** The most ranges of ranks in the column Alike. The first ones are shown. */
const ALIKE_SHOWN = 4;
const BAR = { width: 200, height: 22 };

/** @typedef {import("./model.js").Column} Column */

/**
 * The columns that are shown.
 * @param {Tournament} data
 * @returns {Column[]}
 */
export function columnsOf(data) {
  const isKnown = (/** @type {Column} */ column) => data.entries.some((one) => (valueOf(column, one) ?? null) !== null);
  return data.columns.filter((column) => !column.is_optional || isKnown(column));
}

/**
 * Return the value by which a column is sorted.
 * @param {Column} column
 * @param {Entry} entry
 * @returns {number | string | null | undefined}
 */
export function valueOf({ kind, name }, entry) {
  if (kind === "rank") return entry.battles > 0 ? entry.rank : null;
  if (kind === "interval") return width(entry);
  if (kind === "alike") return width(entry) === null ? null : entry.alike_count;
  if (kind === "rating") return entry.ratings[name];
  return /** @type {Record<string, any>} */ (entry)[name];
}

/** @param {Entry} entry */
function width(entry) {
  return entry.aps_low === null || entry.aps_high === null ? null : entry.aps_high - entry.aps_low;
}

/** The table with its order, which stays when the content changes. */
export class StandingsTable {
  /**
   * @param {(entry: number) => void} onEntry
   * @param {() => void} onChange
   */
  constructor(onEntry, onChange) {
    this.onEntry = onEntry;
    this.onChange = onChange;
    this.key = "rank";
    this.descending = false;
    this.rows = ROWS_MAX;
  }

  /**
   * @param {Tournament} data
   * @returns {HTMLElement}
   */
  make(data) {
    const columns = columnsOf(data);
    const chosen = columns.find((column) => column.name === this.key) ?? columns[0];
    const order = inOrder(data.entries, (one) => valueOf(chosen, one), this.descending);
    const scale = scaleOf(data.entries.flatMap((one) => [one.aps, one.aps_low, one.aps_high]));
    const head = h("tr", {}, columns.map((column) => this.header(column)));
    const rows = order.slice(0, this.rows).map((nth) => this.row(data, nth, columns, scale));
    const table = h("table", { class: "standings" }, [
      h("caption", { class: "hidden-text", text: "Standings" }),
      h("thead", {}, [head]),
      h("tbody", {}, rows),
    ]);
    const left = order.length - rows.length;
    const more = button({ "data-key": "more-rows" }, [`Show ${left} more`], () => {
      this.rows = Infinity;
      this.onChange();
    });
    return h("section", { id: "standings", class: "part", tabindex: "-1", "aria-label": "Standings" }, [
      h("h2", { text: "Standings" }),
      scrollBox("Standings, table", [table]),
      ...(left > 0 ? [more] : []),
    ]);
  }

  /** @param {Column} column */
  header(column) {
    const on = column.name === this.key;
    const sort = on ? (this.descending ? "descending" : "ascending") : null;
    const sign = on ? (this.descending ? " ▼" : " ▲") : "";
    const press = button({ "data-key": `sort-${column.name}`, title: column.hint || null }, [column.title, h("span", { "aria-hidden": "true", text: sign })], () => {
      this.descending = on ? !this.descending : !["name", "rank", "interval"].includes(column.kind);
      this.key = column.name;
      this.onChange();
    });
    return h("th", { scope: "col", class: classOf(column), "aria-sort": sort }, [press]);
  }

  /**
   * @param {Tournament} data
   * @param {number} nth
   * @param {Column[]} columns
   * @param {{ low: number, high: number }} scale
   */
  row(data, nth, columns, scale) {
    const entry = data.entries[nth];
    const name = button({ class: "link", "data-key": `entry-${nth}` }, [nameOf(entry)], () => this.onEntry(nth));
    return h("tr", {}, columns.map((column) =>
      column.kind === "name"
        ? h("th", { scope: "row", class: "text name-cell stays" }, [mark(nth), name, h("span", { class: "version" }, [h("bdi", { text: entry.version })]), ...(entry.why ? [h("span", { class: "version", text: entry.why })] : [])])
        : h("td", { class: classOf(column) }, contentOf(column, entry, scale)),
    ));
  }
}

/**
 * @param {Column} column
 * @param {Entry} entry
 * @param {{ low: number, high: number }} scale
 * @returns {(Node | string)[]}
 */
function contentOf(column, entry, scale) {
  const value = /** @type {number | null | undefined} */ (valueOf(column, entry));
  switch (column.kind) {
    case "rank":
      return [value === null ? "–" : String(value)];
    case "interval":
      return [bar(entry, scale), h("span", { class: "ends", text: endsText(entry) })];
    case "alike":
      return [alikeText(entry)];
    case "rating":
      return [rating(entry, column)];
    case "count":
    case "mistakes":
      return [String(value)];
    default:
      return [fixed(value, column.digits)];
  }
}

/** @param {Column} column */
function classOf(column) {
  const kind = ["name", "alike", "interval"].includes(column.kind) ? "text" : "number";
  return `${kind} is-${column.name}${column.is_small ? " small" : ""}${column.kind === "name" ? " stays" : ""}`;
}

/**
 * Return an element with an entry's name. The name's letters cannot reverse the text next to it.
 * @param {Entry} entry
 */
export function nameOf(entry) {
  return h("bdi", { class: "entry-name", text: entry.name });
}

/**
 * Return an element with the colour of an entry's line in charts. From the ninth entry on it has no colour.
 * @param {number} nth the number of the entry, from 0
 */
export function mark(nth) {
  return h("span", { class: nth < 8 ? `mark ink-${nth + 1}` : "mark none", "aria-hidden": "true" });
}

/**
 * @param {Entry} entry
 * @param {Column} column
 */
function rating(entry, { name, spread, digits }) {
  const value = fixed(entry.ratings[name], digits);
  return entry.ratings[spread] === undefined ? value : `${value} ± ${fixed(entry.ratings[spread], digits)}`;
}

/** @param {Entry} entry */
function endsText(entry) {
  return entry.aps_low === null || entry.aps_high === null ? "–" : `${fixed(entry.aps_low, 1)} – ${fixed(entry.aps_high, 1)}`;
}

/**
 * @param {Entry} entry
 * @param {{ low: number, high: number }} scale
 */
function bar(entry, scale) {
  const x = (/** @type {number} */ value) => ((value - scale.low) / (scale.high - scale.low)) * (BAR.width - 12) + 6;
  const middle = BAR.height / 2;
  const ticks = [];
  for (let tick = scale.low; tick <= scale.high; tick += 10) {
    ticks.push(draw("line", { class: "tick", x1: x(tick), x2: x(tick), y1: 0, y2: BAR.height }));
  }
  const { aps, aps_low: low, aps_high: high } = entry;
  if (low !== null && high !== null) {
    ticks.push(
      draw("line", { class: "interval", x1: x(low), x2: x(high), y1: middle, y2: middle }),
      ...[low, high].map((end) => draw("line", { class: "interval", x1: x(end), x2: x(end), y1: middle - 5, y2: middle + 5 })),
    );
  }
  if (aps !== null) ticks.push(draw("circle", { class: "aps", cx: x(aps), cy: middle, r: 4.5 }));
  return draw("svg", { class: "aps-bar", viewBox: `0 0 ${BAR.width} ${BAR.height}`, "aria-hidden": "true" }, ticks);
}

/**
 * Return the ranks of the entries that may be as strong as an entry. "–": they are not known without an interval.
 * @param {Entry} entry
 */
function alikeText(entry) {
  if (entry.aps === null || entry.aps_low === null) return "–";
  const ranges = entry.alike.map(([low, high]) => (low === high ? String(low) : `${low}–${high}`));
  return ranges.length ? ranges.slice(0, ALIKE_SHOWN).join(", ") + (ranges.length > ALIKE_SHOWN ? " …" : "") : "none";
}
