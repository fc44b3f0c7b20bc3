/** Badges and names of bots: a number and a colour of its own, the same in all panels and charts. */
import { h, setAttribute, setText } from "./dom.js";
import { lineClass } from "./paint.js";

/** @typedef {import("./desk.js").Desk} Desk */

/**
 * @param {Desk} desk
 * @param {number} id
 * @returns {HTMLSpanElement}
 */
export function badge(desk, id) {
  const element = h("span", { class: "badge" });
  setBadge(element, desk, id);
  return element;
}

/**
 * @param {HTMLElement} element
 * @param {Desk} desk
 * @param {number} id
 */
export function setBadge(element, desk, id) {
  setText(element, String(id));
  setAttribute(element, "class", `badge ${lineClass(desk.seatOf(id))}`);
}

/**
 * A bot's badge and name.
 * @param {Desk} desk
 * @param {number} id
 * @returns {HTMLSpanElement}
 */
export function nameTag(desk, id) {
  return h("span", { class: "name-tag" }, [badge(desk, id), h("span", { class: "name", text: desk.plainNameOf(id) })]);
}
