// Tables and messages for the tests.
import { setPageData } from '../../src/illusion/web/static/js/shared/texts.js';
import { createState } from '../../src/illusion/web/static/js/table/state.js';

/** @typedef {import('../../src/illusion/web/static/js/shared/texts.js').Names} Names */
/** @typedef {import('../../src/illusion/web/static/js/table/messages.js').Doubt} Doubt */
/** @typedef {import('../../src/illusion/web/static/js/table/messages.js').Happened} Happened */
/** @typedef {import('../../src/illusion/web/static/js/table/messages.js').TableMessage} TableMessage */
/** @typedef {import('../../src/illusion/web/static/js/table/messages.js').View} View */

/**
 * A page in English, or with some texts in another language.
 * @param {Record<string, string>} [texts]
 */
export function openPage(texts = {}) {
  /** @type {Names} */
  const names = {
    colours: { red: 'red', yellow: 'yellow', green: 'green', blue: 'blue' },
    arrows: { red: 'red arrow', yellow: 'yellow arrow', green: 'green arrow', blue: 'blue arrow' },
    levels: { keen: 'keen' },
    variants: { 'first-to-three': 'First to three arrows' },
    variantSentences: { 'first-to-three': 'First to three arrows wins.' },
    penalties: { nothing: 'Costs nothing' },
    penaltySentences: { nothing: 'A wrong doubt costs nothing.' },
    reactions: {},
    reactionWords: {},
    clocks: [45],
  };
  setPageData('texts', texts);
  setPageData('names', names);
}

/**
 * A game at seat 1's turn, with two cards in the row.
 * @param {Partial<View>} [changes]
 * @returns {View}
 */
export const viewOf = (changes) => ({
  table: 'abcd2345',
  seq: 10,
  phase: 'playing',
  variant: 'first-to-three',
  penalty: 'nothing',
  guesses: true,
  end: { arrows_to_win: 3, rounds: 12 },
  clock: null,
  seats: 3,
  host: 0,
  players: [player(0, 'Ana'), player(1, 'Ben'), player(2, 'Cleo')],
  can_start: false,
  locked: false,
  open_seats: [],
  can_wait: false,
  promised: [],
  commitment: null,
  round: 1,
  arrow: 'red',
  row: ['abcd2345a', 'abcd2345b'],
  placed_by: [null, 0],
  laid: [0, 1],
  last_placed_by: 0,
  last_by: 'player',
  next_card: 'abcd2345c',
  to_play: 1,
  turn_began: 1000,
  legal: { gaps: [0, 1, 2], doubt: true },
  arrows_won: [[], [], []],
  cards_left: 90,
  winners: [],
  last_doubt: null,
  rematch: null,
  rematch_by: null,
  secret: null,
  summary: null,
  ...changes,
});

/**
 * @param {number} seat
 * @param {string} name
 * @param {boolean} [away]
 */
export const player = (seat, name, away = false) => ({ seat, name, level: null, away });

/**
 * The page of a device that holds some seats.
 * @param {number[]} held
 * @param {Partial<View>} [changes]
 * @param {{ shared?: boolean }} [options]
 */
export const stateOf = (held, changes, options) =>
  createState({ held, waits: false, now: 1000, reading: 8, view: viewOf(changes) }, { now_ms: 1_000_000, ...options });

/**
 * @param {number} seq
 * @param {Happened[]} happened
 * @param {Partial<View>} [changes] of the table after it
 * @returns {TableMessage}
 */
export const message = (seq, happened, changes) => ({
  seq,
  event: { seq, entry: 'placed', at: 1000, happened },
  view: viewOf({ seq, ...changes }),
});

/**
 * Seat 1 doubted a row with these shares of red, laid by nobody, seat 0, seat 1, seat 2, seat 0 …
 * @param {number[]} reds
 * @param {Pick<Doubt, 'falls' | 'broke' | 'taker'>} came what the server says came of it
 * @returns {Doubt}
 */
export const doubtOf = (reds, came) => ({
  seat: 1,
  arrow: 'red',
  row: reds.map((red, at) => ({
    card: `abcd2345${at}`,
    shares: { red, yellow: 0, green: 0, blue: 0 },
    placed_by: at === 0 ? null : (at - 1) % 3,
  })),
  first_fall: came.falls[0] ?? null,
  ...came,
});

/** @type {Happened} */
export const PLACED = { event: 'card-placed', seat: 1, card: 'abcd2345c', gap: 0, next_card: null, to_play: 0 };

export const RIGHT_ROW = doubtOf([10, 10, 30], { falls: [], broke: null, taker: 0 });
export const WRONG_ROW = doubtOf([10, 40, 25, 60, 55], { falls: [2, 4], broke: { card: 1, seat: 0 }, taker: 1 });

/** @type {Happened} */
export const DOUBTED = { event: 'row-doubted', ...WRONG_ROW };
