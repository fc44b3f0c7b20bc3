/** The settings of a game as texts in a form, and back. Pure. */

/** The longest turn timeout that a server accepts, ms. */
export const TIMEOUT_MS_MAX = 3_600_000;

/**
 * Return a setting as the text of its field.
 * @param {unknown} value
 * @returns {string}
 */
export function textOf(value) {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * Return the typed settings, or the first mistake in them.
 * @param {Map<string, string>} texts the texts by name
 * @param {Record<string, unknown>} like settings with the expected types
 * @returns {{ settings: Record<string, unknown> } | { problem: string }}
 */
export function readSettings(texts, like) {
  /** @type {Record<string, unknown>} */
  const settings = {};
  for (const [name, text] of texts) {
    const read = readSetting(text, like[name]);
    if ("problem" in read) {
      return { problem: `${name}: ${read.problem}` };
    }
    settings[name] = read.value;
  }
  return { settings };
}

/**
 * @param {string} text
 * @param {unknown} like
 * @returns {{ value: unknown } | { problem: string }}
 */
function readSetting(text, like) {
  if (typeof like === "string") {
    return { value: text };
  }
  if (typeof like === "number") {
    const value = text.trim() === "" ? NaN : Number(text);
    return Number.isFinite(value) ? { value } : { problem: `${JSON.stringify(text)} is not a number such as ${like}` };
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { problem: `this is not JSON such as ${JSON.stringify(like)}` };
  }
}

/**
 * Return the bots' time for an answer, in µs, or what is wrong with the text.
 * @param {string} text ms
 * @returns {{ turnTimeoutUs: number } | { problem: string }}
 */
export function readTimeout(text) {
  const us = text.trim() === "" ? NaN : Math.round(Number(text) * 1000);
  const isRight = us >= 1 && us <= TIMEOUT_MS_MAX * 1000;
  return isRight ? { turnTimeoutUs: us } : { problem: `give bots more than 0 and at most ${TIMEOUT_MS_MAX} ms for an answer` };
}
