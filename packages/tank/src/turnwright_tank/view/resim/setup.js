/**
 * Reads and checks the header of a record. A mistake becomes one line of text.
 */

import { FileProblem, objectOf, text } from "../files/file_problem.js";
import { SETTINGS } from "../settings.js";
import { BEHAVIOUR_VERSION, PLACEMENT_CELL, TANKS_MAX } from "./rules.js";
import { SEED_MAX } from "./rng.js";

const PLACE_MAX = 1e300;

/** @typedef {import("../files/file_problem.js").Json} Json */

/**
 * @typedef {object} SeatInfo
 * @property {string} name
 * @property {string} version
 * @property {number | null} team
 * @property {string} teamName
 * @property {string} teamVersion
 * @property {boolean} isDroid
 * @property {{ x: number | null, y: number | null, direction: number | null }} wish
 * @property {string[]} authors
 * @property {string | null} platform
 */

/**
 * @typedef {object} Setup
 * @property {bigint} seed
 * @property {string} gameType
 * @property {number} width
 * @property {number} height
 * @property {number} rounds
 * @property {Record<string, number>} arena settings by field of the rules' Arena
 * @property {SeatInfo[]} seats
 * @property {number[]} teams for each seat, the lowest seat of its team
 * @property {boolean} hasTeams
 * @property {boolean} oddDirections whether a seat requests a start direction outside 0…360
 * @property {boolean} tolerant
 * @property {"repeat" | "idle"} onSkip
 * @property {"skip" | "dead" | "official"} onDisconnect
 * @property {number} maxSkipped
 * @property {number} maxSilenceNs
 * @property {number} maxRoundsOut
 * @property {number} timeoutNs
 */

/**
 * Return the checked settings of a header.
 * @param {Json} header
 * @param {bigint} seed
 * @returns {Setup}
 */
export function readSetup(header, seed) {
  if (header.game !== "tank") {
    throw new FileProblem(`the record is of the game "${text(header.game, 40)}", and this page shows "tank": run \`turnwright replay\` with the file (and \`--game FOLDER\` if its game is in a folder)`);
  }
  if (header.behaviour_version !== BEHAVIOUR_VERSION) {
    throw new FileProblem(
      `the record was made by behaviour version ${text(header.behaviour_version, 20)} of the rules, this page has ` +
        `version ${BEHAVIOUR_VERSION}: open it with the viewer of a release of that version`,
    );
  }
  if (seed < 0n || seed > SEED_MAX) {
    throw new FileProblem(`the seed of the record is ${seed}; expected 0 to ${SEED_MAX}`);
  }
  const said = objectOf(header.setup, "setup");
  const told = participantsOf(header);
  const seats = listOf(header.seats, "seats").map((value, seat) => readSeat(value, seat, told[seat] ?? {}));
  const setup = { seed, ...readSettings(said), seats, ...readTeams(seats), ...readRules(header) };
  checkRoom(setup.width, setup.height, seats.length);
  return setup;
}

/** @param {Json} said */
function readSettings(said) {
  const read = Object.fromEntries(SETTINGS.map((one) => [one.name, settingOf(said, one)]));
  return {
    gameType: String(read.game_type),
    width: Number(read.arena_width),
    height: Number(read.arena_height),
    rounds: Number(read.number_of_rounds),
    arena: Object.fromEntries(SETTINGS.filter(({ row }) => row).map(({ name, row }) => [row, Number(read[name])])),
  };
}

/**
 * @param {Json} said
 * @param {import("../settings.js").Setting} setting
 * @returns {string | number}
 */
function settingOf(said, { name, kind, usual, low, high }) {
  const value = said[name] ?? usual;
  if (kind === "int") {
    return wholeOf(said, name, Number(usual), low ?? -Infinity, high ?? Infinity);
  }
  if (kind === "str") {
    return typeof value === "string" ? value : usual;
  }
  if (typeof value !== "number" || !(value >= (low ?? -Infinity) && value <= (high ?? Infinity))) {
    throw new FileProblem(`the record's ${name} is ${text(value, 40)}; expected a number`);
  }
  return value;
}

/**
 * Return the participants in the announcement to spectators.
 * @param {Json} header
 * @returns {Json[]}
 */
function participantsOf(header) {
  const told = header.announced === undefined ? {} : objectOf(header.announced, "announcement");
  return Array.isArray(told.participants) ? told.participants.map((value) => objectOf(value, "participant")) : [];
}

/**
 * @param {unknown} value
 * @param {number} seat
 * @param {Json} told
 * @returns {SeatInfo}
 */
function readSeat(value, seat, told) {
  const said = objectOf(value, `seat ${seat}`);
  const options = said.options === undefined ? {} : objectOf(said.options, `options of seat ${seat}`);
  const wished = isTrue(options.initial_position) ? objectOf(options.initial_position, `position of seat ${seat}`) : {};
  const team = said.team ?? null;
  if (typeof said.name !== "string" || !(team === null || Number.isSafeInteger(team))) {
    throw new FileProblem(`seat ${seat} of the record has no name, or its team is not a number`);
  }
  const authors = isTrue(said.authors) ? said.authors : told.authors;
  const platform = isTrue(said.platform) ? said.platform : told.platform;
  return {
    name: said.name,
    version: typeof said.version === "string" ? said.version : "1.0",
    team: /** @type {number | null} */ (team),
    teamName: "team_name" in options ? text(options.team_name, 1000) : "",
    teamVersion: "team_version" in options ? text(options.team_version, 1000) : "",
    isDroid: isTrue(options.droid),
    wish: { x: placeOf(wished, "x", seat), y: placeOf(wished, "y", seat), direction: placeOf(wished, "direction", seat) },
    authors: Array.isArray(authors) ? authors.filter((name) => typeof name === "string") : [],
    platform: typeof platform === "string" && platform !== "" ? platform : null,
  };
}

/** @param {SeatInfo[]} seats */
function readTeams(seats) {
  const ids = seats.map((info, seat) => info.team ?? -seat - 1);
  return {
    teams: ids.map((id) => ids.indexOf(id)),
    hasTeams: new Set(ids).size < ids.length,
    oddDirections: seats.some(({ wish }) => wish.direction !== null && !(0 <= wish.direction && wish.direction < 360)),
  };
}

/** @param {Json} header */
function readRules(header) {
  const said = objectOf(header.rules, "rules");
  const onSkip = said.on_skip ?? "repeat";
  const onDisconnect = said.on_disconnect ?? "skip";
  if (onSkip !== "repeat" && onSkip !== "idle") {
    throw new FileProblem(`the record's on_skip is ${text(onSkip, 40)}; expected repeat or idle`);
  }
  if (onDisconnect !== "skip" && onDisconnect !== "dead" && onDisconnect !== "official") {
    throw new FileProblem(`the record's on_disconnect is ${text(onDisconnect, 40)}; expected skip, dead or official`);
  }
  const tolerant = header.tolerant === true;
  const maxSkipped = wholeOf(said, "max_skipped", 30, 0, Number.MAX_SAFE_INTEGER);
  const maxSilenceNs = wholeOf(said, "max_silence_ns", 0, 0, Number.MAX_SAFE_INTEGER);
  const maxRoundsOut = wholeOf(said, "max_rounds_out", 1, 1, Number.MAX_SAFE_INTEGER);
  const timeoutNs = wholeOf(said, "timeout_ns", 30000000, 0, Number.MAX_SAFE_INTEGER);
  /** @type {{ onSkip: "repeat" | "idle", onDisconnect: "skip" | "dead" | "official" }} */
  const policies = { onSkip, onDisconnect };
  return { ...policies, tolerant, maxSkipped, maxSilenceNs, maxRoundsOut, timeoutNs };
}

/**
 * @param {number} width
 * @param {number} height
 * @param {number} count
 */
function checkRoom(width, height, count) {
  const room = Math.floor(width / PLACEMENT_CELL) * Math.floor(height / PLACEMENT_CELL);
  if (count < 1 || count > TANKS_MAX || count > room) {
    throw new FileProblem(`the record has ${count} tanks; expected 1 to ${Math.min(TANKS_MAX, room)} in its arena`);
  }
}

/**
 * @param {Json} said
 * @param {string} name
 * @param {number} usual
 * @param {number} low
 * @param {number} high
 * @returns {number}
 */
function wholeOf(said, name, usual, low, high) {
  const value = said[name] ?? usual;
  if (typeof value !== "number" || !Number.isInteger(value) || value < low || value > high) {
    throw new FileProblem(`the record's ${name} is ${text(value, 40)}; expected a whole number from ${low} to ${high}`);
  }
  return value;
}

/**
 * @param {Json} said
 * @param {string} name
 * @param {number} seat
 * @returns {number | null}
 */
function placeOf(said, name, seat) {
  const value = said[name] ?? null;
  if (value !== null && !(typeof value === "number" && Math.abs(value) <= PLACE_MAX)) {
    throw new FileProblem(`the initial ${name} of seat ${seat} is ${text(value, 40)}; expected a number`);
  }
  return /** @type {number | null} */ (value);
}

/**
 * @param {unknown} value
 * @param {string} what
 * @returns {unknown[]}
 */
function listOf(value, what) {
  if (!Array.isArray(value)) {
    throw new FileProblem(`the ${what} of the record are ${text(value, 40)}; expected a list`);
  }
  return value;
}

/**
 * Return whether Python treats a JSON value as true.
 * @param {unknown} value
 * @returns {boolean}
 */
function isTrue(value) {
  if (typeof value === "object" && value !== null) {
    return Object.keys(value).length > 0;
  }
  return Boolean(value);
}
