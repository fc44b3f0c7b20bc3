/**
 * Badges and names of bots.
 *
 * Each bot has its own number and colour, the same in all panels and charts.
 */
import { h, setAttribute, setText } from "./dom.js";
import { lineClass } from "./canvas_util.js";

/** @typedef {import("../page/panel_context.js").PanelContext} PanelContext */

/**
 * @param {PanelContext} shared
 * @param {number} id
 * @returns {HTMLSpanElement}
 */
export function badge(shared, id) {
  const element = h("span", { class: "badge" });
  setBadge(element, shared, id);
  return element;
}

/**
 * @param {HTMLElement} element
 * @param {PanelContext} shared
 * @param {number} id
 */
export function setBadge(element, shared, id) {
  setText(element, String(id));
  setAttribute(element, "class", `badge ${lineClass(shared.seatOf(id))}`);
}

/**
 * A bot's badge and name.
 * @param {PanelContext} shared
 * @param {number} id
 * @returns {HTMLSpanElement}
 */
export function nameTag(shared, id) {
  return h("span", { class: "name-tag" }, [badge(shared, id), h("span", { class: "name", text: shared.plainNameOf(id) })]);
}
