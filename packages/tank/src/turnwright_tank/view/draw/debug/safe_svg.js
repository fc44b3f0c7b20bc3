/**
 * Copies the harmless parts of a bot's debug graphics into a new SVG drawing.
 *
 * The text is untrusted. markup.js reads it. Only a limited number of known shapes, with known attributes and values,
 * are copied into a new drawing, and everything else is left out. The copy is in the arena's coordinates with y up, and
 * texts are turned upright.
 */

/** @typedef {import("./markup.js").Shape} Shape */

/** The largest length of a drawing that is read, characters. */
export const SVG_CHARS_MAX = 100_000;
/** The largest number of shapes. Further shapes are left out. */
export const SVG_SHAPES_MAX = 2000;
const DEPTH_MAX = 12;
const TEXT_CHARS_MAX = 200;
const VALUE_CHARS_MAX = 8000;

const SHAPES = new Set("g line rect circle ellipse polyline polygon path text tspan".split(" "));
const NUMBERS = new Set(
  (
    "x y x1 y1 x2 y2 cx cy r rx ry width height dx dy opacity fill-opacity stroke-opacity stroke-width " +
    "stroke-miterlimit font-size"
  ).split(" "),
);
const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d{1,3})?(?:px|%)?$/i;
const PAINT = /^(?:#[0-9a-f]{3,8}|[a-z]{3,24}|rgba?\([\d\s.,%]{1,40}\)|hsla?\([\d\s.,%]{1,40}\))$/i;
/** @type {Record<string, RegExp>} */
const OTHERS = {
  fill: PAINT,
  stroke: PAINT,
  points: /^[-+\d.,e\s]*$/i,
  d: /^[-+\d.,\seMmLlHhVvCcSsQqTtAaZz]*$/,
  transform: /^(?:(?:translate|scale|rotate|skewX|skewY|matrix)\([-+\d.,e\s]{1,120}\)[\s,]*){1,6}$/,
  "stroke-dasharray": /^[\d.,\s]{1,80}$/,
  "stroke-linecap": /^(?:butt|round|square)$/,
  "stroke-linejoin": /^(?:miter|round|bevel)$/,
  "text-anchor": /^(?:start|middle|end)$/,
  "font-weight": /^(?:normal|bold|\d{3})$/,
  "fill-rule": /^(?:nonzero|evenodd)$/,
};

/**
 * Return whether an attribute may be copied unchanged.
 * @param {string} name
 * @param {string} value
 */
export function isHarmless(name, value) {
  if (value.length > VALUE_CHARS_MAX) {
    return false;
  }
  const trimmed = value.trim();
  return NUMBERS.has(name) ? NUMBER.test(trimmed) : (Object.hasOwn(OTHERS, name) && OTHERS[name].test(trimmed));
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/**
 * Return the known parts of a parsed drawing as SVG in an arena's coordinates.
 * @param {Shape} root the svg element
 * @param {number} width of the arena, units
 * @param {number} height of the arena, units
 */
export function safeDrawing(root, width, height) {
  const budget = { shapes: SVG_SHAPES_MAX };
  const inside = copyChildren(root, budget, 0);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
    `<g transform="matrix(1 0 0 -1 0 ${height})">${inside}</g></svg>`
  );
}

/**
 * @param {Shape} parent
 * @param {{ shapes: number }} budget
 * @param {number} depth
 * @returns {string}
 */
function copyChildren(parent, budget, depth) {
  let copied = "";
  for (const node of parent.childNodes) {
    if (node.nodeType === 3) {
      const told = parent.localName === "text" || parent.localName === "tspan";
      copied += told ? escaped(node.textContent.slice(0, TEXT_CHARS_MAX)) : "";
    } else if (SHAPES.has(node.localName) && depth < DEPTH_MAX && budget.shapes > 0) {
      budget.shapes -= 1;
      copied += copyShape(node, budget, depth);
    }
  }
  return copied;
}

/**
 * @param {Shape} shape
 * @param {{ shapes: number }} budget
 * @param {number} depth
 */
function copyShape(shape, budget, depth) {
  const kept = [...shape.attributes].filter(({ name, value }) => isHarmless(name, value));
  const written = kept.map(({ name, value }) => ` ${name}="${escaped(value.trim())}"`).join("");
  const copy = `<${shape.localName}${written}>${copyChildren(shape, budget, depth + 1)}</${shape.localName}>`;
  if (shape.localName !== "text") {
    return copy;
  }
  const y = Number.parseFloat(kept.find(({ name }) => name === "y")?.value ?? "0") || 0;
  return `<g transform="matrix(1 0 0 -1 0 ${2 * y})">${copy}</g>`;
}
