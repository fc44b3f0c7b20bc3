/**
 * The facts of an analysis, by bot and by round.
 *
 * Their words and numbers come from Python. The page computes nothing.
 */

/** @typedef {import("../../../../../viewer/sources/analysis.js").Fact} Fact */

/**
 * A line `bot`: one tank in one round.
 * @typedef {Fact & { round: number, bot: number, name: string, energy_at_start: number, energy: number,
 *   died: number | null, fate: string, blows: EnergyLoss[], tally: Record<string, number>,
 *   printed?: PrintedText[] }} BotFact
 */
/**
 * @typedef {{ turn: number, cause: string, by: number | null, damage: number, energy_before: number }} EnergyLoss
 */
/** @typedef {{ turn: number, text: string, error: boolean }} PrintedText */
/** A line `note`. @typedef {Fact & { bot: number, text: string, round: number | null }} NoteFact */

export class Facts {
  /** @param {Fact[]} lines */
  constructor(lines) {
    this.lines = lines;
    /** @type {Fact} */
    this.battle = lines[0];
    /** @type {Map<number, Fact>} the lines `total`, by bot */
    this.totals = new Map();
    /** @type {Map<number, Fact>} the lines `round` */
    this.rounds = new Map();
    /** @type {BotFact[]} */
    this.bots = [];
    /** @type {NoteFact[]} */
    this.notes = [];
    /** @type {Fact[]} */
    this.results = [];
    for (const line of lines) {
      if (line.kind === "total") this.totals.set(line.bot, line);
      if (line.kind === "round") this.rounds.set(line.round, line);
      if (line.kind === "bot") this.bots.push(/** @type {BotFact} */ (line));
      if (line.kind === "note") this.notes.push(/** @type {NoteFact} */ (line));
      if (line.kind === "result") this.results.push(line);
    }
  }

  /**
   * @param {number} id
   * @returns {BotFact[]} of each round that it was in
   */
  roundsOf(id) {
    return this.bots.filter((line) => line.bot === id);
  }

  /**
   * @param {number} id
   * @param {number} round
   * @returns {BotFact | null}
   */
  of(id, round) {
    return this.bots.find((line) => line.bot === id && line.round === round) ?? null;
  }

  /**
   * @param {number} id
   * @param {number | null} round null: the whole battle
   * @returns {string[]} sentences, those that explain most first
   */
  notesOf(id, round) {
    return this.notes.filter((note) => note.bot === id && note.round === round).map((note) => sentence(note.text));
  }

  /**
   * @param {number} id of a bot or team
   * @param {boolean} isTeam
   * @returns {string} its result next to the best one, "" if there is none
   */
  verdictOf(id, isTeam) {
    return this.results.find((row) => row.id === id && row.is_team === isTeam)?.verdict ?? "";
  }

  /**
   * @param {number} id
   * @returns {string} its end in half a line: of one round how it ended, of several how often it died
   */
  fateOf(id) {
    const rounds = this.roundsOf(id);
    return rounds.length > 1 ? (this.totals.get(id)?.fate ?? "") : (rounds[0]?.fate ?? "");
  }
}

/**
 * @param {string} text
 * @returns {string} with a capital letter and a full stop
 */
export function sentence(text) {
  return text === "" ? "" : `${text[0].toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;
}

/** The rows of a tank's energy: label, key of its tally, and whether it is a gain or a loss. */
const LEDGER = /** @type {const} */ ([
  ["won by own hits", "won_back", 1],
  ["spent on shots", "shot_energy", -1],
  ["lost to bullets", "bullet_energy", -1],
  ["lost in collisions", "ram_energy", -1],
  ["lost at walls", "wall_energy", -1],
  ["lost to inactivity", "inactivity_energy", -1],
  ["lost when taken out", "removed_energy", -1],
  ["other", "other_energy", -1],
]);
/** Figures are shown with one decimal place. */
const SHOWN = 10;

/**
 * Return the rows of a tank's energy in a round.
 *
 * `value` has one decimal place, and the rows add up to the last row. A last hit may take more energy than was left.
 * The excess (overkill) has its own row, and 0 is left.
 * @param {BotFact} line
 * @returns {{ label: string, value: number, kind: "change" | "over" | "left" }[]} the last row is what was left
 */
export function ledgerOf(line) {
  const rows = LEDGER.map(([label, key, sign]) => ({ label, value: sign * (line.tally[key] ?? 0), kind: /** @type {const} */ ("change") }));
  const over = Math.max(0, -line.energy);
  const all = [
    { label: "at the start", value: line.energy_at_start, kind: /** @type {const} */ ("change") },
    ...rows,
    { label: "overkill (damage beyond 0 energy)", value: over, kind: /** @type {const} */ ("over") },
  ];
  const left = { label: "left", value: Math.max(0, line.energy), kind: /** @type {const} */ ("left") };
  return [...closed(all, left.value).filter(({ value }) => value !== 0), { ...left, value: tenths(left.value) }];
}

/** @param {number} value */
function tenths(value) {
  return Math.round(value * SHOWN) / SHOWN;
}

/**
 * Round rows so that the shown values add up.
 *
 * The rounding difference goes to the rows that it changes least.
 * @template {{ value: number }} Row
 * @param {Row[]} rows
 * @param {number} sum of all, unrounded
 * @returns {Row[]}
 */
function closed(rows, sum) {
  const counts = rows.map(({ value }) => Math.round(value * SHOWN));
  const missing = Math.round(sum * SHOWN) - counts.reduce((one, other) => one + other, 0);
  const way = Math.sign(missing);
  const gap = (/** @type {number} */ k) => way * (rows[k].value * SHOWN - counts[k]);
  const order = rows.map((_, k) => k).filter((k) => rows[k].value !== 0).sort((a, b) => gap(b) - gap(a));
  if (Math.abs(missing) <= order.length) {
    order.slice(0, Math.abs(missing)).forEach((k) => (counts[k] += way));
  }
  return rows.map((row, k) => ({ ...row, value: counts[k] / SHOWN }));
}
