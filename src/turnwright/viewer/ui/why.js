/** Why a bot lost: the account of a round put into a few sentences, the weightiest first. */

import { fixed, grouped, ordinal, percent, plural } from "./format.js";

/** @typedef {import("./tally.js").RoundTally} RoundTally */
/** @typedef {import("./tally.js").BotTally} BotTally */
/** @typedef {import("./tally.js").Blow} Blow */
/** @typedef {(id: number) => string} NameOf */

const REASONS_MAX = 6;
const RECENT_TURNS = 60;

/**
 * @typedef {object} Reason
 * @property {string} text
 * @property {number} weight how much it explains, in points of energy or about that
 */

/**
 * @typedef {object} Account
 * @property {string} headline
 * @property {string[]} reasons
 * @property {{ label: string, value: number }[]} ledger where its energy came from and went
 * @property {Blow[]} blows the last ones, the last first
 * @property {number | null} seek index of the frame to look at
 * @property {import("./tally.js").Course} course
 */

/**
 * @param {RoundTally} tally
 * @param {number} id
 * @param {NameOf} nameOf
 * @returns {Account | null} null: the bot was not seen in that round
 */
export function explain(tally, id, nameOf) {
  const bot = tally.bots.get(id);
  if (!bot || bot.turns === 0) return null;
  const reasons = [
    attackers(bot, nameOf),
    shooting(bot, tally, nameOf),
    skips(bot),
    walls(bot),
    rams(bot),
    blindness(bot, tally, nameOf),
    stillness(bot),
    disabled(bot),
    idleness(bot),
    outlived(tally, bot, nameOf),
    others(bot),
  ].filter((reason) => reason !== null);
  reasons.sort((a, b) => b.weight - a.weight);
  const told = reasons.slice(0, REASONS_MAX).map((reason) => reason.text);
  if (tally.from > 1) told.push(`This page came in turn ${tally.from}: what was before is not counted.`);
  return {
    headline: headline(tally, bot, nameOf),
    reasons: told,
    ledger: ledgerOf(bot, tally),
    blows: bot.blows.slice().reverse(),
    seek: bot.diedIndex ?? (tally.over ? tally.last : null),
    course: bot.course,
  };
}

/**
 * @param {RoundTally} tally
 * @param {BotTally} bot
 * @param {NameOf} nameOf
 * @returns {string}
 */
function headline(tally, bot, nameOf) {
  const name = nameOf(bot.id);
  if (bot.diedTurn === null) {
    if (!tally.over) return `${name} is alive in round ${tally.round}, with ${fixed(bot.energy, 1)} energy.`;
    return `${name} lived to the end of round ${tally.round}, with ${fixed(bot.energy, 1)} energy left.`;
  }
  const at = `in turn ${bot.diedTurn} of round ${tally.round}`;
  const place = `${deathOrder(tally, bot.id)} of ${tally.size} to die`;
  return `${name} died ${at} (${place}) ${cause(bot, nameOf)}.`;
}

/**
 * @param {RoundTally} tally
 * @param {number} id
 * @returns {string} "1st", also for several that died together
 */
function deathOrder(tally, id) {
  let before = tally.gone.length;
  for (const died of tally.deaths) {
    if (died.includes(id)) break;
    before += died.length;
  }
  return ordinal(before + 1);
}

/**
 * @param {BotTally} bot
 * @param {NameOf} nameOf
 * @returns {string} what killed it
 */
function cause(bot, nameOf) {
  const last = deadlyBlow(bot);
  if (!last) return OUT[wayOut(bot)](missedAtEnd(bot));
  if (last.kind === "bullet" && last.by !== null) {
    return `by a bullet of ${nameOf(last.by)} that took ${fixed(last.damage, 1)}`;
  }
  if (last.kind === "ram" && last.by !== null) return `in a collision with ${nameOf(last.by)}`;
  return last.kind === "wall" ? "by driving into a wall" : "because nobody hit anybody for too long";
}

/**
 * How a bot got out of the battle that no blow killed.
 * @typedef {"disqualified" | "out" | "left"} WayOut
 */
/** @type {Record<WayOut, (missed: number) => string>} */
const OUT = {
  disqualified: (missed) => `by disqualification: it had missed ${plural(missed, "turn")} in a row`,
  out: () => "at once: it was out of the battle already",
  left: () => "without a last blow: it left the battle",
};

/**
 * @param {BotTally} bot one that died without a last blow
 * @returns {WayOut}
 */
export function wayOut(bot) {
  if (missedAtEnd(bot) > 1) return "disqualified";
  return bot.diedTurn === 1 ? "out" : "left";
}

/**
 * @param {BotTally} bot
 * @returns {number} how many turns in a row it had missed when it died
 */
function missedAtEnd(bot) {
  return bot.skippedTurns[bot.skippedTurns.length - 1] === bot.diedTurn ? bot.skipRun : 0;
}

/**
 * @param {BotTally} bot
 * @returns {Blow | null} the one that took its last energy; others may have come after it in the same turn
 */
export function deadlyBlow(bot) {
  const last = bot.blows.filter((blow) => blow.turn === bot.diedTurn && blow.energy < 0).reverse();
  return last.find((blow) => blow.energy + blow.damage >= 0) ?? last[0] ?? null;
}

/**
 * @param {BotTally} bot
 * @param {NameOf} nameOf
 * @returns {Reason | null}
 */
export function attackers(bot, nameOf) {
  const from = [...bot.from].sort((a, b) => b[1].damage - a[1].damage);
  if (from.length === 0) return null;
  const told = from
    .slice(0, 3)
    .map(([id, hits]) => `${nameOf(id)} ${fixed(hits.damage, 1)} (${plural(hits.hits, "hit")})`);
  const rest = from.length > 3 ? ` and ${from.length - 3} more` : "";
  return { text: `Bullets took ${fixed(bot.taken, 1)} energy: ${told.join(", ")}${rest}.`, weight: bot.taken };
}

/**
 * @param {BotTally} bot
 * @param {RoundTally} tally
 * @param {NameOf} nameOf
 * @returns {Reason | null}
 */
export function shooting(bot, tally, nameOf) {
  if (bot.fired === 0) {
    return bot.turns > 30 && tally.from === 1 ? { text: "It never fired, so it won no energy and no points by damage.", weight: 40 } : null;
  }
  const net = bot.won - bot.spent;
  const rate = `${bot.hits} of ${plural(bot.fired, "shot")} hit (${percent(bot.hits, bot.fired)})`;
  const money = `cost ${fixed(bot.spent, 1)} energy, hits brought back ${fixed(bot.won, 1)}`;
  const best = bestShooter(tally, bot);
  const than = best ? `; ${nameOf(best.id)} hit with ${percent(best.hits, best.fired)}` : "";
  return { text: `Its gun: ${rate}${than}. Firing ${money}.`, weight: net < 0 ? Math.max(-net, 12) : 10 };
}

/**
 * @param {RoundTally} tally
 * @param {BotTally} bot
 * @returns {BotTally | null} another one that aimed clearly better
 */
function bestShooter(tally, bot) {
  /** @type {BotTally | null} */
  let best = null;
  for (const other of tally.bots.values()) {
    if (other === bot || other.fired < 5) continue;
    if (best === null || other.hits / other.fired > best.hits / best.fired) best = other;
  }
  return best !== null && best.hits / best.fired > (bot.hits / bot.fired) * 1.25 ? best : null;
}

/**
 * @param {BotTally} bot
 * @returns {Reason | null}
 */
export function skips(bot) {
  if (bot.skips === 0) return null;
  const end = bot.diedTurn ?? Infinity;
  const recent = bot.skippedTurns.filter((turn) => turn > end - RECENT_TURNS && turn <= end).length;
  const late = bot.late > 0 ? `, ${bot.late} of them with an answer that came too late` : "";
  const before = recent > 0 ? ` (${recent} in its last ${RECENT_TURNS} turns)` : "";
  return {
    text: `It missed ${plural(bot.skips, "turn")} of ${grouped(bot.turns)}${before}${late}.`,
    weight: 5 + (100 * bot.skips) / bot.turns + recent,
  };
}

/**
 * @param {BotTally} bot
 * @returns {Reason | null}
 */
export function walls(bot) {
  if (bot.walls === 0) return null;
  const times = plural(bot.walls, "time");
  const text = `It drove into walls ${times}, which took ${fixed(bot.wallLoss, 1)} energy and stopped it.`;
  return { text, weight: bot.wallLoss + bot.walls / 4 };
}

/**
 * @param {BotTally} bot
 * @returns {Reason | null}
 */
export function rams(bot) {
  if (bot.ramLoss < 1) return null;
  const turns = plural(bot.ramsTaken, "turn");
  const text = `Collisions with other bots took ${fixed(bot.ramLoss, 1)} energy (${turns} of contact).`;
  return { text, weight: bot.ramLoss };
}

/**
 * Whether its radar had its killer in sight.
 * @param {BotTally} bot
 * @param {RoundTally} tally
 * @param {NameOf} nameOf
 * @returns {Reason | null}
 */
function blindness(bot, tally, nameOf) {
  const last = deadlyBlow(bot);
  if (bot.diedTurn === null || !last || last.by === null) return null;
  const seen = bot.saw.get(last.by);
  const name = nameOf(last.by);
  if (seen === undefined && tally.from > 1) return null;
  if (seen === undefined) return { text: `Its radar never saw ${name}, which killed it.`, weight: 30 };
  const ago = bot.diedTurn - seen;
  if (ago < 15) return null;
  return {
    text: `It last saw its killer ${name} ${plural(ago, "turn")} before it died.`,
    weight: 10 + Math.min(ago / 3, 25),
  };
}

/**
 * @param {BotTally} bot
 * @returns {Reason | null}
 */
function stillness(bot) {
  const part = bot.stillTurns / bot.turns;
  if (bot.turns < 30 || part < 0.5) return null;
  return {
    text: `It stood still in ${percent(bot.stillTurns, bot.turns)} of its turns: an easy target.`,
    weight: 40 * part,
  };
}

/**
 * @param {BotTally} bot
 * @returns {Reason | null}
 */
function disabled(bot) {
  if (bot.disabledTurns < 2) return null;
  return {
    text: `It had no energy left and could not move for ${plural(bot.disabledTurns, "turn")}.`,
    weight: 15 + Math.min(bot.disabledTurns / 4, 25),
  };
}

/**
 * @param {BotTally} bot
 * @returns {Reason | null}
 */
function idleness(bot) {
  if (bot.idleLoss < 0.5) return null;
  const text = `Long times without any hit took ${fixed(bot.idleLoss, 1)} energy (0.1 a turn from everybody).`;
  return { text, weight: bot.idleLoss };
}

/**
 * @param {RoundTally} tally
 * @param {BotTally} bot
 * @param {NameOf} nameOf
 * @returns {Reason | null} who did better
 */
function outlived(tally, bot, nameOf) {
  if (bot.diedTurn === null) return null;
  const alive = [...tally.bots.values()].filter((other) => other.diedTurn === null);
  if (!tally.over || alive.length !== 1) return null;
  const winner = alive[0];
  const took = `was hit ${plural(winner.hitsTaken, "time")} (this one: ${bot.hitsTaken})`;
  return {
    text: `The survivor, ${nameOf(winner.id)}, ${took} and ended with ${fixed(winner.energy, 1)} energy.`,
    weight: 8,
  };
}

/**
 * @param {BotTally} bot
 * @returns {Reason | null}
 */
function others(bot) {
  if (bot.otherLoss < 0.5 || (bot.diedTurn !== null && !deadlyBlow(bot))) return null; // it went with the bot
  return { text: `${fixed(bot.otherLoss, 1)} energy went for reasons that no event tells.`, weight: bot.otherLoss };
}

/**
 * @param {BotTally} bot
 * @param {RoundTally} tally
 * @returns {{ label: string, value: number }[]} adds up to the last energy
 */
function ledgerOf(bot, tally) {
  const lines = [
    { label: tally.from > 1 ? `before turn ${tally.from}` : "at the start", value: bot.started },
    { label: "won by own hits", value: bot.won },
    { label: "spent on shots", value: -bot.spent },
    { label: "lost to bullets", value: -bot.taken },
    { label: "lost in collisions", value: -bot.ramLoss },
    { label: "lost at walls", value: -bot.wallLoss },
    { label: "lost while nobody hit", value: -bot.idleLoss },
    { label: "other", value: -bot.otherLoss },
  ];
  return lines.filter((line) => Math.abs(line.value) >= 0.05);
}
