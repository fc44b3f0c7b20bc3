/** APS over time: one line for each of the best entries. */
import { h } from "../widgets/dom.js";
import { fixed, grouped } from "../widgets/format.js";
import { draw } from "./drawing.js";
import { scaleOf } from "./figures.js";
import { mark, nameOf } from "./standings.js";

/** @typedef {import("./model.js").Tournament} Tournament */

const SIZE = { width: 900, height: 300, left: 44, right: 16, top: 10, bottom: 34 };

/**
 * @param {Tournament} data
 * @returns {HTMLElement | null} null before there are two points
 */
export function lines(data) {
  const { at, lines: series } = data.series;
  if (at.length < 2) return null;
  const scale = scaleOf(series.flat());
  const x = (/** @type {number} */ battles) => SIZE.left + (battles / at[at.length - 1]) * (SIZE.width - SIZE.left - SIZE.right);
  const y = (/** @type {number} */ aps) =>
    SIZE.top + ((scale.high - aps) / (scale.high - scale.low)) * (SIZE.height - SIZE.top - SIZE.bottom);
  const parts = [];
  for (let tick = scale.low; tick <= scale.high; tick += 10) {
    parts.push(
      draw("line", { class: "tick", x1: SIZE.left, x2: SIZE.width - SIZE.right, y1: y(tick), y2: y(tick) }),
      draw("text", { class: "axis end", x: SIZE.left - 8, y: y(tick) + 4 }, [String(tick)]),
    );
  }
  for (const part of [0.25, 0.5, 0.75, 1]) {
    const battles = Math.round(at[at.length - 1] * part);
    parts.push(draw("text", { class: "axis middle", x: Math.min(x(battles), SIZE.width - 24), y: SIZE.height - 12 }, [grouped(battles)]));
  }
  series.forEach((line, nth) => {
    const points = line.flatMap((aps, k) => (aps === null ? [] : [`${fixed(x(at[k]), 1)},${fixed(y(aps), 1)}`]));
    parts.push(draw("polyline", { class: `line ink-${nth + 1}`, points: points.join(" ") }));
  });
  const legend = series.map((line, nth) => h("li", {}, [mark(nth), nameOf(data.entries[nth]), ` ${fixed(line[line.length - 1], 1)}`]));
  const label = `APS after more and more battles; at the end ${series.map((line, nth) => `${data.entries[nth].name} ${fixed(line[line.length - 1], 1)}`).join(", ")}`;
  return h("section", { id: "over-time", class: "part", "aria-label": "APS over time" }, [
    h("h2", { text: "APS over time" }),
    h("p", { class: "hint", text: "By battles that count, in the order in which they were played." }),
    draw("svg", { class: "lines", viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, role: "img", "aria-label": label }, parts),
    h("ul", { class: "legend" }, legend),
  ]);
}
