/**
 * The page's one dialog.
 *
 * It is built for each use. Escape, its button, or a click outside it closes it.
 */
import { button, freshId, h } from "./dom.js";
import { icon } from "./icons.js";

export class DialogBox {
  /** @param {HTMLDialogElement} element */
  constructor(element) {
    this.element = element;
    /** @type {(() => void) | null} */
    this.onClose = null;
    element.classList.add("dialog-box");
    // The event arrives later than the closing, when another dialog may be open.
    element.addEventListener("close", () => {
      if (!element.open) {
        this.closed();
      }
    });
    element.addEventListener("click", (event) => {
      if (event.target === element) {
        this.close();
      }
    });
  }

  get open() {
    return this.element.open;
  }

  /**
   * @param {string} title
   * @param {Node[]} content
   * @param {(() => void) | null} [onClose] called once when this content is closed or replaced
   */
  show(title, content, onClose = null) {
    this.close();
    const id = freshId("dialog-title");
    const close = button(
      { class: "icon-button", "aria-label": "Close (Escape)", title: "Close (Escape)" },
      [icon("close")],
      () => this.close(),
    );
    const head = h("header", {}, [h("h2", { id, text: title }), close]);
    this.element.setAttribute("aria-labelledby", id);
    this.element.replaceChildren(head, h("div", { class: "dialog-body" }, content));
    this.onClose = onClose;
    this.element.showModal();
  }

  close() {
    if (this.element.open) {
      this.element.close();
    }
    this.closed();
  }

  closed() {
    const told = this.onClose;
    this.onClose = null;
    this.element.replaceChildren();
    told?.();
  }
}
