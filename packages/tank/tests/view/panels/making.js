/** Makes frames for tests, and reads battles that were really played. */

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** Three bots that play alone. */
export const SEATS = [seat(1, "Ann"), seat(2, "Bob"), seat(3, "Cid")];

export function seat(id, name, team = null) {
  const teamName = team === null ? null : `Team ${team}`;
  return { id, name, version: "1.0", teamId: team, teamName, isDroid: false, authors: [], platform: null };
}

/** A frame; `bots` are [id, energy] or [id, energy, more fields]. */
export function frame(index, bots, events = [], more = {}) {
  const botStates = bots.map(([id, energy, fields = {}]) => ({
    id,
    energy,
    speed: 8,
    x: 0,
    y: 0,
    direction: 0,
    ...fields,
  }));
  const rest = { bulletStates: [], timing: null, serverLateUs: null, roundResults: null, standings: new Map(), fallen: [] };
  return { index, roundNumber: 1, turnNumber: index + 1, botStates, events, ...rest, ...more };
}

export function bullet(ownerId, power = 1) {
  return { bulletId: 1, ownerId, power, x: 0, y: 0, direction: 0, color: null };
}

export function hit(owner, victim, damage, energy, power = 1) {
  return { type: "BulletHitBotEvent", turnNumber: 1, victimId: victim, bullet: bullet(owner, power), damage, energy };
}

export function fired(owner, power) {
  return { type: "BulletFiredEvent", turnNumber: 1, bullet: bullet(owner, power) };
}

export function ram(bot, victim, energy, rammed = true) {
  return { type: "BotHitBotEvent", turnNumber: 1, botId: bot, victimId: victim, energy, x: 0, y: 0, rammed };
}

export function wall(id) {
  return { type: "BotHitWallEvent", turnNumber: 1, victimId: id };
}

export function death(id) {
  return { type: "BotDeathEvent", turnNumber: 1, victimId: id };
}

export function scan(by, of, x = 100, y = 0) {
  return {
    type: "ScannedBotEvent",
    turnNumber: 1,
    scannedByBotId: by,
    scannedBotId: of,
    energy: 50,
    x,
    y,
    direction: 0,
    speed: 2,
  };
}

export function skipped(...ids) {
  return new Map(ids.map((id) => [id, { skipped: true, lateUs: null, answerUs: null, rttUs: null }]));
}

export function row(id, name, totalScore, more = {}) {
  const parts = {
    survival: 0,
    lastSurvivorBonus: 0,
    bulletDamage: 0,
    bulletKillBonus: 0,
    ramDamage: 0,
    ramKillBonus: 0,
  };
  const places = { firstPlaces: 0, secondPlaces: 0, thirdPlaces: 0 };
  return { id, name, version: "1.0", isTeam: false, rank: 1, totalScore, ...parts, ...places, ...more };
}

/** Standings of bots 1, 2 …: points, place, missed turns, points of the team. */
export function standings(...rows) {
  return new Map(rows.map(([points, place, missed = 0, teamPoints = null], k) => [k + 1, { points, teamPoints, place, missed }]));
}

/** What a source gives. */
export function sourceOf(frames, first = 0) {
  return { first, length: first + frames.length, at: (index) => frames[index - first] ?? null };
}

/** A battle that was really played: without radar contacts, with missed turns. */
export function realBattle(name) {
  const url = new URL(`samples/${name}.json.gz`, import.meta.url);
  const { battle, frames } = JSON.parse(gunzipSync(readFileSync(url)).toString("utf8"));
  for (const each of frames) {
    each.timing = new Map(each.timing);
    each.standings = new Map();
  }
  return { battle, frames };
}

export const nameOf = (id) => SEATS.find((each) => each.id === id)?.name ?? `bot ${id}`;
