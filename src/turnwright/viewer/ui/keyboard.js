/** Keys of the whole page; what they do is in keys.js. */
import { actionOf, isForElement } from "./keys.js";

/** @typedef {import("./desk.js").Desk} Desk */

/**
 * What keys can ask for besides the player.
 * @typedef {object} Doing
 * @property {(way: 1 | -1) => void} stepRound
 * @property {(way: 1 | -1) => void} stepRate
 * @property {(name: string) => void} tab
 * @property {() => void} results
 * @property {() => void} help
 * @property {() => void} link
 * @property {() => void} theme
 * @property {() => void} debug
 * @property {() => void} search
 * @property {() => void} nobody closes what is open, else selects nobody
 */

/**
 * Listen to keys.
 * @param {Desk} desk
 * @param {Doing} doing
 */
export function listenToKeys(desk, doing) {
  document.addEventListener("keydown", (event) => {
    const target = event.target instanceof Element ? event.target : document.body;
    const type = target instanceof HTMLInputElement ? target.type : null;
    if (event.defaultPrevented || desk.places.dialog.open || isForElement(target.localName, type, event.key)) {
      return;
    }
    const action = actionOf(event);
    if (action && act(desk, doing, action.name, action.value)) {
      event.preventDefault();
    }
  });
}

/**
 * @param {Desk} desk
 * @param {Doing} doing
 * @param {string} name
 * @param {number} value
 * @returns {boolean} whether it was ours
 */
function act(desk, doing, name, value) {
  const { player } = desk;
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
      toDeath(desk, way);
      return true;
    case "bot":
      selectNth(desk, value - 1);
      return true;
    case "neighbour":
      selectNeighbour(desk, way);
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
    ["theme", doing.theme],
    ["debug", doing.debug],
    ["search", doing.search],
    ["nobody", doing.nobody],
  ]);
  acts.get(name)?.();
  return acts.has(name);
}

/**
 * @param {Desk} desk
 * @param {1 | -1} way
 */
function toDeath(desk, way) {
  const index = desk.chronicle?.marks.deathFrom(desk.index, way) ?? null;
  if (index !== null) {
    desk.show(index);
  }
}

/**
 * @param {Desk} desk
 * @param {number} nth
 */
function selectNth(desk, nth) {
  const seat = desk.seats[nth];
  if (seat) {
    desk.player.select(desk.player.selected === seat.id ? null : seat.id);
  }
}

/**
 * @param {Desk} desk
 * @param {1 | -1} way
 */
function selectNeighbour(desk, way) {
  const { seats, player } = desk;
  if (seats.length === 0) {
    return;
  }
  const here = seats.findIndex((seat) => seat.id === player.selected);
  const nth = here < 0 ? (way > 0 ? 0 : seats.length - 1) : (here + way + seats.length) % seats.length;
  player.select(seats[nth].id);
}
