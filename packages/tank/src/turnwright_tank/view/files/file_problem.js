/** Reasons why a file cannot be shown, each as one line for readers. */

/**
 * A reason why a file cannot be shown.
 *
 * The message is one line for readers.
 */
export class FileProblem extends Error {}

/** @typedef {{ [key: string]: unknown }} Json */

/**
 * Return a JSON object. Throws FileProblem for anything else.
 * @param {unknown} value
 * @param {string} what
 * @returns {Json}
 */
export function objectOf(value, what) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new FileProblem(`the ${what} of the record is ${text(value, 40)}; expected a JSON object`);
  }
  return /** @type {Json} */ (value);
}

/**
 * Return a short text that shows a value.
 * @param {unknown} value
 * @param {number} most characters
 * @returns {string}
 */
export function text(value, most) {
  const whole = typeof value === "string" ? value : (JSON.stringify(value) ?? "missing");
  return whole.length > most ? `${whole.slice(0, most)}…` : whole;
}

/**
 * Return the message of an error on one line.
 * @param {unknown} error
 * @returns {string}
 */
export function messageOf(error) {
  return error instanceof Error ? text(error.message.replace(/\s+/g, " "), 300) : String(error);
}
