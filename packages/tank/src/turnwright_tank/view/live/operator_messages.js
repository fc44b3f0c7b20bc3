/** The messages of an operator: those of official controllers, and turnwright's extensions. Pure. */

import { preset } from "./presets.js";

/** The setup of a game and its bots. @typedef {{ gameSetup: Record<string, unknown>, sessionIds: string[] }} Game */
/** @typedef {{ host: string, port: number }} Address */
/** @typedef {{ gameType: string, rounds: number, width?: number, height?: number, addresses: Address[] }} Wanted */

/**
 * @param {Record<string, unknown>} gameSetup
 * @param {Address[]} bots
 */
function startGame(gameSetup, bots) {
  return { type: "StartGame", gameSetup, botAddresses: bots.map(({ host, port }) => ({ host, port })) };
}

/** @type {import("../../../../viewer/sources/operator_commands.js").CommandMessages<Game>} */
export const OPERATOR_MESSAGES = {
  pause: { type: "PauseGame" },
  resume: { type: "ResumeGame" },
  step: { type: "NextTurn" },
  stop: { type: "StopGame" },
  directories: { type: "ListDirectories" },
  speed: (tps) => ({ type: "ChangeTps", tps }),
  boot: (ids) => ({ type: "BootBots", ids }),
  policy: (botId, { debugging, breakpoint }) => ({
    type: "BotPolicyUpdate",
    botId,
    ...(debugging === undefined ? {} : { debuggingEnabled: debugging }),
    ...(breakpoint === undefined ? {} : { breakpointEnabled: breakpoint }),
  }),
  start: (/** @type {Wanted} */ { gameType, rounds, width, height, addresses }) => {
    const gameSetup = {
      ...preset(gameType),
      numberOfRounds: rounds,
      ...(width === undefined ? {} : { arenaWidth: width }),
      ...(height === undefined ? {} : { arenaHeight: height }),
    };
    return startGame(gameSetup, addresses);
  },
  restart: ({ gameSetup }, bots) => startGame(gameSetup, bots),
  botsOf: ({ sessionIds }, lobby) => {
    const bySession = new Map(lobby.map((bot) => [bot.sessionId, bot]));
    return sessionIds.flatMap((id) => bySession.get(id) ?? []);
  },
};
