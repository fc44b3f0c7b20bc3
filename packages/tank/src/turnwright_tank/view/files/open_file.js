/**
 * Opens a file that was dropped on the page or offered by the server.
 *
 * Finds its kind and makes its source.
 */

import { Lines } from "./lines.js";
import { FileProblem, messageOf, text } from "./file_problem.js";
import { RecordSource } from "../resim/source_record.js";
import { RoyaleSource, messageIn } from "./source_royale.js";

/** @typedef {import("../model.js").Source} Source */

/** So many lines are looked at before a file is given up. */
const LINES_LOOKED_AT = 20;
const NAME_CHARS_MAX = 80;

/**
 * Return the source of a file's bytes.
 *
 * Rejects with a FileProblem of one line for what cannot be shown.
 * @param {string} name
 * @param {Uint8Array} bytes
 * @returns {Promise<Source>}
 */
export async function openFile(name, bytes) {
  try {
    return (await kindOf(bytes)) === "record" ? new RecordSource(bytes) : new RoyaleSource(bytes);
  } catch (error) {
    throw new FileProblem(`${text(name, NAME_CHARS_MAX)}: ${messageOf(error)}`);
  }
}

/**
 * @param {Uint8Array} bytes
 * @returns {Promise<"record" | "royale">}
 */
async function kindOf(bytes) {
  if (bytes.length === 0) {
    throw new FileProblem("the file is empty");
  }
  const lines = new Lines(bytes);
  try {
    for (let k = 0; k < LINES_LOOKED_AT; k++) {
      let line = lines.next();
      while (line === null && (await lines.fill())) {
        line = lines.next();
      }
      const kind = line === null ? null : kindIn(line);
      if (kind !== null) {
        return kind;
      }
    }
  } finally {
    lines.close();
  }
  throw new FileProblem("expected a record of turnwright (.twr) or a Tank Royale recording (.battle.gz)");
}

/**
 * Return the kind of a file that has this line; null: it does not tell.
 * @param {Uint8Array} line
 * @returns {"record" | "royale" | null}
 */
function kindIn(line) {
  const message = messageIn(line);
  if (message !== null && "turnwright" in message) {
    return "record";
  }
  return message !== null && typeof message.type === "string" && message.type !== "" ? "royale" : null;
}
