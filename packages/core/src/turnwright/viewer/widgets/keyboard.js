/** Handles keys of the whole page. keys.js defines their actions. */
import { actionOf, isForElement } from "./keys.js";

/** @typedef {import("../page/panel_context.js").PanelContext} PanelContext */

/**
 * The actions of keys that are not actions of the player.
 * @typedef {object} Doing
 * @property {(way: 1 | -1) => void} stepRound
 * @property {(way: 1 | -1) => void} stepRate
 * @property {(name: string) => void} tab
 * @property {() => void} results
 * @property {() => void} help
 * @property {() => void} link
 * @property {() => void} share
 * @property {() => void} sound
 * @property {() => void} theme
 * @property {() => void} debug
 * @property {() => void} search
 * @property {() => void} nobody closes what is open, or clears the selection
 */

/**
 * Listen to keys.
 * @param {PanelContext} shared
 * @param {Doing} doing
 */
export function listenToKeys(shared, doing) {
  document.addEventListener("keydown", (event) => {
    const target = event.target instanceof Element ? event.target : document.body;
    const type = target instanceof HTMLInputElement ? target.type : null;
    if (event.defaultPrevented || shared.places.dialog.open || isForElement(target.localName, type, event.key)) {
      return;
    }
    const action = actionOf(event);
    if (action && act(shared, doing, action.name, action.value)) {
      event.preventDefault();
    }
  });
}

/**
 * @param {PanelContext} shared
 * @param {Doing} doing
 * @param {string} name
 * @param {number} value
 * @returns {boolean} whether the key has an action
 */
function act(shared, doing, name, value) {
  const { player } = shared;
  const way = value < 0 ? -1 : 1;
  switch (name) {
    case "toggle":
      player.toggle();
      return true;
    case "step":
      player.step(value);
      return true;
    case "round":
      doing.stepRound(way);
      return true;
    case "first":
      player.seek(player.source?.first ?? 0);
      return true;
    case "edge":
      player.toEdge();
      return true;
    case "rate":
      doing.stepRate(way);
      return true;
    case "death":
      toDeath(shared, way);
      return true;
    case "bot":
      selectNth(shared, value - 1);
      return true;
    case "neighbour":
      selectNeighbour(shared, way);
      return true;
    default:
      return open(doing, name);
  }
}

/**
 * @param {Doing} doing
 * @param {string} name
 * @returns {boolean}
 */
function open(doing, name) {
  if (name.startsWith("tab ")) {
    doing.tab(name.slice(4));
    return true;
  }
  /** @type {Map<string, () => void>} */
  const acts = new Map([
    ["results", doing.results],
    ["help", doing.help],
    ["link", doing.link],
    ["share", doing.share],
    ["sound", doing.sound],
    ["theme", doing.theme],
    ["debug", doing.debug],
    ["search", doing.search],
    ["nobody", doing.nobody],
  ]);
  acts.get(name)?.();
  return acts.has(name);
}

/**
 * @param {PanelContext} shared
 * @param {1 | -1} way
 */
function toDeath(shared, way) {
  const index = shared.history?.marks.deathFrom(shared.index, way) ?? null;
  if (index !== null) {
    shared.show(index);
  }
}

/**
 * @param {PanelContext} shared
 * @param {number} nth
 */
function selectNth(shared, nth) {
  const seat = shared.seats[nth];
  if (seat) {
    shared.player.select(shared.player.selected === seat.id ? null : seat.id);
  }
}

/**
 * @param {PanelContext} shared
 * @param {1 | -1} way
 */
function selectNeighbour(shared, way) {
  const { seats, player } = shared;
  if (seats.length === 0) {
    return;
  }
  const here = seats.findIndex((seat) => seat.id === player.selected);
  const nth = here < 0 ? (way > 0 ? 0 : seats.length - 1) : (here + way + seats.length) % seats.length;
  player.select(seats[nth].id);
}
