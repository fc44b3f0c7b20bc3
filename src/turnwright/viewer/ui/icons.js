/** The icons of buttons, drawn as paths in a square of 24 × 24. */

const SVG = "http://www.w3.org/2000/svg";

/** @type {Record<string, string>} */
const PATHS = {
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
  zoom: "M3 8V3h5v2H5v3zM16 3h5v5h-2V5h-3zM5 16v3h3v2H3v-5zM19 16h2v5h-5v-2h3z",
  podium: "M9 4h6v16H9zM2 10h6v10H2zM16 13h6v7h-6z",
  key: "M8 8a4 4 0 1 1-.1 8A4 4 0 0 1 8 8zm0 2.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zM12 11h10v4h-2v-2h-2v3h-2v-3h-4z",
};

/**
 * Make an icon. It says nothing to screen readers; the button around it has a label.
 * @param {string} name
 * @returns {SVGSVGElement}
 */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name] ?? "");
  svg.append(path);
  return svg;
}

/**
 * Change the icon that an element begins with.
 * @param {Element} element
 * @param {string} name
 */
export function setIcon(element, name) {
  const path = element.querySelector("svg.icon path");
  const data = PATHS[name] ?? "";
  if (path && path.getAttribute("d") !== data) {
    path.setAttribute("d", data);
  }
}
