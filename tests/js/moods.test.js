import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { moodOf } from '../../src/illusion/web/static/js/draw/players.js';
import { botAnswer } from '../../src/illusion/web/static/js/table/bubbles.js';
import { DOUBTED, openPage, player, viewOf } from './tables.js';

beforeEach(() => openPage());

const bot = (/** @type {number} */ seat) => ({ ...player(seat, 'Iris'), level: 'keen' });

test('a bot looks at the next card in its turn, and winces over a new row when it was wrong in the last one', () => {
  const doubt = /** @type {import('../../src/illusion/web/static/js/table/messages.js').Doubt} */ ({
    ...DOUBTED,
    seat: 1,
    broke: { card: 1, seat: 2 },
  });
  const view = viewOf({ to_play: 0, row: ['a'], last_doubt: doubt });
  assert.equal(moodOf(view, bot(2)), 'winces');
  assert.equal(moodOf(view, bot(1)), 'calm');
  assert.equal(moodOf({ ...view, to_play: 2 }, bot(2)), 'looks');
  assert.equal(moodOf({ ...view, row: ['a', 'b'] }, bot(2)), 'calm');
  assert.equal(moodOf({ ...view, last_doubt: { ...doubt, broke: null } }, bot(1)), 'winces');
});

test('a bot answers whoever is alone with bots, and nobody else', () => {
  const alone = viewOf({ players: [player(0, 'Ana'), bot(1), bot(2)] });
  const answer = botAnswer(alone, { seat: 0, reaction: 'laugh' });
  assert.ok(answer && answer.seat > 0);
  assert.deepEqual(botAnswer(alone, { seat: 0, reaction: 'laugh' }), answer);
  assert.equal(botAnswer(alone, answer), null);
  const together = viewOf({ players: [player(0, 'Ana'), bot(1), player(2, 'Bob')] });
  assert.equal(botAnswer(together, { seat: 0, reaction: 'laugh' }), null);
});
