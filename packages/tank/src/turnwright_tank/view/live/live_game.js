/** Converts the server's GameStartedEventForObserver into the viewer's battle. Pure. */

/** @typedef {import("../model.js").BattleInfo} BattleInfo */
/** @typedef {import("../model.js").Seat} Seat */

/** @typedef {{ id: number, sessionId: string, name: string, version: string, authors?: string[], platform?: string, teamId?: number, teamName?: string, isDroid?: boolean }} Participant */
/** @typedef {{ gameType: string, arenaWidth: number, arenaHeight: number, numberOfRounds: number, turnTimeout: number, [field: string]: unknown }} GameSetup */
/** @typedef {{ gameSetup: GameSetup, participants: Participant[] }} GameStarted */

/**
 * @param {Participant} bot
 * @returns {Seat}
 */
function seatOf({ id, name, version, teamId, teamName, isDroid, authors, platform }) {
  return {
    id,
    name,
    version,
    teamId: teamId ?? null,
    teamName: teamName ?? null,
    isDroid: isDroid ?? false,
    authors: authors ?? [],
    platform: platform ?? null,
  };
}

/**
 * Return the battle of a started game.
 * @param {GameStarted} started
 * @returns {BattleInfo}
 */
export function battleOf({ gameSetup, participants }) {
  const { gameType, arenaWidth, arenaHeight, numberOfRounds, turnTimeout } = gameSetup;
  return {
    gameType,
    width: arenaWidth,
    height: arenaHeight,
    rounds: numberOfRounds,
    turnTimeoutUs: turnTimeout,
    seed: null,
    seats: participants.map(seatOf),
    results: null,
  };
}
