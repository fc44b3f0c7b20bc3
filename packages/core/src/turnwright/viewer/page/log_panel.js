/**
 * The list of events, filtered by kind, bot and text. Clicking a row shows its turn.
 *
 * Only visible rows exist as elements.
 */
import { h, setAttribute, setText } from "../widgets/dom.js";
import { grouped, plural, searchText } from "../widgets/format.js";
import { rowsInSight, scrollToRow } from "../widgets/virtual_list.js";
import { lineClass } from "../widgets/canvas_util.js";

/** @typedef {import("./panel_context.js").PanelContext} PanelContext */

/** The height of a row in em. */
const ROW_EMS = 24 / 14;
/** The number of rows above and below the visible rows that also exist. */
const SPARE = 6;
/** The largest number of events that are filtered in one refresh. */
const SLICE = 20000;
/**
 * The signs and words of a game's events.
 * @typedef {object} LogWords
 * @property {Map<string, string>} signs the signs by kind
 * @property {Map<string, string>} labels the labels of the kinds that can be filtered
 * @property {string[]} shownFirst the kinds that are shown at first
 * @property {(entry: any, nameOf: (id: number) => string) => string} say describes an entry in words
 */

/** @typedef {{ kinds: Set<string>, bot: number | null, text: string }} Filter */

/** An event. @typedef {{ kind: string, index: number, round: number, turn: number, bot: number }} Entry `bot` −1: all */

/**
 * A list of events, the oldest first.
 * @typedef {object} EventLog
 * @property {number} length
 * @property {(k: number) => Entry} at
 * @property {{ at: (k: number) => number }} indices the indices of their frames
 * @property {(filter: Filter, nameOf: (id: number) => string, from: number, to: number) => number[]} find returns the
 *   numbers of the events from `from` to before `to` that match
 */

export class LogPanel {
  /**
   * @param {PanelContext} shared
   * @param {LogWords} words
   */
  constructor(shared, words) {
    this.shared = shared;
    this.words = words;
    /** @type {Filter} */
    this.filter = { kinds: new Set(words.shownFirst), bot: null, text: "" };
    /** @type {number[]} the entries that match the filter */
    this.found = [];
    this.done = 0;
    this.cursor = -1;
    this.follow = true;
    /** The height of a row, px. */
    this.row = 24;
    /** @type {EventLog | null} */
    this.log = null;
    this.search = h("input", {
      type: "search",
      placeholder: "Search (/)",
      "aria-label": "Search in the events",
      maxlength: 100,
    });
    this.search.addEventListener("input", () => this.change({ text: this.search.value }));
    this.bots = h("select", { "aria-label": "Only of one bot" });
    this.bots.addEventListener("change", () =>
      this.change({ bot: this.bots.value === "" ? null : Number(this.bots.value) }),
    );
    this.botsKey = "";
    this.count = h("p", { class: "hint", role: "status" });
    this.rows = h("div", { class: "log-rows", role: "presentation" });
    this.list = h(
      "div",
      {
        class: "log-list",
        tabindex: 0,
        role: "listbox",
        "aria-label": "Events; Enter shows the turn",
      },
      [this.rows],
    );
    this.list.addEventListener("scroll", () => this.showRows());
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.rows.addEventListener("click", (event) => this.click(event));
    this.element = h("div", { class: "log-panel" }, [
      h("div", { class: "row" }, [this.search, this.bots]),
      this.kindBoxes(),
      this.count,
      this.list,
    ]);
    shared.onReset(() => this.forget());
    new ResizeObserver(() => this.showRows()).observe(this.list);
  }

  /** @returns {HTMLElement} */
  kindBoxes() {
    const boxes = [...this.words.labels].map(([kind, label]) => {
      const box = h("input", { type: "checkbox", checked: this.filter.kinds.has(kind) });
      box.addEventListener("change", () => {
        const kinds = new Set(this.filter.kinds);
        if (box.checked) {
          kinds.add(kind);
        } else {
          kinds.delete(kind);
        }
        this.change({ kinds });
      });
      return h("label", { class: "chip" }, [
        box,
        h("span", { "aria-hidden": "true", text: this.words.signs.get(kind) ?? "" }),
        label,
      ]);
    });
    return h("fieldset", { class: "chips" }, [
      h("legend", { class: "hidden-text", text: "Kinds of events" }),
      ...boxes,
    ]);
  }

  // ---- filtering ---------------------------------------------------------------------------------------------

  forget() {
    this.log = null;
    this.found = [];
    this.done = 0;
    this.cursor = -1;
    this.filter = { ...this.filter, bot: null };
    this.refresh();
  }

  /** @param {Partial<Filter>} part */
  change(part) {
    this.filter = { ...this.filter, ...part };
    this.found = [];
    this.done = 0;
    this.cursor = -1;
    this.refresh();
  }

  refresh() {
    this.log = this.shared.history?.log ?? null;
    this.showBots();
    if (this.log) {
      this.readOn(this.log);
    }
    const all = this.log?.length ?? 0;
    const text = this.log ? searchText(this.done, all) : "No events yet.";
    setText(this.count, text || countText(this.found.length, all));
    this.row = Math.round(parseFloat(getComputedStyle(this.element).fontSize) * ROW_EMS) || this.row;
    this.rows.style.height = `${this.found.length * this.row}px`;
    this.followPosition();
    this.showRows();
  }

  /** @param {EventLog} log */
  readOn(log) {
    const to = Math.min(this.done + SLICE, log.length);
    if (to > this.done) {
      this.found.push(...log.find(this.filter, (id) => this.shared.nameOf(id), this.done, to));
      this.done = to;
    }
    if (this.done < log.length) {
      this.shared.touch();
    }
  }

  showBots() {
    const key = this.shared.seats.map((seat) => seat.id).join(" ") + this.shared.seatsKey;
    if (key !== this.botsKey) {
      this.botsKey = key;
      const options = this.shared.seats.map((seat) =>
        h("option", { value: seat.id, text: `${seat.id} ${this.shared.plainNameOf(seat.id)}` }),
      );
      this.bots.replaceChildren(h("option", { value: "", text: "All bots" }), ...options);
    }
  }

  // ---- rows --------------------------------------------------------------------------------------------------

  /** Keep the event of the current turn visible, unless the user has scrolled elsewhere. */
  followPosition() {
    const { log } = this;
    if (!log || this.list.matches(":hover, :focus-within")) {
      return;
    }
    let [low, high] = [0, this.found.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (log.indices.at(this.found[middle]) <= this.shared.index) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    this.cursor = low - 1;
    const { scrollTop, clientHeight } = this.list;
    this.list.scrollTop = scrollToRow(Math.max(this.cursor, 0), scrollTop, clientHeight, this.row);
  }

  showRows() {
    const { log } = this;
    const { scrollTop, clientHeight } = this.list;
    const { first, last } = rowsInSight(scrollTop, clientHeight, this.row, this.found.length, SPARE);
    while (this.rows.children.length > Math.max(last - first, 0)) {
      this.rows.lastElementChild?.remove();
    }
    for (let k = first; k < last && log; k += 1) {
      let row = /** @type {HTMLElement | undefined} */ (this.rows.children[k - first]);
      if (!row) {
        row = h("div", { class: "log-row", role: "option" }, [
          h("span", { class: "when" }),
          h("span", { class: "sign" }),
          h("span", { class: "what" }, [h("span", { class: "names" }), h("span", { class: "figure" })]),
        ]);
        this.rows.append(row);
      }
      this.showRow(row, k, log.at(this.found[k]));
    }
    const chosen = this.rows.querySelector(".chosen");
    setAttribute(this.list, "aria-activedescendant", chosen ? chosen.id : null);
  }

  /**
   * @param {HTMLElement} row
   * @param {number} k
   * @param {Entry} entry
   */
  showRow(row, k, entry) {
    const [when, sign, what] = row.children;
    row.style.transform = `translateY(${k * this.row}px)`;
    row.id = `log-row-${k}`;
    row.dataset.row = String(k);
    setText(when, this.shared.battle?.rounds === null ? String(entry.turn) : `${entry.round}.${entry.turn}`);
    setText(sign, this.words.signs.get(entry.kind) ?? "");
    const text = this.words.say(entry, (id) => this.shared.nameOf(id));
    const figure = text.lastIndexOf(": ") + 1; // 0: there is none
    const [names, tail] = what.children;
    setText(names, figure > 0 ? text.slice(0, figure) : text);
    setText(tail, figure > 0 ? text.slice(figure) : "");
    setAttribute(row, "title", text);
    const ink = entry.bot >= 0 ? lineClass(this.shared.seatOf(entry.bot)) : "";
    const classes = ["log-row", `kind-${entry.kind}`, ink, k === this.cursor ? "chosen" : ""];
    setAttribute(row, "class", classes.filter(Boolean).join(" "));
    setAttribute(row, "aria-selected", String(k === this.cursor));
  }

  /** @param {Event} event */
  click(event) {
    const row = /** @type {Element} */ (event.target).closest(".log-row");
    if (row instanceof HTMLElement) {
      this.cursor = Number(row.dataset.row);
      this.go();
    }
  }

  /** Show the turn of the chosen row. */
  go() {
    const { log } = this;
    if (log && this.cursor >= 0 && this.cursor < this.found.length) {
      const entry = log.at(this.found[this.cursor]);
      this.shared.show(entry.index);
      if (entry.bot >= 0) {
        this.shared.player.select(entry.bot);
      }
    }
    this.showRows();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const page = Math.max(Math.floor(this.list.clientHeight / this.row) - 1, 1);
    const moves = new Map([
      ["ArrowUp", -1],
      ["ArrowDown", 1],
      ["PageUp", -page],
      ["PageDown", page],
      ["Home", -Infinity],
      ["End", Infinity],
    ]);
    const by = moves.get(event.key);
    if (event.key === "Enter") {
      this.go();
    } else if (by !== undefined) {
      this.cursor = Math.min(Math.max(this.cursor + by, 0), this.found.length - 1);
      this.list.scrollTop = scrollToRow(this.cursor, this.list.scrollTop, this.list.clientHeight, this.row);
      this.showRows();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

/**
 * @param {number} found
 * @param {number} all
 * @returns {string}
 */
function countText(found, all) {
  if (all === 0) {
    return "No events yet.";
  }
  return found === all ? `${plural(all, "event")}` : `${grouped(found)} of ${plural(all, "event")} shown`;
}
