/**
 * A table of participants by score. Clicking a row selects its participant.
 *
 * Place, badge and name are the same for every game. A game defines the other columns.
 */
import { setBadge } from "../widgets/badge.js";
import { button, h, setAttribute, setText } from "../widgets/dom.js";
import { ReorderingRows } from "./reordering_rows.js";

/** @typedef {import("./panel_context.js").PanelContext} PanelContext */

/** The cells that every row has. @typedef {{ place: HTMLElement, badge: HTMLElement, name: HTMLButtonElement }} Who */

/**
 * @template Item
 * @template Cells
 * @typedef {object} Columns
 * @property {string} caption
 * @property {string} empty the text while the table has no rows
 * @property {HTMLElement[]} head
 * @property {(who: Who) => { cells: Cells, columns: HTMLElement[] }} make makes the columns of a new row, after that of places
 * @property {(cells: Cells & Who, item: Item, selected: boolean) => string} show shows an item; returns its row's class
 */

/** @typedef {{ seat: { id: number } }} Seated */

/**
 * @template {Seated} Item
 * @template Cells
 */
export class RankingTable {
  /**
   * @param {PanelContext} shared
   * @param {Columns<Item, Cells>} columns
   */
  constructor(shared, columns) {
    this.shared = shared;
    this.columns = columns;
    const body = h("tbody");
    /** @type {ReorderingRows<Item>} */
    this.rows = new ReorderingRows(body, ({ seat }) => seat.id, () => this.make(), {
      moving: () => shared.player.playing && !shared.player.ended,
      ended: () => shared.player.ended,
      onFree: () => shared.touch(),
    });
    /** @type {WeakMap<HTMLElement, Cells & Who>} */
    this.cells = new WeakMap();
    this.empty = h("p", { class: "hint", text: columns.empty });
    const table = h("table", { class: "ranking" }, [
      h("caption", { class: "hidden-text", text: columns.caption }),
      h("thead", {}, [h("tr", {}, columns.head)]),
      body,
    ]);
    this.element = h("section", { class: "ranking-box", "aria-label": "Standings" }, [table, this.empty]);
  }

  /**
   * @param {Item[]} items best first
   * @param {(items: Item[]) => Item[]} [mark] changes items in the order in which they are shown
   */
  show(items, mark = (same) => same) {
    this.empty.hidden = items.length > 0;
    this.rows.show(mark(this.rows.order(items)), (row, item) => this.fill(row, item));
  }

  /** @returns {HTMLElement} */
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
    const who = { place: h("td", { class: "place-cell" }), badge: h("span"), name };
    const { cells, columns } = this.columns.make(who);
    row.append(who.place, ...columns);
    row.addEventListener("click", choose);
    this.cells.set(row, { ...cells, ...who });
    return row;
  }

  /**
   * @param {HTMLElement} row
   * @param {Item} item
   */
  fill(row, item) {
    const { id } = item.seat;
    const selected = this.shared.player.selected === id;
    const cells = /** @type {Cells & Who} */ (this.cells.get(row));
    setAttribute(row, "data-bot", String(id));
    setBadge(cells.badge, this.shared, id);
    setText(cells.name, this.shared.plainNameOf(id));
    setAttribute(cells.name, "aria-pressed", String(selected));
    setAttribute(row, "class", this.columns.show(cells, item, selected));
  }
}
