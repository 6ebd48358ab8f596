import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPage, readSnapshot } from '../../src/illusion/web/static/js/table/messages.js';

test('a fragment of a game', () => {
  const data = {
    seq: '12',
    phase: 'playing',
    round: '2',
    toPlay: '0',
    host: '1',
    row: '3',
    next: 'abcd2345next',
    legal: '{"gaps":[0,1,2,3],"doubt":true}',
    away: '1,2',
    clock: '45',
    began: '1700000000.25',
    rematch: '',
  };
  assert.deepEqual(readSnapshot(data), {
    seq: 12,
    phase: 'playing',
    round: 2,
    toPlay: 0,
    host: 1,
    cardsInRow: 3,
    nextCard: 'abcd2345next',
    legal: { gaps: [0, 1, 2, 3], doubt: true },
    away: [1, 2],
    clock: 45,
    turnBegan: 1700000000.25,
    rematch: '',
  });
});

test('a fragment of a table that waits: nobody is at turn, nothing is legal', () => {
  const { toPlay, host, clock, away, legal } = readSnapshot({
    phase: 'waiting',
    toPlay: '',
    host: '',
    clock: '',
    away: '',
    legal: '{"gaps":[],"doubt":false}',
  });
  assert.deepEqual([toPlay, host, clock, away], [null, null, null, []]);
  assert.deepEqual(legal, { gaps: [], doubt: false });
});

test('the page says whose it is', () => {
  const page = { table: 'abcd2345', now: '1700000000.5' };
  assert.deepEqual(readPage({ ...page, held: '' }), { table: 'abcd2345', held: [], now: 1700000000.5 });
  assert.deepEqual(readPage({ ...page, held: '0' }).held, [0]);
  assert.deepEqual(readPage({ ...page, held: '0,2' }).held, [0, 2]);
});
