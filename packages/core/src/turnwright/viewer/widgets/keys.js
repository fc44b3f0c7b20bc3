/** The table of keys and their actions. The help is made from it, too. */

/**
 * @typedef {object} KeyLine
 * @property {string} keys the keys as they are shown
 * @property {string} text
 */

/** % is replaced by the game's own word for the timeline's crosses, to which P and N go. */
const KEY_LINES = [
  { keys: "Space", text: "play or pause" },
  { keys: "← →", text: "one turn back or forward" },
  { keys: "Shift + ← →", text: "ten turns back or forward" },
  { keys: "Page Up, Page Down", text: "previous round, next round" },
  { keys: "Home, End", text: "first turn, newest turn" },
  { keys: "L", text: "follow the battle live" },
  { keys: "− +", text: "slower, faster" },
  { keys: "P, N", text: "previous ✕, next ✕ (%)" },
  { keys: "1 … 9, 0", text: "select a bot by its number" },
  { keys: "[ ]", text: "select the previous bot, the next bot" },
  { keys: "Escape", text: "clear the selection, close a window" },
  { keys: "B, E", text: "open a tab: the first one, events" },
  { keys: "R", text: "results" },
  { keys: "M", text: "side panel on or off" },
  { keys: "T", text: "dark or light" },
  { keys: "K", text: "copy a link to this turn" },
  { keys: "G", text: "share: a link, a picture, a video" },
  { keys: "U", text: "sounds on or off" },
  { keys: "/", text: "search in the events" },
  { keys: "?", text: "this help" },
];

/**
 * Keys of every game, for the help page.
 * @param {{ death: string }} words the words of the game's timeline
 * @returns {KeyLine[]}
 */
export function keyLines(words) {
  return KEY_LINES.map(({ keys, text }) => ({ keys, text: text.replaceAll("%", words.death) }));
}

/** @typedef {{ name: string, value: number }} Action */

/** @type {Record<string, Action>} */
const ACTIONS = {
  " ": { name: "toggle", value: 0 },
  ArrowLeft: { name: "step", value: -1 },
  ArrowRight: { name: "step", value: 1 },
  PageUp: { name: "round", value: -1 },
  PageDown: { name: "round", value: 1 },
  Home: { name: "first", value: 0 },
  End: { name: "edge", value: 0 },
  l: { name: "edge", value: 0 },
  "-": { name: "rate", value: -1 },
  _: { name: "rate", value: -1 },
  "+": { name: "rate", value: 1 },
  "=": { name: "rate", value: 1 },
  p: { name: "death", value: -1 },
  n: { name: "death", value: 1 },
  "[": { name: "neighbour", value: -1 },
  "]": { name: "neighbour", value: 1 },
  Escape: { name: "nobody", value: 0 },
  b: { name: "tab bot", value: 0 },
  v: { name: "tab sight", value: 0 },
  c: { name: "tab charts", value: 0 },
  e: { name: "tab log", value: 0 },
  w: { name: "tab why", value: 0 },
  r: { name: "results", value: 0 },
  d: { name: "debug", value: 0 },
  t: { name: "theme", value: 0 },
  k: { name: "link", value: 0 },
  g: { name: "share", value: 0 },
  u: { name: "sound", value: 0 },
  "/": { name: "search", value: 0 },
  "?": { name: "help", value: 0 },
};

/**
 * Return the action of a key.
 * @param {{ key: string, shiftKey: boolean, ctrlKey: boolean, altKey: boolean, metaKey: boolean }} press
 * @returns {Action | null}
 */
export function actionOf(press) {
  if (press.ctrlKey || press.altKey || press.metaKey) return null;
  if (/^[0-9]$/.test(press.key)) return { name: "bot", value: press.key === "0" ? 10 : Number(press.key) };
  const key = press.key.length === 1 ? press.key.toLowerCase() : press.key;
  const action = Object.hasOwn(ACTIONS, key) ? ACTIONS[key] : null;
  if (action && action.name === "step" && press.shiftKey) return { name: "step", value: 10 * action.value };
  return action;
}

/**
 * Return whether an element itself uses a key that is pressed in it.
 * @param {string} tag its name in lower case
 * @param {string | null} type the type of an input
 * @param {string} key
 * @returns {boolean}
 */
export function isForElement(tag, type, key) {
  if (tag === "textarea" || tag === "select") return key !== "Escape";
  if (tag === "input") return type === "checkbox" ? key === " " : key !== "Escape";
  return (tag === "button" || tag === "summary" || tag === "a") && (key === " " || key === "Enter");
}
