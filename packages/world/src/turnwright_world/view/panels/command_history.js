/** Earlier commands to go back to, and completion of words. */

const LINES_MAX = 200;

export class History {
  constructor() {
    /** @type {string[]} */
    this.lines = [];
    /** The place in them; lines.length: at what is being typed. */
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
   * Go back (-1) or forth (1); the text to show. What is being typed is at the end.
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

/** Completes the last word of a line; again and again: the next one that fits. */
export class Completion {
  constructor() {
    /** @type {string[]} */
    this.found = [];
    this.nth = 0;
    this.shown = "";
  }

  /**
   * The line with its last word completed, or as it was.
   *
   * step: 1 the next one, -1 the one before.
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
 * All lines that a line can become.
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
 * By the last word of its name one can be named, as by each other word.
 * @param {string[]} names
 */
function lastWords(names) {
  return names.map((name) => target(name));
}

/**
 * The word by which a command names a creature: "the old wolf" is a wolf.
 * @param {string} name
 */
export function target(name) {
  const words = name.toLowerCase().split(/\s+/).filter((word) => word !== "");
  return words[words.length - 1] ?? "";
}

/**
 * The word by which a command names the n-th of those who are here: "2.wolf".
 * @param {string[]} names of all who are here, in order
 * @param {number} nth
 */
export function targetOf(names, nth) {
  const word = target(names[nth]);
  const begins = (/** @type {string} */ name) => name.toLowerCase().split(/\s+/).some((one) => one.startsWith(word));
  const before = names.slice(0, nth).filter(begins).length;
  return before === 0 ? word : `${before + 1}.${word}`;
}

/**
 * Equal things as one, in the order in which they lie.
 * @template {{ name: string }} T
 * @param {T[]} things
 * @returns {{ one: T, label: string }[]} the first of each name, and its name with how many there are
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
