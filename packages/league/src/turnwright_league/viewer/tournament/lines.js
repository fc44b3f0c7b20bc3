/** Lines over time: APS or a rating of each of the best entries. */
import { button, h } from "../widgets/dom.js";
import { fixed, grouped } from "../widgets/format.js";
import { ticks } from "../widgets/scale.js";
import { draw } from "./drawing.js";
import { lineScale } from "./figures.js";
import { mark, nameOf } from "./standings.js";

/** @typedef {import("./model.js").Tournament} Tournament */
/** @typedef {import("./model.js").Series} Series */

const WIDE = { width: 900, height: 300, left: 48, right: 16, top: 10, bottom: 34 };
/** For a phone. The chart is drawn nearly as large as it is shown, so that its numbers can be read. */
const NARROW = { ...WIDE, width: 420, height: 240, left: 38 };
const PHONE = "(max-width: 640px)";
const TICKS_MAX = 10;
const TITLES = { aps: "APS", glicko2: "Glicko-2", openskill: "OpenSkill" };
const DIGITS = { aps: 1, glicko2: 0, openskill: 1 };
const HINTS = {
  aps: "By battles that count, in the order in which they were played.",
  glicko2: "By battles that count. Each point is the rating from all battles up to it.",
  openskill: "By battles that count. Each point is the estimated skill after all battles up to it, without its uncertainty.",
};

/**
 * @param {Tournament} data
 * @param {string} chosen the name of the series that is shown
 * @param {(name: string) => void} onChoose
 * @returns {HTMLElement | null} null: no series has two points yet
 */
export function lines(data, chosen, onChoose) {
  const drawn = data.series.filter(({ at }) => at.length > 1);
  const series = drawn.find(({ name }) => name === chosen) ?? drawn[0];
  if (series === undefined) return null;
  const size = matchMedia(PHONE).matches ? NARROW : WIDE;
  const title = TITLES[series.name];
  const last = (/** @type {number} */ nth) => fixed(series.lines[nth][series.at.length - 1], DIGITS[series.name]);
  const legend = series.lines.map((_, nth) => h("li", {}, [mark(nth), nameOf(data.entries[nth]), ` ${last(nth)}`]));
  const label = `${title} over the battles played; at the end ${series.lines.map((_, nth) => `${data.entries[nth].name} ${last(nth)}`).join(", ")}`;
  const choices = drawn.map(({ name }) =>
    button({ "data-key": `series-${name}`, class: "series-choice", "aria-pressed": String(name === series.name) }, [TITLES[name]], () => onChoose(name)),
  );
  return h("section", { id: "over-time", class: "part", "aria-label": `${title} over time` }, [
    h("h2", { text: `${title} over time` }),
    ...(choices.length > 1 ? [h("div", { class: "series-choices", role: "group", "aria-label": "Lines of" }, choices)] : []),
    h("p", { class: "hint", text: HINTS[series.name] }),
    draw("svg", { class: "lines", viewBox: `0 0 ${size.width} ${size.height}`, role: "img", "aria-label": label }, partsOf(series, size)),
    h("ul", { class: "legend" }, legend),
  ]);
}

/**
 * @param {Series} series
 * @param {typeof WIDE} size
 */
function partsOf({ name, at, lines: series }, size) {
  const end = at[at.length - 1];
  const scale = lineScale(series.flat(), name === "aps");
  const x = (/** @type {number} */ battles) => size.left + (battles / end) * (size.width - size.left - size.right);
  const y = (/** @type {number} */ value) => size.top + ((scale.high - value) / (scale.high - scale.low)) * (size.height - size.top - size.bottom);
  const parts = [];
  for (const tick of ticks(scale.low, scale.high, TICKS_MAX)) {
    parts.push(
      draw("line", { class: "tick", x1: size.left, x2: size.width - size.right, y1: y(tick), y2: y(tick) }),
      draw("text", { class: "axis end", x: size.left - 8, y: y(tick) + 4 }, [String(Number(tick.toFixed(3)))]),
    );
  }
  for (const part of [0.25, 0.5, 0.75, 1]) {
    const battles = Math.round(end * part);
    parts.push(draw("text", { class: "axis middle", x: Math.min(x(battles), size.width - 24), y: size.height - 12 }, [grouped(battles)]));
  }
  series.forEach((line, nth) => {
    const points = line.flatMap((value, k) => (value === null ? [] : [`${fixed(x(at[k]), 1)},${fixed(y(value), 1)}`]));
    parts.push(draw("polyline", { class: `line ink-${nth + 1}`, points: points.join(" ") }));
  });
  return parts;
}
