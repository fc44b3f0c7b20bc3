/**
 * Reads and checks the lines of a record: the header, one line for each turn, and the footer.
 *
 * See packages/core/docs/record.md. Each line ends with a hash of itself and the hash of the line before. So a changed
 * byte or a missing line is detected.
 */

import { failureOf } from "../failures.js";
import { FileProblem, messageOf, objectOf, text } from "../files/file_problem.js";
import { Blake2b } from "./blake2b.js";
import { readIntent } from "./intents.js";
import { LINE_BYTES_MAX, parseLine } from "../files/lines.js";
import { readSetup } from "./setup.js";

/** @typedef {import("./intents.js").Intent} Intent */
/** @typedef {import("./setup.js").Json} Json */
/** @typedef {import("./setup.js").Setup} Setup */
/** @typedef {import("./simulate.js").Turn} Turn */

/** @typedef {import("./simulate.js").Printed} Printed */

/** @typedef {{ ending: string, turns: number, printed: Map<number, Printed> }} Footer */
/** @typedef {{ setup: Setup } | { turn: Turn } | { footer: Footer }} Said */

const VERSION = 2;
const START = "turnwright record 2";
/** The end of a line: some digits of its hash. */
const TAIL = /^"h":"([0-9a-f]{4})"\}\n$/;
const TAIL_BYTES = 12;
const NEWLINE = 10;
const SEED = /^-?\d+/;

export class RecordReader {
  constructor() {
    this.number = 0;
    /** @type {Setup | null} */
    this.setup = null;
    /** @type {Footer | null} */
    this.footer = null;
    this.turns = 0;
    /** @type {Map<number, Json>} what each seat said last, as JSON values */
    this.data = new Map();
    /** @type {Map<number, Intent>} and what that means */
    this.intents = new Map();
    /** @type {number[]} whose intents were accepted in the turn before */
    this.answering = [];
    this.before = START;
    this.hasher = new Blake2b();
    this.buffer = new Uint8Array(4096);
  }

  /**
   * Read the next line.
   *
   * Returns null for a truncated line. Throws FileProblem, which names the line.
   * @param {Uint8Array} line
   * @returns {Said | null}
   */
  read(line) {
    if (line[line.length - 1] !== NEWLINE) {
      if (this.footer !== null) {
        throw new FileProblem("the record has data after its footer");
      }
      return null;
    }
    this.number += 1;
    if (this.setup === null) {
      return this.readHeader(line);
    }
    try {
      this.checkHash(line);
      return this.readTurnOrFooter(line, this.setup);
    } catch (error) {
      throw new FileProblem(`line ${this.number} of the record cannot be read: ${messageOf(error)}`);
    }
  }

  /**
   * Begin behind a turn whose line is unknown.
   * @param {import("./source_record.js").Start} start
   */
  resume({ turn, hash, intents, answering }) {
    this.turns = turn;
    this.number = turn + 1;
    this.before = hash;
    this.answering = [...answering].sort((one, two) => one - two);
    for (const [seat, said] of Object.entries(intents)) {
      this.data.set(Number(seat), said);
      this.intents.set(Number(seat), readIntent(said));
    }
  }

  /**
   * @param {Uint8Array} line
   * @returns {Said}
   */
  readHeader(line) {
    const header = headerOf(line);
    if (header.turnwright !== VERSION) {
      const version = text(header.turnwright, 20);
      const reader = Number(version) < VERSION ? "a development version from before release 0.1.0" : "a newer turnwright";
      throw new FileProblem(
        `the record is of version ${version} of the format, this page reads version ${VERSION}: use ${reader}`,
      );
    }
    try {
      this.checkHash(line);
    } catch (error) {
      throw new FileProblem(`line 1 of the record cannot be read: ${messageOf(error)}`);
    }
    this.setup = readSetup(header, seedOf(new TextDecoder().decode(line)));
    return { setup: this.setup };
  }

  /**
   * Check that a line and the line before it are unchanged.
   * @param {Uint8Array} line
   */
  checkHash(line) {
    if (line.length > LINE_BYTES_MAX) {
      throw new FileProblem(`it has more than ${LINE_BYTES_MAX >> 20} MiB`);
    }
    const covered = Math.max(0, line.length - TAIL_BYTES);
    const tail = TAIL.exec(String.fromCharCode(...line.subarray(covered)));
    if (tail === null) {
      throw new FileProblem("it does not end with a hash");
    }
    const length = this.before.length + covered;
    if (this.buffer.length < length) {
      this.buffer = new Uint8Array(2 * length);
    }
    for (let k = 0; k < this.before.length; k++) {
      this.buffer[k] = this.before.charCodeAt(k);
    }
    this.buffer.set(line.subarray(0, covered), this.before.length);
    this.before = this.hasher.hex(this.buffer, length);
    if (!this.before.startsWith(tail[1])) {
      throw new FileProblem("its hash is wrong; the line was changed, or the line before it is missing");
    }
  }

  /**
   * @param {Uint8Array} line
   * @param {Setup} setup
   * @returns {Said}
   */
  readTurnOrFooter(line, setup) {
    if (this.footer !== null) {
      throw new FileProblem("it comes after the footer");
    }
    const said = objectOf(parseLine(line), "line");
    if ("kind" in said) {
      const printed = printedOf(said.p, setup.seats.length);
      this.footer = { ending: text(said.ending, 20), turns: Number(said.turns), printed };
      return { footer: this.footer };
    }
    this.turns += 1;
    return { turn: this.turnOf(said, setup.seats.length) };
  }

  /**
   * @param {Json} said
   * @param {number} count of seats
   * @returns {Turn}
   */
  turnOf(said, count) {
    const codes = typeof said.a === "string" ? said.a : "";
    if (codes !== "" && codes.length !== count) {
      throw new FileProblem(`it has ${codes.length} answer times for ${count} seats`);
    }
    return {
      number: this.turns,
      intents: this.intentsOf(said, count),
      skipped: seatsOf(said.s, count),
      lateNs: timesOf(said.l, count),
      gone: seatsOf(said.g, count),
      disqualified: seatsOf(said.x, count),
      out: failuresOf(said.q, count),
      failures: failuresOf(said.e, count),
      printed: printedOf(said.p, count),
      failed: Array.isArray(said.f) ? said.f.map((pair) => String(pair[0])) : [],
      digest: typeof said.d === "string" ? said.d : "",
      opening: said.o === true,
      answers: codes,
      serverLateNs: typeof said.w === "number" ? said.w : 0,
    };
  }

  /**
   * Return the accepted intents by seat, in order of seat.
   * @param {Json} said
   * @param {number} count
   * @returns {Map<number, Intent>}
   */
  intentsOf(said, count) {
    const changed = said.i === undefined ? {} : objectOf(said.i, "intents");
    const seats = seatsOf(Object.keys(changed).map(Number), count);
    for (const seat of seats) {
      const data = this.applied(seat, objectOf(changed[String(seat)], "intent"));
      this.intents.set(seat, readIntent(data));
    }
    const expected = this.answering.filter((seat) => !seats.includes(seat));
    const same = said.r === undefined || said.r === null ? expected : seatsOf(said.r, count);
    this.answering = [...seats, ...same].sort((one, two) => one - two);
    /** @type {Map<number, Intent>} */
    const intents = new Map();
    for (const seat of this.answering) {
      const intent = this.intents.get(seat);
      if (intent === undefined) {
        throw new FileProblem(`seat ${seat} repeats its last intent, but has sent no intent before`);
      }
      intents.set(seat, intent);
    }
    return intents;
  }

  /**
   * Return the intent of a seat after these changes. Null removes a field.
   * @param {number} seat
   * @param {Json} changes
   * @returns {Json}
   */
  applied(seat, changes) {
    const before = this.data.get(seat);
    let after = changes;
    if (before !== undefined) {
      after = { ...before, ...changes };
      if (Object.values(changes).includes(null)) {
        after = Object.fromEntries(Object.entries(after).filter(([, value]) => value !== null));
      }
    }
    this.data.set(seat, after);
    return after;
  }
}

/**
 * Return the JSON object of the first line, if it belongs to a record.
 * @param {Uint8Array} line
 * @returns {Json}
 */
function headerOf(line) {
  try {
    const header = objectOf(parseLine(line), "header");
    if ("turnwright" in header) {
      return header;
    }
  } catch {
    // said below
  }
  throw new FileProblem("this is not a record of turnwright");
}

/**
 * Return the seed in the text of a header.
 *
 * JSON numbers of this size lose digits when they are read as numbers.
 * @param {string} line
 * @returns {bigint}
 */
function seedOf(line) {
  let depth = 0;
  let key = "";
  for (let at = 0; at < line.length; at++) {
    const letter = line[at];
    if (letter === '"') {
      const end = stringEnd(line, at);
      key = depth === 1 ? line.slice(at + 1, end) : "";
      at = end;
    } else if (letter === "{" || letter === "[") {
      depth += 1;
    } else if (letter === "}" || letter === "]") {
      depth -= 1;
    } else if (letter === ":" && depth === 1 && key === "seed") {
      const digits = SEED.exec(line.slice(at + 1).trimStart());
      if (digits !== null) {
        return BigInt(digits[0]);
      }
    }
  }
  throw new FileProblem("the record's header has no seed");
}

/**
 * Return the end of a JSON string.
 * @param {string} line
 * @param {number} at where it begins
 * @returns {number}
 */
function stringEnd(line, at) {
  let end = at + 1;
  while (end < line.length && line[end] !== '"') {
    end += line[end] === "\\" ? 2 : 1;
  }
  return end;
}

/**
 * @param {unknown} value
 * @param {number} count
 * @returns {number[]}
 */
function seatsOf(value, count) {
  const seats = value ?? [];
  if (!Array.isArray(seats)) {
    throw new FileProblem(`it names seats by ${text(seats, 40)}; expected a list`);
  }
  for (const seat of seats) {
    if (!Number.isInteger(seat) || seat < 0 || seat >= count) {
      throw new FileProblem(`there is no seat ${text(seat, 20)}`);
    }
  }
  return seats;
}

/**
 * @param {unknown} value
 * @param {number} count
 * @returns {Map<number, import("../../../../viewer/model.js").Failure>} by seat
 */
function failuresOf(value, count) {
  const said = value === undefined ? {} : objectOf(value, "failures");
  const seats = seatsOf(Object.keys(said).map(Number), count);
  return new Map(seats.map((seat) => [seat, failureOf(objectOf(said[String(seat)], "failure"))]));
}

/**
 * @param {unknown} value
 * @param {number} count
 * @returns {Map<number, Printed>} by seat
 */
function printedOf(value, count) {
  const said = value === undefined ? {} : objectOf(value, "printed texts");
  const seats = seatsOf(Object.keys(said).map(Number), count);
  return new Map(
    seats.map((seat) => {
      const texts = said[String(seat)];
      if (!Array.isArray(texts) || texts.length !== 2 || texts.some((one) => typeof one !== "string")) {
        throw new FileProblem(`what seat ${seat} printed is ${text(texts, 40)}; expected two texts`);
      }
      return [seat, { out: texts[0], err: texts[1] }];
    }),
  );
}

/**
 * @param {unknown} value
 * @param {number} count
 * @returns {Map<number, number>}
 */
function timesOf(value, count) {
  const said = value === undefined ? {} : objectOf(value, "times");
  const seats = seatsOf(Object.keys(said).map(Number), count);
  return new Map(seats.map((seat) => [seat, Number(said[String(seat)])]));
}
