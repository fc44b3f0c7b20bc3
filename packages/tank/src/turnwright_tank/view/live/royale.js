/** Tank Royale's protocol of observers, with turnwright's additions. */
import { battleOf } from "./live_game.js";
import { OPERATOR_MESSAGES } from "./operator_messages.js";
import { NO_FRAMES, takeLines, takeTrips } from "./record_store.js";

/** @typedef {import("../../../../viewer/sources/source_live.js").LiveSource} LiveSource */
/** @typedef {import("../../../../viewer/sources/source_live.js").Message} Message */
/** @typedef {import("./live_game.js").GameStarted} GameStarted */

/**
 * @param {LiveSource} source
 * @param {GameStarted} started
 */
function began(source, started) {
  const { gameSetup, participants } = started;
  const again = { gameSetup, sessionIds: participants.map(({ sessionId }) => sessionId) };
  source.began(battleOf(started), JSON.stringify([gameSetup, participants]), again);
}

/** @type {Map<string, (source: LiveSource, message: Message) => void>} */
const TAKERS = new Map([
  ["ServerHandshake", (source, { sessionId }) => source.hello(sessionId)],
  ["OperatorToken", (source, { token }) => source.trusted(token)],
  ["BotListUpdate", (source, { bots }) => source.gathered(bots)],
  ["GameStartedEventForObserver", (source, message) => began(source, /** @type {any} */ (message))],
  ["GameAbortedEvent", (source) => source.aborted()],
  ["BotPolicies", (source, message) => source.ruled(message)],
  ["RoundTrips", (source, { trips }) => takeTrips(source, trips)],
  ["GamePausedEventForObserver", (source, { pauseCause }) => source.paused(pauseCause)],
  ["GameResumedEventForObserver", (source) => source.resumed()],
  ["TpsChangedEvent", (source, { tps, pacing }) => source.setTps(tps, pacing === "apart")],
  ["Directories", (source, { entries }) => source.listed(entries)],
  ["ErrorReply", (source, { message, roundNumber, turnNumber }) => source.warn(String(message), roundNumber, turnNumber)],
]);

/** @type {import("../../../../viewer/sources/source_live.js").Protocol} */
export const ROYALE = {
  store: () => NO_FRAMES,
  commands: OPERATOR_MESSAGES,
  history: takeLines,
  take: (source, message) => TAKERS.get(message.type)?.(source, message),
  handshake: ({ sessionId, code, secret }) => ({
    type: code !== null || secret !== null ? "ControllerHandshake" : "ObserverHandshake",
    sessionId,
    name: "turnwright viewer",
    version: "1",
    turnwright: 1,
    history: 1,
    ...(code !== null ? { code } : secret !== null ? { secret } : {}),
  }),
};
