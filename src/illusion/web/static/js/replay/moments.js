// Moments of a replayed game: each has an address, `#r3.5` is the fifth move of the third round.

/** @typedef {import('../connection/messages.js').Colour} Colour */
/** @typedef {import('../connection/messages.js').Happened} Happened */
/** @typedef {import('../connection/messages.js').View} View */
/** @typedef {Record<string, Record<Colour, number>>} Shares by the addresses of cards */

/**
 * @typedef {object} Moment
 * @property {number} round
 * @property {number} move 0 at the beginning of a round
 * @property {Happened[]} happened
 * @property {View} view
 */

/**
 * @typedef {object} Replay
 * @property {Moment[]} moments
 * @property {Shares} shares
 * @property {number[]} bots
 */

/** @param {Pick<Moment, 'round' | 'move'>} moment */
export const addressOf = ({ round, move }) => `#r${round}.${move}`;

/**
 * The moment that an address names; the beginning, if it names none.
 * @param {readonly Pick<Moment, 'round' | 'move'>[]} moments
 * @param {string} hash
 */
export function momentAt(moments, hash) {
  const found = /^#r(\d+)\.(\d+)$/.exec(hash);
  if (!found) return 0;
  const [round, move] = [Number(found[1]), Number(found[2])];
  return Math.max(
    0,
    moments.findIndex((moment) => moment.round === round && moment.move === move),
  );
}

/**
 * Where the row falls: the places of all cards with less of the colour than the one before.
 * @param {Pick<View, 'row' | 'arrow'>} view
 * @param {Shares} shares
 */
export function falls({ row, arrow }, shares) {
  const share = (/** @type {string | undefined} */ card) => (card && arrow && shares[card]?.[arrow]) || 0;
  return row.flatMap((card, at) => (at > 0 && share(card) < share(row[at - 1]) ? [at] : []));
}

/** @param {Moment} moment */
export const isDoubt = ({ happened }) => happened.some((each) => each.event === 'row-doubted');
