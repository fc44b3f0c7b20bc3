/**
 * The arithmetic of threats: time left, urgency, order of landing.
 *
 *     remaining = max(0, at + us − ring time)          game time, µs. The ring time is ahead by the lead
 *
 * The server computes the same values (`turnwright_world/rules/threats.py`). Until it answers, the page shows a
 * prediction.
 */

/** @typedef {import("./connection/messages.js").ThreatData} ThreatData */
/** @typedef {import("./connection/messages.js").Reaction} Reaction */
/** @typedef {"calm" | "near" | "now" | "landing"} Urgency */

const NOW_US = 1_000_000;
const NEAR_PART = 0.5;

/**
 * @param {ThreatData} threat
 * @param {number} ringUs
 */
export function remainingUs(threat, ringUs) {
  return Math.max(0, threat.at + threat.us - ringUs);
}

/**
 * The share of a ring that is drawn, 0 … 1.
 * @param {ThreatData} threat
 * @param {number} ringUs
 */
export function part(threat, ringUs) {
  return Math.min(1, remainingUs(threat, ringUs) / threat.us);
}

/**
 * @param {ThreatData} threat
 * @param {number} ringUs
 * @returns {Urgency}
 */
export function urgency(threat, ringUs) {
  const leftUs = remainingUs(threat, ringUs);
  if (leftUs === 0) {
    return "landing";
  }
  if (leftUs <= NOW_US) {
    return "now";
  }
  return leftUs <= threat.us * NEAR_PART ? "near" : "calm";
}

/**
 * Seconds as a ring shows them.
 *
 * They are rounded up to tenths, so that 0.0 means that the ring has run out.
 * @param {number} us
 */
export function seconds(us) {
  return (Math.ceil(us / 100_000) / 10).toFixed(1);
}

/**
 * Sort threats by landing time. Threats with the same time stay in the order in which they came.
 * @param {Iterable<ThreatData>} threats
 */
export function byLanding(threats) {
  return [...threats].sort((a, b) => a.at + a.us - b.at - b.us || a.id - b.id);
}

/**
 * Whether a reaction can clear threats of this kind.
 * @param {Reaction} reaction
 * @param {ThreatData} threat
 */
export function takes(reaction, threat) {
  return reaction.kinds.length === 0 || reaction.kinds.includes(threat.kind);
}

/**
 * The threats that a reaction will clear at a game time, in order of landing.
 *
 * wanted: the number of the threat that the reaction is meant for, or null for the first that it can clear.
 * @param {Iterable<ThreatData>} threats
 * @param {Reaction} reaction
 * @param {number} atUs
 * @param {number | null} wanted
 */
export function taken(threats, reaction, atUs, wanted) {
  const fit = byLanding(threats).filter((threat) => takes(reaction, threat));
  if (reaction.clears === "id") {
    return fit.filter((threat) => wanted === null || threat.id === wanted).slice(0, 1);
  }
  if (reaction.clears === "first") {
    return fit.slice(0, 1);
  }
  return reaction.clears === "band" ? fit.filter((threat) => threat.at + threat.us <= atUs + reaction.bandUs) : fit;
}

/**
 * The announcement of a threat for a screen reader, or null if there is nothing new to say.
 *
 * There is one announcement when the threat comes and one when a second is left. said: how many were made.
 * @param {ThreatData} threat
 * @param {number} said
 * @param {number} ringUs
 * @param {Reaction[]} reactions
 * @returns {string | null}
 */
export function announcement(threat, said, ringUs, reactions) {
  const leftUs = remainingUs(threat, ringUs);
  if (said === 0) {
    const answers = reactions.filter((reaction) => takes(reaction, threat)).map((reaction) => reaction.name);
    const how = answers.length > 0 ? ` ${begun(oneOf(answers))}.` : "";
    return `${begun(known(threat.name))}: ${threat.kind} in ${seconds(leftUs)} seconds.${how}`;
  }
  return said === 1 && leftUs <= NOW_US && leftUs > 0 ? `${begun(threat.kind)}: one second.` : null;
}

/**
 * A coming threat in words.
 * @param {ThreatData} threat
 * @param {Reaction[]} reactions
 */
export function comingLine(threat, reactions) {
  const meets = reactions.filter((one) => takes(one, threat)).sort((a, b) => a.stamina - b.stamina);
  const answers = oneOf(meets.map((one) => one.name));
  const left = (threat.us / 1_000_000).toFixed(1);
  const what = `${begun(known(threat.name))}: ${threat.kind} in ${left} s [${threat.id}]`;
  return answers === "" ? what : `${what} - ${answers}?`;
}

/**
 * The outcome in words, or "" if another message reports it.
 * @param {ThreatData} threat
 * @param {string} why
 * @param {number} damage
 */
export function goneLine(threat, why, damage) {
  if (why === "died" || why === "left") {
    return "";
  }
  if (why === "landed" || why === "overflow") {
    const said = `${known(threat.name)} hits you for ${damage}.`;
    return why === "overflow" ? `Too many attacks at once: ${said}` : begun(said);
  }
  return `You have ${why} the attack of ${known(threat.name)}.`;
}

/** A name with its article, as in `rules/naming.py`. @param {string} name */
function known(name) {
  return /^(?!(?:the|an?) |(?:somebody|something|nobody|nothing|you)$)\p{Ll}/u.test(name) ? `the ${name}` : name;
}

/** Names as a choice: "parry, ward or dodge". @param {string[]} names */
function oneOf(names) {
  const last = names[names.length - 1] ?? "";
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} or ${last}` : last;
}

/** A text with its first letter in upper case. @param {string} text */
export function begun(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
