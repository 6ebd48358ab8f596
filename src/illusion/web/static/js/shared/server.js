/**
 * @param {string} table
 * @param {string} path below the table's own address; empty for the table itself
 */
export const apiTable = (table, path) => `/api/tables/${table}${path && `/${path}`}`;

/** @param {string} table */
export const tablePage = (table) => `/table/${table}`;

/**
 * @param {string} table
 * @param {number} after the number of the last event seen
 */
export const tableSocket = (table, after) => `/table/${table}/live?after=${after}`;

/** @param {string} card */
export const cardPicture = (card) => `/cards/${card}.svg`;

/** @param {string} table */
export const replayPage = (table) => `/table/${table}/replay`;

/** @param {string} table */
export const reviewPage = (table) => `/table/${table}/review`;

/** @param {string} table */
export const recordFile = (table) => `/api/tables/${table}/record`;

/**
 * @param {string} level
 * @param {string} name
 */
export const facePicture = (level, name) => `/faces/${level}/${encodeURIComponent(name)}.svg`;

export const OWN_EYES = '/api/eyes';

export const REMEMBERED_EYES = '/eyes';

/**
 * A moment of a game that is watched again: `#r3.5` is the fifth move of the third round, `#r3.0` its beginning.
 * @param {{ round: number, move: number }} moment
 */
export const addressOf = ({ round, move }) => `#r${round}.${move}`;

/**
 * The moment that an address names; the beginning, if it names none.
 * @param {readonly { round: number, move: number }[]} moments
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
 * @param {string} table
 * @param {number} round
 * @param {number} move
 */
export const momentPage = (table, round, move) => replayPage(table) + addressOf({ round, move });
