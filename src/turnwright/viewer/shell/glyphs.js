/** The icons of the page's own buttons, drawn as lines in a square of 24 × 24. */

const SVG = "http://www.w3.org/2000/svg";

/** @type {Record<string, string>} */
const PATHS = {
  open: "M3 7a2 2 0 0 1 2-2h4l2 2.5h8a2 2 0 0 1 2 2V17a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2z M12 16v-5 M9.5 13 12 10.5l2.5 2.5",
  theme: "M12 4a8 8 0 1 0 0 16z M12 4a8 8 0 0 1 0 16",
  side: "M4 5h16v14H4z M15 5v14",
  full: "M4 9V4h5 M15 4h5v5 M20 15v5h-5 M9 20H4v-5",
  plus: "M12 6v12 M6 12h12",
  minus: "M6 12h12",
  fit: "M4 6h16v12H4z M8 10v4h4 M16 14v-4h-4",
  follow: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z M12 2.5V6 M12 18v3.5 M2.5 12H6 M18 12h3.5",
  look: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
};

/**
 * Make an icon; the button around it has the words.
 * @param {string} name
 */
export function glyph(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name] ?? "");
  svg.append(path);
  return svg;
}
