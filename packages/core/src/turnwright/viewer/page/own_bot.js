/** Finds the user's own bot among the seats of a battle. */

/** The author of the bots that come with turnwright. */
const OUR_AUTHOR = "turnwright";

/**
 * Return the seat to select at the start.
 *
 * It is the first of these that exists: the bot that the address names, the only bot that does not come with turnwright,
 * and the bot with the name that the user chose last.
 * @param {{ id: number, name: string, authors?: string[] }[]} seats
 * @param {string | null} wanted a name or an id, from the address
 * @param {string | null} chosen a name
 * @returns {number | null} its id
 */
export function ownBot(seats, wanted, chosen) {
  const named = (/** @type {string | null} */ name) =>
    name === null ? undefined : seats.find((seat) => seat.name.toLowerCase() === name.toLowerCase() || String(seat.id) === name);
  const brought = seats.filter(({ authors }) => !(authors ?? []).includes(OUR_AUTHOR));
  const only = brought.length === 1 && seats.length > 1 ? brought[0] : undefined;
  return (named(wanted) ?? only ?? named(chosen))?.id ?? null;
}
