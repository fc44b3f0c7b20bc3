/**
 * The map of the places that the player has seen. The server computes the layout.
 *
 * The near map shows the surroundings of the player, next to the story. The whole map covers the story.
 */
import { button, h, setText } from "../../../../viewer/widgets/dom.js";

/** @typedef {import("../state.js").WorldState} WorldState */
/** @typedef {import("../connection/messages.js").MapPlace} MapPlace */

const SVG = "http://www.w3.org/2000/svg";
const PITCH_X = 108;
const PITCH_Y = 52;
const WIDTH = 94;
const HEIGHT = 36;
const NEAR_COLUMNS = 3.6;
const NEAR_ROWS = 5.4;
const LINE_CHARS = 12;
/** @type {Record<string, [number, number]>} */
const STEPS = { north: [0, -1], east: [1, 0], south: [0, 1], west: [-1, 0] };
/** @type {Record<string, string>} */
const MARKS = { up: "▲", down: "▼", in: "→", out: "←" };

export class MapView {
  /**
   * @param {HTMLElement} place
   * @param {HTMLElement} story
   */
  constructor(place, story) {
    const home = /** @type {HTMLElement} */ (place.parentElement);
    this.whole = false;
    this.shown = "";
    /** @type {WorldState | null} */
    this.state = null;
    this.svg = element("svg", { role: "img", "aria-label": "Map" });
    this.words = h("p", { class: "map-words" });
    this.zoom = button({ class: "map-zoom", "aria-pressed": "false" }, ["Whole map"], () => {
      this.whole = !this.whole;
      this.zoom.setAttribute("aria-pressed", String(this.whole));
      place.classList.toggle("whole", this.whole);
      (this.whole ? story : home).append(place);
      this.zoom.focus(); // moving an element removes its focus
      this.draw();
    });
    place.append(
      h("div", { class: "map-head" }, [h("h2", { class: "map-title", text: "Map" }), this.words, this.zoom]),
      h("div", { class: "map-paper" }, [this.svg]),
    );
  }

  /** @param {WorldState} state */
  update(state) {
    this.state = state;
    this.draw();
  }

  draw() {
    const { state } = this;
    if (state === null) {
      return;
    }
    const { map, room } = state;
    const others = room.here.length + room.hereMore;
    const shown = JSON.stringify([map, room.id, others, this.whole]);
    if (shown === this.shown) {
      return;
    }
    this.shown = shown;
    const here = map.places.findIndex((place) => place.id === room.id);
    const count = map.places.length + map.more;
    const seen = `${count} ${count === 1 ? "place" : "places"} seen`;
    setText(this.words, count === 0 ? "" : seen);
    this.svg.setAttribute("aria-label", `Map: ${seen}${here < 0 ? "" : `. You are here: ${map.places[here].name}`}`);
    this.svg.setAttribute("viewBox", viewBox(map.places, map.places[here], this.whole));
    const lines = map.links.map((link) => lineBetween(map.places[link.start], map.places[link.end], link));
    const stubs = map.stubs.map((stub) => stubOf(map.places[stub.place], stub.way));
    const places = map.places.map((place, nth) => placeBox(place, nth === here, others, sideWays(map, nth)));
    this.svg.replaceChildren(...lines.flat(), ...stubs.flat(), ...places);
  }
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {(Element | string)[]} [children]
 */
function element(name, attributes, children = []) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, String(value));
  }
  made.append(...children);
  return made;
}

/**
 * The part of the map that is drawn.
 * @param {MapPlace[]} places
 * @param {MapPlace | undefined} here
 * @param {boolean} whole
 */
function viewBox(places, here, whole) {
  const [x, width] = span(places.map((place) => place.x), here?.x ?? 0, whole ? Infinity : NEAR_COLUMNS, PITCH_X);
  const [y, height] = span(places.map((place) => place.y), here?.y ?? 0, whole ? Infinity : NEAR_ROWS, PITCH_Y);
  return `${x} ${y} ${width} ${height}`;
}

/**
 * Return the start and length of the visible part, which is everything or the cells around the middle.
 * @param {number[]} cells
 * @param {number} middle
 * @param {number} most cells
 * @param {number} pitch
 * @returns {[number, number]}
 */
function span(cells, middle, most, pitch) {
  const first = Math.min(middle, ...cells) - 0.8;
  const last = Math.max(middle, ...cells) + 0.8;
  const least = Math.min(most, 3.6);
  if (last - first <= most) {
    const spare = Math.max(0, least - (last - first)) / 2;
    return [(first - spare) * pitch, (last - first + 2 * spare) * pitch];
  }
  const from = Math.min(Math.max(middle - most / 2, first), last - most);
  return [from * pitch, most * pitch];
}

/**
 * A way, with an arrow if no way leads back.
 * @param {MapPlace} start
 * @param {MapPlace} end
 * @param {{ way: string, back: string }} link
 */
function lineBetween(start, end, { way, back }) {
  const side = way in STEPS ? "" : " aside";
  const [x, y, u, v] = [start.x * PITCH_X, start.y * PITCH_Y, end.x * PITCH_X, end.y * PITCH_Y];
  const far = Math.max(Math.abs(end.x - start.x), Math.abs(end.y - start.y)) > 1;
  const bend = far ? 0.35 : 0;
  const [p, q] = [(x + u) / 2 + (v - y) * bend, (y + v) / 2 - (u - x) * bend * 0.6];
  const line = element("path", { class: `map-way${side}`, d: `M${x} ${y} Q${p} ${q} ${u} ${v}` });
  if (back !== "" || start === end) {
    return [line];
  }
  const turn = (Math.atan2(v - y, u - x) * 180) / Math.PI;
  const middle = `translate(${(x + 2 * p + u) / 4} ${(y + 2 * q + v) / 4}) rotate(${turn})`;
  return [line, element("path", { class: "map-arrow", d: "M-6 -6 L6 0 L-6 6 Z", transform: middle })];
}

/**
 * A way to a place that the player has not seen. Ways up, down, in and out are marks in the box.
 * @param {MapPlace} place
 * @param {string} way
 */
function stubOf(place, way) {
  const step = STEPS[way];
  if (step === undefined) {
    return [];
  }
  const [dx, dy] = step;
  const [x, y] = [place.x * PITCH_X, place.y * PITCH_Y];
  const [u, v] = [x + (dx * PITCH_X) / 2, y + dy * (HEIGHT / 2 + 7)];
  return [element("line", { class: "map-stub", x1: x, y1: y, x2: u + dx * 8, y2: v })];
}

/**
 * The marks of a place's ways up, down, in and out.
 * @param {WorldState["map"]} map
 * @param {number} nth
 */
function sideWays({ links, stubs }, nth) {
  const ways = [
    ...links.filter((link) => link.start === nth).map((link) => link.way),
    ...links.filter((link) => link.end === nth).map((link) => link.back),
    ...stubs.filter((stub) => stub.place === nth).map((stub) => stub.way),
  ];
  return [...new Set(ways.map((way) => MARKS[way] ?? ""))].join("");
}

/**
 * @param {MapPlace} place
 * @param {boolean} isHere
 * @param {number} others how many others are here
 * @param {string} marks
 */
function placeBox(place, isHere, others, marks) {
  const [x, y] = [place.x * PITCH_X, place.y * PITCH_Y];
  const lines = twoLines(place.name);
  const texts = lines.map((line, nth) =>
    element("text", { x, y: y + (nth - (lines.length - 1) / 2) * 14 + 4.5 }, [line]));
  const box = { x: x - WIDTH / 2, y: y - HEIGHT / 2, width: WIDTH, height: HEIGHT, rx: 7 };
  const badge = isHere && others > 0
    ? [element("g", { class: "map-others" }, [
        element("circle", { cx: x + WIDTH / 2 - 3, cy: y - HEIGHT / 2 + 3, r: 9 }),
        element("text", { x: x + WIDTH / 2 - 3, y: y - HEIGHT / 2 + 7.5 }, [String(Math.min(others, 99))]),
      ])]
    : [];
  const mark = marks === "" ? [] : [element("text", { class: "map-marks", x: x - WIDTH / 2 + 4, y: y - HEIGHT / 2 }, [marks])];
  const title = element("title", {}, [place.name]);
  return element("g", { class: isHere ? "map-place here-now" : "map-place" }, [title, element("rect", box), ...texts, ...mark, ...badge]);
}

/** A name on at most two lines. @param {string} name */
function twoLines(name) {
  if (name.length <= LINE_CHARS) {
    return [name];
  }
  const space = name.lastIndexOf(" ", LINE_CHARS);
  const [first, rest] = space > 0 ? [name.slice(0, space), name.slice(space + 1)] : [name.slice(0, LINE_CHARS), name.slice(LINE_CHARS)];
  return [first, rest.length > LINE_CHARS ? `${rest.slice(0, LINE_CHARS - 1)}…` : rest];
}
