/** Icons of buttons, drawn as paths in a square of 24 × 24: filled, or outlines. */

const SVG = "http://www.w3.org/2000/svg";

/** @type {Record<string, string>} */
const FILLED = {
  play: "M8 5v14l11-7z",
  pause: "M6 5h4v14H6zM14 5h4v14h-4z",
  back: "M16 6v12l-9-6zM5 6h2v12H5z",
  forward: "M8 6v12l9-6zM17 6h2v12h-2z",
  previous: "M12 6v12l-8-6zM20 6v12l-8-6z",
  next: "M12 6v12l8-6zM4 6v12l8-6z",
  stop: "M6 6h12v12H6z",
  restart: "M12 5a7 7 0 1 1-6.6 4.7l1.9.7A5 5 0 1 0 12 7v3L7 6l5-4z",
  link:
    "M10 14a4 4 0 0 1 0-5.6l3-3a4 4 0 0 1 5.6 5.6l-1.5 1.5-1.4-1.4 1.5-1.5a2 2 0 0 0-2.8-2.8l-3 3a2 2 0 0 0 0 2.8zM14 " +
    "10a4 4 0 0 1 0 5.6l-3 3A4 4 0 0 1 5.4 13l1.5-1.5 1.4 1.4-1.5 1.5a2 2 0 0 0 2.8 2.8l3-3a2 2 0 0 0 0-2.8z",
  live:
    "M12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM7 5.6l1.4 1.4a7 7 0 0 0 0 10L7 18.4a9 9 0 0 1 0-12.8zM17 5.6a9 9 0 0 1 0 " +
    "12.8L15.6 17a7 7 0 0 0 0-10z",
  help:
    "M11 17h2v2h-2zM12 5a4.5 4.5 0 0 1 4.5 4.4c0 2-1.3 2.9-2.3 3.6-.8.6-1.2.9-1.2 1.9v.3h-2v-.4c0-2 1.1-2.8 2.1-3.5.9-.6" +
    " 1.4-1 1.4-1.9a2.5 2.5 0 0 0-5 0h-2A4.5 4.5 0 0 1 12 5z",
  plus: "M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z",
  close: "M6.4 5 12 10.6 17.6 5 19 6.4 13.4 12l5.6 5.6-1.4 1.4L12 13.4 6.4 19 5 17.6 10.6 12 5 6.4z",
  zoom: "M3 5h2v14H3zM19 5h2v14h-2zM11 11v2H9.5v2.5L6 12l3.5-3.5V11zM13 11h1.5V8.5L18 12l-3.5 3.5V13H13z",
  share:
    "M17 3a3 3 0 1 1-2.2 5l-5 2.9a3 3 0 0 1 0 2.2l5 2.9A3 3 0 1 1 14 18v-.5l-5-2.9a3 3 0 1 1 0-5.2l5-2.9V6a3 3 0 0 1 3-3z",
  podium: "M9 4h6v16H9zM2 10h6v10H2zM16 13h6v7h-6z",
  key: "M8 8a4 4 0 1 1-.1 8A4 4 0 0 1 8 8zm0 2.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zM12 11h10v4h-2v-2h-2v3h-2v-3h-4z",
};

/** @type {Record<string, string>} */
const OUTLINES = {
  open: "M3 7a2 2 0 0 1 2-2h4l2 2.5h8a2 2 0 0 1 2 2V17a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2z M12 16v-5 M9.5 13 12 10.5l2.5 2.5",
  theme: "M12 4a8 8 0 1 0 0 16z M12 4a8 8 0 0 1 0 16",
  side: "M4 5h16v14H4z M15 5v14",
  sound: "M4 10v4h3l5 4V6l-5 4z M16 9.5a4 4 0 0 1 0 5",
  full: "M4 9V4h5 M15 4h5v5 M20 15v5h-5 M9 20H4v-5",
  plus: "M12 6v12 M6 12h12",
  minus: "M6 12h12",
  fit: "M4 6h16v12H4z M8 10v4h4 M16 14v-4h-4",
  follow: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z M12 2.5V6 M12 18v3.5 M2.5 12H6 M18 12h3.5",
  look: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
};

/**
 * Make a filled icon. Screen readers ignore it, because the button around it has a label.
 * @param {string} name
 * @returns {SVGSVGElement}
 */
export function icon(name) {
  const svg = iconOf(FILLED[name]);
  svg.setAttribute("class", "icon");
  return svg;
}

/**
 * Make an icon of lines. Screen readers ignore it, because the button around it has a label.
 * @param {string} name
 * @returns {SVGSVGElement}
 */
export function outlineIcon(name) {
  return iconOf(OUTLINES[name]);
}

/**
 * Change the filled icon at the beginning of an element.
 * @param {Element} element
 * @param {string} name
 */
export function setIcon(element, name) {
  const path = element.querySelector("svg.icon path");
  const data = FILLED[name] ?? "";
  if (path && path.getAttribute("d") !== data) {
    path.setAttribute("d", data);
  }
}

/** @param {string | undefined} data the path; undefined: an empty icon */
function iconOf(data) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", data ?? "");
  svg.append(path);
  return svg;
}
