/**
 * Keyboard shortcuts of the world's page.
 *
 * Outside of the command line, letters and digits are shortcuts. In an empty command line, digits go through exits,
 * and letters with Shift react.
 */

/** @typedef {{ key: string, code?: string, shift: boolean, other: boolean }} Stroke other: Ctrl, Alt or Meta is pressed */
/** @typedef {{ what: "exit", nth: number } | { what: "way", way: string } | { what: "react", reaction: string } | { what: "type" } | { what: "leave" } | null} KeyAction */

/** Keys of the compass: the number block, and the arrows outside of the command line. @type {Record<string, string>} */
const COMPASS = {
  Numpad8: "north",
  Numpad6: "east",
  Numpad2: "south",
  Numpad4: "west",
  Numpad7: "up",
  Numpad1: "down",
  Numpad9: "in",
  Numpad3: "out",
};
/** @type {Record<string, string>} */
const ARROWS = { ArrowUp: "north", ArrowRight: "east", ArrowDown: "south", ArrowLeft: "west" };

/** A letter for each reaction: the first letter of its name that no other reaction uses. @param {string[]} reactions */
export function reactionKeys(reactions) {
  /** @type {Map<string, string>} letter: reaction */
  const used = new Map();
  for (const reaction of reactions) {
    const letter = [...reaction.toLowerCase()].find((one) => one >= "a" && one <= "z" && !used.has(one));
    if (letter !== undefined) {
      used.set(letter, reaction);
    }
  }
  return used;
}

/**
 * The action of a key, or null if the key keeps its usual meaning.
 * @param {Stroke} stroke
 * @param {{ typing: boolean, empty: boolean }} where typing: the focus is in the command line; empty: the command line is empty
 * @param {Map<string, string>} used see `reactionKeys`
 * @returns {KeyAction}
 */
export function keyAction(stroke, where, used) {
  if (stroke.other) {
    return null;
  }
  if (stroke.key === "Escape") {
    return where.typing ? { what: "leave" } : null;
  }
  const free = !where.typing || where.empty;
  const way = (free ? COMPASS[stroke.code ?? ""] : undefined) ?? (where.typing ? undefined : ARROWS[stroke.key]);
  if (way !== undefined && !stroke.shift) {
    return { what: "way", way };
  }
  if (free && stroke.key >= "1" && stroke.key <= "9" && stroke.key.length === 1) {
    return { what: "exit", nth: Number(stroke.key) - 1 };
  }
  const reaction = used.get(stroke.key.toLowerCase());
  if (reaction !== undefined && stroke.key.length === 1 && (where.typing ? where.empty && stroke.shift : true)) {
    return { what: "react", reaction };
  }
  return !where.typing && (stroke.key === "/" || stroke.key.length === 1) && stroke.key !== " " ? { what: "type" } : null;
}

/**
 * The reaction that a typed line means, or null.
 *
 * "parry 3" and "ward #3" name a threat. The server lists the abbreviations of each reaction.
 * @param {string} line
 * @param {{ name: string, short: string[], shortThreatened: string[] }[]} reactions
 * @param {boolean} threatened whether an attack is coming at the player
 * @returns {{ reaction: string, id: number | null } | null}
 */
export function typedReaction(line, reactions, threatened) {
  const found = /^\s*(\S+)(?:\s+#?(\d{1,9}))?\s*$/.exec(line);
  const word = found === null ? "" : found[1].toLowerCase();
  const meant = reactions.find(({ name, short, shortThreatened }) => name === word || (threatened ? shortThreatened : short).includes(word));
  if (found === null || meant === undefined) {
    return null;
  }
  return { reaction: meant.name, id: found[2] === undefined ? null : Number(found[2]) };
}
