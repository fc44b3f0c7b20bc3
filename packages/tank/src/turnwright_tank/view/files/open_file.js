/**
 * Opens a file that was dropped on the page or offered by the server.
 *
 * It detects the kind of the file and makes its source.
 */

import { Lines } from "./lines.js";
import { FileProblem, messageOf, text } from "./file_problem.js";
import { RecordSource } from "../resim/source_record.js";
import { RoyaleSource, messageIn } from "./source_royale.js";

/** @typedef {import("../model.js").Source} Source */

/** The number of lines that are read to detect the kind of a file. */
const LINES_LOOKED_AT = 20;
const NAME_CHARS_MAX = 80;

/**
 * Return the source of a file's bytes.
 *
 * Rejects with a FileProblem if the file cannot be shown.
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
 * Return the kind of a file with this line, or null if the line does not show it.
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
