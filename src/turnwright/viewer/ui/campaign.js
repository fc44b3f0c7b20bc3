/** Why a bot did as it did in a whole battle: its finished rounds put together in a few sentences. */

import { plural } from "./format.js";
import { BotTally, RoundTally } from "./tally.js";
import { attackers, deadlyBlow, rams, shooting, skips, walls, wayOut } from "./why.js";

/** @typedef {import("./why.js").NameOf} NameOf */

const REASONS_MAX = 4;
/** Fewer finished rounds than this need no account beside their own. */
export const ROUNDS_MIN = 2;
const OTHER_CAUSES = {
  bullet: "by a bullet",
  ram: "by a collision",
  wall: "by a wall",
  idle: "by the punishment for no hits",
  disqualified: "by disqualification",
  out: "by being out already",
  left: "by leaving",
};

/**
 * @param {RoundTally[]} rounds finished ones
 * @param {number} id
 * @param {NameOf} nameOf
 * @returns {string[]} sentences, the first about its deaths, then the weightiest first; none for too few rounds
 */
export function overall(rounds, id, nameOf) {
  const played = rounds.filter((tally) => (tally.bots.get(id)?.turns ?? 0) > 0);
  if (played.length < ROUNDS_MIN) return [];
  const whole = together(played);
  const bot = whole.bot(id);
  const found = [attackers(bot, nameOf), shooting(bot, whole, nameOf), skips(bot), walls(bot), rams(bot)];
  const reasons = found.filter((reason) => reason !== null).sort((a, b) => b.weight - a.weight);
  return [deaths(played, id, nameOf), ...reasons.slice(0, REASONS_MAX).map((reason) => reason.text)];
}

/**
 * @param {RoundTally[]} rounds
 * @param {number} id
 * @param {NameOf} nameOf
 * @returns {string}
 */
export function deaths(rounds, id, nameOf) {
  /** @type {Map<string, number>} */
  const causes = new Map();
  let died = 0;
  for (const tally of rounds) {
    const bot = tally.bots.get(id);
    if (!bot || bot.diedTurn === null) continue;
    died += 1;
    const blow = deadlyBlow(bot);
    const cause = blow && blow.by !== null ? `by ${nameOf(blow.by)}` : OTHER_CAUSES[blow ? blow.kind : wayOut(bot)];
    causes.set(cause, (causes.get(cause) ?? 0) + 1);
  }
  if (died === 0) return `It survived all ${plural(rounds.length, "round")}.`;
  const told = [...causes].sort((a, b) => b[1] - a[1]).map(([cause, times]) => `${cause} in ${times}`);
  const rest = told.length > 4 ? " …" : "";
  return `It was killed in ${died} of ${plural(rounds.length, "round")}: ${told.slice(0, 4).join(", ")}${rest}.`;
}

/**
 * @param {RoundTally[]} rounds
 * @returns {RoundTally} all of them as if they were one
 */
function together(rounds) {
  const whole = new RoundTally(0, 0);
  for (const tally of rounds) {
    for (const bot of tally.bots.values()) join(whole.bot(bot.id), bot);
  }
  return whole;
}

/** What is counted in a round, and can be added up. */
const COUNTS = /** @type {const} */ ([
  "turns",
  "fired",
  "spent",
  "won",
  "hits",
  "hitsTaken",
  "taken",
  "ramsTaken",
  "ramLoss",
  "walls",
  "wallLoss",
  "skips",
  "late",
]);

/**
 * @param {BotTally} sum
 * @param {BotTally} bot
 */
function join(sum, bot) {
  for (const name of COUNTS) sum[name] += bot[name];
  for (const [id, { hits, damage }] of bot.from) {
    const from = sum.from.get(id) ?? { hits: 0, damage: 0 };
    sum.from.set(id, { hits: from.hits + hits, damage: from.damage + damage });
  }
}
