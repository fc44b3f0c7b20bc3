/** Numbers and names as texts. */

/**
 * @param {number | null | undefined} value
 * @param {number} digits after the point
 * @returns {string} "–" if the value is not known
 */
export function fixed(value, digits = 0) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const text = value.toFixed(digits);
  return Number(text) === 0 && text.startsWith("-") ? text.slice(1) : text;
}

/**
 * @param {number | null | undefined} value
 * @param {number} digits
 * @returns {string} with a sign: "+3.0", "−1.5", "0.0"
 */
export function signed(value, digits = 0) {
  const text = fixed(value, digits);
  if (text === "–" || Number(text) === 0) return text;
  return text.startsWith("-") ? `−${text.slice(1)}` : `+${text}`;
}

/**
 * @param {number} part
 * @param {number} whole
 * @returns {string} "42 %", or "–" if `whole` is 0
 */
export function percent(part, whole) {
  return whole > 0 ? `${fixed((100 * part) / whole)} %` : "–";
}

/**
 * @param {number | null | undefined} us microseconds
 * @returns {string} "48 µs", "0.8 ms", "12 ms", "1.20 s"
 */
export function duration(us) {
  if (us === null || us === undefined || !Number.isFinite(us)) return "–";
  if (us < 100) return `${fixed(us)} µs`;
  if (us < 10000) return `${fixed(us / 1000, 1)} ms`;
  return us < 1e6 ? `${fixed(us / 1000)} ms` : `${fixed(us / 1e6, 2)} s`;
}

/**
 * Return a message as the beginning of a sentence.
 * @param {string} text
 * @returns {string} with a capital first letter, unless it begins with a name, e.g. of a file
 */
export function capital(text) {
  return /^[a-z]+(['’]s)?(?![^ ,;:])/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

/**
 * @param {number} bytes
 * @returns {string} "12 KiB", "3.4 MiB"
 */
export function sizeText(bytes) {
  return bytes < 1024 * 1024 ? `${grouped(Math.ceil(bytes / 1024))} KiB` : `${fixed(bytes / (1024 * 1024), 1)} MiB`;
}

/**
 * @param {number} count
 * @param {string} one
 * @param {string} many
 * @returns {string} "1 turn", "3 turns", "12,000 turns"
 */
export function plural(count, one, many = `${one}s`) {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/**
 * @param {number} value a whole number
 * @returns {string} "12,345"
 */
export function grouped(value) {
  return fixed(value).replace(/\B(?=(\d{3})+$)/g, ",");
}

/**
 * Return a value of a results table as text. Numbers have 6 digits.
 * @param {unknown} value
 * @returns {string} "12,345", "0.5", "–" if the value is not known
 */
export function amount(value) {
  if (typeof value !== "number") {
    return value === null || value === undefined ? "–" : shortName(String(value), 40);
  }
  const [whole, part] = String(Number(value.toPrecision(6))).split(".");
  return Number.isInteger(value) ? grouped(value) : [whole.replace(/\B(?=(\d{3})+$)/g, ","), ...(part ? [part] : [])].join(".");
}

/**
 * Return the place of a frame in a battle, in words.
 * @param {number} round
 * @param {number} turn
 * @param {{ rounds: number | null } | null} battle if it has no rounds, only the turn is given
 * @returns {string} "round 2, turn 140", "turn 140"
 */
export function placeText(round, turn, battle) {
  return battle?.rounds === null ? `turn ${turn}` : `round ${round}, turn ${turn}`;
}

/**
 * Return a name from the data, short enough for a line.
 *
 * Characters that change the reading direction or hide text are left out.
 * @param {string} name
 * @param {number} most characters
 * @returns {string}
 */
export function shortName(name, most = 32) {
  const plain = String(name).replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, "");
  const letters = Array.from(plain.slice(0, most * 4));
  if (letters.length === 0) return "(no name)";
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : letters.join("");
}

/**
 * Return an angle as a bearing.
 * @param {number} degrees
 * @returns {number} −180 < bearing ≤ 180
 */
export function bearing(degrees) {
  const turned = ((degrees % 360) + 360) % 360;
  return turned > 180 ? turned - 360 : turned;
}

/**
 * @param {number} rank
 * @returns {string} "1st", "2nd", "3rd", "4th"
 */
export function ordinal(rank) {
  const ten = rank % 100;
  if (ten >= 11 && ten <= 13) return `${rank}th`;
  return `${rank}${["th", "st", "nd", "rd"][rank % 10] ?? "th"}`;
}

/**
 * @param {Map<number, string>} names by bot id
 * @returns {Map<number, string>} the same; if several names are equal, each gets its number
 */
export function titlesOf(names) {
  /** @type {Map<string, number>} */
  const times = new Map();
  for (const name of names.values()) {
    times.set(name, (times.get(name) ?? 0) + 1);
  }
  return new Map([...names].map(([id, name]) => [id, times.get(name) === 1 ? name : `${name} #${id}`]));
}

/**
 * @param {string} text
 * @returns {string} the same as a sentence: with a capital letter and a full stop
 */
export function sentence(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? "" : ".");
}

/**
 * Return the progress of a search.
 * @param {number} done
 * @param {number} all
 * @returns {string}
 */
export function searchText(done, all) {
  return done < all ? `searching … ${percent(done, all)}` : "";
}
