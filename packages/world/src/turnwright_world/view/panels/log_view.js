/**
 * The log of the world's text, in its colours.
 *
 * It scrolls to new text unless the reader has scrolled up.
 */
import { button, h } from "../../../../viewer/widgets/dom.js";
import { Scrollback } from "./scrollback.js";

/** @typedef {import("../ansi.js").Piece} Piece */

const NEAR_END_PX = 40;
const COLUMNS_MIN = 20;
const COLUMNS_MAX = 200;

export class LogView {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.scroll = new Scrollback();
    this.due = false;
    this.list = h("div", {
      class: "log",
      role: "log",
      "aria-live": "polite",
      "aria-label": "Story",
      tabindex: 0,
    });
    this.newer = button({ class: "newer", hidden: true }, ["New text ↓"], () => this.toEnd());
    this.probe = h("span", { class: "probe", "aria-hidden": "true", text: "0".repeat(100) });
    this.list.addEventListener("scroll", () => this.noticeEnd(), { passive: true });
    new ResizeObserver(() => this.resized()).observe(this.list);
    place.append(this.list, this.newer, this.probe);
    this.atEnd = true;
    this.height = 0;
  }

  /** The number of characters in a line. The server needs it to break lines. */
  get columns() {
    const { paddingLeft, paddingRight } = getComputedStyle(this.list);
    const width = this.list.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    const columns = Math.floor(width / (this.probe.getBoundingClientRect().width / 100));
    return Math.min(COLUMNS_MAX, Math.max(COLUMNS_MIN, columns || 80));
  }

  /**
   * Add a line. It is shown in the next frame.
   * @param {Piece[]} pieces
   * @param {string} [kind]
   */
  add(pieces, kind = "text") {
    this.scroll.add(pieces, kind);
    if (!this.due) {
      this.due = true;
      setTimeout(() => this.show(), 0);
    }
  }

  /** @param {string} text a message of the page itself */
  note(text) {
    this.add([{ text, style: "" }], "note");
  }

  show() {
    this.due = false;
    const { lines, drop } = this.scroll.take();
    for (let k = 0; k < drop; k += 1) {
      this.list.firstElementChild?.remove();
    }
    this.list.append(...lines.map(lineElement));
    this.keepEnd();
    this.newer.hidden = this.atEnd;
  }

  keepEnd() {
    if (this.atEnd) {
      this.list.scrollTop = this.list.scrollHeight;
    }
  }

  resized() {
    this.height = this.list.clientHeight;
    this.keepEnd();
  }

  noticeEnd() {
    const { scrollTop, scrollHeight, clientHeight } = this.list;
    if (clientHeight !== this.height) {
      this.resized(); // the end has moved, not the reader
      return;
    }
    this.atEnd = scrollHeight - clientHeight - scrollTop < NEAR_END_PX;
    if (this.atEnd) {
      this.newer.hidden = true;
    }
  }

  toEnd() {
    this.atEnd = true;
    this.newer.hidden = true;
    this.keepEnd();
  }

  /** @param {number} pages how far to scroll, in heights of the log */
  page(pages) {
    this.list.scrollBy({ top: pages * this.list.clientHeight * 0.9 });
  }
}

/** @param {import("./scrollback.js").LogLine} line */
function lineElement(line) {
  const pieces = line.pieces.map((piece) =>
    piece.style === "" ? document.createTextNode(piece.text) : h("span", { class: piece.style, text: piece.text }),
  );
  const hidden = line.kind === "threat" || line.kind === "typed";
  return h("p", { class: `line line-${line.kind}`, "aria-hidden": hidden ? "true" : null }, pieces);
}
