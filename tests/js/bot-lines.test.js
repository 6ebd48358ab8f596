import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { hashOf } from '../../src/illusion/web/static/js/draw/players.js';
import { lineFor } from '../../src/illusion/web/static/js/table/bubbles.js';
import { DOUBTED, openPage, player, viewOf } from './tables.js';

/** @typedef {import('../../src/illusion/web/static/js/table/messages.js').Happened} Happened */

beforeEach(() => openPage());

/**
 * Seat 1 is a bot.
 * @param {number} round
 * @param {number} cards in the row
 * @param {string} [table]
 */
const withBot = (round, cards, table = 'abcd2345') =>
  viewOf({
    table,
    round,
    row: Array.from({ length: cards }, (_each, at) => `card${at}`),
    players: [player(0, 'Ana'), { ...player(1, 'Iris'), level: 'keen' }, player(2, 'Cleo')],
  });

/**
 * @param {number} seat
 * @param {number} [gap]
 * @returns {Happened}
 */
const placed = (seat, gap = 0) => ({ event: 'card-placed', seat, card: 'c', gap, next_card: 'd', to_play: 2 });

test('a hash is the same everywhere, and spreads evenly', () => {
  assert.equal(hashOf('Iris'), hashOf('Iris'));
  assert.notEqual(hashOf('Iris'), hashOf('iris'));
  const falls = [0, 0, 0];
  for (let at = 0; at < 3000; at += 1) falls[hashOf(`table ${at}`) % 3] = (falls[hashOf(`table ${at}`) % 3] ?? 0) + 1;
  for (const count of falls) assert.ok(count > 900 && count < 1100, `${falls}`);
});

test('people say nothing by themselves', () => {
  for (let round = 1; round < 40; round += 1) assert.equal(lineFor(withBot(round, 2), placed(0)), null);
});

test('a bot says at most one line a round while it lays cards, and in most rounds none', () => {
  const spoken = Array.from({ length: 60 }, (_each, round) => {
    const turns = [2, 5, 8, 11, 14].map((cards) => lineFor(withBot(round, cards), placed(1)));
    return turns.filter((said) => said !== null).length;
  });
  assert.ok(spoken.every((lines) => lines <= 1));
  const rounds = spoken.filter((lines) => lines === 1).length;
  assert.ok(rounds > 5 && rounds < 35, `${rounds} of 60`);
});

test('what a bot says is drawn by a hash of the table, not from where it lays the card', () => {
  for (let round = 1; round < 40; round += 1) {
    const said = [0, 1, 2].map((gap) => lineFor(withBot(round, 3), placed(1, gap)));
    assert.deepEqual(said[1], said[0]);
    assert.deepEqual(said[2], said[0]);
  }
  const lines = Array.from({ length: 60 }, (_each, at) => lineFor(withBot(1, 2, `table${at}`), placed(1))?.line);
  assert.ok(new Set(lines).size > 3);
});

test('a bot that doubts says so, whatever the row is', () => {
  const said = lineFor(withBot(1, 4), DOUBTED);
  assert.equal(said?.seat, 1);
  assert.ok(said?.line);
  assert.equal(lineFor(viewOf(), DOUBTED), null);
});
