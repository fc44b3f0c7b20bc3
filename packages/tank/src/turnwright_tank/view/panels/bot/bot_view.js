/**
 * The observations of one bot in the last turns: its own state, the tanks that it saw, and the events that it got.
 */

import { bearing, fixed } from "../../../../../viewer/widgets/format.js";
import { DISABLED_BELOW } from "../../resim/rules.js";

/** @typedef {import("../../model.js").Frame} Frame */
/** @typedef {import("../../model.js").BotState} BotState */
/** @typedef {import("../../model.js").GameEvent} GameEvent */

/**
 * Another bot as it was last seen.
 * @typedef {object} Contact
 * @property {number} id
 * @property {number} index of the frame
 * @property {number} age turns
 * @property {number} x
 * @property {number} y
 * @property {number} distance from the current place of the seeing bot
 * @property {number} bearing degrees to the left (+) or right (−) of its body
 * @property {number} energy
 * @property {number} direction
 * @property {number} speed
 * @property {{ x: number, y: number }[]} trace places where it was seen, oldest first
 */

/** @typedef {{ index: number, round: number, turn: number, text: string }} Note */

/**
 * @param {Frame[]} frames of one round, oldest first
 * @param {number} id the seeing bot
 * @returns {Contact[]} all other bots that it saw, the newest sighting first
 */
export function contactsOf(frames, id) {
  const now = frames[frames.length - 1];
  const me = lastState(frames, id);
  if (!now || !me) return [];
  /** @type {Map<number, Contact>} */
  const contacts = new Map();
  for (const frame of frames) {
    if (frame.roundNumber !== now.roundNumber) continue;
    for (const event of frame.events) {
      if (event.type === "ScannedBotEvent" && event.scannedByBotId === id) meet(contacts, event, frame, now, me);
      if (event.type === "BotDeathEvent") contacts.delete(event.victimId);
    }
  }
  return [...contacts.values()].sort((a, b) => a.age - b.age || a.distance - b.distance);
}

/**
 * @param {Map<number, Contact>} contacts
 * @param {import("../../events.js").ScannedBotEvent} event
 * @param {Frame} frame
 * @param {Frame} now
 * @param {BotState} me
 */
function meet(contacts, event, frame, now, me) {
  const { x, y } = event;
  const before = contacts.get(event.scannedBotId);
  contacts.set(event.scannedBotId, {
    id: event.scannedBotId,
    index: frame.index,
    age: now.index - frame.index,
    x,
    y,
    distance: Math.hypot(x - me.x, y - me.y),
    bearing: bearing((Math.atan2(y - me.y, x - me.x) * 180) / Math.PI - me.direction),
    energy: event.energy,
    direction: event.direction,
    speed: event.speed,
    trace: [...(before ? before.trace : []), { x, y }],
  });
}

/**
 * @param {Frame[]} frames oldest first
 * @param {number} id
 * @returns {BotState | null} the bot in the newest frame that has it
 */
export function lastState(frames, id) {
  for (let k = frames.length - 1; k >= 0; k -= 1) {
    const found = frames[k].botStates.find((bot) => bot.id === id);
    if (found) return found;
  }
  return null;
}

/**
 * The events that a bot got, except contacts, the newest first.
 * @param {Frame[]} frames oldest first
 * @param {number} id
 * @param {(id: number) => string} nameOf
 * @param {number} most
 * @returns {Note[]}
 */
export function notesOf(frames, id, nameOf, most) {
  /** @type {Note[]} */
  const notes = [];
  for (let k = frames.length - 1; k >= 0 && notes.length < most; k -= 1) {
    const frame = frames[k];
    if (!frame.botStates.some((bot) => bot.id === id)) continue;
    const { index, roundNumber: round, turnNumber: turn } = frame;
    for (const event of frame.events) {
      const text = toldTo(event, id, nameOf);
      if (text !== null && notes.length < most) notes.push({ index, round, turn, text });
    }
  }
  return notes;
}

/**
 * @param {GameEvent} event
 * @param {number} id
 * @param {(id: number) => string} nameOf
 * @returns {string | null} null if that bot does not get the event
 */
export function toldTo(event, id, nameOf) {
  switch (event.type) {
    case "BulletHitBotEvent":
      if (event.victimId === id) return `hit by ${nameOf(event.bullet.ownerId)}: −${fixed(event.damage, 1)}`;
      if (event.bullet.ownerId !== id) return null;
      return `my bullet hit ${nameOf(event.victimId)}: −${fixed(event.damage, 1)}`;
    case "BotHitBotEvent":
      if (event.botId !== id) return null;
      return `${event.rammed ? "I rammed" : "touched by"} ${nameOf(event.victimId)}`;
    case "BotHitWallEvent":
      return event.victimId === id ? "I drove into a wall" : null;
    case "BulletHitWallEvent":
      return event.bullet.ownerId === id ? "my bullet missed" : null;
    case "BulletHitBulletEvent":
      if (event.bullet.ownerId !== id && event.hitBullet.ownerId !== id) return null;
      return "my bullet hit another bullet";
    case "BotDeathEvent":
      return event.victimId === id ? "I died" : `${nameOf(event.victimId)} died`;
    default:
      return null;
  }
}

/**
 * @param {Frame} frame
 * @param {number} id
 * @param {BotState | null} here its tank, if it began the turn
 * @returns {string} the state from the server, or otherwise from the energy
 */
export function statusOf(frame, id, here) {
  const told = frame.timing?.get(id)?.status;
  if (told) return told;
  if (here === null || here.energy < 0) return "dead";
  return here.energy < DISABLED_BELOW ? "disabled" : "running";
}
