/**
 * Splits terminal text into coloured pieces and the prompt after them.
 *
 * Other control sequences, such as those that move the cursor, are dropped.
 */

const LINE_CHARS_MAX = 4000;
const FRAME_CHARS_MAX = 262_144;
const COLOURS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
// A control sequence: CSI … letter, OSC … end, or ESC and one character.
const SEQUENCE = "\\u001b\\[([0-?]*)[ -/]*([@-~])|\\u001b\\][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)?|\\u001b.?";
const CONTROL = /[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f]/g;

/** A piece of a line. style: CSS classes of the page, "" = plain. @typedef {{ text: string, style: string }} Piece */
/** @typedef {{ bold: boolean, dim: boolean, colour: string }} Pen */

export class Ansi {
  constructor() {
    /** @type {Pen} */
    this.pen = { bold: false, dim: false, colour: "" };
  }

  /**
   * Return the complete lines of a frame, and the prompt after the last line end.
   * @param {string} frame
   * @returns {{ lines: Piece[][], prompt: string }}
   */
  read(frame) {
    const parts = frame.slice(0, FRAME_CHARS_MAX).replaceAll("\r\n", "\n").split("\n");
    const tail = parts.pop() ?? "";
    const lines = parts.map((line) => this.line(line));
    return { lines, prompt: plain(this.line(tail)) };
  }

  /**
   * @param {string} line
   * @returns {Piece[]}
   */
  line(line) {
    /** @type {Piece[]} */
    const pieces = [];
    const sequences = new RegExp(SEQUENCE, "g");
    const whole = line.slice(0, LINE_CHARS_MAX);
    let from = 0;
    for (let found = sequences.exec(whole); found !== null; found = sequences.exec(whole)) {
      this.put(pieces, whole.slice(from, found.index));
      from = found.index + found[0].length;
      if (found[2] === "m") {
        this.colour(found[1]);
      }
    }
    this.put(pieces, whole.slice(from));
    return pieces;
  }

  /**
   * @param {Piece[]} pieces
   * @param {string} written
   */
  put(pieces, written) {
    const text = written.replace(CONTROL, "");
    if (text !== "") {
      const { bold, dim, colour } = this.pen;
      const style = [bold ? "bold" : "", dim ? "dim" : "", colour].filter((word) => word !== "").join(" ");
      pieces.push({ text, style });
    }
  }

  /** @param {string} numbers the numbers of a colour sequence, e.g. "1;31" */
  colour(numbers) {
    const codes = numbers.split(";").map((code) => Number(code) || 0);
    for (let k = 0; k < codes.length; k += 1) {
      const code = codes[k];
      if (code === 38 || code === 48) {
        k += codes[k + 1] === 5 ? 2 : 4;
      } else {
        this.pen = changed(this.pen, code);
      }
    }
  }
}

/**
 * @param {Pen} pen
 * @param {number} code
 * @returns {Pen}
 */
function changed(pen, code) {
  if (code === 0) {
    return { bold: false, dim: false, colour: "" };
  }
  if (code === 1) {
    return { ...pen, bold: true };
  }
  if (code === 2) {
    return { ...pen, dim: true };
  }
  if (code === 22) {
    return { ...pen, bold: false, dim: false };
  }
  if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) {
    return { ...pen, colour: `ansi-${COLOURS[code % 10]}` };
  }
  return code === 39 ? { ...pen, colour: "" } : pen;
}

/**
 * The text of a line.
 * @param {Piece[]} pieces
 */
export function plain(pieces) {
  return pieces.map((piece) => piece.text).join("");
}

/**
 * Whether a prompt only repeats values that the page shows elsewhere: "[80/80 hp, …] ".
 * @param {string} prompt
 */
export function isStatusPrompt(prompt) {
  const words = prompt.trim();
  return words === ">" || (words.startsWith("[") && words.endsWith("]"));
}
