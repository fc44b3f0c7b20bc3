/**
 * Reads and writes the page's address and links to turns.
 *
 * Pure: texts in, texts out.
 */

/** @typedef {import("../model.js").Frame} Frame */
/** @typedef {{ kind: "turn", round: number, turn: number } | { kind: "index", index: number }} Target */

/**
 * @typedef {object} Wanted
 * @property {string | null} replay the address of a record
 * @property {"off" | "board" | "arena"} overlay the board for a room, or only the arena for streaming
 * @property {boolean} kiosk whether the server's battles are shown one after the other
 * @property {string | null} follow the name of a bot to follow
 * @property {string | null} bot the name of a bot to select at the start
 * @property {number | null} tps
 */

const WHOLE_MAX = 1e9;

/**
 * @param {string | null} text
 * @returns {number | null} a whole number from 0
 */
function whole(text) {
  const value = text !== null && /^\d{1,10}$/.test(text) ? Number(text) : null;
  return value !== null && value <= WHOLE_MAX ? value : null;
}

/** @param {string | null} value of a switch in the address */
function isOn(value) {
  return value !== null && value !== "0";
}

/**
 * Return what the part after "?" requests.
 * @param {string} search
 * @returns {Wanted}
 */
export function readSearch(search) {
  const given = new URLSearchParams(search);
  const tps = given.get("tps");
  const overlay = given.get("overlay");
  const kiosk = isOn(given.get("kiosk"));
  return {
    replay: given.get("replay"),
    overlay: overlay === "arena" ? "arena" : isOn(overlay) || (kiosk && overlay === null) ? "board" : "off",
    kiosk,
    follow: given.get("follow"),
    bot: given.get("bot"),
    tps: tps !== null && /^(-\d+|\d{1,4})$/.test(tps) ? Math.max(-1, Number(tps)) : null,
  };
}

/**
 * Return which frame the part after "#" requests: #turn=ROUND.TURN or #index=N.
 * @param {string} hash
 * @returns {Target | null}
 */
export function readHash(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const index = whole(given.get("index"));
  if (index !== null) {
    return { kind: "index", index };
  }
  const [round, turn, ...more] = (given.get("turn") ?? "").split(".").map(whole);
  if (round === null || round === undefined || turn === null || turn === undefined || more.length > 0) {
    return null;
  }
  return { kind: "turn", round, turn };
}

/**
 * Return the part of an address that leads to a frame.
 * @param {Frame} frame
 */
export function hashOf(frame) {
  return `#turn=${frame.roundNumber}.${frame.turnNumber}`;
}

/**
 * Return the message for an address whose turn the battle does not have.
 * @param {string} hash
 * @param {number | null | undefined} rounds the rounds of the battle; null: it has no rounds
 */
export function nowhereText(hash, rounds) {
  const target = readHash(hash);
  const named = target?.kind === "turn" && rounds === null ? `turn ${target.turn}` : target?.kind === "turn" ? `turn ${target.turn} of round ${target.round}` : `turn number ${target?.index ?? "?"}`;
  const has = rounds === undefined || rounds === null ? "" : `; it was made for ${rounds === 1 ? "1 round" : `${rounds} rounds`}`;
  return `This battle has no ${named}, which the link names${has}.`;
}

/**
 * Return why a record of this server is not shown.
 * @param {number} status the status of the server's answer
 */
export function noRecordText(status) {
  if (status === 404) return "is not on this server";
  if (status === 410) return "is no longer on this server: it was deleted to make room, the result of its battle stays";
  return `cannot be loaded: the server answered ${status}`;
}

/**
 * Return the page's address without a record and a turn.
 *
 * This is for a file of the user, which has no address.
 * @param {string} href
 */
export function addressWithout(href) {
  const url = new URL(href);
  url.searchParams.delete("replay");
  url.hash = "";
  return url.href;
}

/**
 * Return the address to read a record from, or what is wrong with it.
 * @param {string} replay as given
 * @param {string} base address of the page
 * @returns {{ url: string } | { problem: string }}
 */
export function replayAddress(replay, base) {
  let url;
  try {
    url = new URL(replay, base);
  } catch {
    return { problem: `?replay=${replay} is not an address; expected one on this server, such as /records/x.twr` };
  }
  if (url.origin !== new URL(base).origin || !/^https?:$/.test(url.protocol)) {
    return {
      problem: `?replay= leads to ${url.origin}. This page opens only records of its own server. Download the file and drop it here.`,
    };
  }
  return { url: url.href };
}

/**
 * Return the records in a server's /records.json; [] for any other data.
 *
 * `address`: the query of the page that plays the record.
 * @param {unknown} listing
 * @returns {{ name: string, address: string }[]}
 */
export function recordsIn(listing) {
  const records = /** @type {any} */ (listing)?.records;
  const found = Array.isArray(records) ? records : [];
  return found.map(({ name, url }) => {
    const below = String(url).replace(/^\//, ""); // a room's page is not at the root of its server
    return { name: String(name), address: `?replay=${encodeURIComponent(below)}` };
  });
}

/**
 * Return the operator's one-time code in the part after "#", or null.
 * @param {string} hash
 */
export function codeIn(hash) {
  const code = new URLSearchParams(hash.replace(/^#/, "")).get("code");
  return code !== null && /^[\w-]{1,128}$/.test(code) ? code : null;
}
