/** Facts of a tank battle for a room: board, winner, events, sounds. */
import { fixed, grouped, shortName } from "../../../../viewer/widgets/format.js";
import { leadersIn, rankingOf } from "./standings.js";

/** @typedef {import("../../../../viewer/page/panel_context.js").PanelContext} PanelContext */
/** @typedef {import("../model.js").Frame} Frame */
/** @typedef {import("../model.js").GameEvent} GameEvent */
/** @typedef {import("../model.js").ResultRow} ResultRow */

/** The smallest damage of a hit that is reported. Weaker hits are too many. */
const TOLD_DAMAGE = 4;

/**
 * Return the winners of a round, which have one first place more than before.
 * @param {ResultRow[]} rows after the round
 * @param {ResultRow[]} before after the round before; []: it was the first one
 * @returns {ResultRow[]}
 */
export function winnersOf(rows, before) {
  const known = new Map(before.map((row) => [row.id, row.firstPlaces]));
  return rows.filter((row) => row.firstPlaces > (known.get(row.id) ?? 0));
}

/**
 * Return the events of a turn in a few words: deaths with their killers, and hard hits.
 * @param {Frame} frame
 * @param {(id: number) => string} nameOf
 * @returns {string[]}
 */
export function tickerOf(frame, nameOf) {
  const killers = new Map();
  const told = [];
  for (const event of frame.events) {
    if (event.type === "BulletHitBotEvent") killers.set(event.victimId, event.bullet.ownerId);
    if (event.type === "BotHitBotEvent" && event.rammed && !killers.has(event.victimId)) killers.set(event.victimId, event.botId);
  }
  const dead = new Set(frame.events.flatMap((event) => (event.type === "BotDeathEvent" ? [event.victimId] : [])));
  for (const event of frame.events) {
    if (event.type === "BulletHitBotEvent" && event.damage >= TOLD_DAMAGE && !dead.has(event.victimId)) {
      told.push(`${nameOf(event.bullet.ownerId)} hit ${nameOf(event.victimId)} −${fixed(event.damage)}`);
    }
  }
  for (const id of dead) {
    const killer = killers.get(id);
    told.push(killer === undefined ? `✕ ${nameOf(id)} is out` : `✕ ${nameOf(killer)} killed ${nameOf(id)}`);
  }
  return told;
}

/**
 * @param {Frame} frame
 * @returns {import("../../../../viewer/model.js").SoundName[]}
 */
export function soundsOf(frame) {
  /** @type {import("../../../../viewer/model.js").SoundName[]} */
  const sounds = frame.roundResults ? ["end"] : [];
  const types = new Set(frame.events.map((/** @type {GameEvent} */ { type }) => type));
  if (types.has("BotDeathEvent")) sounds.push("out");
  if (types.has("BulletHitBotEvent")) sounds.push("hit");
  if (types.has("BulletFiredEvent")) sounds.push("shot");
  return sounds;
}

/**
 * @param {PanelContext} shared
 * @returns {import("../../../../viewer/model.js").Room}
 */
export function tankRoom(shared) {
  return {
    heads: { note: "Energy", value: "Score" },
    board: (frame) =>
      leadersIn(rankingOf(shared.seats, frame)).map(({ seat, state, alive, score }) => ({
        id: seat.id,
        name: shared.plainNameOf(seat.id),
        value: score === null ? "–" : grouped(score),
        note: alive && state ? `${fixed(Math.max(0, state.energy))}` : "✕",
        out: !alive,
      })),
    winner: (round) => {
      const { history, battle, player } = shared;
      /** @type {Set<number>} bots that live at the end of the round; empty: not known */
      const alive = new Set(player.frame?.roundNumber === round ? rankingOf(shared.seats, player.frame).filter((row) => row.alive).map(({ seat }) => seat.id) : []);
      const rows = history?.results.get(round) ?? (player.frame?.roundNumber === round ? player.frame?.roundResults : null);
      return rows ? winnerOf(rows, history?.results.get(round - 1) ?? [], round, battle?.rounds ?? round, shared, alive) : null;
    },
    ticker: (frame) => tickerOf(frame, (id) => shared.nameOf(id)),
    sounds: soundsOf,
  };
}

/**
 * @param {ResultRow} row
 * @param {any[]} seats
 * @param {Set<number>} alive bots
 * @returns {boolean} whether the bot, or one of the team, is alive
 */
export function isAlive(row, seats, alive) {
  return row.isTeam ? seats.some((seat) => seat.teamId === row.id && alive.has(seat.id)) : alive.has(row.id);
}

/**
 * @param {ResultRow[]} rows
 * @param {ResultRow[]} before
 * @param {number} round
 * @param {number} rounds
 * @param {PanelContext} shared
 * @param {Set<number>} alive bots
 * @returns {import("../../../../viewer/model.js").Winner}
 */
function winnerOf(rows, before, round, rounds, shared, alive) {
  const final = round >= rounds;
  const first = final ? rows.filter((row) => row.rank === 1) : winnersOf(rows, before);
  const names = first.map((row) => (row.isTeam ? shortName(row.name) : shared.nameOf(row.id))).slice(0, 3).join(" and ");
  const outlived = alive.size > 0 && first.every((row) => !isAlive(row, shared.seats, alive));
  const won = names === "" ? "draw" : `${names} ${first.length > 1 ? "win" : "wins"}${outlived ? " on points" : ""}`;
  return {
    title: final ? (names === "" ? "Draw" : `${won}!`) : `Round ${round}: ${won}`,
    rows: rows.map((row) => ({
      id: row.isTeam ? (shared.seats.find((seat) => seat.teamId === row.id)?.id ?? null) : row.id,
      name: shortName(row.name),
      value: grouped(row.totalScore),
      place: `${row.rank}.`,
    })),
  };
}
