/** A chart with lines over turns, on a canvas. A click shows a turn. */
import { h, setText } from "./dom.js";
import { fixed, grouped } from "./format.js";
import { dashesOf, sheetOf } from "./canvas_util.js";
import { clamp, Scale, spread, ticks } from "./scale.js";

/** @typedef {import("../page/panel_context.js").PanelContext} PanelContext */
/** @typedef {import("./turn_series.js").Series} Series */
/** @typedef {import("./canvas_util.js").Sheet} Sheet */

/**
 * @typedef {object} ChartLine
 * @property {number} line its number in the series
 * @property {number} seat the seat whose colour it has, from 0
 * @property {string} tag a short label: the bot's number
 * @property {string} name
 * @property {boolean} strong whether it is selected
 */

/**
 * The content of a chart.
 * @typedef {object} ChartData
 * @property {Series} series
 * @property {number} origin the index of the series' first turn
 * @property {number} from the index at the left end
 * @property {number} to the index at the right end
 * @property {number} top the largest value
 * @property {number} least the smallest upper end of the axis
 * @property {ChartLine[]} lines
 * @property {{ index: number, label: string }[]} rounds
 */

const LEFT = 38;
/** The space next to the widest tag. */
const RIGHT = 12;
const TAG_FONT = "bold 11px system-ui, sans-serif";
const TOP = 8;
const BOTTOM = 18;
const POINT_PIXELS = 1.5;
/** The gap between two tags, in pixels. */
const TAG_GAP = 12;
/**
 * The largest number of tags at the right end.
 *
 * If there are more lines, only the best ones get a tag, and the selected one.
 */
const TAGS_MAX = 14;
const TAGS_BEST = 6;
/** If there are more lines than this, all except the selected one are faint. */
const CROWD = 8;
const FAINT = 0.22;

export class Chart {
  /**
   * @param {PanelContext} shared
   * @param {string} title
   */
  constructor(shared, title) {
    this.shared = shared;
    this.title = title;
    this.canvas = h("canvas", { class: "chart-lines", role: "img", "aria-label": title });
    this.head = h("div", { class: "chart-head", "aria-hidden": "true" });
    this.tip = h("div", { class: "tip", "aria-hidden": "true" });
    this.tip.hidden = true;
    this.element = h("div", { class: "chart" }, [this.canvas, this.head, this.tip]);
    /** @type {ChartData | null} */
    this.data = null;
    /** @type {Scale | null} */
    this.across = null;
    /** CSS pixels in a drawing unit. */
    this.unit = 1;
    this.drawn = "";
    this.element.addEventListener("pointermove", (event) => this.point(event));
    this.element.addEventListener("pointerleave", () => {
      this.tip.hidden = true;
    });
    this.element.addEventListener("click", (event) => {
      if (this.across) {
        shared.show(this.indexAt(event));
      }
    });
  }

  /**
   * @param {ChartData} data
   * @param {string} key if it changes, the chart is drawn again
   */
  show(data, key) {
    this.data = data;
    const size = `${key} ${this.canvas.clientWidth} ${this.canvas.clientHeight} ${this.shared.inks.version}`;
    if (size !== this.drawn) {
      const sheet = sheetOf(this.canvas);
      if (!sheet) {
        return;
      }
      this.drawn = size;
      this.draw(sheet, data);
    }
    this.moveHead();
  }

  moveHead() {
    if (this.across && this.data) {
      const inside = this.shared.index >= this.data.from && this.shared.index <= this.data.to;
      this.head.hidden = !inside;
      this.head.style.transform = `translateX(${(this.across.pixels(this.shared.index) * this.unit).toFixed(1)}px)`;
    }
  }

  /** @param {MouseEvent} event */
  indexAt(event) {
    const data = /** @type {ChartData} */ (this.data);
    const x = event.clientX - this.element.getBoundingClientRect().left;
    return clamp(Math.round(/** @type {Scale} */ (this.across).value(x / this.unit)), data.from, data.to);
  }

  /** @param {PointerEvent} event */
  point(event) {
    const { data, across } = this;
    if (!data || !across) {
      return;
    }
    const index = this.indexAt(event);
    const values = data.lines.map((line) => ({ line, value: data.series.at(line.line, index - data.origin) }));
    const known = values
      .filter(({ value }) => !Number.isNaN(value))
      .sort((a, b) => b.value - a.value)
      .slice(0, 6);
    const told = known.map(({ line, value }) => `${line.name} ${fixed(value, value < 100 ? 1 : 0)}`);
    const at = this.shared.history?.marks.turnAt(index);
    setText(this.tip, [at ? `round ${at.round}, turn ${at.turn}` : "", ...told].filter(Boolean).join("\n"));
    this.tip.hidden = false;
    const x = across.pixels(index) * this.unit;
    const left = x > this.element.clientWidth / 2 ? x - this.tip.offsetWidth - 8 : x + 8;
    this.tip.style.transform = `translateX(${left.toFixed(0)}px)`;
  }

  // ---- drawing -----------------------------------------------------------------------------------------------

  /**
   * @param {Sheet} sheet
   * @param {ChartData} data
   */
  draw(sheet, data) {
    const { width, height } = sheet;
    this.unit = sheet.unit;
    sheet.context.font = TAG_FONT;
    const widest = Math.max(0, ...data.lines.map((line) => sheet.context.measureText(line.tag).width));
    this.across = new Scale(data.from, data.to, LEFT, width - RIGHT - widest);
    const up = new Scale(0, Math.max(data.top * 1.04, data.least), height - BOTTOM, TOP);
    this.drawAxes(sheet, data, this.across, up);
    const across = this.across;
    const chosen = data.lines.find((line) => line.strong);
    sheet.context.globalAlpha = chosen && data.lines.length > CROWD ? FAINT : 1;
    const ends = data.lines.map((line) => this.drawLine(sheet, data, line, across, up));
    sheet.context.globalAlpha = 1;
    if (chosen) {
      this.drawLine(sheet, data, chosen, across, up); // over the others
    }
    this.drawTags(sheet, data, ends);
    const last = data.lines.map((line, k) => `${line.name} ${fixed(up.value(ends[k].y))}`).slice(0, 12);
    this.canvas.setAttribute("aria-label", `${this.title}. At the end: ${last.join(", ")}`);
  }

  /**
   * @param {Sheet} sheet
   * @param {ChartData} data
   * @param {Scale} across
   * @param {Scale} up
   */
  drawAxes({ context, height }, data, across, up) {
    const { inks } = this.shared;
    context.font = "11px system-ui, sans-serif";
    context.strokeStyle = inks.of("line");
    context.lineWidth = 1;
    context.fillStyle = inks.of("muted");
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (const value of ticks(up.from, up.to, 4)) {
      const y = Math.round(up.pixels(value)) + 0.5;
      context.beginPath();
      context.moveTo(LEFT, y);
      context.lineTo(across.high, y);
      context.stroke();
      context.fillText(grouped(value), LEFT - 5, y);
    }
    context.textAlign = "left";
    context.textBaseline = "bottom";
    let free = -Infinity;
    for (const round of data.rounds) {
      const x = across.pixels(round.index);
      if (x >= LEFT - 1 && x > free) {
        context.fillText(round.label, x, height - 3);
        free = x + context.measureText(round.label).width + 8;
        context.fillRect(Math.round(x), height - BOTTOM, 1, 4);
      }
    }
  }

  /**
   * @param {Sheet} sheet
   * @param {ChartData} data
   * @param {ChartLine} line
   * @param {Scale} across
   * @param {Scale} up
   * @returns {{ x: number, y: number }} the end of the line
   */
  drawLine({ context }, data, line, across, up) {
    const { series, origin } = data;
    const perPixel = (data.to - data.from) / Math.max(across.high - across.low, 1);
    const step = Math.max(series.stride, Math.ceil((perPixel * POINT_PIXELS) / series.stride) * series.stride);
    context.strokeStyle = this.shared.inks.line(line.seat);
    context.lineWidth = line.strong ? 3 : 1.6;
    context.setLineDash(dashesOf(line.seat));
    context.lineJoin = "round";
    context.beginPath();
    let end = { x: NaN, y: NaN };
    const known = origin + (series.length - 1) * series.stride;
    for (let index = data.from; ; index += step) {
      const at = Math.min(index, data.to, known);
      const value = series.at(line.line, at - origin);
      if (!Number.isNaN(value)) {
        end = { x: across.pixels(at), y: up.pixels(value) };
        context.lineTo(end.x, end.y);
      } else if (!Number.isNaN(series.at(line.line, index - step - origin))) {
        const last = lastKnown(data, line.line, index - step, at);
        end = { x: across.pixels(last.index), y: up.pixels(last.value) };
        context.lineTo(end.x, end.y);
      }
      if (at < index || at === data.to) {
        break;
      }
    }
    context.stroke();
    context.setLineDash([]);
    return end;
  }

  /**
   * Draw the tags of lines. Lines that reach the right end have their tags next to it, moved apart if necessary.
   *
   * Other lines have tags at their own ends, if there is room.
   * @param {Sheet} sheet
   * @param {ChartData} data
   * @param {{ x: number, y: number }[]} ends
   */
  drawTags({ context, height, width }, data, ends) {
    context.font = TAG_FONT;
    context.textAlign = "left";
    context.textBaseline = "middle";
    const shown = data.lines.map((line, k) => ({ line, ...ends[k] })).filter(({ y }) => !Number.isNaN(y));
    const right = Math.max(...shown.map(({ x }) => x));
    const last = shown.filter(({ x }) => x > right - TAG_GAP);
    const ranked = last.slice().sort((one, two) => one.y - two.y);
    const first = last.some((tag) => tag.line.strong) ? 1 : TAGS_BEST;
    const best = ranked.slice(0, first);
    const told = last.length > TAGS_MAX ? last.filter((tag) => tag.line.strong || best.includes(tag)) : last;
    const wanted = told.map(({ y }) => y);
    const places = spread(wanted, TAG_GAP, TOP + 4, height - BOTTOM - 2);
    /** @type {{ x: number, y: number }[]} */
    const taken = [];
    told.forEach(({ line, x }, k) => this.drawTag(context, line, { x, y: places[k] }, taken));
    for (const { line, x, y } of shown) {
      const free = taken.every((other) => Math.abs(other.x - x) > 2 * TAG_GAP || Math.abs(other.y - y) > TAG_GAP);
      if (x <= right - TAG_GAP && x < width && (free || line.strong)) {
        this.drawTag(context, line, { x, y: Math.min(y, height - BOTTOM - 6) }, taken);
      }
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {ChartLine} line
   * @param {{ x: number, y: number }} place
   * @param {{ x: number, y: number }[]} taken the places of tags; this one is added
   */
  drawTag(context, line, place, taken) {
    context.fillStyle = this.shared.inks.line(line.seat);
    context.fillText(line.tag, place.x + 5, place.y);
    taken.push(place);
  }
}

/**
 * @param {ChartData} data
 * @param {number} line
 * @param {number} from an index with a value
 * @param {number} to an index without one
 * @returns {{ index: number, value: number }} the last point with a value between them
 */
function lastKnown(data, line, from, to) {
  let index = to - 1;
  while (index > from && Number.isNaN(data.series.at(line, index - data.origin))) {
    index -= 1;
  }
  return { index, value: data.series.at(line, index - data.origin) };
}
