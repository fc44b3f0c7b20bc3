/**
 * A file that somebody dropped on the page, or that the server offers: what it is, and the source that reads it.
 */

import { Lines } from "./lines.js";
import { messageOf } from "./record_lines.js";
import { FileProblem, text } from "./setup.js";
import { RecordSource } from "./source_record.js";
import { RoyaleSource, messageIn } from "./source_royale.js";

/** @typedef {import("./model.js").Source} Source */

/** How many lines are looked at before a file is given up. */
const LINES_LOOKED_AT = 20;
const NAME_CHARS_MAX = 80;

/**
 * Return the source of a file's bytes. Rejects with a FileProblem of one line for what cannot be shown.
 * @param {string} name
 * @param {Uint8Array} bytes
 * @returns {Promise<Source>}
 */
export async function openFile(name, bytes) {
  try {
    return kindOf(bytes) === "record" ? new RecordSource(bytes) : new RoyaleSource(bytes);
  } catch (error) {
    throw new FileProblem(`${text(name, NAME_CHARS_MAX)}: ${messageOf(error)}`);
  }
}

/**
 * @param {Uint8Array} bytes
 * @returns {"record" | "royale"}
 */
function kindOf(bytes) {
  if (bytes.length === 0) {
    throw new FileProblem("the file is empty");
  }
  const lines = new Lines(bytes);
  for (let k = 0; k < LINES_LOOKED_AT; k++) {
    const line = lines.next();
    if (line === null) {
      break;
    }
    const message = messageIn(line);
    if (message !== null && "turnwright" in message) {
      return "record";
    }
    if (message !== null && typeof message.type === "string" && message.type !== "") {
      return "royale";
    }
  }
  throw new FileProblem("expected a record of turnwright (.twr) or a recording of Tank Royale (.battle.gz)");
}
