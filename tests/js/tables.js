// Tables and messages for the tests.
import { createState } from '../../src/illusion/web/static/js/table/state.js';

/** @typedef {import('../../src/illusion/web/static/js/table/messages.js').Happened} Happened */
/** @typedef {import('../../src/illusion/web/static/js/table/messages.js').Snapshot} Snapshot */
/** @typedef {import('../../src/illusion/web/static/js/table/messages.js').TableMessage} TableMessage */

/**
 * A game at seat 1's turn, with two cards in the row.
 * @param {Partial<Snapshot>} [changes]
 * @returns {Snapshot}
 */
export const snapshot = (changes) => ({
  seq: 10,
  phase: 'playing',
  round: 1,
  toPlay: 1,
  host: 0,
  cardsInRow: 2,
  nextCard: 'abcd2345next',
  legal: { gaps: [0, 1, 2], doubt: true },
  away: [],
  clock: null,
  turnBegan: 1000,
  rematch: '',
  ...changes,
});

/**
 * The page of a device that holds some seats.
 * @param {number[]} held
 * @param {Partial<Snapshot>} [changes]
 * @param {{ shared?: boolean }} [options]
 */
export const stateOf = (held, changes, options) =>
  createState({ table: 'abcd2345', held, now: 1000 }, snapshot(changes), { now_ms: 1_000_000, ...options });

/**
 * @param {number} seq
 * @param {Happened[]} happened
 * @returns {TableMessage}
 */
export const message = (seq, happened) => ({
  seq,
  html: `<section>${seq}</section>`,
  event: { seq, entry: 'placed', at: 1000, happened },
  said: `<p>${seq}</p>`,
});

/** @type {Happened} */
export const PLACED = { event: 'card-placed', seat: 1, card: 'abcd2345next', gap: 0, next_card: null, to_play: 0 };

/** @type {Happened} */
export const DOUBTED = { event: 'row-doubted', seat: 1, arrow: 'red', row: [], first_fall: null };
