/** The generic protocol's messages for spectators and operators. Pure. */
import { FrameList, PROTOCOL, battleOf, resultsOf } from "./frames.js";

/** @typedef {import("../sources/source_live.js").LiveSource} LiveSource */
/** @typedef {import("../sources/source_live.js").Message} Message */

/** The data with which a battle was started. @typedef {{ settings: Record<string, unknown>, turnTimeoutUs: number | null, names: string[] }} Made */
/** @typedef {{ settings: Record<string, unknown>, turnTimeoutUs: number | null, bots: { host: string, port: number }[] }} Wanted */

/**
 * Return the bots of the lobby that have the names of a battle's seats, in order of seat.
 *
 * A seat whose bot has left the lobby is skipped. If several bots have the same name, a battle calls the second one "NAME (2)".
 * @param {string[]} names by seat
 * @param {import("../model.js").LobbyBot[]} bots
 */
export function botsOf(names, bots) {
  const left = [...bots];
  return names.flatMap((name) => {
    const plain = name.replace(/ \(\d+\)$/, "");
    const exact = left.findIndex((bot) => bot.name === name);
    const at = exact >= 0 ? exact : left.findIndex((bot) => bot.name === plain);
    return at < 0 ? [] : left.splice(at, 1);
  });
}

/** @param {Wanted} wanted */
function start({ settings, turnTimeoutUs, bots }) {
  const timeout = turnTimeoutUs === null ? {} : { turnTimeoutUs };
  return { type: "start", settings, bots: bots.map(({ host, port }) => ({ host, port })), ...timeout };
}

/** @type {import("../sources/operator_commands.js").CommandMessages<Made>} */
const COMMANDS = {
  pause: { type: "pause" },
  resume: { type: "resume" },
  step: { type: "step" },
  stop: { type: "stop" },
  directories: { type: "directories" },
  speed: (tps) => ({ type: "speed", tps }),
  boot: (ids) => ({ type: "boot", ids }),
  policy: (seat, { debugging, breakpoint }) => ({
    type: "policy",
    seat,
    ...(debugging === undefined ? {} : { debugging }),
    ...(breakpoint === undefined ? {} : { breakpoints: breakpoint }),
  }),
  start,
  restart: ({ settings, turnTimeoutUs }, bots) => start({ settings, turnTimeoutUs, bots }),
  botsOf: ({ names }, lobby) => botsOf(names, lobby),
};

/** @type {Map<string, (source: LiveSource, message: Message, text: string) => void>} */
const TAKERS = new Map([
  ["hello", (source, { session, settings }) => {
    source.settings = settings ?? {};
    source.hello(String(session ?? ""));
  }],
  ["token", (source, { token }) => source.trusted(token)],
  ["bots", (source, { bots }) => source.gathered(bots)],
  ["ready", began],
  ["frame", takeFrame],
  ["result", ended],
  ["paused", (source, { cause }) => source.paused(cause)],
  ["resumed", (source) => source.resumed()],
  ["speed", (source, { tps, pacing }) => source.setTps(tps, pacing === "apart")],
  ["policies", (source, message) => source.ruled(message)],
  ["directories", (source, { entries }) => source.listed(entries)],
  ["error", (source, { message, turn }) => source.warn(String(message), 1, turn)],
]);

/**
 * @param {LiveSource} source
 * @param {Message} message
 */
function began(source, message) {
  const battle = battleOf(message);
  const names = battle.seats.map((/** @type {{ name: string }} */ { name }) => name);
  source.began(battle, JSON.stringify(message), { settings: battle.settings, turnTimeoutUs: battle.turnTimeoutUs, names });
}

/**
 * @param {LiveSource} source
 * @param {Message} message
 * @param {string} text the same message as text
 */
function takeFrame(source, message, text) {
  if (framesOf(source).isOld(message)) {
    return; // the connection was lost, and the battle is paused
  }
  if (framesOf(source).isAnew(message)) {
    source.anew();
  }
  framesOf(source).put(text, message);
  source.emitter.emit("frames");
}

/**
 * @param {LiveSource} source
 * @returns {FrameList}
 */
function framesOf(source) {
  return /** @type {FrameList} */ (source.store);
}

/**
 * @param {LiveSource} source
 * @param {Message} message
 */
function ended(source, message) {
  if (message.ending !== "over") {
    source.aborted();
    return;
  }
  const rows = resultsOf(message, source.battle?.seats ?? []);
  framesOf(source).results = rows;
  source.emitter.emit("frames");
  source.ended(rows);
}

/** @type {import("../sources/source_live.js").Protocol} */
export const GENERIC = {
  store: () => new FrameList(),
  commands: COMMANDS,
  history: (source, pieces) => pieces.forEach((piece) => source.take(piece)),
  take: (source, message, text) => TAKERS.get(message.type)?.(source, message, text),
  handshake: ({ sessionId, code, secret }) => ({
    type: "hello",
    protocol: PROTOCOL,
    role: code !== null || secret !== null ? "operator" : "spectator",
    name: "turnwright viewer",
    version: "1",
    history: true,
    ...(sessionId === "" ? {} : { session: sessionId }),
    ...(code !== null ? { code } : secret !== null ? { secret } : {}),
  }),
};
