/**
 * Reads the XML of a bot's debug graphics into plain objects: elements, attributes and texts.
 *
 * The browser's own parser is not used, because it would report every style as a violation of the page's policy.
 */

/** The deepest nesting of elements in a drawing. */
const DEPTH_MAX = 100;

/** @typedef {{ nodeType: 3, textContent: string }} Words */
/**
 * @typedef {object} Shape
 * @property {1} nodeType
 * @property {string} localName without the prefix of its namespace
 * @property {{ name: string, value: string }[]} attributes
 * @property {(Shape | Words)[]} childNodes
 */

const NAME = "[A-Za-z_][\\w.:-]*";
const VALUE = "\"[^\"<]*\"|'[^'<]*'";
const TOKEN = new RegExp(
  `<(?<name>${NAME})(?<given>(?:\\s+${NAME}\\s*=\\s*(?:${VALUE}))*)\\s*(?<empty>/?)>|</(?<end>${NAME})\\s*>` +
    "|<!-{2}[^]*?-{2}>|<\\?[^]*?\\?>|<!\\[CDATA\\[(?<data>[^]*?)\\]\\]>|(?<words>[^<]+)",
  "y",
);
const ATTRIBUTE = new RegExp(`(${NAME})\\s*=\\s*(${VALUE})`, "g");
const REFERENCE = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(lt|gt|amp|quot|apos));/gi;
/** @type {Record<string, string>} */
const SIGNS = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
const CODE_MAX = 0x10ffff;

/**
 * Return the outermost element of a text, or null if the text is not well-formed.
 * @param {string} text
 * @returns {Shape | null}
 */
export function parseMarkup(text) {
  /** @type {Shape} */
  const outside = { nodeType: 1, localName: "", attributes: [], childNodes: [] };
  /** @type {{ name: string, shape: Shape }[]} */
  const open = [{ name: "", shape: outside }];
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.length; ) {
    const groups = TOKEN.exec(text)?.groups;
    if (!groups || open.length > DEPTH_MAX || !take(groups, open)) {
      return null;
    }
  }
  const elements = outside.childNodes.filter((node) => node.nodeType === 1);
  const stray = outside.childNodes.some((node) => node.nodeType === 3 && node.textContent.trim() !== "");
  return open.length === 1 && elements.length === 1 && !stray ? elements[0] : null;
}

/**
 * Take one piece of the text.
 * @param {Record<string, string | undefined>} groups
 * @param {{ name: string, shape: Shape }[]} open elements, the innermost last
 * @returns {boolean} whether it is allowed there
 */
function take({ name, given, empty, end, data, words }, open) {
  const { childNodes } = open[open.length - 1].shape;
  if (name !== undefined) {
    /** @type {Shape} */
    const shape = { nodeType: 1, localName: localName(name), attributes: attributesOf(given ?? ""), childNodes: [] };
    childNodes.push(shape);
    if (empty === "") {
      open.push({ name, shape });
    }
  } else if (end !== undefined) {
    return open.length > 1 && open.pop()?.name === end;
  } else if (data !== undefined || words !== undefined) {
    childNodes.push({ nodeType: 3, textContent: data ?? decoded(words ?? "") });
  }
  return true;
}

/** @param {string} name */
function localName(name) {
  return name.slice(name.lastIndexOf(":") + 1);
}

/**
 * @param {string} given
 * @returns {{ name: string, value: string }[]} of several with one name the first
 */
function attributesOf(given) {
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const [, name, quoted] of given.matchAll(ATTRIBUTE)) {
    if (!found.has(name)) {
      found.set(name, decoded(quoted.slice(1, -1)));
    }
  }
  return [...found].map(([name, value]) => ({ name, value }));
}

/** @param {string} text */
function decoded(text) {
  return text.replace(REFERENCE, (_whole, decimal, hex, name) => {
    if (name) {
      return SIGNS[name.toLowerCase()];
    }
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= CODE_MAX ? String.fromCodePoint(code) : "\ufffd";
  });
}
