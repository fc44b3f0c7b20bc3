/** The history of commands, and the completion of words. */

const LINES_MAX = 200;

export class History {
  constructor() {
    /** @type {string[]} */
    this.lines = [];
    /** The position in `lines`. lines.length means the line that is being typed. */
    this.at = 0;
    this.draft = "";
  }

  /** @param {string} line */
  add(line) {
    if (line.trim() !== "" && line !== this.lines[this.lines.length - 1]) {
      this.lines.push(line);
      this.lines.splice(0, this.lines.length - LINES_MAX);
    }
    this.at = this.lines.length;
    this.draft = "";
  }

  /**
   * Go back (-1) or forward (1), and return the line to show. The line that is being typed comes last.
   * @param {number} step
   * @param {string} shown
   */
  move(step, shown) {
    if (this.at === this.lines.length) {
      this.draft = shown;
    }
    this.at = Math.min(this.lines.length, Math.max(0, this.at + step));
    return this.at === this.lines.length ? this.draft : this.lines[this.at];
  }
}

/** The words that can be completed. @typedef {{ verbs: string[], exits: string[], names: string[] }} Words */

/** Completes the last word of a line. Repeated calls return the next matches. */
export class Completion {
  constructor() {
    /** @type {string[]} */
    this.found = [];
    this.nth = 0;
    this.shown = "";
  }

  /**
   * Return the line with its last word completed, or unchanged.
   *
   * step: 1 for the next match, -1 for the previous match.
   * @param {string} line
   * @param {Words} words
   * @param {number} step
   */
  next(line, words, step = 1) {
    if (this.found.length > 1 && line === this.shown) {
      this.nth = (this.nth + step + this.found.length) % this.found.length;
    } else {
      this.found = fitting(line, words);
      this.nth = step > 0 ? 0 : Math.max(0, this.found.length - 1);
    }
    this.shown = this.found[this.nth] ?? line;
    return this.shown;
  }
}

/**
 * All completions of a line.
 * @param {string} line
 * @param {Words} words
 */
export function fitting(line, words) {
  const space = line.lastIndexOf(" ");
  const start = line.slice(0, space + 1);
  const wanted = line.slice(space + 1).toLowerCase();
  const first = start.trim() === "";
  if (wanted === "" && first) {
    return [];
  }
  const going = /^(?:go|walk|run|flee) $/i.test(start);
  const choices = first ? [...words.exits, ...words.verbs] : going ? words.exits : lastWords(words.names);
  const fit = choices.filter((word) => word.toLowerCase().startsWith(wanted));
  return [...new Set(fit)].map((word) => start + word);
}

/**
 * The last word of each name. A command may name a creature by any word of its name.
 * @param {string[]} names
 */
function lastWords(names) {
  return names.map((name) => target(name));
}

/**
 * The word with which a command names a creature: "wolf" for "the old wolf".
 * @param {string} name
 */
export function target(name) {
  const words = name.toLowerCase().split(/\s+/).filter((word) => word !== "");
  return words[words.length - 1] ?? "";
}

/**
 * The word with which a command names the n-th creature here: "2.wolf".
 * @param {string[]} names of all creatures here, in order
 * @param {number} nth
 */
export function targetOf(names, nth) {
  const word = target(names[nth]);
  const begins = (/** @type {string} */ name) => name.toLowerCase().split(/\s+/).some((one) => one.startsWith(word));
  const before = names.slice(0, nth).filter(begins).length;
  return before === 0 ? word : `${before + 1}.${word}`;
}

/**
 * Group equal things, in their order.
 * @template {{ name: string }} T
 * @param {T[]} things
 * @returns {{ one: T, label: string }[]} the first thing of each name, and the name with the number of things
 */
export function counted(things) {
  const names = things.map((thing) => thing.name);
  return things
    .filter((thing, nth) => names.indexOf(thing.name) === nth)
    .map((one) => {
      const count = names.filter((name) => name === one.name).length;
      return { one, label: count > 1 ? `${one.name} (${count})` : one.name };
    });
}
