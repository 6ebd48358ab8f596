import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMissed, viewAfter } from '../../src/illusion/web/static/js/table/placement.js';
import { message, viewOf } from './tables.js';

/**
 * Seat 1 lays the card that was seen, in the middle.
 * @param {number} seq
 * @param {string | null} [next_card]
 */
const laid = (seq, next_card = 'abcd2345d') => {
  const placed = /** @type {const} */ ({ event: 'card-placed', seat: 1, card: 'abcd2345c', gap: 1, to_play: 2 });
  return { seq, event: message(seq, [{ ...placed, next_card }]).event };
};

test('a whole view is the table', () => {
  const whole = message(12, [], { round: 2 });
  assert.equal(viewAfter(viewOf(), whole), whole.view);
});

test('a laid card lies in the row, and it is the turn of the next player', () => {
  assert.deepEqual(
    viewAfter(viewOf(), laid(11)),
    viewOf({
      seq: 11,
      row: ['abcd2345a', 'abcd2345c', 'abcd2345b'],
      placed_by: [null, 1, 0],
      laid: [0, 2, 1],
      last_placed_by: 1,
      next_card: 'abcd2345d',
      to_play: 2,
      legal: { gaps: [0, 1, 2, 3], doubt: true },
      cards_left: 89,
    }),
  );
});

test('when the deck is empty the row can only be doubted', () => {
  assert.deepEqual(viewAfter(viewOf(), laid(11, null)).legal, { gaps: [], doubt: true });
});

test('what the page knows already changes nothing, nor what cannot follow', () => {
  const view = viewOf();
  for (const seq of [10, 12]) assert.equal(viewAfter(view, laid(seq)), view);
  assert.ok(isMissed(view, { seq: 12 }));
  assert.ok(!isMissed(view, { seq: 11 }));
});
