/**
 * Reads messages of a Tank Royale server from recordings.
 *
 * Files are untrusted. A value of a wrong type becomes 0, "" or null, and unknown values are left out.
 */

import { eventOf } from "../events.js";
import { SCORE_COLUMNS } from "../score_columns.js";

/** @typedef {import("../model.js").BattleInfo} BattleInfo */
/** @typedef {import("../model.js").BotState} BotState */
/** @typedef {import("../model.js").BulletState} BulletState */
/** @typedef {import("../model.js").ResultRow} ResultRow */
/** @typedef {import("../model.js").Seat} Seat */
/** @typedef {import("../score_columns.js").ScoreColumn} ScoreColumn */
/** @typedef {import("../model.js").Standing} Standing */
/** @typedef {import("../resim/frame_reader.js").Picture} Picture */

/** @typedef {{ [key: string]: unknown }} Json */

/** The largest number of tanks, bullets or events of one turn that are read. */
const THINGS_MAX = 10000;
/** The arena if a recording does not have its size. */
export const ARENA_WIDTH = 800;
export const ARENA_HEIGHT = 600;
const COLOR = /^#[0-9A-Fa-f]{6}$/;

/**
 * Return the JSON objects of a list. Any other value gives an empty list.
 * @param {unknown} value
 * @returns {Json[]}
 */
function objects(value) {
  if (!Array.isArray(value)) {
    return [];
  }
  return value.slice(0, THINGS_MAX).filter((item) => typeof item === "object" && item !== null);
}

/**
 * @param {unknown} value
 * @returns {Json}
 */
export function object(value) {
  return typeof value === "object" && value !== null ? /** @type {Json} */ (value) : {};
}

/**
 * @param {unknown} value
 * @returns {number}
 */
export function number(value) {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

/**
 * @param {unknown} value
 * @returns {string}
 */
function word(value) {
  return typeof value === "string" ? value : "";
}

/**
 * @param {unknown} value
 * @returns {string | null}
 */
function wordOrNull(value) {
  return typeof value === "string" && value !== "" ? value : null;
}

/**
 * @param {unknown} value
 * @returns {string | null}
 */
function color(value) {
  return typeof value === "string" && COLOR.test(value) ? value : null;
}

/**
 * Return the battle of a GameStartedEventForObserver.
 * @param {Json} message
 * @returns {BattleInfo}
 */
export function battleOf(message) {
  const setup = object(message.gameSetup);
  const timeout = number(setup.turnTimeout);
  return {
    gameType: word(setup.gameType),
    width: number(setup.arenaWidth) > 0 ? number(setup.arenaWidth) : ARENA_WIDTH,
    height: number(setup.arenaHeight) > 0 ? number(setup.arenaHeight) : ARENA_HEIGHT,
    rounds: Math.max(1, number(setup.numberOfRounds)),
    turnTimeoutUs: timeout > 0 ? timeout : null,
    seed: null,
    seats: objects(message.participants).map(seatOf),
    results: null,
  };
}

/**
 * Return the seat of a participant, or of a tank in a frame.
 * @param {Json} said
 * @returns {Seat}
 */
export function seatOf(said) {
  return {
    id: number(said.id),
    name: word(said.name),
    version: word(said.version),
    teamId: typeof said.teamId === "number" ? said.teamId : null,
    teamName: wordOrNull(said.teamName),
    isDroid: said.isDroid === true,
    authors: Array.isArray(said.authors) ? said.authors.filter((name) => typeof name === "string") : [],
    platform: wordOrNull(said.platform),
  };
}

/**
 * Return the rows of results in a message.
 * @param {unknown} results
 * @returns {ResultRow[]}
 */
export function resultsOf(results) {
  return objects(results).map((row) => ({
    id: number(row.id),
    name: word(row.name),
    version: word(row.version),
    isTeam: row.isTeam === true,
    rank: number(row.rank) || 1, // 0 in messages if no bot scored
    totalScore: number(row.totalScore),
    .../** @type {Record<ScoreColumn, number>} */ (Object.fromEntries(SCORE_COLUMNS.map((name) => [name, number(row[name])]))),
  }));
}

/**
 * Return the standing of each seat in the results, by bot id.
 *
 * For a team's bots, the results have only the team's points.
 * @param {Seat[]} seats
 * @param {ResultRow[] | null} results null if no round is over
 * @returns {Map<number, Standing>}
 */
export function standingsOf(seats, results) {
  const rows = new Map((results ?? []).map((row) => [`${row.isTeam} ${row.id}`, row]));
  return new Map(
    seats.map(({ id, teamId }) => {
      const row = rows.get(teamId === null ? `false ${id}` : `true ${teamId}`);
      const score = row?.totalScore ?? null;
      const points = teamId === null ? { points: score, teamPoints: null } : { points: null, teamPoints: score };
      return [id, { ...points, place: row?.rank ?? null, missed: null }];
    }),
  );
}

/**
 * Return the picture of a TickEventForObserver, or null for another message.
 * @param {unknown} value
 * @returns {Picture | null}
 */
export function pictureOf(value) {
  const tick = object(value);
  if (!isTick(tick)) {
    return null;
  }
  const turnNumber = number(tick.turnNumber);
  return {
    roundNumber: number(tick.roundNumber),
    turnNumber,
    botStates: objects(tick.botStates).map(botOf),
    bulletStates: objects(tick.bulletStates).map(bulletOf),
    events: objects(tick.events).flatMap((event) => eventOf(event, turnNumber, number, bulletOf) ?? []),
    fallen: [],
  };
}

/**
 * Return whether a message is a tick that can be shown.
 * @param {Json} message
 * @returns {boolean}
 */
export function isTick(message) {
  const { type, roundNumber, turnNumber, botStates } = message;
  const counted = Number.isSafeInteger(roundNumber) && Number.isSafeInteger(turnNumber);
  return type === "TickEventForObserver" && counted && Array.isArray(botStates);
}

/**
 * @param {Json} said
 * @returns {BotState}
 */
function botOf(said) {
  return {
    id: number(said.id),
    name: word(said.name),
    version: word(said.version),
    isDroid: said.isDroid === true,
    energy: number(said.energy),
    x: number(said.x),
    y: number(said.y),
    direction: number(said.direction),
    gunDirection: number(said.gunDirection),
    radarDirection: number(said.radarDirection),
    radarSweep: number(said.radarSweep),
    speed: number(said.speed),
    turnRate: number(said.turnRate),
    gunTurnRate: number(said.gunTurnRate),
    radarTurnRate: number(said.radarTurnRate),
    gunHeat: number(said.gunHeat),
    enemyCount: number(said.enemyCount),
    bodyColor: color(said.bodyColor),
    turretColor: color(said.turretColor),
    radarColor: color(said.radarColor),
    bulletColor: color(said.bulletColor),
    scanColor: color(said.scanColor),
    tracksColor: color(said.tracksColor),
    gunColor: color(said.gunColor),
    isDebuggingEnabled: said.isDebuggingEnabled === true,
    stdOut: wordOrNull(said.stdOut),
    stdErr: wordOrNull(said.stdErr),
    debugGraphics: wordOrNull(said.debugGraphics),
  };
}

/**
 * @param {unknown} value
 * @returns {BulletState}
 */
function bulletOf(value) {
  const said = object(value);
  return {
    bulletId: number(said.bulletId),
    ownerId: number(said.ownerId),
    power: number(said.power),
    x: number(said.x),
    y: number(said.y),
    direction: number(said.direction),
    color: color(said.color),
  };
}
